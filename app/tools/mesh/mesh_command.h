// SPDX-License-Identifier: MIT
/// `nearmiss mesh check`: checks whether a file holds a clean solid, and lists its faults.
#pragma once

#include <nearmiss/advanced/mesh_file.h>
#include <nearmiss/math.h>

#include <optional>
#include <string>

namespace CLI {
class App;
}

namespace nearmiss::app::mesh {

struct MeshCheckCommand {
  std::string model;         ///< a built-in name or a file
  std::optional<Real> weld;  ///< in the file's unit; default: usualWeldDistance()
  bool noSelfIntersections = false;
  bool all = false;   ///< print every fault, not only the first few
  bool json = false;  ///< print JSON instead of a table
  int jobs = 0;       ///< threads; 0: one per core
};

/// Adds `mesh` with its subcommands.
/// @param command must outlive the parsing
void addMeshCommands(CLI::App& app, MeshCheckCommand& command);

/// Prints the faults on stdout. Returns Ok for a solid, ValidationFailed for any other mesh, or
/// another ExitCode.
int checkMeshFile(const MeshCheckCommand& command);

}  // namespace nearmiss::app::mesh
