// SPDX-License-Identifier: MIT
/// URDF: links with shapes to collide with, and the same links with spheres instead.
#pragma once

#include <nearmiss/math.h>

#include <filesystem>
#include <span>

#include "robot/robot_file.h"

namespace nearmiss::app::robot {

/// Fills in name and links. @pre the document's root is <robot>
Result<RobotFile> readUrdf(RobotFile robot, const std::filesystem::path& file,
                           const RobotReading& reading);

/// Replaces the <collision> elements of a link in its document.
void replaceCollisions(const RobotLink& link, std::span<const Sphere> spheres);

}  // namespace nearmiss::app::robot
