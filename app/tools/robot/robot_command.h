// SPDX-License-Identifier: MIT
/// `nearmiss robot`: writes a robot with spheres as collision shapes, link by link.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "tools/robot/robot_file.h"
#include "tools/robot/robot_spheres.h"

namespace CLI {
class App;
}

namespace nearmiss::app::robot {

inline constexpr std::string_view robotSummary =
    "cover the links of a URDF or MJCF robot with spheres, for motion planners";

struct RobotCommand {
  std::filesystem::path file;
  std::filesystem::path out;     ///< empty: NAME_spheres.EXTENSION in the working folder
  std::string format;            ///< a name of robotOutputs(); empty: that of the input
  std::filesystem::path ignore;  ///< see readIgnoredPairs(); empty: only pairs connected by joints
  RobotReading reading;
  RobotCover cover;      ///< workers 0: one per core
  double allowMm = 0.0;  ///< millimetres; the file must be in metres
};

/// @param command must outlive the parsing
void addRobotCommand(CLI::App& app, RobotCommand& command);

/// Prints one line per link. If links are missing after an interrupt, writes the finished ones to
/// OUT.partial, leaves OUT as it was, and returns Interrupted. Otherwise returns an ExitCode.
int writeRobot(const RobotCommand& command);

}  // namespace nearmiss::app::robot
