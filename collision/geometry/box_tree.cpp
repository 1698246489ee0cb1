// SPDX-License-Identifier: MIT
#include "geometry/box_tree.h"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <limits>
#include <numeric>

#include "geometry/closest_points.h"

namespace nearmiss {
namespace {

/// Splits at the median triangle along the longest side, so that depth is the logarithm of size.
struct Builder {
  BoxTree& tree;
  std::vector<Box> boxes;
  std::vector<Vec3> centres;

  Builder(BoxTree& t, const TriangleMesh& mesh) : tree(t) {
    for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
      boxes.push_back(boxOf(mesh.corners(i)));
      centres.push_back(boxes.back().centre());
    }
    tree.order.resize(mesh.triangles.size());
    std::iota(tree.order.begin(), tree.order.end(), 0u);
    tree.nodes.reserve(mesh.triangles.size());
    build(0, static_cast<std::uint32_t>(mesh.triangles.size()));
  }

  void build(std::uint32_t begin, std::uint32_t end) {
    const auto first = tree.order.begin() + begin;
    const auto last = tree.order.begin() + end;
    Box box, ofCentres;
    for (auto i = first; i != last; ++i) {
      box.include(boxes[*i]);
      ofCentres.include(centres[*i]);
    }
    const std::size_t at = tree.nodes.size();
    tree.nodes.push_back({box, begin, end - begin});
    if (end - begin <= BoxTree::trianglesPerLeaf) {
      std::sort(first, last);
      return;
    }

    // Ties are decided by number, so that the halves are the same sets everywhere
    const int axis = longestAxis(ofCentres);
    const std::uint32_t middle = begin + (end - begin) / 2;
    std::nth_element(first, tree.order.begin() + middle, last,
                     [this, axis](std::uint32_t p, std::uint32_t q) {
                       const Real pAt = centres[p][axis], qAt = centres[q][axis];
                       return pAt != qAt ? pAt < qAt : p < q;
                     });
    build(begin, middle);
    tree.nodes[at].count = 0;
    tree.nodes[at].offset = static_cast<std::uint32_t>(tree.nodes.size());
    build(middle, end);
  }
};

}  // namespace

BoxTree::BoxTree(const TriangleMesh& mesh) { Builder(*this, mesh); }

namespace {

/// The rounding of products with an axis, relative to the largest coordinate: some ten roundings of
/// sums of three products.
constexpr Real roundingShare = 4e-15;

/// The longest edge and the largest triangle's normal: the directions of what a node holds.
struct Directions {
  Vec3 edge{0.0}, normal{0.0};

  void take(const Directions& other) noexcept {
    if (glm::dot(other.edge, other.edge) > glm::dot(edge, edge)) edge = other.edge;
    if (glm::dot(other.normal, other.normal) > glm::dot(normal, normal)) normal = other.normal;
  }
};

Directions directionsOf(const std::array<Vec3, 3>& t) noexcept {
  Directions found;
  for (std::size_t i = 0; i < 3; ++i) found.take({t[(i + 1) % 3] - t[i], Vec3(0.0)});
  found.normal = normalOf(t);
  return found;
}

Vec3 unitOr(const Vec3& v, const Vec3& otherwise) noexcept {
  const Real length = glm::length(v);
  return length > 0.0 ? v / length : otherwise;
}

/// Some unit vector at a right angle to `axis`.
Vec3 across(const Vec3& axis) noexcept {
  const Vec3 size = glm::abs(axis);
  const Vec3 other = size.x <= size.y && size.x <= size.z ? Vec3(1, 0, 0)
                     : size.y <= size.z                   ? Vec3(0, 1, 0)
                                                          : Vec3(0, 0, 1);
  return glm::normalize(glm::cross(axis, other));
}

std::array<Vec3, 3> axesAlong(const Directions& directions) noexcept {
  const Vec3 along = unitOr(directions.edge, Vec3(1.0, 0.0, 0.0));
  const Vec3 up = unitOr(directions.normal, across(along));
  Vec3 upright = up - glm::dot(up, along) * along;
  // A short remainder is mostly rounding of the first projection
  upright -= glm::dot(upright, along) * along;
  const Vec3 third = glm::dot(upright, upright) > 1e-6 ? glm::normalize(upright) : across(along);
  return {along, glm::cross(third, along), third};
}

}  // namespace

TightBoxes::TightBoxes(const TriangleMesh& mesh, const BoxTree& tree) : boxes_(tree.nodes.size()) {
  const std::size_t nodes = tree.nodes.size();
  // Children come after their parents, the first child at once
  std::vector<Directions> directions(nodes);
  std::vector<std::uint32_t> end(nodes);  // of a node's triangles in tree.order
  std::vector<std::uint32_t> begin(nodes);
  for (std::size_t at = nodes; at-- > 0;) {
    const BoxNode& node = tree.nodes[at];
    if (node.count > 0) {
      begin[at] = node.offset;
      end[at] = node.offset + node.count;
      for (const std::uint32_t t : tree.trianglesOf(node))
        directions[at].take(directionsOf(mesh.corners(t)));
      continue;
    }
    begin[at] = begin[at + 1];
    end[at] = end[node.offset];
    directions[at].take(directions[at + 1]);
    directions[at].take(directions[node.offset]);
  }

  constexpr Real infinite = std::numeric_limits<Real>::infinity();
  for (std::size_t at = 0; at < nodes; ++at) {
    TightBox& box = boxes_[at];
    box.axes = axesAlong(directions[at]);
    box.low = Vec3(infinite);
    box.high = Vec3(-infinite);
    for (std::uint32_t i = begin[at]; i < end[at]; ++i)
      for (const std::uint32_t v : mesh.triangles[tree.order[i]]) {
        const Vec3& p = mesh.positions[v];
        const Vec3 along(glm::dot(box.axes[0], p), glm::dot(box.axes[1], p),
                         glm::dot(box.axes[2], p));
        box.low = glm::min(box.low, along);
        box.high = glm::max(box.high, along);
      }
  }
  if (nodes > 0)
    for (int axis = 0; axis < 3; ++axis)
      rounding_ = std::max({rounding_, std::abs(tree.nodes[0].box.low[axis]),
                            std::abs(tree.nodes[0].box.high[axis])});
  rounding_ *= roundingShare;
}

bool TightBoxes::parted(const TightBox& a, const TightBox& b) const noexcept {
  const Vec3 half = 0.5 * (b.high - b.low);
  const Vec3 middle = 0.5 * (b.high + b.low);
  const Vec3 centre = middle.x * b.axes[0] + middle.y * b.axes[1] + middle.z * b.axes[2];
  for (int k = 0; k < 3; ++k) {
    const Vec3& axis = a.axes[static_cast<std::size_t>(k)];
    const Real at = glm::dot(axis, centre);
    Real reach = rounding_;
    for (int j = 0; j < 3; ++j)
      reach += half[j] * std::abs(glm::dot(axis, b.axes[static_cast<std::size_t>(j)]));
    if (at - reach > a.high[k] || at + reach < a.low[k]) return true;
  }
  return false;
}

}  // namespace nearmiss
