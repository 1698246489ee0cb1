// SPDX-License-Identifier: MIT
/// A given number of spheres that cover a body, without a hierarchy: for planners and simulators
/// that read a list of spheres for each link of a robot.
#pragma once

#include <nearmiss/build_progress.h>
#include <nearmiss/math.h>
#include <nearmiss/mesh.h>
#include <nearmiss/result.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace nearmiss {

inline constexpr std::size_t maxSpheresOfFlatSet = 1024;

struct FlatSetSettings {
  std::size_t count = 32;  ///< spheres at most, 1 to maxSpheresOfFlatSet
  std::uint64_t seed = 1;  ///< of the moves that are tried
  int workers = 1;         ///< threads; the spheres are the same for any number
  /// Spheres to begin with as well, at most `count`, of radii from 0, no number above maxMeshSize.
  /// Where they cover, what is found is no worse.
  std::span<const Sphere> start{};
  bool ownStarts = true;  ///< false, with spheres to begin with: no others, which takes less time
};

/// At most `count` spheres that cover the whole surface and all that its closed parts enclose, with
/// as little as can be found of their union outside: what checkFlatSet() proves, unless a mesh that
/// is no solid has more than 16,384 closed parts, of which the smallest then count as surface
/// alone. Fewer where the search found no use for more. Errors: Unsupported (a setting out of
/// range), Cancelled, out of memory.
Result<std::vector<Sphere>> fitFlatSet(const Polyhedron& polyhedron,
                                       const FlatSetSettings& settings = {},
                                       BuildProgress* progress = nullptr);

/// No more are counted in FlatSetCheck::holes.
inline constexpr std::size_t maxHolesOfFlatSet = 1'000'000;

struct FlatSetCheck {
  std::size_t openTriangles = 0;  ///< not proven to be covered
  std::size_t holes = 0;          ///< corners of gaps between spheres, inside of closed parts
  Vec3 where{0.0};                ///< the first open point
  [[nodiscard]] bool covers() const noexcept { return openTriangles == 0 && holes == 0; }
};

/// Checks that the spheres, as a whole, cover each triangle [H96 §9.1], and what closed parts
/// enclose. Takes time that grows with the cube of the number of spheres that all meet each other.
[[nodiscard]] FlatSetCheck checkFlatSet(const Polyhedron& polyhedron,
                                        std::span<const Sphere> spheres);
/// As above, and can be cancelled, where `progress` is given. Errors: Cancelled, OutOfMemory.
Result<FlatSetCheck> checkFlatSet(const Polyhedron& polyhedron, std::span<const Sphere> spheres,
                                  BuildProgress* progress);

/// Volumes of a union of spheres, cubic metres.
struct UnionVolume {
  Real solid = 0.0;    ///< what the closed parts of the surface enclose
  Real whole = 0.0;    ///< of the union
  Real outside = 0.0;  ///< of the union outside of the solid
  Real missed = 0.0;   ///< of the solid outside of the union
};

/// Measured along `rows` times as many parallel lines: exact along each of them. From 1 to 4,096
/// rows; for any other number, the nearest of these. Spheres of a radius below 0 or with a number
/// above 1e18 count as none. Throws std::bad_alloc if the machine lacks memory.
[[nodiscard]] UnionVolume measureUnion(const Polyhedron& polyhedron,
                                       std::span<const Sphere> spheres, int rows = 256);

}  // namespace nearmiss
