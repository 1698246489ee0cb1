// SPDX-License-Identifier: MIT
/// A surface cut into small triangles. Every piece has one owner in each level of a tree, and an
/// owner owns all pieces of its children, so that coverage holds by construction: a ball that holds
/// the corners of a triangle holds the triangle.
#pragma once

#include <nearmiss/triangle_mesh.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace nearmiss {

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

}  // namespace nearmiss
