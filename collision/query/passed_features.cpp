// SPDX-License-Identifier: MIT
#include "query/passed_features.h"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>

#include "geometry/closest_points.h"
#include "geometry/polyhedron_pair.h"
#include "geometry/triangle_normal.h"
#include "query/touching_vertex.h"

namespace nearmiss {

void PassedFeatures::begin(const ContactBody& a, const ContactBody& b, const Pose& bToA, Real slack,
                           bool again) noexcept {
  const auto canPass = [](const ContactBody& own, const ContactBody& other) {
    return own.hasInside() && !other.hasInside() &&
           other.polyhedron().report().misorientedEdges == 0;
  };
  ofB_ = canPass(b, a);
  own_ = ofB_ ? &b : canPass(a, b) ? &a : nullptr;
  other_ = ofB_ ? &a : &b;
  toOther_ = ofB_ ? bToA : inverseOf(bToA);
  slack_ = slack;
  const Real known = !again ? 0.0 : side_ != 0.0 ? side_ : seen_;
  clear();
  side_ = known;
}

void PassedFeatures::clear() noexcept {
  side_ = seen_ = inside_ = 0.0;
  at_ = normal_ = Vec3(0.0);
  count_ = 0;
  vertices_.clear();
  behind_.clear();
  before_.clear();
}

void PassedFeatures::addCrossing(const Vec3& at, const Vec3& normal) noexcept {
  at_ += at;
  normal_ += normal;
  ++count_;
}

/// By how far the solid reaches along the mean normal, on either side of where both cross.
void PassedFeatures::chooseSide(std::uint64_t& work) {
  if (side_ != 0.0) return;
  // A small surface in a large solid tells by its own vertices
  const bool small = other_->polyhedron().radius() < own_->polyhedron().radius();
  if (small && inside_ != 0.0) {
    side_ = inside_;
    return;
  }
  const Pose toOwn = inverseOf(toOther_);
  const Vec3 normal = ofB_ ? toOwn.rotation * normal_ : normal_;
  const Vec3 at = at_ / static_cast<Real>(count_);
  const Vec3 middle = ofB_ ? transformed(toOwn, at) : at;
  Real before = 0.0, behind = 0.0;
  for (const Vec3& position : own_->mesh().positions) {
    const Real height = glm::dot(normal, position - middle);
    before = std::max(before, height);
    behind = std::max(behind, -height);
  }
  work += own_->mesh().positions.size() / 4;
  side_ = before >= behind ? 1.0 : -1.0;
}

/// How far a point is before the surface, as a share of its distance: by that of the triangles at
/// the nearest point which it is most before or behind.
Real PassedFeatures::sideOf(const Vec3& point, const SurfacePoint& nearest) const {
  const Vec3& at = nearest.position;
  Real most = 0.0;
  other_->polyhedron().forEachTriangleIn({at - slack_, at + slack_}, [&](std::uint32_t t) {
    const Triangle corners = other_->mesh().corners(t);
    if (squaredDistance(closestOnTriangle(at, corners), at) > slack_ * slack_) return;
    const Real before = glm::dot(faceNormalOf(corners), point - at);
    if (std::abs(before) > std::abs(most)) most = before;
  });
  return most / nearest.distance;
}

bool PassedFeatures::look(std::uint32_t vertex, std::uint64_t& work) {
  constexpr std::uint64_t price = 200;
  // The cosine of the angle from the normal: what lies farther aside is beside a rim
  constexpr Real along = 0.7;
  work += price;
  const Vec3 point = transformed(toOther_, own_->mesh().positions[vertex]);
  const SurfacePoint nearest = other_->nearest(point);
  // A small surface in a large solid is left behind by its own vertices
  const Real most = 2.0 * std::min(own_->polyhedron().radius(), other_->polyhedron().radius());
  if (!(nearest.distance > slack_) || nearest.distance > most) return false;
  const Real side = sideOf(point, nearest);
  if (std::abs(side) < along || (side > 0.0) == (side_ > 0.0)) return false;
  const TouchingVertex touching(*own_, vertex, toOther_, *other_, slack_);
  const bool goesThrough = touching.goesThrough(nearest.position);
  work += touching.work();
  if (!goesThrough) return true;
  const Vec3 out = (nearest.position - point) / nearest.distance;
  if (!touching.standsOn(out)) return true;
  vertices_.push_back({vertex, nearest.position, out, nearest.distance});
  return true;
}

bool PassedFeatures::leadsBack(std::uint32_t vertex, const Vec3& normal) const {
  Vec3 ofSurface(0.0);
  for (const std::uint32_t triangle : other_->edges().trianglesAt(vertex))
    ofSurface += faceNormalOf(other_->mesh().corners(triangle));
  const Vec3 ofSolid = ofB_ ? -normal : toOther_.rotation * normal;
  return side_ * glm::dot(ofSolid, ofSurface) > 0.0;
}

const std::vector<ManifoldPoint>& PassedFeatures::crossingsBeyond() const {
  if (side_ != 0.0) return side_ > 0.0 ? behind_ : before_;
  // Before all was looked at: the side on which the middle of the solid is not
  const Vec3 middle = transformed(toOther_, own_->polyhedron().bounds().centre());
  const SurfacePoint nearest = other_->nearest(middle);
  const bool isBehind = nearest.distance > slack_ && sideOf(middle, nearest) < 0.0;
  return isBehind ? before_ : behind_;
}

bool PassedFeatures::look(const FacedEdge& a, const FacedEdge& b, const ManifoldPoint& crossing,
                          std::uint64_t& work) {
  constexpr std::uint64_t depthPrice = 200;
  // How much farther from the middle of both normals than these the way back may lie, as cosines
  constexpr Real rounding = 1e-6, asideOfRim = 0.3;
  // Of the ball that both wedges have in common, what the solid holds at least
  constexpr Real shared = 1.0 / 3.0;
  const FacedEdge& ofSurface = ofB_ ? a : b;
  const auto [first, second] = ofSurface.sides;
  if (!possible() || first == SurfaceEdge::none) return false;
  const auto normal = [&](std::uint32_t triangle) {
    const Vec3 seen = faceNormalOf(other_->mesh().corners(triangle));
    return ofB_ ? seen : glm::conjugate(toOther_.rotation) * seen;
  };
  const bool rim = second == SurfaceEdge::none;
  const Vec3 ofFirst = normal(first), ofSecond = rim ? ofFirst : normal(second);
  const Vec3 sum = ofFirst + ofSecond, back = ofB_ ? -crossing.normal : crossing.normal;
  const Real length = glm::length(sum);
  if (!(length > rounding)) return false;
  // In a plane the vertices say all
  if (!rim && length > 2.0 - rounding) return false;
  const Real before = glm::dot(back, sum) / length, ofNormals = glm::dot(ofFirst, sum) / length;
  if (std::abs(before) < ofNormals - (rim ? asideOfRim : rounding)) return false;
  // As if the surface were a solid on that side
  FacedEdge side = ofSurface;
  side.normals = {std::copysign(1.0, before) * ofFirst, std::copysign(1.0, before) * ofSecond};
  const auto ball = ballBetween(ofB_ ? side : a, ofB_ ? b : side, -crossing.normal, crossing.depth);
  if (!ball) return false;
  const Vec3 inSolid = ofB_ ? transformed(inverseOf(toOther_), ball->centre) : ball->centre;
  work += depthPrice;
  if (own_->depthOf(inSolid) < shared * ball->radius) return false;
  (before > 0.0 ? behind_ : before_).push_back(crossing);
  return true;
}

}  // namespace nearmiss
