// SPDX-License-Identifier: MIT
/// URDF: links with shapes to collide with, and the same links with spheres instead.
#pragma once

#include <nearmiss/math.h>

#include <filesystem>
#include <span>

#include "robot/robot_file.h"

namespace nearmiss::app::robot {

/// Errors: BadFormat for a URDF or SRDF with macros of xacro, whose links are not all in the file.
Result<Success> checkExpanded(const tinyxml2::XMLDocument& document,
                              const std::filesystem::path& file);

/// Fills in links, and the name if there is one. @pre the document's root is <robot>
Result<RobotFile> readUrdf(RobotFile robot, const std::filesystem::path& file,
                           const RobotReading& reading);

/// Replaces the <collision> elements of a link in its document.
void replaceCollisions(const RobotLink& link, std::span<const Sphere> spheres);

}  // namespace nearmiss::app::robot
