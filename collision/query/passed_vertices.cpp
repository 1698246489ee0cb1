// SPDX-License-Identifier: MIT
#include "query/passed_vertices.h"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>

#include "geometry/closest_points.h"
#include "geometry/polyhedron_pair.h"
#include "geometry/triangle_normal.h"
#include "query/touching_vertex.h"

namespace nearmiss {

void PassedVertices::begin(const TwoBodies& bodies, Real slack) noexcept {
  const auto canPass = [](const Polyhedron& own, const Polyhedron& other) {
    return own.report().solid() && !other.report().solid() && other.report().misorientedEdges == 0;
  };
  const Polyhedron &a = bodies.a(), &b = bodies.b();
  ofB_ = canPass(b, a);
  own_ = ofB_ ? &b : canPass(a, b) ? &a : nullptr;
  other_ = ofB_ ? &a : &b;
  toOther_ = ofB_ ? bodies.bToA() : inverseOf(bodies.bToA());
  slack_ = slack;
  for (Side* side : {&behind_, &before_}) {
    side->passed.clear();
    side->reach = 0.0;
  }
}

bool PassedVertices::passed(std::uint32_t vertex, const SurfacePoint& nearest) const {
  return nearest.distance > slack_ &&
         TouchingVertex(*own_, vertex, toOther_, *other_, slack_).goesThrough(nearest.position);
}

/// How far a point is before the surface, as a share of its distance: by that of the triangles at
/// the nearest point which it is most before or behind.
Real PassedVertices::sideOf(const Vec3& point, const SurfacePoint& nearest) const {
  const Vec3& at = nearest.position;
  Real most = 0.0;
  other_->forEachTriangleIn({at - slack_, at + slack_}, [&](std::uint32_t t) {
    const Triangle corners = other_->mesh().corners(t);
    if (squaredDistance(closestOnTriangle(at, corners), at) > slack_ * slack_) return;
    const Real before = glm::dot(faceNormalOf(corners), point - at);
    if (std::abs(before) > std::abs(most)) most = before;
  });
  return most / nearest.distance;
}

std::uint64_t PassedVertices::look(std::uint32_t vertex) {
  constexpr std::uint64_t price = 200, throughPrice = 200;
  // The cosine of the angle from the normal: what lies farther aside is beside a rim
  constexpr Real along = 0.7;
  const Vec3 point = transformed(toOther_, own_->mesh().positions[vertex]);
  const SurfacePoint nearest = other_->nearest(point);
  if (!(nearest.distance > slack_)) return price;
  const Real side = sideOf(point, nearest);
  if (std::abs(side) < along) return price;
  Side& on = side > 0.0 ? before_ : behind_;
  on.reach = std::max(on.reach, nearest.distance);
  if (passed(vertex, nearest)) {
    const Vec3 back = (nearest.position - point) / nearest.distance;
    on.passed.push_back({vertex, nearest.position, back, nearest.distance});
  }
  return price + throughPrice;
}

}  // namespace nearmiss
