// SPDX-License-Identifier: MIT
/// A sphere tree laid out for the search for one colliding pair: spheres and links side by side,
/// and below the leaves a hierarchy over the parts of triangles that each leaf answers for.
#pragma once

#include <nearmiss/mesh.h>
#include <nearmiss/shape.h>
#include <nearmiss/sphere_tree.h>

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "geometry/box_tree.h"
#include "narrow/box_overlap.h"

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

/// Up to eight siblings; unused lanes come last, and lie where nothing meets them.
struct alignas(32) SearchPack {
  float x[SpherePack::width], y[SpherePack::width], z[SpherePack::width], r[SpherePack::width];
  /// First pack of the children, or a group of triangles (SearchTree::group).
  std::uint32_t child[SpherePack::width];
};

/// Up to eight triangles of one leaf.
struct alignas(32) TriangleGroup {
  /// Balls around the parts of them that the leaf has to cover.
  float x[SpherePack::width], y[SpherePack::width], z[SpherePack::width], r[SpherePack::width];
  /// The planes of the triangles: the product of p and the normal, less the last, is the height of
  /// p. All 0 for a triangle without a normal.
  float plane[4][SpherePack::width];
  float corner[3][3][SpherePack::width];  ///< corner, coordinate; rounded to nearest
  std::uint32_t triangle[SpherePack::width];
};

/// Of up to eight pieces; r is -1 in unused lanes, which lie where nothing meets them.
[[nodiscard]] TriangleGroup triangleGroup(const TriangleMesh& mesh,
                                          std::span<const LeafPiece> pieces);

/// A ball around points, about the middle of their box rounded to float.
[[nodiscard]] Sphere ballAround(std::span<const Vec3> points) noexcept;

/// Halves things three times, but for parts of at most `enough`. `sort(part)` puts those of one
/// half first and returns how many they are.
template <class Thing>
[[nodiscard]] std::vector<std::span<Thing>> eightParts(std::span<Thing> things, std::size_t enough,
                                                       const auto& sort) {
  std::vector<std::span<Thing>> parts{things};
  for (int halving = 0; halving < 3; ++halving) {
    std::vector<std::span<Thing>> halves;
    for (const std::span<Thing> part : parts) {
      const std::size_t half = part.size() <= enough ? part.size() : sort(part);
      halves.push_back(part.first(half));
      if (half < part.size()) halves.push_back(part.subspan(half));
    }
    parts = std::move(halves);
  }
  return parts;
}

/// Immutable, body frame, metres. The packs of the sphere tree come first, in its order; those
/// below its leaves follow. A slot is 8 pack + lane; with `triangleBit` it is 8 group + lane.
class SearchTree {
 public:
  static constexpr std::uint32_t triangleBit = 0x80000000;
  /// The mark of a child that is a group, not a pack.
  static constexpr std::uint32_t group = 0x80000000;

  SearchTree(const Polyhedron& polyhedron, const SphereTree& tree);

  [[nodiscard]] const SearchPack* packs() const noexcept { return packs_.data(); }
  [[nodiscard]] const TriangleGroup* groups() const noexcept { return groups_.data(); }
  /// Number of packs of the sphere tree.
  [[nodiscard]] std::uint32_t ownPacks() const noexcept { return ownPacks_; }
  /// Those of the sphere tree, in its order.
  [[nodiscard]] const std::vector<BoxLanes>& boxes() const noexcept { return boxes_; }
  /// How far a sphere or a corner reaches from the origin at most, metres.
  [[nodiscard]] Real reach() const noexcept { return reach_; }

 private:
  std::uint32_t addPieces(const Polyhedron& polyhedron, std::span<LeafPiece> pieces);
  std::uint32_t addGroup(const Polyhedron& polyhedron, std::span<const LeafPiece> pieces);

  std::vector<SearchPack> packs_;
  std::vector<TriangleGroup> groups_;
  std::uint32_t ownPacks_ = 0;
  std::vector<BoxLanes> boxes_;
  Real reach_ = 0.0;
};

/// Of the shape's sphere tree; made once per tree.
[[nodiscard]] const SearchTree& searchTreeOf(const Shape& shape);

}  // namespace nearmiss
