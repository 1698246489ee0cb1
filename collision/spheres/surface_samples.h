// SPDX-License-Identifier: MIT
/// Samples of a surface: evenly distributed points, and the pieces into which it is cut.
#pragma once

#include <nearmiss/mesh.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace nearmiss {

/// A point of a mesh's surface.
struct SurfaceSample {
  Vec3 position{0.0};
  std::uint32_t triangle = 0;  ///< triangle that contains it
};

[[nodiscard]] std::vector<Vec3> positionsOf(std::span<const SurfaceSample> points);

/// Returns the approximate distance of neighbours among `count` evenly distributed points, metres.
[[nodiscard]] Real evenSpacing(const TriangleMesh& mesh, std::size_t count) noexcept;

/// Returns `count` points, first distributed at random by area, then pushed apart [T91, H96 §7].
/// Deterministic for the same mesh. Points stay on the surface: a push across an edge continues,
/// rotated, in the next triangle, and stops at the rim of an open surface.
/// Once `cancelled`, if given, is set, returns soon with less evenly distributed points.
/// @pre `mesh` has a triangle, and no triangle without area
[[nodiscard]] std::vector<SurfaceSample> evenPoints(const TriangleMesh& mesh, std::size_t count,
                                                    const std::atomic<bool>* cancelled = nullptr);

/// Returns the k-th point of a low-discrepancy sequence in the unit cube.
[[nodiscard]] Vec3 evenPoint(std::size_t k) noexcept;

/// Returns `count` points of the surface, distributed in proportion to area, in the order of its
/// triangles. Less even than evenPoints(), but far faster.
[[nodiscard]] std::vector<SurfaceSample> spreadPoints(const TriangleMesh& mesh, std::size_t count);

/// A small triangle, part of a surface that is cut up. Every piece has one owner in each level of a
/// tree, and an owner owns all pieces of its children. So coverage holds by construction: a ball
/// that contains the corners of a triangle contains the triangle.
struct SurfacePiece {
  std::array<Vec3, 3> corners;
  Vec3 middle{0.0};            ///< mean of the corners
  std::uint32_t triangle = 0;  ///< index in the mesh of the triangle that it is part of
};

/// Returns the triangles of `mesh` as pieces, sorted along a space-filling curve. So every
/// contiguous range is a coherent part of the surface, and every n-th piece together represents all
/// of it.
[[nodiscard]] std::vector<SurfacePiece> surfacePieces(const TriangleMesh& mesh);

/// Halves the pieces with the longest edges, until edges are about as long as those of `count`
/// pieces of equal size with the same total area. Adds at most `count` pieces, at the end.
void cutEvenly(std::vector<SurfacePiece>& pieces, std::size_t count);

/// Returns about `count` indices into `pieces`, ascending; larger pieces are more likely to be
/// chosen.
[[nodiscard]] std::vector<std::uint32_t> evenSample(std::span<const SurfacePiece> pieces,
                                                    std::size_t count);

/// Returns the two halves of a piece, cut across its longest edge.
[[nodiscard]] std::array<SurfacePiece, 2> halves(const SurfacePiece& piece) noexcept;

[[nodiscard]] Real areaOf(const SurfacePiece& piece) noexcept;

/// Returns true if a piece is more than a thousand times as long as it is wide. The halves of a
/// needle are needles again, three for each two steps along it, and would soon be millions.
[[nodiscard]] bool isNeedle(const SurfacePiece& piece) noexcept;

}  // namespace nearmiss
