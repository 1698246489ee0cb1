// SPDX-License-Identifier: MIT
#include "contact/held_points.h"

#include <algorithm>
#include <glm/geometric.hpp>

#include "contact/contact_id.h"
#include "geometry/polyhedron_pair.h"

namespace nearmiss {

/// Points that were carried keep the positions where they were found, so that drift accumulates.
void HeldPoints::keep(std::span<const ManifoldPoint> points, const Pose& bToA, Real certain) {
  std::swap(held_, before_);
  held_.clear();
  certain_ = certain;
  deepest_ = 0.0;
  const Pose aToB = inverseOf(bToA);
  for (const ManifoldPoint& point : points) {
    deepest_ = std::max(deepest_, point.depth);
    const auto same = std::ranges::find_if(
        before_, [&](const Held& held) { return held.carried && held.id == point.id; });
    if (same != before_.end()) {
      held_.push_back(*same);
      continue;
    }
    // The normal is that of the face
    const bool withB = contactKindOf(point.id) == ContactKind::VertexOfA;
    held_.push_back({point.id, point.onA, transformed(aToB, point.onB),
                     withB ? aToB.rotation * point.normal : point.normal, withB, false});
  }
}

bool HeldPoints::contains(std::span<const ManifoldPoint> points, std::uint64_t id) {
  return std::ranges::any_of(points, [&](const ManifoldPoint& point) { return point.id == id; });
}

/// A vertex stays fixed to its body, and the point of the face follows it. For two edges, and for
/// points between the surfaces, both follow.
ManifoldPoint HeldPoints::moved(const Held& held, const Pose& bToA) {
  const Vec3 normal = held.withB ? bToA.rotation * held.normal : held.normal;
  const Vec3 onB = transformed(bToA, held.inB);
  const Real depth = glm::dot(onB - held.inA, normal);
  switch (contactKindOf(held.id)) {
    case ContactKind::VertexOfA:
      return {held.inA, held.inA + depth * normal, normal, depth, held.id};
    case ContactKind::VertexOfB:
      return {onB - depth * normal, onB, normal, depth, held.id};
    case ContactKind::Edges:
    case ContactKind::Depth:
      break;
  }
  const Vec3 middle = 0.5 * (held.inA + onB), half = 0.5 * depth * normal;
  return {middle - half, middle + half, normal, depth, held.id};
}

Real HeldPoints::driftOf(const Held& held, const Pose& bToA, const Vec3& normal) {
  const Vec3 between = transformed(bToA, held.inB) - held.inA;
  return glm::length(between - glm::dot(between, normal) * normal);
}

}  // namespace nearmiss
