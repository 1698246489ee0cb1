// SPDX-License-Identifier: MIT
#include "geometry/tight_boxes.h"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <limits>

#include "geometry/box_measures.h"
#include "geometry/closest_points.h"

namespace nearmiss {
namespace {

/// Rounding error of products with an axis, relative to the largest coordinate: about ten rounding
/// errors of sums of three products.
constexpr Real productRounding = 4e-15;

/// The longest edge and the normal of the largest triangle below a slot.
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

/// Returns a unit vector perpendicular to `axis`.
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
  // Project twice: if the two are nearly parallel, the first result is mostly rounding error
  upright -= glm::dot(upright, along) * along;
  const Vec3 third = glm::dot(upright, upright) > 1e-6 ? glm::normalize(upright) : across(along);
  return {along, glm::cross(third, along), third};
}

}  // namespace

TightBoxes::TightBoxes(const TriangleMesh& mesh, const WideBoxes& boxes)
    : boxes_(WideBoxes::width * boxes.nodeCount()),
      rounding_(productRounding * largestCoordinate(boxes.bounds())) {
  constexpr Real infinite = std::numeric_limits<Real>::infinity();
  std::vector<Directions> directions(boxes_.size());
  std::vector<std::uint32_t> below;
  // Children come after their parents
  for (auto at = static_cast<std::uint32_t>(boxes.nodeCount()); at-- > 0;)
    for (std::uint32_t lane = 0; lane < boxes.node(at).count; ++lane) {
      const std::uint32_t slot = WideBoxes::width * at + lane, child = boxes.childOf(slot);
      below.clear();
      boxes.addItemsBelow(child, below);
      if ((child & WideBoxes::isLeaf) != 0) {
        for (const std::uint32_t t : below) directions[slot].take(directionsOf(mesh.corners(t)));
      } else {
        for (std::uint32_t k = 0; k < boxes.node(child).count; ++k)
          directions[slot].take(directions[WideBoxes::width * child + k]);
      }
      TightBox& box = boxes_[slot];
      box.axes = axesAlong(directions[slot]);
      box.low = Vec3(infinite);
      box.high = Vec3(-infinite);
      for (const std::uint32_t t : below)
        for (const Vec3& p : mesh.corners(t)) {
          const Vec3 along(glm::dot(box.axes[0], p), glm::dot(box.axes[1], p),
                           glm::dot(box.axes[2], p));
          box.low = glm::min(box.low, along);
          box.high = glm::max(box.high, along);
        }
    }
}

bool TightBoxes::mayMeet(std::uint32_t slot, const Triangle& triangle) const noexcept {
  const TightBox& box = boxes_[slot];
  for (int k = 0; k < 3; ++k) {
    const Vec3& axis = box.axes[static_cast<std::size_t>(k)];
    const Real p = glm::dot(axis, triangle[0]), q = glm::dot(axis, triangle[1]),
               r = glm::dot(axis, triangle[2]);
    if (std::min({p, q, r}) > box.high[k] + rounding_ ||
        std::max({p, q, r}) < box.low[k] - rounding_)
      return false;
  }
  return true;
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
