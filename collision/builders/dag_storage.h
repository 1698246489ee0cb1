// SPDX-License-Identifier: MIT
/// The levels of a sphere-DAG as the packs of a tree: every parent has packs with all its children.
#pragma once

#include <nearmiss/math.h>
#include <nearmiss/sphere_tree.h>

#include <cstdint>
#include <span>
#include <vector>

namespace nearmiss {

/// The spheres of one level.
struct DagSpheres {
  std::vector<Sphere> balls;
  std::vector<std::vector<std::uint32_t>> children;  ///< per ball, ascending indices in the next
};

/// Fills packs, links, levels, identities and counts of `data`, which is empty. Balls without a
/// parent are left out. Returns the identities of the balls of the last level, SphereLinks::none
/// for those. @pre levels[0] is the root alone; balls are as by storedBall()
[[nodiscard]] std::vector<SphereId> storeDag(std::span<const DagSpheres* const> levels,
                                             SphereTree::Data& data);

/// Gives each leaf of the last level its triangles: lists[i] belongs to ids[i], as storeDag()
/// returned them.
void listDagLeaves(std::span<const SphereId> ids, std::span<const std::vector<std::uint32_t>> lists,
                   SphereTree::Data& data);

}  // namespace nearmiss
