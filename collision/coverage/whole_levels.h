// SPDX-License-Identifier: MIT
/// Whether every level of a tree as a whole covers a surface: the coverage of the paper [H96 §9.1].
#pragma once

#include <nearmiss/polyhedron.h>
#include <nearmiss/sphere_tree.h>

#include <cstddef>
#include <cstdint>

namespace nearmiss {

struct OpenLevels {
  std::size_t triangles = 0;  ///< not proven to be covered, counted level by level
  // The first of them
  int level = 0;
  std::uint32_t triangle = 0;
  Vec3 where{0.0};
};

/// By the boundary lemma, for the spheres of each level together with the leaves above it; where
/// the lemma leaves a doubt, by pieces that lie wholly in one of them.
/// @param slack by which all spheres are larger, metres
[[nodiscard]] OpenLevels openLevels(const SphereTree& tree, const Polyhedron& polyhedron,
                                    Real slack = 0.0);

}  // namespace nearmiss
