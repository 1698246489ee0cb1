// SPDX-License-Identifier: MIT
#include "hierarchy/distance_field.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace nearmiss {
namespace {

constexpr std::size_t facetsPerLeaf = 4;

float squaredGap(const float (&low)[3], const float (&high)[3], float x, float y,
                 float z) noexcept {
  const float dx = std::max(std::max(low[0] - x, x - high[0]), 0.0f);
  const float dy = std::max(std::max(low[1] - y, y - high[1]), 0.0f);
  const float dz = std::max(std::max(low[2] - z, z - high[2]), 0.0f);
  return dx * dx + dy * dy + dz * dz;
}

}  // namespace

DistanceField::DistanceField(const TriangleMesh& mesh) : origin_(boundingBox(mesh).centre()) {
  std::vector<std::uint32_t> order(mesh.triangles.size());
  std::iota(order.begin(), order.end(), 0u);
  nodes_.reserve(order.size());
  facets_.reserve(order.size());
  build(mesh, order, 0, order.size());
}

/// Halves at the middle triangle along the longest side; ties are decided by number.
void DistanceField::build(const TriangleMesh& mesh, std::vector<std::uint32_t>& order,
                          std::size_t begin, std::size_t end) {
  Box box, middles;
  const auto middleOf = [&mesh](std::uint32_t t) {
    const auto c = mesh.corners(t);
    return c[0] + c[1] + c[2];
  };
  for (std::size_t i = begin; i < end; ++i) {
    for (const Vec3& corner : mesh.corners(order[i])) box.include(corner - origin_);
    middles.include(middleOf(order[i]));
  }
  const std::size_t at = nodes_.size();
  Node& node = nodes_.emplace_back();
  for (int axis = 0; axis < 3; ++axis) {
    node.low[axis] = static_cast<float>(box.low[axis]);
    node.high[axis] = static_cast<float>(box.high[axis]);
  }
  node.place = static_cast<std::uint32_t>(facets_.size());
  node.count = 0;
  if (end - begin <= facetsPerLeaf) {
    node.count = static_cast<std::uint32_t>(end - begin);
    for (std::size_t i = begin; i < end; ++i) {
      const auto c = mesh.corners(order[i]);
      facets_.push_back({local(c[0]), local(c[1] - c[0] + origin_), local(c[2] - c[0] + origin_)});
    }
    return;
  }
  const Vec3 extent = middles.extent();
  const int axis = extent.x >= extent.y && extent.x >= extent.z ? 0 : extent.y >= extent.z ? 1 : 2;
  const std::size_t half = begin + (end - begin) / 2;
  const auto place = [&order](std::size_t i) {
    return order.begin() + static_cast<std::ptrdiff_t>(i);
  };
  std::nth_element(place(begin), place(half), place(end), [&](std::uint32_t p, std::uint32_t q) {
    const Real pAt = middleOf(p)[axis], qAt = middleOf(q)[axis];
    return pAt != qAt ? pAt < qAt : p < q;
  });
  build(mesh, order, begin, half);
  nodes_[at].place = static_cast<std::uint32_t>(nodes_.size());
  build(mesh, order, half, end);
}

/// The vector from `p` to the nearest point of the facet, by the Voronoi region of the triangle
/// that holds the point [E05, 5.1.5].
DistanceField::Point DistanceField::towards(const Facet& f, const Point& p) noexcept {
  const auto dot = [](const Point& a, const Point& b) { return a.x * b.x + a.y * b.y + a.z * b.z; };
  const Point& ab = f.edge1;
  const Point& ac = f.edge2;
  const Point ap{p.x - f.corner.x, p.y - f.corner.y, p.z - f.corner.z};
  const auto at = [&](float s, float t) {
    return Point{s * ab.x + t * ac.x - ap.x, s * ab.y + t * ac.y - ap.y,
                 s * ab.z + t * ac.z - ap.z};
  };
  const float abA = dot(ab, ap), acA = dot(ac, ap);
  if (abA <= 0.0f && acA <= 0.0f) return at(0.0f, 0.0f);
  const float bb = dot(ab, ab), bc = dot(ab, ac), cc = dot(ac, ac);
  const float abB = abA - bb, acB = acA - bc;
  if (abB >= 0.0f && acB <= abB) return at(1.0f, 0.0f);
  const float abC = abA - bc, acC = acA - cc;
  if (acC >= 0.0f && abC <= acC) return at(0.0f, 1.0f);
  const float vc = abA * acB - abB * acA;
  if (vc <= 0.0f && abA >= 0.0f && abB <= 0.0f) return at(abA / (abA - abB), 0.0f);
  const float vb = abC * acA - abA * acC;
  if (vb <= 0.0f && acA >= 0.0f && acC <= 0.0f) return at(0.0f, acA / (acA - acC));
  const float va = abB * acC - abC * acB;
  if (va <= 0.0f && acB - abB >= 0.0f && abC - acC >= 0.0f) {
    const float w = (acB - abB) / ((acB - abB) + (abC - acC));
    return at(1.0f - w, w);
  }
  const float sum = va + vb + vc;
  return sum > 0.0f ? at(vb / sum, vc / sum) : at(0.0f, 0.0f);
}

float DistanceField::squaredDistance(const Point& p, float enough,
                                     std::uint32_t& witness) const noexcept {
  const auto to = [&](std::uint32_t facet) {
    const Point v = towards(facets_[facet], p);
    return v.x * v.x + v.y * v.y + v.z * v.z;
  };
  float least = to(witness);
  const float goal = enough * enough;
  if (least <= goal) return least;

  // Depth first, the nearer child first
  struct Waiting {
    std::uint32_t node;
    float squared;
  };
  std::array<Waiting, 48> stack;
  std::size_t size = 0;
  stack[size++] = {0, 0.0f};
  while (size > 0) {
    Waiting at = stack[--size];
    while (at.squared < least && nodes_[at.node].count == 0) {
      const std::uint32_t second = nodes_[at.node].place;
      const Node& a = nodes_[at.node + 1];
      const Node& b = nodes_[second];
      Waiting near{at.node + 1, squaredGap(a.low, a.high, p.x, p.y, p.z)};
      Waiting far{second, squaredGap(b.low, b.high, p.x, p.y, p.z)};
      if (far.squared < near.squared) std::swap(near, far);
      if (far.squared < least) stack[size++] = far;
      at = near;
    }
    if (at.squared >= least) continue;
    const Node& leaf = nodes_[at.node];
    for (std::uint32_t i = leaf.place; i < leaf.place + leaf.count; ++i) {
      const float squared = to(i);
      if (squared < least) {
        least = squared;
        witness = i;
      }
    }
    if (least <= goal) break;
  }
  return least;
}

float DistanceField::distance(const Vec3& point, std::uint32_t& witness, float enough,
                              float insideWeight) const noexcept {
  const Point p = local(point);
  const float distance = std::sqrt(squaredDistance(p, enough, witness));
  if (insideWeight == 1.0f || distance <= enough) return distance;
  const Facet& f = facets_[witness];
  const Point n{f.edge1.y * f.edge2.z - f.edge1.z * f.edge2.y,
                f.edge1.z * f.edge2.x - f.edge1.x * f.edge2.z,
                f.edge1.x * f.edge2.y - f.edge1.y * f.edge2.x};
  const Point v = towards(f, p);
  return v.x * n.x + v.y * n.y + v.z * n.z >= 0.0f ? distance * insideWeight : distance;
}

}  // namespace nearmiss
