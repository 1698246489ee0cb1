// SPDX-License-Identifier: MIT
#include "geometry/vertex_hubs.h"

#include <algorithm>
#include <glm/geometric.hpp>
#include <span>

namespace nearmiss {
namespace {

/// A vertex of at least this many triangles is a hub. Fewer triangles are quickly compared.
constexpr std::uint32_t enoughForHub = 48;
/// Upper bound on the error of directions, with a margin.
constexpr Real rounding = 1e-14;
/// Limit of 1 plus the cosine of an angle, below which the angle is so wide that its corner is far
/// away.
constexpr Real wide = 0.05;

/// Returns a box of the directions in which a triangle lies, as seen from its corner `from`. The
/// directions form an arc; the box contains its ends and the point where the tangents at the ends
/// meet. Returns the cube of all directions if the arc is nearly a half circle or has no ends.
Box coneOf(const Vec3& from, const Vec3& left, const Vec3& right) noexcept {
  const Box all{Vec3(-1.0), Vec3(1.0)};
  const Vec3 toLeft = left - from, toRight = right - from;
  const Real leftLength = glm::length(toLeft), rightLength = glm::length(toRight);
  if (!(leftLength > 0.0) || !(rightLength > 0.0)) return all;
  const Vec3 a = toLeft / leftLength, b = toRight / rightLength;
  const Real bend = 1.0 + glm::dot(a, b);
  if (!(bend > wide)) return all;
  Box box;
  for (const Vec3& p : {a, b, (a + b) / bend}) box.include(p);
  return {box.low - rounding, box.high + rounding};
}

}  // namespace

VertexHubs::VertexHubs(const TriangleMesh& mesh, const VertexCorners& corners)
    : mesh_(&mesh), isHub_(mesh.positions.size(), 0) {
  for (std::uint32_t v = 0; v < corners.vertices(); ++v) {
    const auto about = corners.of(v);
    if (about.size() < enoughForHub) continue;
    isHub_[v] = 1;
    hubs_.push_back({v, {}});
    auto& triangles = hubs_.back().triangles;
    // A triangle that uses the vertex twice is listed once
    for (const std::uint32_t corner : about)
      if (triangles.empty() || triangles.back() != corner / 3) triangles.push_back(corner / 3);
  }
}

VertexHubs::Corners VertexHubs::hubsOf(std::uint32_t triangle) const noexcept {
  Corners found = mesh_->triangles[triangle];
  for (std::uint32_t& v : found)
    if (isHub_[v] == 0) v = none;
  return found;
}

std::uint32_t VertexHubs::sharedBy(std::uint32_t first, std::uint32_t second) const noexcept {
  std::uint32_t least = none;
  if (hubs_.empty()) return least;
  const Corners& other = mesh_->triangles[second];
  for (const std::uint32_t v : mesh_->triangles[first])
    if (isHub_[v] != 0 && (v == other[0] || v == other[1] || v == other[2]))
      least = std::min(least, v);
  return least;
}

void VertexHubs::readBoxes(const WideBoxes& boxes) {
  if (hubs_.empty()) return;
  common_.assign(WideBoxes::width * boxes.nodeCount(), {none, none, none});
  const auto keepShared = [](Corners& some, const Corners& others) {
    for (std::uint32_t& v : some)
      if (v != others[0] && v != others[1] && v != others[2]) v = none;
  };
  // Children come after their parents
  for (auto at = static_cast<std::uint32_t>(boxes.nodeCount()); at-- > 0;) {
    const WideBoxes::Node& node = boxes.node(at);
    for (std::uint32_t lane = 0; lane < node.count; ++lane) {
      Corners& common = common_[WideBoxes::width * at + lane];
      const std::uint32_t child = node.child[lane];
      if ((child & WideBoxes::isLeaf) != 0) {
        const auto triangles = boxes.itemsOf(child);
        common = hubsOf(triangles[0]);
        for (const std::uint32_t t : triangles) keepShared(common, hubsOf(t));
        continue;
      }
      common = common_[WideBoxes::width * child];
      for (std::uint32_t k = 1; k < boxes.node(child).count; ++k)
        keepShared(common, common_[WideBoxes::width * child + k]);
    }
  }
}

/// Returns a box of directions for each triangle about the hub, in their order.
std::vector<Box> VertexHubs::conesAbout(std::uint32_t hub,
                                        const std::vector<std::uint32_t>& triangles) const {
  std::vector<Box> cones;
  for (const std::uint32_t t : triangles) {
    const Corners& c = mesh_->triangles[t];
    const std::size_t at = c[0] == hub ? 0 : c[1] == hub ? 1 : 2;
    cones.push_back(coneOf(mesh_->positions[hub], mesh_->positions[c[(at + 1) % 3]],
                           mesh_->positions[c[(at + 2) % 3]]));
  }
  return cones;
}

}  // namespace nearmiss
