// SPDX-License-Identifier: MIT
/// How much of a surface lies outside of a set of spheres, and how far: for sets that somebody else
/// made, which may not cover it.
///
/// Any number of threads may call this at once.
#pragma once

#include <nearmiss/build_progress.h>
#include <nearmiss/math.h>
#include <nearmiss/mesh.h>
#include <nearmiss/result.h>

#include <cstddef>
#include <span>

namespace nearmiss {

struct UncoveredSettings {
  Real shareTolerance = 1e-3;         ///< of the area: the width of the bounds that ends the search
  Real distanceTolerance = 1e-4;      ///< the same of the distance, relative to the mesh's radius
  std::size_t maxPieces = 1'000'000;  ///< the triangles are cut into, for each of the two
};

/// Bounds that are proven, but for the rounding of distances from spheres far larger than the mesh.
/// Lengths are in the unit of the mesh.
struct UncoveredSurface {
  Real area = 0.0;                             ///< of all triangles
  Real shareAtLeast = 0.0, shareAtMost = 0.0;  ///< of the area, outside of all spheres
  /// The max distance of a point of the surface from the union of the spheres; infinite without
  /// spheres.
  Real farthestAtLeast = 0.0, farthestAtMost = 0.0;
  Vec3 where{0.0};  ///< a point that is farthestAtLeast away
  /// All of it lies within the spheres, for certain.
  [[nodiscard]] bool covered() const noexcept { return farthestAtMost == 0.0; }
};

/// Triangles are proven to be covered by the boundary lemma [H96 §9.1, Fig. 9]; what is left is cut
/// into pieces, each within one sphere, outside of all, or too small to matter. Spheres of negative
/// radius are empty. Errors: Unsupported (a sphere that is not finite or has a number above
/// maxMeshSize, a tolerance that is not above 0), Cancelled, OutOfMemory.
Result<UncoveredSurface> measureUncovered(const Polyhedron& polyhedron,
                                          std::span<const Sphere> spheres,
                                          const UncoveredSettings& settings = {},
                                          BuildProgress* progress = nullptr);

}  // namespace nearmiss
