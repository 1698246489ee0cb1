// SPDX-License-Identifier: MIT
/// Proving what a sphere tree promises.
#pragma once

#include <nearmiss/math.h>
#include <nearmiss/polyhedron.h>
#include <nearmiss/sphere_tree.h>

#include <cstddef>
#include <string>

namespace nearmiss {

/// The verdict of an independent check of a tree against a mesh.
struct SphereTreeCertificate {
  /// What coverage promises: a chain at every point, whole levels, or (Samples) nothing.
  bool covers = false;
  bool bounds = false;              ///< every stored H and Ho is at least the measured one
  std::size_t uncoveredPieces = 0;  ///< pieces without a chain, or triangles that a level leaves
  std::size_t brokenBounds = 0;
  std::size_t brokenInner = 0;  ///< inner spheres that are not proven to lie inside the solid
  std::string complaint;        ///< one sentence about the first fault; empty if there is none
};
/// Certifies chains by splitting triangles until each piece lies in spheres of one root-to-leaf
/// chain whose leaf lists it, whole levels by the lemma [H96 §9.1], and H and Ho by branch and
/// bound.
[[nodiscard]] SphereTreeCertificate checkSphereTree(const SphereTree& tree,
                                                    const Polyhedron& polyhedron);

/// The same against a mesh that is not the tree's own but near to it, as that of a file from which
/// its own was welded and cleaned: every level with the leaves above it covers that mesh as a
/// whole, and no point of a sphere is farther from it than H, where all spheres are `slack` metres
/// larger and every H is as much more. Nothing is said of Ho and of inner spheres.
/// @pre the tree is valid, as one that checkSphereTree() certified
[[nodiscard]] SphereTreeCertificate checkAgainstNearby(const SphereTree& tree,
                                                       const Polyhedron& nearby, Real slack);

}  // namespace nearmiss
