// SPDX-License-Identifier: MIT
/// Reads URDF links with collision shapes, and replaces the shapes by spheres.
#pragma once

#include <nearmiss/math.h>

#include <filesystem>
#include <span>

#include "tools/robot/robot_file.h"

namespace nearmiss::app::robot {

/// Errors: BadFormat for a URDF or SRDF with xacro macros, because the file does not contain all
/// links.
Result<Success> checkExpanded(const tinyxml2::XMLDocument& document,
                              const std::filesystem::path& file);

/// Fills in links, and the name if there is one.
/// @pre the document's root is <robot>
Result<RobotFile> readUrdf(RobotFile robot, const std::filesystem::path& file,
                           const RobotReading& reading);

/// Replaces the <collision> elements of a link in its document.
void replaceCollisions(const RobotLink& link, std::span<const Sphere> spheres);

}  // namespace nearmiss::app::robot
