// SPDX-License-Identifier: MIT
#include "contact/touching_vertex.h"

#include <nearmiss/detail/triangle_geometry.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>

#include "geometry/polyhedron_pair.h"
#include "geometry/triangle_normal.h"

namespace nearmiss {
namespace {

/// The cost of testing whether a point is in a solid, in bound tests.
constexpr std::uint64_t containsPrice = 50;

/// Maximum tilt of a face by rounding, as the sine of the angle.
constexpr Real tilted = 1e-6;

/// Tilt, as the sine of the angle, that distinguishes a body that rests on a face from one that
/// passes through it: the first tilts by less.
constexpr Real standing = 0.3;

/// Returns true if the triangle is so thin that rounding may rotate its normal.
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

/// Calls visit() for each triangle of the own body at the vertex.
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

/// Returns the minimum sine of the angle between an edge of the vertex and the plane through the
/// vertex with normal `outward`. Negative if the own body reaches behind the plane; -1 if the body
/// lies behind one of its faces that lies in the plane.
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
    // A face of a solid along the plane has the solid behind it
    if (highest > standing || !own_->hasInside() || isNeedle(corners)) return;
    const bool turnsAway = glm::dot(seen, normalOf(corners)) > 0.0;
    if (highest <= tilted && turnsAway) least = -1.0;
    (turnsAway ? behind : before) = true;
  });
  // A blade in front of the plane has a face on either side
  return behind && !before ? -1.0 : least;
}

bool TouchingVertex::standsOn(const Vec3& outward) const {
  // Most vertices fail by an edge, which is found quickly
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
    const Real lean = leanOver(other_->normalOf(t));
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

std::optional<Vec3> TouchingVertex::rimMet() const {
  constexpr std::size_t most = 8;
  std::array<Vec3, most> normals;
  std::size_t count = 0;
  std::optional<Vec3> met;
  Real best = -standing;
  other_->polyhedron().forEachTriangleIn({point_ - slack_, point_ + slack_}, [&](std::uint32_t t) {
    const Triangle corners = other_->mesh().corners(t);
    ++work_;
    const bool on = squaredDistance(point_, closestOnTriangle(point_, corners)) <= slack_ * slack_;
    if (!on || isNeedle(corners) || count == most) return;
    const Vec3 own = other_->normalOf(t);
    for (std::size_t i = 0; i < count; ++i) {
      const Vec3 sum = own + normals[i];
      const Real length = glm::length(sum);
      if (!(length > tilted) || length > 2.0 - tilted) continue;
      const Real lean = leanOver(sum / length);
      if (met ? lean <= best + tilted : lean < best) continue;
      met = sum / length;
      best = lean;
    }
    normals[count++] = own;
  });
  return met;
}

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

/// Returns the region that contains the triangle of every way out. Edges of the vertex do not reach
/// far behind the plane of such a triangle, and at least one ends in front of it.
TouchingVertex::WaysOut TouchingVertex::waysOut() const {
  // The largest component along a direction of any unit way out that the edges allow
  std::array<Vec3, 16> edges;
  std::size_t count = 0;
  const auto most = [&](const Vec3& direction) {
    Real least = 1.0;
    for (std::size_t i = 0; i < count; ++i) least = std::min(least, glm::dot(direction, edges[i]));
    if (least >= -standing) return 1.0;
    const Real sine = std::sqrt(std::max(0.0, 1.0 - least * least));
    return -standing * least + std::sqrt(1.0 - standing * standing) * sine + tilted;
  };
  const Vec3& position = own_->mesh().positions[vertex_];
  const auto forEachEdge = [&](const auto& visit) {
    forEachOwn([&](const Triangle& corners) {
      for (const Vec3& corner : corners)
        if (const Real length = glm::distance(corner, position); length > 0.0)
          visit((corner - position) / length, length);
    });
  };
  forEachEdge([&](const Vec3& edge, Real) {
    if (count < edges.size()) edges[count++] = edge;
  });
  WaysOut ways;
  forEachEdge([&](const Vec3& edge, Real length) {
    ways.reach = std::max(ways.reach, length * most(edge));
  });
  ways.reach += slack_;
  for (std::size_t i = 0; i < count; ++i) edges[i] = toOther_.rotation * edges[i];
  for (int axis = 0; axis < 3; ++axis) {
    Vec3 direction(0.0);
    direction[axis] = 1.0;
    ways.shares.high[axis] = most(direction);
    ways.shares.low[axis] = -most(-direction);
  }
  return ways;
}

/// Takes a triangle straight above the vertex if it is nearer than the best.
void TouchingVertex::lookForWayOut(std::uint32_t t, Real reach,
                                   std::optional<SurfacePoint>& best) const {
  ++work_;
  const TriangleMesh& mesh = other_->mesh();
  const Vec3& outward = other_->normalOf(t);
  const Real height = glm::dot(outward, mesh.positions[mesh.triangles[t][0]] - point_);
  if (!(height > slack_) || height > reach || (best && height >= best->distance)) return;
  const Triangle corners = mesh.corners(t);
  const Vec3 straight = point_ + height * outward;
  if (squaredDistance(boxOf(corners), straight) > slack_ * slack_ || isNeedle(corners)) return;
  if (glm::distance(closestOnTriangle(point_, corners), straight) > slack_) return;
  if (leanOver(outward) < -standing) return;
  const Vec3 seen = glm::conjugate(toOther_.rotation) * outward;
  const Vec3& position = own_->mesh().positions[vertex_];
  Real highest = 0.0;
  forEachOwn([&](const Triangle& own) {
    for (const Vec3& corner : own) highest = std::max(highest, glm::dot(seen, corner - position));
  });
  if (highest >= height - slack_) best = SurfacePoint{straight, height, t};
}

std::optional<SurfacePoint> TouchingVertex::wayOut() const {
  constexpr Real first = 1.0 / 16.0, growth = 4.0;
  const WaysOut ways = waysOut();
  std::optional<SurfacePoint> best;
  // Most ways are short, so search within growing radii. Ways outside a radius are longer than it
  for (Real radius = first * ways.reach;; radius *= growth) {
    radius = std::min(radius, ways.reach);
    const Box near{point_ + radius * ways.shares.low, point_ + radius * ways.shares.high};
    other_->polyhedron().forEachTriangleIn(
        near, [&](std::uint32_t t) { lookForWayOut(t, ways.reach, best); });
    if (radius >= ways.reach || (best && best->distance <= radius)) break;
  }
  if (!best) return best;
  const Vec3 middle = 0.5 * (point_ + best->position);
  // If the bodies only pass by each other, they share no point at half of the way
  const std::optional<Vec3> shared = intoOwn(middle - point_);
  if (!shared || !other_->contains(*shared)) return std::nullopt;
  const bool within = other_->contains(middle) || other_->nearest(middle).distance <= slack_;
  return within ? best : std::nullopt;
}

}  // namespace nearmiss
