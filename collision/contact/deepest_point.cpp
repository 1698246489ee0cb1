// SPDX-License-Identifier: MIT
#include "contact/deepest_point.h"

#include <algorithm>
#include <glm/geometric.hpp>

#include "geometry/polyhedron_pair.h"

namespace nearmiss {

DeepestPoint::DeepestPoint(const TwoBodies& bodies, const InnerBalls& ballsA,
                           const InnerBalls& ballsB, const CrossingSample& crossings)
    : bodies_(&bodies),
      slack_(slackOf(bodies.a(), bodies.b(), bodies.bToA())),
      reach_(std::min(bodies.a().radius(), bodies.b().radius())),
      shared_(bodies.a(), ballsA, bodies.b(), ballsB, bodies.bToA()),
      begin_(shared_.with(Vec3(0.0), crossings.one().onA)),
      middles_(crossings.middles()) {
  const bool solids = bodies.shapeA().solid() && bodies.shapeB().solid();
  middlesLeft_ = solids ? 0 : middles_.size();
  shared_.beginQuick(Vec3(0.0), {}, reach_);
}

/// Between two points where a surface intersects the faces of a solid, it lies inside that solid.
/// Steps from either of them, possibly on an edge, may find no way in.
void DeepestPoint::tryMiddle(const Vec3& middle) {
  const Polyhedron &a = bodies_->a(), &b = bodies_->b();
  const Pose &bToA = bodies_->bToA(), aToB = inverseOf(bToA);
  const Vec3 onSurface = !bodies_->shapeA().solid()
                             ? a.nearest(middle).position
                             : transformed(bToA, b.nearest(transformed(aToB, middle)).position);
  const ContactBall ball = shared_.with(Vec3(0.0), onSurface);
  if (ball.radius > begin_.radius) begin_ = ball;
}

bool DeepestPoint::step() {
  if (middlesLeft_ > 0) {
    tryMiddle(middles_[--middlesLeft_]);
    return true;
  }
  if (!climb_) {
    if (!shared_.stepQuick()) climb_ = SharedDepth::climbFrom(shared_.best(), reach_);
    return true;
  }
  if (shared_.climb(*climb_)) return true;
  // If the overlap is too small for the inner balls, start from intersections of the surfaces
  reach_ *= 0.1;
  if (climb_->best.radius > 0.0 || reach_ <= slack_) return false;
  climb_ = SharedDepth::climbFrom(begin_, reach_);
  return true;
}

std::optional<ManifoldPoint> DeepestPoint::found() {
  const ContactBall& deepest = climb_->best;
  if (!(deepest.radius > 0.0)) return std::nullopt;
  const Vec3 way = shared_.wayOut(deepest);
  if (!(glm::length(way) > 0.0)) return std::nullopt;
  // From the point along the way out to both surfaces
  const Polyhedron &a = bodies_->a(), &b = bodies_->b();
  const Pose &bToA = bodies_->bToA(), aToB = inverseOf(bToA);
  const Vec3 inB = transformed(aToB, deepest.point);
  Vec3 onA = a.nearest(deepest.point).position;
  Vec3 onB = transformed(bToA, b.nearest(inB).position);
  // A point that lies in one body only is near a point of the other's surface that lies in that
  // body too
  if (!b.contains(inB))
    onA = a.nearest(onB).position;
  else if (!a.contains(deepest.point))
    onB = transformed(bToA, b.nearest(transformed(aToB, onA)).position);
  const Vec3 across = onB - onA;
  const Real depth = glm::length(across);
  if (!(depth > slack_)) return std::nullopt;
  return ManifoldPoint{onA, onB, across / depth, depth};
}

}  // namespace nearmiss
