// SPDX-License-Identifier: MIT
#include "spheres/winding_field.h"

#include <array>
#include <cmath>
#include <numbers>

namespace nearmiss {
namespace {

/// From this distance on, in its radii, a part is seen as one plate.
constexpr Real plateDistance = 3.0;

/// The solid angle of a triangle, signed, by the formula of Van Oosterom and Strackee.
Real solidAngle(const std::array<Vec3, 3>& corners, const Vec3& point) noexcept {
  const Vec3 a = corners[0] - point, b = corners[1] - point, c = corners[2] - point;
  const Real la = glm::length(a), lb = glm::length(b), lc = glm::length(c);
  const Real volume = glm::dot(a, glm::cross(b, c));
  const Real rest = la * lb * lc + glm::dot(a, b) * lc + glm::dot(b, c) * la + glm::dot(c, a) * lb;
  return volume == 0.0 ? 0.0 : 2.0 * std::atan2(volume, rest);
}

}  // namespace

WindingField::WindingField(const TriangleMesh& mesh)
    : mesh_(&mesh), tree_(mesh), plates_(tree_.nodes.size()) {
  // Children follow their parents, so the last node comes first
  for (std::size_t n = tree_.nodes.size(); n-- > 0;) {
    const BoxNode& node = tree_.nodes[n];
    Plate& plate = plates_[n];
    if (node.count == 0) {
      for (const std::size_t child : {n + 1, std::size_t{node.offset}}) {
        plate.area += plates_[child].area;
        plate.weight += plates_[child].weight;
        plate.middle += plates_[child].weight * plates_[child].middle;
      }
    } else {
      for (const std::uint32_t t : tree_.trianglesOf(node)) {
        const auto c = mesh.corners(t);
        const Vec3 area = 0.5 * glm::cross(c[1] - c[0], c[2] - c[0]);
        const Real weight = glm::length(area);
        plate.area += area;
        plate.weight += weight;
        plate.middle += weight * (c[0] + c[1] + c[2]) / 3.0;
      }
    }
    plate.middle = plate.weight > 0.0 ? plate.middle / plate.weight : node.box.centre();
    plate.radius = glm::length(glm::max(node.box.high - plate.middle, plate.middle - node.box.low));
  }
}

Real WindingField::winding(const Vec3& point) const noexcept {
  Real angle = 0.0;
  std::array<std::uint32_t, BoxTree::maxDepth> waiting;
  std::size_t size = 0;
  for (std::uint32_t at = 0;;) {
    const BoxNode& node = tree_.nodes[at];
    const Plate& plate = plates_[at];
    const Vec3 to = plate.middle - point;
    const Real distance = glm::length(to);
    if (distance > plateDistance * plate.radius) {
      angle += glm::dot(to, plate.area) / (distance * distance * distance);
    } else if (node.count == 0) {
      waiting[size++] = node.offset;
      ++at;
      continue;
    } else {
      for (const std::uint32_t t : tree_.trianglesOf(node))
        angle += solidAngle(mesh_->corners(t), point);
    }
    if (size == 0) return angle / (4.0 * std::numbers::pi);
    at = waiting[--size];
  }
}

}  // namespace nearmiss
