// SPDX-License-Identifier: MIT
/// Measures and stores H, the Hausdorff distance, of every sphere of a tree: the last stage of
/// every builder; and Ho of the spheres that stay.
#pragma once

#include <nearmiss/build_progress.h>
#include <nearmiss/polyhedron.h>
#include <nearmiss/sphere_tree.h>
#include <nearmiss/sphere_tree_builder.h>

#include "spheres/distance_field.h"

namespace nearmiss {

/// Fills links[].hausdorff, each at most settings.hausdorffTolerance times its radius above the
/// true value and never below it, with settings.workers threads. False if cancelled.
/// @param field of the polyhedron's mesh
[[nodiscard]] bool measureHausdorff(const Polyhedron& polyhedron, const DistanceField& field,
                                    const SphereTreeSettings& settings, SphereTree::Data& data,
                                    BuildProgress* progress);

/// Fills `outside` in the same way, after H; leaves it empty for what is no solid.
[[nodiscard]] bool measureOutside(const Polyhedron& polyhedron, const SphereTreeSettings& settings,
                                  SphereTree::Data& data, BuildProgress* progress);

}  // namespace nearmiss
