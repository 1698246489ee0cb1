// SPDX-License-Identifier: MIT
/// `nearmiss robot`: a robot in, the same with spheres out, link by link.
#pragma once

#include <nearmiss/flat_set.h>

#include <filesystem>
#include <string>
#include <string_view>

#include "robot/robot_file.h"

namespace CLI {
class App;
}

namespace nearmiss::app::robot {

inline constexpr std::string_view robotSummary =
    "cover the links of a URDF or MJCF robot with spheres, for motion planners";

struct RobotCommand {
  std::filesystem::path file;
  std::filesystem::path out;
  std::string format;  ///< urdf, mjcf, curobo or json; none: that of the file
  RobotReading reading;
  FlatSetSettings settings;  ///< of each link; workers 0: as many as cores
};

/// @param command must outlive the parsing
void addRobotCommand(CLI::App& app, RobotCommand& command);

/// Prints a line for each link. Returns an ExitCode.
int writeRobot(const RobotCommand& command);

}  // namespace nearmiss::app::robot
