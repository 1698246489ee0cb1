// SPDX-License-Identifier: MIT
/// `nearmiss interfere`: which objects of a layout touch, in as little memory as asked for.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace CLI {
class App;
}

namespace nearmiss::app {

inline constexpr std::string_view interfereSummary =
    "find the objects of a layout that touch, within a limit of memory";

struct InterfereCommand {
  std::filesystem::path layout;
  double residentMb = 0.0;           ///< MiB of shapes at once; 0: without a limit
  std::string order = "planned";     ///< or "given"
  std::string tree = "variational";  ///< of the models that are not stored yet
  std::filesystem::path store;       ///< empty: beside the cache of trees
  std::filesystem::path pairs;       ///< a table of what touches; empty: none
  std::filesystem::path summary;     ///< figures as JSON; empty: none
};

/// @param command must outlive the parsing
void addInterfereCommand(CLI::App& app, InterfereCommand& command);

/// Prints how many objects touch, and what it took. Returns an ExitCode.
int interfere(const InterfereCommand& command);

}  // namespace nearmiss::app
