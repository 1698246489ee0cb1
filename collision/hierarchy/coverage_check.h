// SPDX-License-Identifier: MIT
/// Proves or denies that a tree covers triangles of its mesh.
#pragma once

#include <nearmiss/sphere_tree.h>
#include <nearmiss/triangle_intersection.h>
#include <nearmiss/triangle_mesh.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace nearmiss {

/// Cuts triangles up until each piece lies wholly in the spheres of one chain from a leaf to the
/// root, or nobody's does. Knows nothing of how the tree was built.
class CoverageCheck {
 public:
  /// Both must outlive this.
  CoverageCheck(const SphereTree& tree, const TriangleMesh& mesh);

  /// The leaves that list a triangle.
  [[nodiscard]] std::span<const SphereId> leavesOf(std::uint32_t triangle) const noexcept;

  /// The number of pieces of `triangle` for which no chain from a leaf that lists it was found, at
  /// most `most`; where the first one is.
  std::size_t uncovered(std::uint32_t triangle, std::size_t most, Vec3& where);

  /// Whether the part of `triangle` in `ball` is proven, with little effort, to have chains from
  /// `leaves`.
  bool covered(std::uint32_t triangle, const Sphere& ball, std::span<const SphereId> leaves);

 private:
  /// A part of the triangle, with the leaves that could hold some of it.
  struct Piece {
    Triangle corners;
    std::size_t leavesBegin = 0, leavesEnd = 0;  ///< range in candidates_
  };
  [[nodiscard]] bool holds(SphereId id, const Triangle& corners) const;
  [[nodiscard]] bool covered(const Piece& piece) const;
  void split(const Piece& piece);
  std::size_t search(std::uint32_t triangle, std::span<const SphereId> leaves, const Sphere* ball,
                     std::size_t splits, std::size_t most, Vec3& where);

  const SphereTree& tree_;
  const TriangleMesh& mesh_;
  std::vector<std::size_t> parentBegin_;  ///< per pack of children, ranges in parents_
  std::vector<SphereId> parents_;         ///< several in a DAG
  std::vector<std::size_t> placeBegin_;   ///< per identity, ranges in places_
  std::vector<SphereId> places_;          ///< where a sphere lies
  std::vector<std::size_t> listBegin_;
  std::vector<SphereId> leavesOf_;  ///< per triangle, ranges from listBegin_
  std::vector<Piece> open_;
  std::vector<SphereId> candidates_;  ///< a stack beside open_
};

}  // namespace nearmiss
