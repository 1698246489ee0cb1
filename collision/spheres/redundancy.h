// SPDX-License-Identifier: MIT
/// Leaving out spheres whose surface others cover as well [H96 §12].
#pragma once

#include <nearmiss/build_progress.h>
#include <nearmiss/polyhedron.h>
#include <nearmiss/sphere_tree.h>

namespace nearmiss {

/// Leaves out leaves, those with the largest H first, as long as the others still keep the tree's
/// coverage, and with them spheres that are left without children. With guaranteed coverage, leaves
/// nearby take over the triangles. H is the Hausdorff distance. The spheres that stay are
/// unchanged. False if cancelled.
[[nodiscard]] bool dropRedundant(const Polyhedron& polyhedron, SphereTree::Data& data,
                                 BuildProgress* progress);

}  // namespace nearmiss
