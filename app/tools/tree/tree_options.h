// SPDX-License-Identifier: MIT
/// The options of `nearmiss tree`.
#pragma once

#include <CLI/CLI.hpp>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tools/tree/tree_commands.h"

namespace nearmiss::app::tree {

/// Values that CLI11 fills.
struct TypedTree {
  TreeBuildCommand build;
  std::string coverage = "guaranteed", adjacency = "face", seeds = "best";
  std::optional<std::string> objective;
  int branching = VariationalSettings{}.branching;
  bool evenBranching = false;
  std::size_t maxSpheres = 0;
  Real errorBound = 0.0;
  /// Options of some methods only, with the names of those methods.
  std::vector<std::pair<const CLI::Option*, std::vector<std::string_view>>> special;
  TreeInfoCommand info;
  TreeExportCommand exporting;
  TreeCheckCommand check;
  TreeSheetCommand sheet;
};

/// @param typed must outlive the parsing
void addTreeCommands(CLI::App& app, TypedTree& typed);

/// Returns the command of `tree build`.
[[nodiscard]] TreeBuildCommand buildCommand(const TypedTree& typed);

/// Returns the command of `tree sheet`.
[[nodiscard]] TreeSheetCommand sheetCommand(const TypedTree& typed);

}  // namespace nearmiss::app::tree
