// SPDX-License-Identifier: MIT
#include "contact/contact_depths.h"

#include <algorithm>
#include <cstdint>
#include <glm/geometric.hpp>
#include <limits>
#include <tuple>
#include <utility>
#include <vector>

#include "contact/contact_body.h"
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

/// Starts from the middle between two points where a surface intersects the faces of a solid. The
/// surface lies inside the solid there. The two points themselves may lie on edges, from which a
/// step may not lead inside.
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

void DepthCheck::begin(const TwoBodies& bodies, std::span<const ManifoldPoint> points, Real certain,
                       Real slack) {
  // Edges of a contact are known to be about this deep
  constexpr Real much = 2.0;
  bodies_ = &bodies;
  slack_ = slack;
  ways_.clear();
  const ManifoldPoint* known = nullptr;
  for (const ManifoldPoint& point : points) {
    if (point.depth > much * certain + slack)
      ways_.push_back({point.depth, point.normal});
    else if (point.depth > slack && (!known || point.depth > known->depth))
      known = &point;
  }
  std::ranges::sort(ways_, {}, [](const Way& way) {
    return std::tuple(way.depth, way.normal.x, way.normal.y, way.normal.z);
  });
  // If the deepest of the other points leads out, no point is deeper
  if (!ways_.empty() && known) ways_.insert(ways_.begin(), {known->depth, known->normal});
  begin_ = 0;
  end_ = ways_.size();
  tried_ = 0;
  testing_ = false;
  limit_ = std::numeric_limits<Real>::infinity();
}

/// Returns the shallowest first, which is likely to be proven, then the deepest: if that does not
/// separate the bodies, others usually do not either. Otherwise bisects for the shallowest that
/// does.
std::size_t DepthCheck::next() const noexcept {
  return tried_ == 0 ? begin_ : tried_ == 1 ? end_ - 1 : begin_ + (end_ - begin_) / 2;
}

bool DepthCheck::step(WorkCount& work) {
  if (begin_ == end_) return false;
  const std::size_t at = next();
  const Way& way = ways_[at];
  if (!std::exchange(testing_, true)) test_.begin(*bodies_, -(way.depth + slack_) * way.normal);
  if (test_.step(work)) return true;
  testing_ = false;
  ++tried_;
  if (test_.parts()) {
    limit_ = way.depth;
    end_ = at;
  } else if (tried_ == 2 && at + 1 == end_) {
    begin_ = end_;
  } else {
    begin_ = at + 1;
  }
  return begin_ != end_;
}

void DepthCheck::beginToExplain(std::span<const ManifoldPoint> points) {
  constexpr int rounds = 20;
  constexpr Real more = 3.0;
  Vec3 out(0.0);
  for (int round = 0; round < rounds; ++round)
    for (const ManifoldPoint& point : points)
      out +=
          std::max(0.0, more * point.depth + slack_ - glm::dot(out, point.normal)) * point.normal;
  test_.begin(*bodies_, -out);
}

namespace {

Real deepestOf(const std::vector<ManifoldPoint>& points) noexcept {
  Real deepest = -std::numeric_limits<Real>::infinity();
  for (const ManifoldPoint& point : points) deepest = std::max(deepest, point.depth);
  return deepest;
}

}  // namespace

void ContactDepths::begin(const TwoBodies& bodies, const ContactBody& a, const ContactBody& b,
                          Real slack) noexcept {
  bodies_ = &bodies;
  a_ = &a;
  b_ = &b;
  slack_ = slack;
  missesMost_ = explaining_ = false;
  deepest_.reset();
}

void ContactDepths::take(ContactFindings& found, Real limit, WorkCount& work) {
  found.corners.addTo(found.points, slack_);
  found.corners.clear();
  if (solids()) {
    found.certainDepth = provenDepth(found.points, found.certainDepth, work);
    check_.begin(*bodies_, found.points, found.certainDepth, slack_);
  } else if (deepestOf(found.points) > limit) {
    // A vertex may be far from the face through which it should leave
    check_.begin(*bodies_, found.points, 0.0, slack_);
  } else {
    check_.begin(*bodies_, {}, 0.0, slack_);
  }
}

/// Vertices along walls prove no depth; all vertices of flush boxes are of this kind. But a point
/// next to the deepest of them, towards the centre of the patch, does: a ball about it that lies in
/// both bodies keeps them in contact.
Real ContactDepths::provenDepth(std::vector<ManifoldPoint>& points, Real certain,
                                WorkCount& work) const {
  constexpr int tries = 4;
  constexpr std::uint64_t price = 500;
  // The result must not depend on the order of the search
  std::ranges::sort(points, {}, &ManifoldPoint::id);
  Vec3 middle(0.0);
  Real count = 0.0;
  for (const ManifoldPoint& point : points)
    if (point.depth > certain + slack_) {
      middle += 0.5 * (point.onA + point.onB);
      count += 1.0;
    }
  if (count < 2.0) return certain;
  middle /= count;
  const Pose aToB = inverseOf(bodies_->bToA());
  Real below = std::numeric_limits<Real>::infinity();
  for (int i = 0; i < tries; ++i) {
    const ManifoldPoint* deepest = nullptr;
    for (const ManifoldPoint& point : points)
      if (point.depth < below && (!deepest || point.depth > deepest->depth)) deepest = &point;
    if (!deepest || !(deepest->depth > certain + slack_)) return certain;
    below = deepest->depth;
    const Vec3 at = 0.5 * (deepest->onA + deepest->onB), aside = middle - at;
    const Real length = glm::length(aside);
    const Vec3 inside =
        length > 0.0 ? at + std::min(1.0, 2.0 * deepest->depth / length) * aside : at;
    work.boundTests += price;
    certain = std::max(certain, a_->depthOf(inside) + b_->depthOf(transformed(aToB, inside)));
    // Other points are hardly deeper
    constexpr Real nearly = 0.99;
    if (certain > nearly * deepest->depth) return certain;
  }
  return certain;
}

