// SPDX-License-Identifier: MIT
#include "geometry/vertex_hubs.h"

#include <algorithm>
#include <glm/geometric.hpp>
#include <span>

namespace nearmiss {
namespace {

/// A vertex of at least this many triangles is a hub. Fewer are quickly compared.
constexpr std::uint32_t enoughForHub = 48;
/// Directions are that precise, with room.
constexpr Real rounding = 1e-14;
/// 1 and the cosine of an angle so wide that its corner lies far away.
constexpr Real wide = 0.05;

/// The directions in which a triangle lies seen from its corner `from`, as a flat triangle that
/// holds their arc: its ends, and where the tangents at them meet. A cube with all of them where
/// the arc is nearly a half circle or has no ends.
std::array<Vec3, 3> coneOf(const Vec3& from, const Vec3& left, const Vec3& right) noexcept {
  const std::array<Vec3, 3> all{Vec3(-1.0), Vec3(1.0), Vec3(1.0)};
  const Vec3 toLeft = left - from, toRight = right - from;
  const Real leftLength = glm::length(toLeft), rightLength = glm::length(toRight);
  if (!(leftLength > 0.0) || !(rightLength > 0.0)) return all;
  const Vec3 a = toLeft / leftLength, b = toRight / rightLength;
  const Real bend = 1.0 + glm::dot(a, b);
  if (!(bend > wide)) return all;
  const Vec3 tip = (a + b) / bend;
  // The three span the same box when two of them carry the room for rounding
  Box box;
  for (const Vec3& p : {a, b, tip}) box.include(p);
  return {box.low - rounding, box.high + rounding, tip};
}

}  // namespace

VertexHubs::VertexHubs(const TriangleMesh& mesh, const VertexCorners& corners)
    : mesh_(mesh), isHub_(mesh.positions.size(), 0) {
  for (std::uint32_t v = 0; v < corners.vertices(); ++v) {
    const auto about = corners.of(v);
    if (about.size() < enoughForHub) continue;
    isHub_[v] = 1;
    hubs_.push_back({v, {}});
    auto& triangles = hubs_.back().triangles;
    // A triangle that names one vertex twice is listed once
    for (const std::uint32_t corner : about)
      if (triangles.empty() || triangles.back() != corner / 3) triangles.push_back(corner / 3);
  }
}

VertexHubs::Corners VertexHubs::hubsOf(std::uint32_t triangle) const noexcept {
  Corners found = mesh_.triangles[triangle];
  for (std::uint32_t& v : found)
    if (isHub_[v] == 0) v = none;
  return found;
}

std::uint32_t VertexHubs::sharedBy(std::uint32_t first, std::uint32_t second) const noexcept {
  std::uint32_t least = none;
  if (hubs_.empty()) return least;
  const Corners& other = mesh_.triangles[second];
  for (const std::uint32_t v : mesh_.triangles[first])
    if (isHub_[v] != 0 && (v == other[0] || v == other[1] || v == other[2]))
      least = std::min(least, v);
  return least;
}

void VertexHubs::readNodes(const BoxTree& tree) {
  if (hubs_.empty()) return;
  common_.assign(tree.nodes.size(), {none, none, none});
  const auto keepShared = [](Corners& some, const Corners& others) {
    for (std::uint32_t& v : some)
      if (v != others[0] && v != others[1] && v != others[2]) v = none;
  };
  // Children come after their parents
  for (std::size_t at = tree.nodes.size(); at-- > 0;) {
    const BoxNode& node = tree.nodes[at];
    if (node.count == 0) {
      common_[at] = common_[at + 1];
      keepShared(common_[at], common_[node.offset]);
      continue;
    }
    const auto triangles = tree.trianglesOf(node);
    common_[at] = hubsOf(triangles[0]);
    for (const std::uint32_t t : triangles.subspan(1)) keepShared(common_[at], hubsOf(t));
  }
}

/// One triangle of directions for each triangle about the hub, in their order.
TriangleMesh VertexHubs::conesAbout(std::uint32_t hub,
                                    const std::vector<std::uint32_t>& triangles) const {
  TriangleMesh cones;
  for (const std::uint32_t t : triangles) {
    const Corners& c = mesh_.triangles[t];
    const std::size_t at = c[0] == hub ? 0 : c[1] == hub ? 1 : 2;
    const auto first = static_cast<std::uint32_t>(cones.positions.size());
    for (const Vec3& corner : coneOf(mesh_.positions[hub], mesh_.positions[c[(at + 1) % 3]],
                                     mesh_.positions[c[(at + 2) % 3]]))
      cones.positions.push_back(corner);
    cones.triangles.push_back({first, first + 1, first + 2});
  }
  return cones;
}

}  // namespace nearmiss
