// SPDX-License-Identifier: MIT
/// The model of a tree file, loaded again, and the tree in figures.
#pragma once

#include <nearmiss/files.h>
#include <nearmiss/mesh.h>

#include <optional>
#include <string>

#include "options.h"

namespace nearmiss::app::tree {

struct TreeModel {
  std::string name;
  Polyhedron polyhedron;
  /// A point p of the tree is p / scale + centre in the model's file.
  Vec3 centre{0.0};
  Real scale = 1.0;
  Real rounding = 0.0;  ///< max distance of a vertex from its place in the file; its unit
};

/// Loads `model` and makes sure that `tree`, read from `treeName`, was built from it: a tree of
/// another mesh proves nothing, however good it is. Complains itself; nothing if it failed, and
/// then `exitCode` is what the program should end with.
[[nodiscard]] std::optional<TreeModel> loadModelOf(const SphereTreeFile& tree,
                                                   const std::string& treeName,
                                                   const std::string& model, int& exitCode);

// A sphere tree in figures, for people.

/// Prints where the tree comes from and a line for each level on stdout.
void printTree(const SphereTreeFile& file);

}  // namespace nearmiss::app::tree
