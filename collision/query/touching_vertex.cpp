// SPDX-License-Identifier: MIT
#include "query/touching_vertex.h"

#include <nearmiss/detail/triangle_geometry.h>

#include <algorithm>
#include <limits>

#include "geometry/polyhedron_pair.h"
#include "geometry/triangle_normal.h"

namespace nearmiss {
namespace {

/// In tests of bounds: whether a point is in a solid.
constexpr std::uint64_t containsPrice = 50;

/// The sine of an angle: rounding tilts no face by more.
constexpr Real tilted = 1e-6;

/// Likewise: a body that stands on a face tilts by less, and one that passes through it by more.
constexpr Real standing = 0.3;

/// True if rounding may turn its normal.
bool isNeedle(const Triangle& corners) {
  const Vec3 side = longestSideOf(corners);
  return glm::length(normalOf(corners)) <= tilted * glm::dot(side, side);
}

}  // namespace

TouchingVertex::TouchingVertex(const ContactBody& own, std::uint32_t vertex, const Pose& toOther,
                               const ContactBody& other, Real slack)
    : own_(&own),
      other_(&other),
      vertex_(vertex),
      toOther_(toOther),
      point_(transformed(toOther, own.mesh().positions[vertex])),
      slack_(slack) {}

/// Calls visit() with each triangle of the own body that has the vertex.
void TouchingVertex::forEachOwn(const auto& visit) const {
  for (const std::uint32_t t : own_->edges().trianglesAt(vertex_)) {
    ++work_;
    visit(own_->mesh().corners(t));
  }
}

bool TouchingVertex::comesFromBehind(const Vec3& outward) const {
  const Vec3 seen = glm::conjugate(toOther_.rotation) * outward;
  const Vec3& position = own_->mesh().positions[vertex_];
  Real before = 0.0;
  forEachOwn([&](const Triangle& corners) {
    for (const Vec3& corner : corners) before += glm::dot(seen, corner - position);
  });
  return before < -slack_;
}

/// The least sine of the angle from a plane through the vertex up to an edge of it: below 0 where
/// the own body reaches behind the plane, -1 where faces along the plane have it behind them.
Real TouchingVertex::leanOver(const Vec3& outward) const {
  const Vec3 seen = glm::conjugate(toOther_.rotation) * outward;
  const Vec3& position = own_->mesh().positions[vertex_];
  Real least = 1.0;
  bool behind = false, before = false;
  forEachOwn([&](const Triangle& corners) {
    Real highest = -1.0;
    for (const Vec3& corner : corners) {
      const Vec3 way = corner - position;
      const Real length = glm::length(way);
      if (!(length > 0.0)) continue;
      least = std::min(least, glm::dot(seen, way) / length);
      highest = std::max(highest, std::abs(glm::dot(seen, way) / length));
    }
    // Along the plane, a face of a solid has the solid behind it
    if (highest > standing || !own_->hasInside() || isNeedle(corners)) return;
    const bool turnsAway = glm::dot(seen, normalOf(corners)) > 0.0;
    if (highest <= tilted && turnsAway) least = -1.0;
    (turnsAway ? behind : before) = true;
  });
  // A blade that lies before the plane has a face to either side
  return behind && !before ? -1.0 : least;
}

bool TouchingVertex::standsOn(const Vec3& outward) const {
  // Most vertices fail by an edge, which is quickly seen
  const Vec3 seen = glm::conjugate(toOther_.rotation) * outward;
  const Vec3& position = own_->mesh().positions[vertex_];
  for (const std::uint32_t t : own_->edges().trianglesAt(vertex_))
    for (const std::uint32_t corner : own_->mesh().triangles[t]) {
      const Vec3 way = own_->mesh().positions[corner] - position;
      const Real up = glm::dot(seen, way);
      if (up < 0.0 && up * up > standing * standing * glm::dot(way, way)) return false;
    }
  return leanOver(outward) >= -standing;
}

std::optional<std::uint32_t> TouchingVertex::faceMet(std::uint32_t first) const {
  std::optional<std::uint32_t> met;
  Real best = -standing;
  const auto offer = [&](std::uint32_t t) {
    const Real lean = leanOver(faceNormalOf(other_->mesh().corners(t)));
    if (met ? lean <= best + tilted : lean < best) return;
    met = t;
    best = lean;
  };
  if (!isNeedle(other_->mesh().corners(first))) offer(first);
  other_->polyhedron().forEachTriangleIn({point_ - slack_, point_ + slack_}, [&](std::uint32_t t) {
    const Triangle corners = other_->mesh().corners(t);
    ++work_;
    const bool on = squaredDistance(point_, closestOnTriangle(point_, corners)) <= slack_ * slack_;
    if (t != first && on && !isNeedle(corners)) offer(t);
  });
  if (!met) offer(first);
  return met;
}

/// The point as far along a way from the vertex as its end, but aside into the own body; nothing
/// where that leads elsewhere.
std::optional<Vec3> TouchingVertex::intoOwn(const Vec3& way) const {
  const Vec3& position = own_->mesh().positions[vertex_];
  Vec3 inwards(0.0);
  forEachOwn([&](const Triangle& corners) {
    for (const Vec3& corner : corners)
      if (const Real length = glm::distance(corner, position); length > 0.0)
        inwards += (corner - position) / length;
  });
  inwards = toOther_.rotation * inwards;
  const Real up = glm::dot(inwards, way);
  if (!(up > 0.0)) return std::nullopt;
  const Vec3 point = point_ + (glm::dot(way, way) / up) * inwards;
  work_ += containsPrice;
  return own_->contains(transformed(inverseOf(toOther_), point)) ? std::optional(point)
                                                                 : std::nullopt;
}

bool TouchingVertex::goesThrough(const Vec3& onOther) const {
  work_ += containsPrice;
  return own_->contains(transformed(inverseOf(toOther_), onOther)) || intoOwn(onOther - point_);
}

/// False if the vertex is not straight below a triangle, at most `reach` metres deep. Quick, and
/// true in doubt.
bool TouchingVertex::mayBeBelow(const Triangle& corners, Real reach) const noexcept {
  const Vec3 u = corners[1] - corners[0], v = corners[2] - corners[0], across = v - u;
  const Vec3 normal = glm::cross(u, v), way = point_ - corners[0];
  const Real square = glm::dot(normal, normal), uu = glm::dot(u, u), vv = glm::dot(v, v);
  // The normal of a sliver is mostly rounding
  if (!(square > 1e-12 * uu * vv)) return true;
  const Real down = -glm::dot(normal, way);
  if (!(down > 0.0) || down * down > 1.001 * reach * reach * square) return false;
  const Real ofV = glm::dot(glm::cross(u, way), normal), ofU = glm::dot(glm::cross(way, v), normal);
  const auto isBeside = [&](Real weight, Real squaredSide) {
    return weight < 0.0 && weight * weight > 4.0 * slack_ * slack_ * squaredSide * square;
  };
  return !isBeside(ofV, uu) && !isBeside(ofU, vv) &&
         !isBeside(square - ofU - ofV, glm::dot(across, across));
}

/// The lowest face is likely to be near: looks in small boxes first.
std::optional<SurfacePoint> TouchingVertex::wayOut() const {
  constexpr Real wider = 4.0, narrowest = 1.0 / 16.0;
  Real reach = 0.0;
  const Vec3& position = own_->mesh().positions[vertex_];
  forEachOwn([&](const Triangle& corners) {
    for (const Vec3& corner : corners) reach = std::max(reach, glm::distance(corner, position));
  });
  std::optional<SurfacePoint> best;
  const auto offer = [&](std::uint32_t t, Real within) {
    ++work_;
    const Triangle corners = other_->mesh().corners(t);
    if (!mayBeBelow(corners, within)) return;
    const Vec3 outward = faceNormalOf(corners);
    const Real height = glm::dot(outward, corners[0] - point_);
    if (!(height > slack_) || height > within || (best && height >= best->distance)) return;
    if (isNeedle(corners)) return;
    const Vec3 above = closestOnTriangle(point_, corners);
    if (glm::distance(above, point_ + height * outward) > slack_) return;
    if (leanOver(outward) < -standing) return;
    const Vec3 seen = glm::conjugate(toOther_.rotation) * outward;
    Real highest = 0.0;
    forEachOwn([&](const Triangle& own) {
      for (const Vec3& corner : own) highest = std::max(highest, glm::dot(seen, corner - position));
    });
    if (highest >= height - slack_) best = SurfacePoint{above, glm::distance(above, point_), t};
  };
  for (Real within = narrowest * reach; !best && within <= reach; within *= wider) {
    // The foot on a face lies up to the slack beside it
    const Real half = within + 2.0 * slack_;
    other_->polyhedron().forEachTriangleIn({point_ - half, point_ + half},
                                           [&](std::uint32_t t) { offer(t, within); });
  }
  if (!best) return best;
  const Vec3 middle = 0.5 * (point_ + best->position);
  // A body that only passes by shares no point with the other that far up
  const std::optional<Vec3> shared = intoOwn(middle - point_);
  if (!shared || !other_->contains(*shared)) return std::nullopt;
  const bool within = other_->contains(middle) || other_->nearest(middle).distance <= slack_;
  return within ? best : std::nullopt;
}

}  // namespace nearmiss
