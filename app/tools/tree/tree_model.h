// SPDX-License-Identifier: MIT
/// Loads the model of a tree file, and prints the tree.
#pragma once

#include <nearmiss/advanced/tree_files.h>
#include <nearmiss/mesh.h>
#include <nearmiss/shape.h>

#include <optional>
#include <string>

#include "options/options.h"

namespace nearmiss::app::tree {

struct TreeModel {
  std::string name;
  Polyhedron polyhedron;
  /// A point p of the tree is p / scale + centre in the model's file.
  Vec3 centre{0.0};
  Real scale = 1.0;
  Real rounding = 0.0;  ///< maximum displacement of a vertex by reading, in the file's unit
};

/// Loads `model` and checks that `tree`, read from `treeName`, was built from it, because a tree of
/// another mesh would prove nothing. On failure complains, sets `exitCode`, and returns `nullopt`.
[[nodiscard]] std::optional<TreeModel> loadModelOf(const SphereTreeFile& tree,
                                                   const std::string& treeName,
                                                   const std::string& model, int& exitCode);

// Prints a sphere tree.

/// Prints the origin of the tree and one line per level on stdout.
void printTree(const SphereTreeFile& file);

}  // namespace nearmiss::app::tree
