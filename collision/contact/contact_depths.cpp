// SPDX-License-Identifier: MIT
#include "contact/contact_depths.h"

#include <algorithm>
#include <cstdint>
#include <glm/geometric.hpp>
#include <limits>
#include <vector>

#include "contact/contact_id.h"
#include "geometry/polyhedron_pair.h"

namespace nearmiss {
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

void ContactDepths::shorten(std::vector<ManifoldPoint>& points, Real most) noexcept {
  for (ManifoldPoint& point : points) {
    if (!(point.depth > most)) continue;
    const Vec3 less = 0.5 * (point.depth - most) * point.normal;
    point.onA += less;
    point.onB -= less;
    point.depth = most;
  }
}

}  // namespace nearmiss
