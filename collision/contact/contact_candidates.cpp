// SPDX-License-Identifier: MIT
#include "contact/contact_candidates.h"

#include <algorithm>

#include "contact/contact_body.h"
#include "geometry/closest_points.h"
#include "geometry/polyhedron_pair.h"
#include "geometry/triangle_normal.h"

namespace nearmiss {

void SurfaceCrossings::begin(const ContactBody& a, const ContactBody& b,
                             const Pose& bToA) noexcept {
  a_ = &a;
  b_ = &b;
  triangles_.begin(a.polyhedron(), b.polyhedron(), bToA, 0.0, {});
  next_ = triangles_.pairs().size();
  sample_.clear();
}

bool SurfaceCrossings::step(WorkCount& work) {
  constexpr std::size_t some = 32;
  if (next_ >= triangles_.pairs().size()) {
    if (!triangles_.listSome(work)) return false;
    next_ = 0;
  }
  const std::size_t end = std::min(next_ + some, triangles_.pairs().size());
  while (next_ < end) {
    compare(triangles_.pairs()[next_++], work);
    if (solids() && !sample_.empty()) return false;
  }
  return true;
}

void SurfaceCrossings::compare(const NearTrianglePairs::Pair& pair, WorkCount& work) {
  ++work.triangleTests;
  const Triangle cornersA = a_->mesh().corners(pair.a);
  if (!trianglesMeet(cornersA, pair.cornersB)) return;
  const Vec3 at =
      solids() ? closestPoints(cornersA, pair.cornersB).a : pointOfBoth(cornersA, pair.cornersB);
  const bool outOfB = !a_->hasInside() && b_->hasInside();
  const Vec3 normal = outOfB ? faceNormalOf(pair.cornersB) : -faceNormalOf(cornersA);
  sample_.add({at, at, normal, 0.0, contactId(ContactKind::Depth, pair.a + 1, pair.b)});
}

namespace {

/// Share of the slack by which a point may be deeper than proven. Transforming it to the world
/// frame also rounds it.
constexpr Real ofSlack = 0.5;

}  // namespace

void ContactCandidates::begin(const TwoBodies& bodies, Real margin, bool once) {
  a_ = ContactBody(bodies.shapeA());
  b_ = ContactBody(bodies.shapeB());
  features_.take(a_, b_, once);
  start(bodies, margin, {});
}

void ContactCandidates::beginAgain(const TwoBodies& bodies, Real margin,
                                   std::span<const std::uint64_t> known) {
  start(bodies, margin, known);
}

void ContactCandidates::start(const TwoBodies& bodies, Real margin,
                              std::span<const std::uint64_t> known) {
  bodies_ = &bodies;
  margin_ = margin;
  slack_ = slackOf(bodies.a(), bodies.b(), bodies.bToA());
  known_ = known;
  found_.clear();
  standInSought_ = false;
  const bool convex = a_.convex() && b_.convex();
  if (!convex) crossings_.begin(a_, b_, bodies.bToA());
  depths_.begin(bodies, a_, b_, slack_);
  meter_.reset();
  if (bodies.fartherThan(margin + slack_)) {
    features_.setFarApart(bodies.bToA(), slack_);
    stage_ = Stage::Done;
    return;
  }
  if (convex)
    stage_ = Stage::Convex;
  else
    beginFeatures();
}

void ContactCandidates::findConvex() {
  std::uint64_t& work = meter_.open().boundTests;
  if (convex_.find(*a_.convex(), *b_.convex(), bodies_->bToA(), margin_, slack_, found_, work)) {
    // A vertex slightly outside a face may seem deeper. Here the depth is exact except for the
    // rounding of a product
    constexpr Real rounding = 0.01;
    ContactDepths::limitDepths(found_.points, found_.certainDepth + rounding * slack_);
    return finish();
  }
  crossings_.begin(a_, b_, bodies_->bToA());
  beginFeatures();
}

void ContactCandidates::beginFeatures() {
  features_.begin(bodies_->bToA(), margin_, slack_, known_);
  stage_ = Stage::Features;
}

/// For two solids, searches intersections only if the points found do not explain the overlap.
void ContactCandidates::step() {
  switch (stage_) {
    case Stage::Convex:
      return findConvex();
    case Stage::Features:
      if (features_.step(found_, meter_.open())) return;
      return solids() ? beginCheck() : void(stage_ = Stage::Crossings);
    case Stage::Crossings:
      return lookForCrossings();
    case Stage::Passed:
      return lookForPassed();
    case Stage::Check:
      return check();
    case Stage::Deepest:
      return seekDeepest();
    case Stage::Done:
      return;
  }
}

void ContactCandidates::lookForCrossings() {
  if (features_.features().mayCross()) {
    // For two solids one intersection suffices, and is known if a stand-in was searched
    const bool known = solids() && !crossings_.sample().empty();
    if (!known && crossings_.step(meter_.open())) return;
    if (crossings_.sample().empty()) {
      // Without an intersection, the distance of the nearest point is that of the bodies
      Real gap = margin_;
      for (const ManifoldPoint& point : found_.points) gap = std::min(gap, -point.depth);
      features_.setApart(gap - slack_);
    }
  }
  addAlongWall();
  stage_ = solids() ? Stage::Deepest : Stage::Passed;
}

/// Accepts a vertex that rests on nothing if no other features are as near.
void ContactCandidates::addAlongWall() {
  if (!found_.alongWall) return;
  ManifoldPoint point = *found_.alongWall;
  const auto isAsNear = [&](const ManifoldPoint& other) {
    return other.depth >= point.depth - slack_;
  };
  if (std::ranges::any_of(found_.points, isAsNear)) return;
  point.id = contactId(ContactKind::Depth, 0, std::uint64_t{contactVertexOf(point.id)} + 1);
  crossings_.addIfEmpty(point);
}

void ContactCandidates::lookForPassed() {
  const bool cross = !crossings_.sample().empty();
  if (cross && features_.stepPassed(meter_.open())) return;
  if (cross) features_.addPassed(found_.points);
  features_.rememberPassed(cross);
  beginCheck();
}

void ContactCandidates::beginCheck() {
  depths_.take(found_, features_.features().limit(), meter_.open());
  stage_ = Stage::Check;
}

void ContactCandidates::check() {
  if (depths_.checkSome(found_, meter_.open())) return;
  if (!solids())
    stage_ = Stage::Deepest;
  else if (depths_.missesOverlap(found_))
    stage_ = Stage::Crossings;
  else
    finish();
}

void ContactCandidates::seekDeepest() {
  if (!depths_.seekSome(found_, crossings_.sample(), meter_.open())) finish();
}

void ContactCandidates::finish() {
  if (solids()) ContactDepths::limitDepths(found_.points, found_.certainDepth + ofSlack * slack_);
  stage_ = Stage::Done;
}

void ContactCandidates::copyTo(std::vector<ManifoldPoint>& points) const {
  points.assign(found_.points.begin(), found_.points.end());
  if (stage_ == Stage::Done) return;
  if (features_.passed().someFound()) features_.addPassed(points);
  // Points trusted in the previous manifold do not need other points next to them yet
  features_.addKnown(found_, points);
  found_.corners.addTo(points, slack_);
  if (points.empty() && !crossings_.sample().empty()) points.push_back(crossings_.sample().one());
}

/// Listing all features of two bodies may take many frames, in which the bodies would fall into
/// each other. Unless features of the last manifold support them, this first finds an intersection
/// of the surfaces as a stand-in for the contact.
void ContactCandidates::lookForStandIn(const TimeBudget& budget) {
  const auto isFeature = [](std::uint64_t id) { return contactKindOf(id) != ContactKind::Depth; };
  if (std::ranges::any_of(known_, isFeature)) return;
  while (crossings_.sample().empty() && crossings_.step(meter_.open()))
    if (meter_.outOfTime(budget)) return;
}

Real ContactCandidates::makeCertain(std::vector<ManifoldPoint>& points, Real certain,
                                    Real deepest) const {
  if (!solids()) {
    ContactDepths::limitDepths(points, std::max(deepest, features_.features().limit()));
    return 0.0;
  }
  WorkCount late;
  const Real most = depths_.provenDepth(points, std::max(certain, found_.certainDepth), late);
  ContactDepths::limitDepths(points, most + ofSlack * slack_);
  return most;
}

bool ContactCandidates::refine(const TimeBudget& budget) {
  if (stage_ == Stage::Features && budget.limited() && !standInSought_) {
    // The other half of the time is for features
    lookForStandIn(budget.halved());
    meter_.settle(budget);
    standInSought_ = true;
  }
  while (stage_ != Stage::Done) {
    if (stage_ == Stage::Deepest && depths_.wantsDeepest(found_, crossings_.sample()) &&
        !depths_.makeBalls(budget))
      break;
    step();
    if (meter_.outOfTime(budget)) break;
  }
  meter_.settle(budget);
  return stage_ == Stage::Done;
}

}  // namespace nearmiss
