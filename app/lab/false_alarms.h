// SPDX-License-Identifier: MIT
/// How often the spheres of a level collide although the surfaces in them do not.
#pragma once

#include <nearmiss/shape.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace nearmiss::app {

/// Poses of a second ship of the same model, relative to the first, by the verdict of the exact
/// step.
struct PairPoses {
  std::vector<Pose> separated;
  std::vector<Pose> touching;  ///< those drawn in between
};

/// Poses of any rotation, in any direction, 0.2 to 1.0 times the sum of the radii apart.
[[nodiscard]] std::vector<Pose> drawPoses(const Shape& shape, std::size_t count,
                                          std::uint64_t seed);

/// Draws such poses until `count` are separated; fewer where hardly any is.
[[nodiscard]] PairPoses drawPairPoses(const Shape& shape, std::size_t count, std::uint64_t seed);

struct FalseAlarms {
  std::vector<std::size_t> atLevel;  ///< separated poses whose spheres collide there
  std::size_t missed = 0;            ///< touching poses called separate at last
  /// Wall time of a pose, to its final answer, on average.
  double separatedMicroseconds = 0.0, touchingMicroseconds = 0.0;
};
[[nodiscard]] FalseAlarms countFalseAlarms(const Shape& shape, const PairPoses& poses);

}  // namespace nearmiss::app
