// SPDX-License-Identifier: MIT
/// The files that a robot's file names in turn.
#pragma once

#include <filesystem>
#include <vector>

#include "robot/robot_file.h"

namespace nearmiss::app::robot {

/// Meshes, pictures and included files, whether they are read or not, wherever the name may lead:
/// some may not be there. `file` and `reading` are those that the robot was read with.
[[nodiscard]] std::vector<std::filesystem::path> namedFiles(const RobotFile& robot,
                                                            const std::filesystem::path& file,
                                                            const RobotReading& reading);

}  // namespace nearmiss::app::robot
