// SPDX-License-Identifier: MIT
/// `nearmiss spheres check`: checks whether spheres made by any program cover a robot.
#pragma once

#include <filesystem>
#include <string_view>

#include "tools/robot/robot_file.h"

namespace CLI {
class App;
}

namespace nearmiss::app::robot {

inline constexpr std::string_view auditSummary =
    "check whether given spheres cover a robot, link by link, and measure what they leave out";

struct AuditCommand {
  std::filesystem::path robot;    ///< a URDF or MJCF file, or a mesh as a robot with one link
  std::filesystem::path spheres;  ///< see readSphereSets()
  std::filesystem::path out;      ///< JSON; empty: none
  std::filesystem::path page;     ///< HTML with pictures; empty: none
  RobotReading reading;
};

/// @param spheres the parent command; @param command must outlive the parsing
void addAuditCommand(CLI::App& spheres, AuditCommand& command);

/// Prints one line per link. Returns ValidationFailed unless all links are covered, or another
/// ExitCode.
int auditSpheres(const AuditCommand& command);

}  // namespace nearmiss::app::robot
