// SPDX-License-Identifier: MIT
/// `nearmiss robot`: a robot in, the same with spheres out, link by link.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "robot/robot_file.h"
#include "robot/robot_spheres.h"

namespace CLI {
class App;
}

namespace nearmiss::app::robot {

inline constexpr std::string_view robotSummary =
    "cover the links of a URDF or MJCF robot with spheres, for motion planners";

struct RobotCommand {
  std::filesystem::path file;
  std::filesystem::path out;
  std::string format;            ///< a name of robotOutputs(); none: that of the file
  std::filesystem::path ignore;  ///< see readIgnoredPairs(); none: joints alone
  RobotReading reading;
  RobotCover cover;      ///< workers 0: as many as cores
  double allowMm = 0.0;  ///< millimetres, where the file has metres
};

/// @param command must outlive the parsing
void addRobotCommand(CLI::App& app, RobotCommand& command);

/// Prints a line for each link. Returns an ExitCode: Interrupted, with what was finished written,
/// where links are missing.
int writeRobot(const RobotCommand& command);

}  // namespace nearmiss::app::robot
