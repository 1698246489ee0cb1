// SPDX-License-Identifier: MIT
/// Which parts of its triangles each leaf of a sphere tree answers for.
#pragma once

#include <nearmiss/mesh.h>
#include <nearmiss/sphere_tree.h>

#include <cstdint>
#include <span>
#include <vector>

namespace nearmiss {

/// A triangle of a leaf, and a ball around the part that the leaf answers for.
struct LeafPiece {
  std::uint32_t triangle;
  Sphere ball;  ///< its centre is representable in float
};

/// Large triangles lie in many leaves, whose spheres overlap. Where coverage is guaranteed they are
/// divided until each part lies in one leaf and in all spheres above it: that leaf alone answers
/// for it, since every search comes there. What is not divided far enough, all leaves that it meets
/// answer for.
class LeafPieces {
 public:
  LeafPieces(const Polyhedron& polyhedron, const SphereTree& tree);

  /// In the order of the triangles.
  [[nodiscard]] std::span<LeafPiece> of(SphereId leaf) noexcept { return pieces_[leaf]; }

 private:
  /// A leaf that lists the triangle under division, and what it got of it.
  struct Share {
    SphereId leaf;
    Sphere sphere;
    std::vector<Vec3> corners;
  };
  struct Open {
    std::uint32_t share;
    Real power;  ///< of the part's middle
  };
  void divide(std::uint32_t triangle, std::span<const SphereId> leaves);
  void give(const Triangle& part, std::size_t from, std::size_t to, int depth);
  [[nodiscard]] bool inAllAbove(SphereId leaf, const Triangle& part) const noexcept;
  void keep(std::uint32_t triangle, const Share& share);

  const Polyhedron& polyhedron_;
  const SphereTree& tree_;
  std::vector<SphereId> parentOf_;  ///< per pack
  std::vector<Share> shares_;
  std::vector<Open> open_;
  std::vector<std::vector<LeafPiece>> pieces_;  ///< per slot
};

}  // namespace nearmiss