bool ContactDepths::checkSome(ContactFindings& found, WorkCount& work) {
  if (explaining_) {
    if (check_.stepToExplain(work)) return true;
    explaining_ = false;
    missesMost_ = !check_.explains();
    return endCheck(found);
  }
  if (check_.step(work)) return true;
  std::vector<ManifoldPoint>& points = found.points;
  const Real most = solids() ? std::max(check_.limit(), found.certainDepth) : check_.limit();
  std::erase_if(points, [&](const ManifoldPoint& point) { return point.depth > most + slack_; });
  // Vertices that are barely inside may be next to an edge that cuts deep
  constexpr std::size_t few = 2;
  explaining_ = solids() && points.size() <= few && deepestOf(points) > slack_;
  if (!explaining_) return endCheck(found);
  check_.beginToExplain(points);
  return true;
}

/// Edges that overlap prove more, unless only corners of a patch are known.
bool ContactDepths::endCheck(const ContactFindings& found) {
  constexpr Real little = 0.3;
  const Real deepest = deepestOf(found.points);
  if (solids() && deepest > slack_ && found.certainDepth < little * deepest) missesMost_ = true;
  return false;
}

bool ContactDepths::missesOverlap(const ContactFindings& found) const {
  constexpr Real enough = 0.5;
  const Real deepest = deepestOf(found.points);
  return missesMost_ || deepest < -slack_ ||
         (found.certainDepth > slack_ && deepest < enough * found.certainDepth);
}

bool ContactDepths::wantsDeepest(const ContactFindings& found,
                                 const CrossingSample& crossings) const {
  return !deepest_ && !crossings.empty() && (a_->hasInside() || b_->hasInside()) &&
         missesOverlap(found);
}

bool ContactDepths::makeBalls(const TimeBudget& budget) {
  ballsA_ = innerBallsOf(bodies_->shapeA(), budget);
  ballsB_ = ballsA_ ? innerBallsOf(bodies_->shapeB(), budget) : nullptr;
  return ballsB_ != nullptr;
}

/// Adds the deepest point if a contact has no other points. Its depth is proven; edges replace it
/// only if they are not much deeper.
void ContactDepths::addDeepest(ContactFindings& found, WorkCount& work) {
  constexpr Real maxRatio = 3.0, asDeep = 0.8;
  const auto deepest = deepest_->found();
  work.boundTests += deepest_->takeWork();
  if (!deepest) return;
  found.certainDepth = std::max(found.certainDepth, deepest_->certainDepth());
  if (deepestOf(found.points) > asDeep * deepest->depth) return;
  if (found.doubtful && found.doubtful->depth <= maxRatio * deepest->depth)
    found.points.push_back(*found.doubtful);
  else
    found.points.push_back({deepest->onA, deepest->onB, deepest->normal, deepest->depth,
                            contactId(ContactKind::Depth, 0, 0)});
}

bool ContactDepths::seekSome(ContactFindings& found, const CrossingSample& crossings,
                             WorkCount& work) {
  if (wantsDeepest(found, crossings)) deepest_.emplace(*bodies_, *ballsA_, *ballsB_, crossings);
  if (deepest_) {
    const bool goesOn = deepest_->step();
    work.boundTests += deepest_->takeWork();
    if (goesOn) return true;
    addDeepest(found, work);
  }
  missesMost_ = false;
  if (missesOverlap(found) && found.misfit) {
    ManifoldPoint& misfit = found.points.emplace_back(*found.misfit);
    misfit.id = contactId(ContactKind::Depth, 0, std::uint64_t{contactVertexOf(misfit.id)} + 1);
  }
  // For two surfaces without an inside all intersections count. Otherwise one counts if nothing
  // else shows that the bodies touch
  const bool surfaces = !a_->hasInside() && !b_->hasInside();
  if (surfaces || (!crossings.empty() && missesOverlap(found))) crossings.addTo(found.points);
  return false;
}

void ContactDepths::limitDepths(std::vector<ManifoldPoint>& points, Real maxDepth) noexcept {
  for (ManifoldPoint& point : points) {
    if (!(point.depth > maxDepth)) continue;
    const Vec3 less = 0.5 * (point.depth - maxDepth) * point.normal;
    point.onA += less;
    point.onB -= less;
    point.depth = maxDepth;
  }
}

}  // namespace nearmiss
