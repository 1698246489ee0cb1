// SPDX-License-Identifier: MIT
/// The annealed builder whose spheres of a level share their surface.
#pragma once

#include <nearmiss/build_progress.h>
#include <nearmiss/polyhedron.h>
#include <nearmiss/result.h>
#include <nearmiss/sphere_tree.h>
#include <nearmiss/sphere_tree_builder.h>

namespace nearmiss {

/// The octree's spheres, those of a level moved and shrunk together by simulated annealing [H93]:
/// children of one sphere hand patches of surface to each other, and the objective is H, the
/// Hausdorff distance, of the level's set of spheres. No level has a larger greatest H than the
/// octree's, unless the objective is Outside: where that is not reached, the tree is
/// buildAnnealedSphereTree()'s. Coverage is always Guaranteed; one thread. Errors: as there.
Result<SphereTree> buildAnnealedTogether(const Polyhedron& polyhedron,
                                         const SphereTreeSettings& settings,
                                         BuildProgress* progress);

}  // namespace nearmiss
