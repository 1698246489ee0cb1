// SPDX-License-Identifier: MIT
#include "narrow/search_tree.h"

#include <nearmiss/detail/kept_with_shape.h>
#include <nearmiss/mesh.h>
#include <nearmiss/narrow_phase.h>

#include <glm/geometric.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>

#include "geometry/triangle_normal.h"
#include "narrow/box_hierarchy.h"
#include "spheres/sphere_packing.h"
#include "spheres/triangle_clipping.h"

namespace nearmiss {

Sphere ballAround(std::span<const Vec3> corners) noexcept {
  Box box;
  for (const Vec3& corner : corners) box.include(corner);
  Sphere ball{roundedToFloat(box.centre()), 0.0};
  for (const Vec3& corner : corners)
    ball.radius = std::max(ball.radius, glm::distance(ball.centre, corner));
  return ball;
}

namespace {

/// Share of a leaf's radius by which balls grow, so that rounding leaves no gap between parts.
constexpr Real allowance = 1e-6;
/// How often a triangle is halved at most.
constexpr int maxHalvings = 16;

Box boxAround(const Sphere& sphere) noexcept {
  return widened({sphere.centre - sphere.radius, sphere.centre + sphere.radius}, allowance);
}

/// The two halves at the middle of the longest side.
std::array<Triangle, 2> halved(const Triangle& part) noexcept {
  std::size_t longest = 0;
  Real length = -1.0;
  for (std::size_t i = 0; i < 3; ++i) {
    const Real each = glm::distance(part[i], part[(i + 1) % 3]);
    if (each > length) {
      length = each;
      longest = i;
    }
  }
  const Vec3 middle = 0.5 * (part[longest] + part[(longest + 1) % 3]);
  std::array<Triangle, 2> halves{part, part};
  halves[0][(longest + 1) % 3] = middle;
  halves[1][longest] = middle;
  return halves;
}

}  // namespace

LeafPieces::LeafPieces(const Polyhedron& polyhedron, const SphereTree& tree)
    : polyhedron_(polyhedron),
      tree_(tree),
      parentOf_(tree.data().packs.size(), SphereLinks::none),
      pieces_(tree.data().packs.size() * SpherePack::width) {
  std::vector<std::vector<SphereId>> leavesOf(polyhedron.mesh().triangles.size());
  for (SphereId id = 0; id < pieces_.size(); ++id) {
    const std::uint32_t packs = tree.childPackCount(id);
    if (packs == 0 && tree.identity(id) == id)
      for (const std::uint32_t t : tree.trianglesOf(id)) leavesOf[t].push_back(id);
    for (std::uint32_t k = 0; k < packs; ++k)
      parentOf_[tree.data().links[id / SpherePack::width].childPack[id % SpherePack::width] + k] =
          id;
  }
  // Without chains, or with several above a leaf, nothing is divided
  const bool divisible = tree.coverage() == Coverage::Guaranteed && !tree.isDag();
  for (std::uint32_t t = 0; t < leavesOf.size(); ++t) {
    if (divisible && leavesOf[t].size() > 1) {
      divide(t, leavesOf[t]);
    } else {
      for (const SphereId leaf : leavesOf[t]) {
        Share whole{leaf, tree.sphere(leaf), {}};
        appendClipped(polyhedron.mesh().corners(t), boxAround(tree.sphere(leaf)), whole.corners);
        keep(t, whole);
      }
    }
  }
}

void LeafPieces::divide(std::uint32_t triangle, std::span<const SphereId> leaves) {
  shares_.clear();
  open_.clear();
  for (const SphereId leaf : leaves) {
    open_.push_back({static_cast<std::uint32_t>(shares_.size()), 0.0});
    shares_.push_back({leaf, tree_.sphere(leaf), {}});
  }
  give(polyhedron_.mesh().corners(triangle), 0, open_.size(), 0);
  for (const Share& share : shares_)
    if (!share.corners.empty()) keep(triangle, share);
}

/// Gives a part to the leaf that holds its middle deepest, among those whose chains hold it. It may
/// meet that range of open_, which grows behind it.
void LeafPieces::give(const Triangle& part, std::size_t from, std::size_t to, int depth) {
  const Vec3 middle = (part[0] + part[1] + part[2]) / 3.0;
  Real reach = 0.0;
  for (const Vec3& corner : part) reach = std::max(reach, glm::distance(corner, middle));
  const std::size_t begin = open_.size();
  for (std::size_t i = from; i < to; ++i) {
    const Sphere& sphere = shares_[open_[i].share].sphere;
    const Vec3 way = middle - sphere.centre;
    const Real square = glm::dot(way, way);
    const Real meets = (sphere.radius + reach) * (1.0 + allowance);
    if (square <= meets * meets)
      open_.push_back({open_[i].share, square - sphere.radius * sphere.radius});
  }
  // Nearest first, and the first that holds all of it
  std::sort(open_.begin() + static_cast<std::ptrdiff_t>(begin), open_.end(),
            [](const Open& p, const Open& q) {
              return p.power < q.power || (p.power == q.power && p.share < q.share);
            });
  const auto take = [&](const Open& taker) {
    std::vector<Vec3>& corners = shares_[taker.share].corners;
    corners.insert(corners.end(), part.begin(), part.end());
  };
  const std::size_t end = open_.size();
  std::size_t best = begin;
  while (best < end && !inAllAbove(shares_[open_[best].share].leaf, part)) ++best;
  if (best < end) {
    take(open_[best]);
  } else if (depth == maxHalvings || end - begin <= 1) {
    for (std::size_t i = begin; i < end; ++i) take(open_[i]);
  } else {
    for (const Triangle& half : halved(part)) give(half, begin, end, depth + 1);
  }
  open_.resize(begin);
}

/// The leaf's own sphere and all above hold the part, and so do their boxes: these are fitted to
/// pieces that were given to leaves by another rule.
bool LeafPieces::inAllAbove(SphereId leaf, const Triangle& part) const noexcept {
  for (SphereId id = leaf; id != SphereLinks::none; id = parentOf_[id / SpherePack::width]) {
    const Sphere sphere = tree_.sphere(id);
    const NodeBox* const box = tree_.data().boxes.find(id);
    for (const Vec3& corner : part) {
      const Vec3 way = corner - sphere.centre;
      if (glm::dot(way, way) > sphere.radius * sphere.radius) return false;
      if (box && box->excess(corner) > 0.0) return false;
    }
  }
  return true;
}

void LeafPieces::keep(std::uint32_t triangle, const Share& share) {
  const Sphere& sphere = share.sphere;
  // Parts that rounding puts outside the box may lie anywhere in the leaf
  Sphere ball = share.corners.empty() ? sphere : ballAround(share.corners);
  ball.radius += allowance * sphere.radius;
  if (ball.radius > sphere.radius) ball = sphere;
  pieces_[share.leaf].push_back({triangle, ball});
}

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
  const auto parts = eightParts(pieces, 1, [](std::span<LeafPiece> part) {
    Box box;
    for (const LeafPiece& piece : part) box.include(piece.ball.centre);
    const int axis = longestAxis(box);
    std::ranges::sort(part, [axis](const LeafPiece& p, const LeafPiece& q) {
      const Real at = p.ball.centre[axis], other = q.ball.centre[axis];
      return at < other || (at == other && p.triangle < q.triangle);
    });
    return part.size() / 2;
  });
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
  groups_.push_back(triangleGroup(polyhedron.mesh(), pieces));
  return group | static_cast<std::uint32_t>(groups_.size() - 1);
}

