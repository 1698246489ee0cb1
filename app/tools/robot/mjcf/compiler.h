// SPDX-License-Identifier: MIT
/// The <compiler> settings of an MJCF file, and the poses that depend on them.
#pragma once

#include <nearmiss/math.h>

#include <filesystem>
#include <string>

#include "tools/robot/mjcf/source.h"

namespace nearmiss::app::robot {

struct MjcfCompiler {
  bool degrees = true;
  std::string eulerSequence = "xyz";  ///< lower case: intrinsic rotations; upper case: extrinsic
                                      ///< rotations
  std::filesystem::path meshFolder;
  bool stripsPaths = false;
  bool weighsGeoms = false;  ///< also for bodies with their own mass
};

/// Reads all sections; later settings override earlier ones. Reports a fault for unsupported ones.
[[nodiscard]] MjcfCompiler readMjcfCompiler(MjcfSource& source);

struct MjcfPose {
  Vec3 at{0.0};
  Quat turn{1.0, 0.0, 0.0, 0.0};

  /// Composes a pose in this frame with this pose.
  [[nodiscard]] MjcfPose of(const MjcfPose& inner) const {
    return {at + turn * inner.at, turn * inner.turn};
  }
};

/// Returns the pose of an element in the enclosing frame, from its own and default attributes.
[[nodiscard]] MjcfPose mjcfPose(MjcfSource& source, const MjcfDefaults& defaults,
                                const MjcfCompiler& compiler, const tinyxml2::XMLElement& element);

/// Returns the smallest rotation that maps z to the direction of a nonzero axis.
[[nodiscard]] Quat turnOfZ(const Vec3& axis);

/// Returns an attribute as a vector of three numbers; `otherwise` if it is missing.
[[nodiscard]] Vec3 mjcfVector(MjcfSource& source, const tinyxml2::XMLElement& element,
                              const char* attribute, const char* text, const Vec3& otherwise);
/// Returns four numbers w x y z as a unit quaternion; the identity if `text` is null.
[[nodiscard]] Quat mjcfQuaternion(MjcfSource& source, const tinyxml2::XMLElement& element,
                                  const char* attribute, const char* text);

}  // namespace nearmiss::app::robot
