// SPDX-License-Identifier: MIT
/// `nearmiss tree`: sphere trees built, described and proven without a window.
#pragma once

#include <nearmiss/sphere_tree_builder.h>

#include <filesystem>
#include <string>

namespace nearmiss::app {

struct TreeBuildCommand {
  std::string model;  ///< a built-in name or a file
  std::filesystem::path out;
  std::string method = "octree";
  SphereTreeSettings settings;
};

struct TreeInfoCommand {
  std::filesystem::path file;
};

struct TreeCheckCommand {
  std::filesystem::path file;
  std::string model;
};

// Each prints its result on stdout, complaints on stderr, and returns an ExitCode.
int buildTree(const TreeBuildCommand& command);
int describeTree(const TreeInfoCommand& command);
int checkTree(const TreeCheckCommand& command);

}  // namespace nearmiss::app
