// SPDX-License-Identifier: MIT
/// The bodies of an MJCF file, with the geoms that collide.
#pragma once

#include <nearmiss/result.h>

#include <filesystem>

#include "robot/robot_file.h"

namespace nearmiss::app {

/// Fills in name and links: the bodies in MuJoCo's order, a nameless one as `body` and its number
/// there. Included files are put into the document. Geoms of the world belong to no link; a remark
/// says so. @pre the document's root is <mujoco>
Result<RobotFile> readMjcf(RobotFile robot, const std::filesystem::path& file,
                           const RobotReading& reading);

}  // namespace nearmiss::app
