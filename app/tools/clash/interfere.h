// SPDX-License-Identifier: MIT
/// `nearmiss interfere`: interference of the objects of a layout, within a memory limit.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
}

namespace nearmiss::app {

inline constexpr std::string_view interfereSummary =
    "find the objects of a layout that touch, and how: for CAD and building models";

struct InterfereCommand {
  std::filesystem::path layout;
  double residentMb = 0.0;           ///< MiB of shapes in memory; 0: no limit
  std::string order = "planned";     ///< or "given"
  std::string tree = "variational";  ///< builder for models that are not stored yet
  std::filesystem::path store;       ///< empty: next to the tree cache
  double tolerance = 1e-4;           ///< metres; see ClashLimits
  double clearance = 0.0;            ///< metres
  std::vector<std::string> classes;  ///< classes to list; empty: all except "clear"
  std::filesystem::path allowed;     ///< see readIgnoredPairs(), where objects are links; empty:
                                     ///< none
  std::filesystem::path pairs;       ///< table of clashes; empty: none
  std::filesystem::path bcf;         ///< topics for building models; empty: none
  std::filesystem::path summary;     ///< JSON figures; empty: none
};

/// @param command must outlive the parsing
void addInterfereCommand(CLI::App& app, InterfereCommand& command);

/// Prints the number of pairs by class, and the cost. Returns an ExitCode.
int interfere(const InterfereCommand& command);

}  // namespace nearmiss::app
