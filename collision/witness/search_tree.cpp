// SPDX-License-Identifier: MIT
#include "witness/search_tree.h"

#include <nearmiss/mesh.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <glm/geometric.hpp>
#include <limits>

#include "spheres/sphere_packing.h"

namespace nearmiss {

namespace {

constexpr std::size_t width = SpherePack::width;

/// Where unused lanes are: nothing meets them.
constexpr float farAway = std::numeric_limits<float>::infinity();

SearchPack unusedPack() noexcept {
  SearchPack pack{};
  std::ranges::fill(pack.x, farAway);
  std::ranges::fill(pack.child, SphereLinks::none);
  return pack;
}

/// A ball around those of all pieces.
template <class Pieces>
Sphere ballAroundBalls(const Pieces& pieces) noexcept {
  Box box;
  for (const auto& piece : pieces) {
    box.include(piece.ball.centre - piece.ball.radius);
    box.include(piece.ball.centre + piece.ball.radius);
  }
  Sphere ball{roundedToFloat(box.centre()), 0.0};
  for (const auto& piece : pieces)
    ball.radius =
        std::max(ball.radius, glm::distance(ball.centre, piece.ball.centre) + piece.ball.radius);
  return ball;
}

template <class Pack>
void put(Pack& pack, std::size_t lane, const Sphere& sphere) noexcept {
  pack.x[lane] = static_cast<float>(sphere.centre.x);
  pack.y[lane] = static_cast<float>(sphere.centre.y);
  pack.z[lane] = static_cast<float>(sphere.centre.z);
  pack.r[lane] = floatAtLeast(sphere.radius);
}

}  // namespace

SearchTree::SearchTree(const Polyhedron& polyhedron, const SphereTree& tree) {
  const SphereTree::Data& data = tree.data();
  ownPacks_ = static_cast<std::uint32_t>(data.packs.size());
  packs_.reserve(data.packs.size());
  for (std::size_t i = 0; i < data.packs.size(); ++i) {
    SearchPack& pack = packs_.emplace_back();
    std::ranges::copy(data.packs[i].x, pack.x);
    std::ranges::copy(data.packs[i].y, pack.y);
    std::ranges::copy(data.packs[i].z, pack.z);
    std::ranges::copy(data.packs[i].r, pack.r);
    std::ranges::copy(data.links[i].childPack, pack.child);
    for (std::size_t lane = 0; lane < width; ++lane)
      if (pack.r[lane] < 0.0f) {
        pack.x[lane] = farAway;
        pack.r[lane] = 0.0f;
      }
  }
  for (const NodeBox& box : data.boxes.boxes) boxes_.emplace_back(box);
  reach_ = std::max(tree.reach(), polyhedron.radius());

  LeafPieces pieces(polyhedron, tree);
  for (SphereId id = 0; id < ownPacks_ * width; ++id) {
    if (data.packs[id / width].r[id % width] < 0.0f || tree.childPackCount(id) != 0) continue;
    // A sphere with several slots has one hierarchy below, that of the first
    const SphereId first = tree.identity(id);
    const std::uint32_t below = first == id ? addPieces(polyhedron, pieces.of(id))
                                            : packs_[first / width].child[first % width];
    packs_[id / width].child[id % width] = below;
  }
}

/// A group of up to eight, or a pack of up to eight clusters of them.
std::uint32_t SearchTree::addPieces(const Polyhedron& polyhedron, std::span<LeafPiece> pieces) {
  if (pieces.size() <= width) return addGroup(polyhedron, pieces);
  // Halve three times, each part along its longest extent
  std::vector<std::span<LeafPiece>> parts{pieces};
  for (int halving = 0; halving < 3; ++halving) {
    std::vector<std::span<LeafPiece>> halves;
    for (const std::span<LeafPiece> part : parts) {
      if (part.size() < 2) {
        halves.push_back(part);
        continue;
      }
      Box box;
      for (const LeafPiece& piece : part) box.include(piece.ball.centre);
      const Vec3 extent = box.extent();
      const int axis = extent.x >= extent.y && extent.x >= extent.z ? 0
                       : extent.y >= extent.z                       ? 1
                                                                    : 2;
      const std::size_t half = part.size() / 2;
      std::ranges::sort(part, [axis](const LeafPiece& p, const LeafPiece& q) {
        const Real at = p.ball.centre[axis], other = q.ball.centre[axis];
        return at < other || (at == other && p.triangle < q.triangle);
      });
      halves.push_back(part.subspan(0, half));
      halves.push_back(part.subspan(half));
    }
    parts = std::move(halves);
  }
  SearchPack pack = unusedPack();
  std::size_t lane = 0;
  for (const std::span<LeafPiece> part : parts) {
    put(pack, lane, ballAroundBalls(part));
    pack.child[lane++] = addPieces(polyhedron, part);
  }
  packs_.push_back(pack);
  return static_cast<std::uint32_t>(packs_.size() - 1);
}

std::uint32_t SearchTree::addGroup(const Polyhedron& polyhedron,
                                   std::span<const LeafPiece> pieces) {
  TriangleGroup made{};
  std::ranges::fill(made.x, farAway);
  for (std::size_t lane = 0; lane < pieces.size(); ++lane) {
    put(made, lane, pieces[lane].ball);
    made.triangle[lane] = pieces[lane].triangle;
    const Triangle corners = polyhedron.mesh().corners(pieces[lane].triangle);
    // The height of corners over the rounded normal is a few ulps of the reach: the slack holds it
    const Vec3 across = glm::cross(corners[1] - corners[0], corners[2] - corners[0]);
    const Real length = glm::length(across);
    // Shorter ones have lost digits of their square
    if (length > 1e-150) {
      const Vec3 normal = roundedToFloat(across / length);
      for (int axis = 0; axis < 3; ++axis)
        made.plane[axis][lane] = static_cast<float>(normal[axis]);
      made.plane[3][lane] = static_cast<float>(glm::dot(normal, corners[0]));
    }
    for (int corner = 0; corner < 3; ++corner)
      for (int axis = 0; axis < 3; ++axis)
        made.corner[corner][axis][lane] =
            static_cast<float>(corners[static_cast<std::size_t>(corner)][axis]);
  }
  groups_.push_back(made);
  return group | static_cast<std::uint32_t>(groups_.size() - 1);
}

}  // namespace nearmiss
