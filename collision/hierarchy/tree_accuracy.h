// SPDX-License-Identifier: MIT
/// Measures and stores H of every sphere of a tree: among the last stages of every builder.
#pragma once

#include <nearmiss/build_progress.h>
#include <nearmiss/polyhedron.h>
#include <nearmiss/sphere_tree.h>
#include <nearmiss/sphere_tree_builder.h>

namespace nearmiss {

/// Fills links[].hausdorff, each at most settings.hausdorffTolerance times its radius above the
/// true value and never below it, with settings.workers threads. False if cancelled.
[[nodiscard]] bool measureAccuracy(const Polyhedron& polyhedron, const SphereTreeSettings& settings,
                                   SphereTree::Data& data, BuildProgress* progress);

/// What comes when all spheres are found: measureAccuracy(), and dropRedundant() if that is wished
/// for. False if cancelled.
[[nodiscard]] bool finishTree(const Polyhedron& polyhedron, const SphereTreeSettings& settings,
                              SphereTree::Data& data, BuildProgress* progress);

}  // namespace nearmiss
