// SPDX-License-Identifier: MIT
/// The files that a robot's file refers to.
#pragma once

#include <filesystem>
#include <vector>

#include "tools/robot/robot_file.h"

namespace nearmiss::app::robot {

/// Returns meshes, pictures and included files, read or not, at every possible location of a name;
/// some do not exist. `file` and `reading` are those used to read the robot.
[[nodiscard]] std::vector<std::filesystem::path> namedFiles(const RobotFile& robot,
                                                            const std::filesystem::path& file,
                                                            const RobotReading& reading);

}  // namespace nearmiss::app::robot
