// SPDX-License-Identifier: MIT
/// What <compiler> sets for a whole MJCF file, and the poses that it gives a meaning.
#pragma once

#include <nearmiss/math.h>

#include <filesystem>
#include <string>

#include "robot/mjcf/source.h"

namespace nearmiss::app::robot {

struct MjcfCompiler {
  bool degrees = true;
  std::string eulerSequence = "xyz";  ///< lower case: axes that turn along; upper case: fixed ones
  std::filesystem::path meshFolder;
  bool stripsPaths = false;
  bool weighsGeoms = false;  ///< also in bodies that say what they weigh
};

/// The last section that sets a thing wins. What it does not understand is a fault of the source.
[[nodiscard]] MjcfCompiler readMjcfCompiler(MjcfSource& source);

struct MjcfPose {
  Vec3 at{0.0};
  Quat turn{1.0, 0.0, 0.0, 0.0};

  /// A pose in this one, in the frame of this one.
  [[nodiscard]] MjcfPose of(const MjcfPose& inner) const {
    return {at + turn * inner.at, turn * inner.turn};
  }
};

/// The pose that an element's own and default attributes give it in the frame around it.
[[nodiscard]] MjcfPose mjcfPose(MjcfSource& source, const MjcfDefaults& defaults,
                                const MjcfCompiler& compiler, const tinyxml2::XMLElement& element);

/// The least turn that takes z to the direction of an axis that is not 0.
[[nodiscard]] Quat turnOfZ(const Vec3& axis);

/// Three numbers as a vector: of the attribute where it is there, else `otherwise`.
[[nodiscard]] Vec3 mjcfVector(MjcfSource& source, const tinyxml2::XMLElement& element,
                              const char* attribute, const char* text, const Vec3& otherwise);
/// Four numbers w x y z as a quaternion of length 1; no turn where `text` is null.
[[nodiscard]] Quat mjcfQuaternion(MjcfSource& source, const tinyxml2::XMLElement& element,
                                  const char* attribute, const char* text);

}  // namespace nearmiss::app::robot
