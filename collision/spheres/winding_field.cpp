// SPDX-License-Identifier: MIT
#include <nearmiss/advanced/predicates.h>

#include "spheres/winding_field.h"

#include <array>
#include <cmath>
#include <numbers>

#include "geometry/box_measures.h"

namespace nearmiss {
namespace {

/// From this distance on, in its radii, a part is approximated by one plate.
constexpr Real plateDistance = 3.0;

/// Signed solid angle of a triangle, by the formula of Van Oosterom and Strackee.
Real solidAngle(const std::array<Vec3, 3>& corners, const Vec3& point) noexcept {
  const Vec3 a = corners[0] - point, b = corners[1] - point, c = corners[2] - point;
  const Real la = glm::length(a), lb = glm::length(b), lc = glm::length(c);
  const Real volume = glm::dot(a, glm::cross(b, c));
  const Real rest = la * lb * lc + glm::dot(a, b) * lc + glm::dot(b, c) * la + glm::dot(c, a) * lb;
  return volume == 0.0 ? 0.0 : 2.0 * std::atan2(volume, rest);
}

}  // namespace

WindingField::WindingField(const TriangleMesh& mesh) : mesh_(&mesh) {
  std::vector<Box> boxes;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) boxes.push_back(boxOf(mesh.corners(t)));
  boxes_.build(boxes);
  plates_.resize(WideBoxes::width * boxes_.nodeCount());
  // Children come after their parents
  for (auto at = static_cast<std::uint32_t>(boxes_.nodeCount()); at-- > 0;)
    for (std::uint32_t lane = 0; lane < boxes_.node(at).count; ++lane) {
      const std::uint32_t slot = WideBoxes::width * at + lane, child = boxes_.childOf(slot);
      Plate& plate = plates_[slot];
      const auto add = [&plate](const Vec3& area, Real weight, const Vec3& middle) {
        plate.area += area;
        plate.weight += weight;
        plate.middle += weight * middle;
      };
      if ((child & WideBoxes::isLeaf) == 0) {
        for (std::uint32_t k = 0; k < boxes_.node(child).count; ++k) {
          const Plate& part = plates_[WideBoxes::width * child + k];
          add(part.area, part.weight, part.middle);
        }
      } else {
        boxes_.anyIn(child, [&](std::uint32_t t, unsigned) {
          const Triangle c = mesh.corners(t);
          const Vec3 area = 0.5 * glm::cross(c[1] - c[0], c[2] - c[0]);
          add(area, glm::length(area), (c[0] + c[1] + c[2]) / 3.0);
          return false;
        });
      }
      const Box box = boxes_.boxOf(slot);
      plate.middle = plate.weight > 0.0 ? plate.middle / plate.weight : box.centre();
      plate.radius = glm::length(glm::max(box.high - plate.middle, plate.middle - box.low));
    }
}

Real WindingField::winding(const Vec3& point) const noexcept {
  Real angle = 0.0;
  std::array<std::uint32_t, WideBoxes::maxWaiting> waiting{0};
  for (std::size_t size = 1; size > 0;) {
    const std::uint32_t slot = waiting[--size];
    const Plate& plate = plates_[slot];
    const Vec3 to = plate.middle - point;
    const Real distance = glm::length(to);
    if (distance > plateDistance * plate.radius) {
      angle += glm::dot(to, plate.area) / (distance * distance * distance);
      continue;
    }
    const std::uint32_t child = boxes_.childOf(slot);
    if ((child & WideBoxes::isLeaf) != 0) {
      boxes_.anyIn(child, [&](std::uint32_t t, unsigned) {
        angle += solidAngle(mesh_->corners(t), point);
        return false;
      });
      continue;
    }
    for (std::uint32_t k = boxes_.node(child).count; k-- > 0;)
      waiting[size++] = WideBoxes::width * child + k;
  }
  return angle / (4.0 * std::numbers::pi);
}

}  // namespace nearmiss
