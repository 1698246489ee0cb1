// SPDX-License-Identifier: MIT
/// `nearmiss interfere`: how the objects of a layout interfere, in as little memory as asked for.
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
  double residentMb = 0.0;           ///< MiB of shapes at once; 0: without a limit
  std::string order = "planned";     ///< or "given"
  std::string tree = "variational";  ///< of the models that are not stored yet
  std::filesystem::path store;       ///< empty: beside the cache of trees
  double tolerance = 1e-4;           ///< metres; see ClashLimits
  double clearance = 0.0;            ///< metres
  std::vector<std::string> classes;  ///< that files list; empty: all but "clear"
  std::filesystem::path allowed;     ///< see readIgnoredPairs(): objects are links; empty: none
  std::filesystem::path pairs;       ///< a table of clashes; empty: none
  std::filesystem::path bcf;         ///< topics for building models; empty: none
  std::filesystem::path summary;     ///< figures as JSON; empty: none
};

/// @param command must outlive the parsing
void addInterfereCommand(CLI::App& app, InterfereCommand& command);

/// Prints how many pairs are of each class, and what it took. Returns an ExitCode.
int interfere(const InterfereCommand& command);

}  // namespace nearmiss::app
