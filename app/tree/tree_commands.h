// SPDX-License-Identifier: MIT
/// `nearmiss tree`: sphere trees built, described and proven without a window.
#pragma once

#include <nearmiss/tree_builders.h>

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace nearmiss::app::tree {

struct TreeBuildCommand {
  std::string model;  ///< a built-in name or a file
  std::filesystem::path out;
  std::string method{defaultSphereTreeBuilder};
  SphereTreeSettings settings;
  std::vector<std::string> unheeded;  ///< options that were typed but mean nothing to the method
};

struct TreeInfoCommand {
  std::filesystem::path file;
  std::string model;  ///< its model, to measure more; may be empty
};

struct TreeExportCommand {
  std::filesystem::path file;
  std::filesystem::path out;
  std::string format;        ///< a name of sphereFormats()
  std::string model;         ///< its model; empty: the frame of the tree stays
  std::optional<int> level;  ///< with the leaves above; with a count: the tree's own, no deeper
  std::optional<std::size_t> count;  ///< a flat set of at most this many spheres
};

struct TreeCheckCommand {
  std::filesystem::path file;
  std::string model;
  bool unwelded = false;  ///< against the model's own vertices as well
};

struct TreeSheetCommand {
  std::string model;  ///< a built-in name or a file
  std::filesystem::path out;
  std::vector<std::string> builders;  ///< a row each below the octree's
};

// Each prints its result on stdout, complaints on stderr, and returns an ExitCode.
int buildTree(const TreeBuildCommand& command);
int describeTree(const TreeInfoCommand& command);
int exportTree(const TreeExportCommand& command);
int checkTree(const TreeCheckCommand& command);
/// Only where the window is built: it draws with the window's renderer, off screen.
int drawSheet(const TreeSheetCommand& command);

}  // namespace nearmiss::app::tree
