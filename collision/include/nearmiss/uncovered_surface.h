// SPDX-License-Identifier: MIT
/// Measures how much of a surface lies outside a set of spheres, and how far. For sphere sets of
/// other origin, which may not cover the surface.
///
/// Thread-safe.
#pragma once

#include <nearmiss/build_progress.h>
#include <nearmiss/math.h>
#include <nearmiss/mesh.h>
#include <nearmiss/result.h>

#include <cstddef>
#include <span>

namespace nearmiss {

struct UncoveredSettings {
  Real shareTolerance = 1e-3;     ///< of the area: stops when the bounds are this close
  Real distanceTolerance = 1e-4;  ///< same for the distance, relative to the mesh's radius
  /// Maximum number of pieces of triangles, for each of the two.
  std::size_t maxPieces = 1'000'000;
};

/// Proven bounds, except for rounding of distances from spheres far larger than the mesh. Lengths
/// are in the unit of the mesh.
struct UncoveredSurface {
  Real area = 0.0;                             ///< of all triangles
  Real shareAtLeast = 0.0, shareAtMost = 0.0;  ///< share of the area outside all spheres
  /// Maximum distance of a surface point from the union of the spheres; infinite without spheres.
  Real farthestAtLeast = 0.0, farthestAtMost = 0.0;
  Vec3 where{0.0};  ///< a point at distance farthestAtLeast
  /// Returns true if the whole surface is proven to lie within the spheres.
  [[nodiscard]] bool covered() const noexcept { return farthestAtMost == 0.0; }
};

/// Measures the uncovered part of a surface. Triangles are proven to be covered by the boundary
/// lemma [H96 §9.1, Fig. 9]. The rest is cut into pieces until each lies within one sphere, outside
/// all spheres, or is too small to matter. Spheres of negative radius are empty. Errors:
/// Unsupported (a sphere that is not finite or has a number above maxMeshSize, a tolerance that is
/// not above 0), Cancelled, OutOfMemory.
Result<UncoveredSurface> measureUncovered(const Polyhedron& polyhedron,
                                          std::span<const Sphere> spheres,
                                          const UncoveredSettings& settings = {},
                                          BuildProgress* progress = nullptr);

}  // namespace nearmiss
