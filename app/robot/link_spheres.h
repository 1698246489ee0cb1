// SPDX-License-Identifier: MIT
/// The spheres of one link.
#pragma once

#include <nearmiss/flat_set.h>
#include <nearmiss/math.h>
#include <nearmiss/result.h>

#include <string>
#include <vector>

#include "robot/robot_file.h"

namespace nearmiss::app::robot {

struct LinkSpheres {
  std::vector<Sphere> spheres;  ///< in the frame of the link
  /// Volume of their union outside of the link, relative to that of its closed parts; below 0
  /// without any.
  Real outsideShare = -1.0;
  std::vector<std::string> warnings;  ///< of the meshes
};

/// Spheres that cover all shapes of a link; a link of spheres alone keeps them, if they are no more
/// than allowed. Errors: those of loadModel(), of makePolyhedron() and of fitFlatSet().
/// @pre the link has shapes
[[nodiscard]] Result<LinkSpheres> spheresOfLink(const RobotLink& link,
                                                const FlatSetSettings& settings);

}  // namespace nearmiss::app::robot