namespace {

/// The height of corners over the plane as it is kept is a few ulps of their distance: the slack of
/// those who ask holds it. Without a plane nothing is passed over.
bool liesOn(const Triangle& corners, const Vec3& normal, Real offset) noexcept {
  constexpr Real ulps = 0x1p-21;
  Real farthest = 0.0, height = 0.0;
  for (const Vec3& corner : corners) {
    farthest = std::max(farthest, glm::length(corner));
    height = std::max(height, std::abs(glm::dot(normal, corner) - offset));
  }
  return height <= ulps * farthest;
}

}  // namespace

TriangleGroup triangleGroup(const TriangleMesh& mesh, std::span<const LeafPiece> pieces) {
  TriangleGroup made{};
  std::ranges::fill(made.x, farAway);
  std::ranges::fill(made.r, -1.0f);
  for (std::size_t lane = 0; lane < pieces.size(); ++lane) {
    put(made, lane, pieces[lane].ball);
    made.triangle[lane] = pieces[lane].triangle;
    const Triangle corners = mesh.corners(pieces[lane].triangle);
    const Vec3 normal = roundedToFloat(unitNormalOf(corners));
    const Real offset = static_cast<float>(glm::dot(normal, corners[0]));
    if (liesOn(corners, normal, offset)) {
      for (int axis = 0; axis < 3; ++axis)
        made.plane[axis][lane] = static_cast<float>(normal[axis]);
      made.plane[3][lane] = static_cast<float>(offset);
    }
    for (int corner = 0; corner < 3; ++corner)
      for (int axis = 0; axis < 3; ++axis)
        made.corner[corner][axis][lane] =
            static_cast<float>(corners[static_cast<std::size_t>(corner)][axis]);
  }
  return made;
}

const SearchTree& searchTreeOf(const Shape& shape) {
  return KeptWithShape::ofTree(shape).get<SearchTree>(
      [&shape] { return SearchTree(shape.polyhedron(), *shape.sphereTree()); });
}

void prepareSphereTree(const Shape& shape) {
  (void)searchTreeOf(shape);
  (void)boxHierarchyOf(shape);
}

}  // namespace nearmiss
