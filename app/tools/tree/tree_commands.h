// SPDX-License-Identifier: MIT
/// `nearmiss tree`: builds, describes and verifies sphere trees without a window.
#pragma once

#include <nearmiss/advanced/shapes.h>
#include <nearmiss/advanced/tree_builders.h>

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
  std::vector<std::string> ignoredOptions;  ///< typed options that the method ignores
};

struct TreeInfoCommand {
  std::filesystem::path file;
  std::string model;  ///< the tree's model, for more measurements; may be empty
};

struct TreeExportCommand {
  std::filesystem::path file;
  std::filesystem::path out;
  std::string format;        ///< a name of sphereFormats()
  std::string model;         ///< the tree's model; empty: keeps the frame of the tree
  std::optional<int> level;  ///< includes the leaves above; with a count: the maximum level of the
                             ///< tree to use
  std::optional<std::size_t> count;  ///< a flat set of at most this many spheres
};

struct TreeCheckCommand {
  std::filesystem::path file;
  std::string model;
  bool unwelded = false;  ///< check against the model's unwelded vertices as well
};

struct TreeSheetCommand {
  std::string model;  ///< a built-in name or a file
  std::filesystem::path out;
  std::vector<std::string> builders;  ///< one row each below the octree's
};

// Each function prints its result on stdout and complaints on stderr, and returns an ExitCode.
int buildTree(const TreeBuildCommand& command);
int describeTree(const TreeInfoCommand& command);
int exportTree(const TreeExportCommand& command);
int checkTree(const TreeCheckCommand& command);
/// Available only if the window is built, because it uses the window's renderer off screen.
int drawSheet(const TreeSheetCommand& command);

}  // namespace nearmiss::app::tree
