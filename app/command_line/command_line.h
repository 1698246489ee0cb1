// SPDX-License-Identifier: MIT
/// The command line as a command with all its settings. Only this file, *_options and option_checks
/// use CLI11.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "console/lab_program.h"
#include "options/options.h"
#include "running/replay.h"
#include "tools/clash/interfere.h"
#include "tools/mesh/mesh_command.h"
#include "tools/robot/audit/audit_command.h"
#include "tools/robot/robot_command.h"
#include "tools/tree/spheres_command.h"
#include "tools/tree/tree_commands.h"

namespace nearmiss::app {

struct FlyCommand {
  Options options;
  SettingsMemory memory;
};
struct RunCommand {
  Options options;
};
/// Prints the settings that `fly` or `run` would use.
struct PrintConfigCommand {
  Options options;
};
struct ListCommand {
  std::string what;  ///< one of listedKinds(); empty: all
};
/// Nothing is left to do: help or an error was printed.
struct Ended {
  int exitCode = Ok;
};

using Command = std::variant<Ended, FlyCommand, RunCommand, PrintConfigCommand, ListCommand,
                             tree::TreeBuildCommand, tree::TreeInfoCommand, tree::TreeExportCommand,
                             tree::TreeCheckCommand, tree::TreeSheetCommand, mesh::MeshCheckCommand,
                             tree::SpheresCommand, robot::RobotCommand, robot::AuditCommand,
                             InterfereCommand, ReplayCommand, LabProgramCommand>;

/// `arguments` excludes the program's name. Prints help and errors itself.
[[nodiscard]] Command parseCommandLine(const std::vector<std::string>& arguments);

}  // namespace nearmiss::app
