// SPDX-License-Identifier: MIT
/// Samples of a surface: points spread evenly over it, and the pieces that it is cut into.
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
  std::uint32_t triangle = 0;  ///< triangle that holds it
};

[[nodiscard]] std::vector<Vec3> positionsOf(std::span<const SurfaceSample> points);

/// The approximate distance of neighbours among `count` even points, in metres.
[[nodiscard]] Real evenSpacing(const TriangleMesh& mesh, std::size_t count) noexcept;

/// `count` points, first at random by area, then pushed apart [T91, H96 §7]; the same for the same
/// mesh. Each keeps to the polygons: what pushes it over an edge turns with it into the next
/// triangle, and at the rim of an open surface it stops.
/// @pre `mesh` has a triangle and no triangle without area.
/// Once `cancelled` is set, if given, it ends soon with points less even.
[[nodiscard]] std::vector<SurfaceSample> evenPoints(const TriangleMesh& mesh, std::size_t count,
                                                    const std::atomic<bool>* cancelled = nullptr);

/// The k-th point of an even sequence in the unit cube.
[[nodiscard]] Vec3 evenPoint(std::size_t k) noexcept;

/// `count` points of the surface, the same share of them to equal areas, in the order of its
/// triangles. Less even than evenPoints(), and far quicker.
[[nodiscard]] std::vector<SurfaceSample> spreadPoints(const TriangleMesh& mesh, std::size_t count);

/// A small triangle of a surface that is cut up. Every piece has one owner in each level of a tree,
/// and an owner owns all pieces of its children, so that coverage holds by construction: a ball
/// that holds the corners of a triangle holds the triangle.
struct SurfacePiece {
  std::array<Vec3, 3> corners;
  Vec3 middle{0.0};            ///< the mean of the corners
  std::uint32_t triangle = 0;  ///< of the mesh, that this is a part of
};

/// The triangles of `mesh` as pieces, sorted along a curve that fills space, so that every run of
/// them represents a part of the surface, and every n-th of them all of it.
[[nodiscard]] std::vector<SurfacePiece> surfacePieces(const TriangleMesh& mesh);

/// Halves the pieces with the longest edges, until edges are about as long as those of `count` even
/// pieces of the same area. Adds at most `count`; new pieces come last.
void cutEvenly(std::vector<SurfacePiece>& pieces, std::size_t count);

/// About `count` indices in `pieces`, those of larger pieces more likely, ascending.
[[nodiscard]] std::vector<std::uint32_t> evenSample(std::span<const SurfacePiece> pieces,
                                                    std::size_t count);

/// The two halves of a piece, cut across its longest edge.
[[nodiscard]] std::array<SurfacePiece, 2> halves(const SurfacePiece& piece) noexcept;

[[nodiscard]] Real areaOf(const SurfacePiece& piece) noexcept;

/// True if a piece is more than a thousand times as long as it is wide. Halves are needles again,
/// and a needle has three in each two steps along it: they would soon be millions.
[[nodiscard]] bool isNeedle(const SurfacePiece& piece) noexcept;

}  // namespace nearmiss
