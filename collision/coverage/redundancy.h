// SPDX-License-Identifier: MIT
/// Leaving out spheres whose surface others cover as well [H96 §12].
#pragma once

#include <nearmiss/build_progress.h>
#include <nearmiss/polyhedron.h>
#include <nearmiss/sphere_tree.h>

namespace nearmiss {

/// Leaves out leaves, those with the largest H first, as long as the others still keep what the
/// tree's coverage promises, and with them spheres that are left without children. Where chains are
/// promised, leaves nearby take over the triangles. The spheres that stay are unchanged. False if
/// cancelled.
[[nodiscard]] bool dropRedundant(const Polyhedron& polyhedron, SphereTree::Data& data,
                                 BuildProgress* progress);

}  // namespace nearmiss
