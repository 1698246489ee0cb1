// SPDX-License-Identifier: MIT
/// The files that a robot's file names in turn.
#pragma once

#include <filesystem>
#include <vector>

#include "robot/robot_file.h"

namespace nearmiss::app::robot {

/// Meshes, pictures and included files, read or not, at every place that a name may stand for: some
/// do not exist. `file` and `reading` are those that the robot was read with.
[[nodiscard]] std::vector<std::filesystem::path> namedFiles(const RobotFile& robot,
                                                            const std::filesystem::path& file,
                                                            const RobotReading& reading);

}  // namespace nearmiss::app::robot
