// SPDX-License-Identifier: MIT
/// Sets of spheres without a hierarchy, for planners and simulators that read a list of spheres for
/// each link of a robot: fitting, checking and measuring them.
///
/// All functions are thread-safe. Pass shape.polyhedron() of a shape.
#pragma once

#include <nearmiss/math.h>
#include <nearmiss/result.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace nearmiss {

class Polyhedron;
struct BuildProgress;

inline constexpr std::size_t maxSpheresOfFlatSet = 1024;

/// Settings of fitFlatSet().
struct FlatSetSettings {
  std::size_t count = 32;  ///< maximum number of spheres, 1 to maxSpheresOfFlatSet
  std::uint64_t seed = 1;  ///< of the random search
  int workers = 1;         ///< threads; results do not depend on it
  /// Additional initial spheres: at most `count`, radii at least 0, no number above maxMeshSize. If
  /// they cover the body, the result is at least as good.
  std::span<const Sphere> start{};
  /// If false and `start` is not empty, only `start` is used, which is faster.
  bool ownStarts = true;
};

/// Finds at most `count` spheres that cover the surface and the interior of its closed parts, with
/// as little volume outside as possible.
///
/// checkFlatSet() proves the coverage, with one exception: if the mesh is not a solid and has more
/// than 16,384 closed parts, only the surface of the smallest ones is covered. Returns fewer
/// spheres if more would not help. Errors: Unsupported (a setting out of range), Cancelled,
/// OutOfMemory.
Result<std::vector<Sphere>> fitFlatSet(const Polyhedron& polyhedron,
                                       const FlatSetSettings& settings = {},
                                       BuildProgress* progress = nullptr);

/// Maximum count in FlatSetCheck::holes.
inline constexpr std::size_t maxHolesOfFlatSet = 1'000'000;

/// The result of checkFlatSet().
struct FlatSetCheck {
  std::size_t openTriangles = 0;  ///< not proven to be covered
  std::size_t holes = 0;          ///< corners of gaps between spheres, inside closed parts
  Vec3 where{0.0};                ///< the first point not covered
  [[nodiscard]] bool covers() const noexcept { return openTriangles == 0 && holes == 0; }
};

/// Checks that the spheres together cover each triangle [H96 §9.1] and the interior of closed
/// parts. The time grows with the cube of the number of spheres that all overlap each other.
[[nodiscard]] FlatSetCheck checkFlatSet(const Polyhedron& polyhedron,
                                        std::span<const Sphere> spheres);
/// As above; can be cancelled if `progress` is not null. Errors: Cancelled, OutOfMemory.
Result<FlatSetCheck> checkFlatSet(const Polyhedron& polyhedron, std::span<const Sphere> spheres,
                                  BuildProgress* progress);

/// Volumes of a union of spheres, cubic metres.
struct UnionVolume {
  Real solid = 0.0;    ///< enclosed by the closed parts of the surface
  Real whole = 0.0;    ///< union of the spheres
  Real outside = 0.0;  ///< part of the union outside the solid
  Real missed = 0.0;   ///< part of the solid outside the union
};

/// Measures the volumes along up to rows * rows parallel lines; exact along each line. `rows` is
/// clamped to 1 to 4,096. Ignores spheres with a negative radius or a number above 1e18. Throws
/// std::bad_alloc if memory runs out.
[[nodiscard]] UnionVolume measureUnion(const Polyhedron& polyhedron,
                                       std::span<const Sphere> spheres, int rows = 256);

/// Settings of measureUncovered().
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
