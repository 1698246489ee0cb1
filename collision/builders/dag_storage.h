// SPDX-License-Identifier: MIT
/// Stores the levels of a sphere-DAG as packs of a tree: every parent has packs with all its
/// children.
#pragma once

#include <nearmiss/advanced/sphere_tree.h>
#include <nearmiss/math.h>

#include <cstdint>
#include <span>
#include <vector>

namespace nearmiss {

/// The spheres of one level.
struct DagSpheres {
  std::vector<Sphere> balls;
  /// per ball: ascending indices into the next level
  std::vector<std::vector<std::uint32_t>> children;
};

/// Fills packs, links, levels, identities and counts of `data`, which must be empty. Balls without
/// a parent are left out. Returns the identities of the balls of the last level, or
/// SphereLinks::none for balls that were left out.
/// @pre levels[0] contains only the root; balls are as returned by storedBall()
[[nodiscard]] std::vector<SphereId> storeDag(std::span<const DagSpheres* const> levels,
                                             SphereTree::Data& data);

/// Gives each leaf of the last level its triangles: lists[i] belongs to ids[i], as returned by
/// storeDag().
void listDagLeaves(std::span<const SphereId> ids, std::span<const std::vector<std::uint32_t>> lists,
                   SphereTree::Data& data);

}  // namespace nearmiss
