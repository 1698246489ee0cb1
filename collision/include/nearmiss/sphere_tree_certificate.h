// SPDX-License-Identifier: MIT
/// Proving what a sphere tree promises.
#pragma once

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

}  // namespace nearmiss
