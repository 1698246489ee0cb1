// SPDX-License-Identifier: MIT
#include "query/contact_candidates.h"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <limits>
#include <span>

#include "geometry/closest_points.h"
#include "geometry/polyhedron_pair.h"
#include "geometry/triangle_normal.h"
#include "query/contact_id.h"

namespace nearmiss {

void ContactCandidates::begin(const TwoBodies& bodies, Real margin, std::size_t maxLeafPairs) {
  known_ = {};
  turns_ = {};
  features_.forget();
  prepare(bodies, margin, maxLeafPairs, false);
}

void ContactCandidates::beginAgain(const TwoBodies& bodies, Real margin,
                                   std::span<const std::uint64_t> known) {
  known_ = known;
  switch (stage_) {
    case Stage::Known:
      // There was time for nothing else: leave them out once
      if (next_ > 0) known_ = {};
      break;
    case Stage::Kept:
      turns_.kept += next_;
      turns_.listFirst = true;
      break;
    case Stage::List:
      turns_.listFirst = false;
      break;
    default:
      break;
  }
  prepare(bodies, margin, usualLeafPairs, true);
}

void ContactCandidates::prepare(const TwoBodies& bodies, Real margin, std::size_t maxLeafPairs,
                                bool again) {
  bodies_ = &bodies;
  if (!again) {
    a_ = ContactBody(bodies.shapeA());
    b_ = ContactBody(bodies.shapeB());
  }
  margin_ = margin;
  slack_ = slackOf(bodies.a(), bodies.b(), bodies.bToA());
  found_.clear();
  held_.reset();
  tellLittle_ = false;
  crossings_.clear();
  spare_.clear();
  deepest_.reset();
  meter_.reset();
  passed_.begin(a_, b_, bodies.bToA(), slack_, again);
  sideIsKnown_ = passed_.sideIsKnown();
  meetingBegun_ = false;
  if (bodies.fartherThan(margin + slack_)) return enter(Stage::Done);
  enter(Stage::Known);
  if (!again || !features_.follow(bodies.bToA(), margin)) {
    if (again && !features_.complete()) {
      turns_.list.places += features_.progress().places;
      turns_.list.neighbours = features_.progress().neighbours;
    } else {
      turns_.list = {};
    }
    features_.begin(a_, b_, bodies.bToA(), margin, slack_, maxLeafPairs, turns_.list);
    apart_ = -1.0;
    for (const bool ofB : {false, true})
      for (const SurfaceComponent& piece : (ofB ? b_ : a_).polyhedron().components())
        if ((ofB ? a_ : b_).hasInside()) features_.add(piece.vertex, ofB, 0);
  }
  keptVertices_ = nextVertex_ = features_.vertices().size();
  keptEdges_ = nextEdges_ = features_.edges().size();
  keptDone_ = false;
  const Real probe = margin + slack_ + 0.5 * features_.allowed();
  vertexContacts_.begin(a_, b_, bodies.bToA(), margin, probe, slack_);
  edgeCrossings_.begin(a_, b_, bodies.bToA(), margin, features_.limit(), slack_);
}

/// Compares the features of the manifold before: where time runs out, what held the bodies then
/// holds them still.
void ContactCandidates::compareKnown() {
  if (next_ == known_.size()) {
    held_ = found_.doubtful;
    return enter(turns_.listFirst && !features_.complete() ? Stage::List : Stage::Kept);
  }
  // Edges first, which cost less than vertices
  const std::uint64_t id = known_[known_.size() - ++next_];
  switch (const ContactKind kind = contactKindOf(id)) {
    case ContactKind::VertexOfA:
    case ContactKind::VertexOfB:
      compareVertex(kind == ContactKind::VertexOfB, contactVertexOf(id), 0);
      if (looksAtPassed(kind == ContactKind::VertexOfB))
        passed_.look(contactVertexOf(id), meter_.open().boundTests);
      return;
    case ContactKind::Edges:
      return compareEdges(contactEdgesOf(id));
    case ContactKind::Depth:
      return;
  }
}

bool ContactCandidates::awake(const NearFeatures::Vertex& vertex) const noexcept {
  return vertex.gap - features_.moved() <= margin_ + slack_ ||
         (looksAtPassed(vertex.ofB) && vertex.passed != NearFeatures::Passed::No);
}

/// Compares the next feature of earlier searches that may touch by now.
void ContactCandidates::compareKept() {
  const std::size_t count = keptVertices_ + keptEdges_;
  for (; next_ < count; ++next_) {
    const std::size_t i = (next_ + turns_.kept) % count;
    if (i < keptVertices_) {
      const NearFeatures::Vertex& vertex = features_.vertices()[i];
      if (!awake(vertex) || isKnown(contactIdOfVertex(vertex.ofB, vertex.index))) continue;
      ++next_;
      return compareVertex(i);
    }
    const NearFeatures::EdgePair& edges = features_.edges()[i - keptVertices_];
    if (edges.gap - features_.moved() > features_.limit() || isKnown(contactIdOfEdges(edges.pair)))
      continue;
    ++next_;
    return compareEdges(edges.pair);
  }
  keptDone_ = true;
  meter_.open().boundTests += count / 8;
  const bool allListed = features_.complete() && nextVertex_ == features_.vertices().size();
  allListed ? endFeatures() : enter(Stage::List);
}

/// Compares a feature that was listed, or lists more.
void ContactCandidates::compareListed() {
  // In the same step: a search that has time for the list alone still gets on
  if (nextVertex_ == features_.vertices().size() && nextEdges_ == features_.edges().size() &&
      !features_.listSome(meter_.open()))
    return keptDone_ ? endFeatures() : enter(Stage::Kept);
  if (nextVertex_ < features_.vertices().size()) {
    const std::size_t at = nextVertex_++;
    const NearFeatures::Vertex& vertex = features_.vertices()[at];
    if (!isKnown(contactIdOfVertex(vertex.ofB, vertex.index))) compareVertex(at);
  } else if (nextEdges_ < features_.edges().size()) {
    const std::uint64_t pair = features_.edges()[nextEdges_++].pair;
    if (!isKnown(contactIdOfEdges(pair))) compareEdges(pair);
  }
}

void ContactCandidates::compareVertex(std::size_t at) {
  const NearFeatures::Vertex vertex = features_.vertices()[at];
  const VertexContacts::Place place = compareVertex(vertex.ofB, vertex.index, vertex.guess);
  NearFeatures::Vertex& compared = features_.vertices()[at];
  compared.gap = place.gap - features_.moved();
  compared.guess = place.triangle;
  if (looksAtPassed(vertex.ofB) && (vertex.passed != NearFeatures::Passed::No || awake(compared)))
    lookAtPassed(at);
}

/// True if the side on which the solid came from is remembered, so that vertices beyond the surface
/// are known at once.
bool ContactCandidates::looksAtPassed(bool ofB) const noexcept {
  return sideIsKnown_ && passed_.possible(ofB);
}

void ContactCandidates::lookAtPassed(std::size_t at) {
  NearFeatures::Vertex& vertex = features_.vertices()[at];
  const std::uint32_t index = vertex.index, guess = vertex.guess;
  const bool yes = passed_.look(index, meter_.open().boundTests);
  vertex.passed = yes ? NearFeatures::Passed::Yes : NearFeatures::Passed::No;
  if (yes) addAround(index, passed_.ofB(), guess);
}

/// Vertices around one inside may be inside too, far from the surface of the other body.
VertexContacts::Place ContactCandidates::compareVertex(bool ofB, std::uint32_t vertex,
                                                       std::uint32_t guess) {
  const VertexContacts::Place place = vertexContacts_.compare(ofB, vertex, guess, found_, passed_,
                                                              spare_, meter_.open().boundTests);
  if (place.inside) addAround(vertex, ofB, place.triangle);
  if (passed_.possible() && place.side != 0.0)
    place.inside ? passed_.seeInside(place.side) : passed_.seeGap(place.side);
  return place;
}

void ContactCandidates::addAround(std::uint32_t vertex, bool ofB, std::uint32_t guess) {
  const ContactBody& body = ofB ? b_ : a_;
  for (const std::uint32_t triangle : body.edges().trianglesAt(vertex))
    for (const std::uint32_t corner : body.mesh().triangles[triangle])
      features_.add(corner, ofB, guess);
}

void ContactCandidates::compareEdges(std::uint64_t pair) {
  edgeCrossings_.compare(pair, found_, passed_.possible() ? &passed_ : nullptr,
                         meter_.open().boundTests);
}

void ContactCandidates::endFeatures() {
  enter(a_.hasInside() && b_.hasInside() ? Stage::Complete : Stage::Crossings);
}

/// Looks where the surfaces cross. Of two solids one crossing is enough.
void ContactCandidates::lookAtCrossings() {
  const bool solids = a_.hasInside() && b_.hasInside();
  const auto end = [&] {
    if (crossings_.empty() && !spare_.empty()) crossings_.add(spare_.one());
    enter(solids ? Stage::Depth : Stage::Passed);
  };
  if (features_.moved() < apart_) return end();
  if (!meetingBegun_) {
    meeting_.begin(a_.polyhedron(), b_.polyhedron(), bodies_->bToA(), 0.0, slack_, usualLeafPairs,
                   {});
    meetingBegun_ = true;
  }
  if (!meeting_.listSome(meter_.open())) {
    if (crossings_.empty()) {
      // Without a crossing, the nearest point is as far as the bodies are apart
      Real gap = margin_;
      for (const ManifoldPoint& point : found_.points) gap = std::min(gap, -point.depth);
      apart_ = gap - slack_ - features_.moved();
    }
    return end();
  }
  for (const NearTrianglePairs::Pair& pair : meeting_.pairs()) {
    compareTriangles(pair);
    if (solids && !crossings_.empty()) return end();
  }
}

void ContactCandidates::compareTriangles(const NearTrianglePairs::Pair& pair) {
  ++meter_.open().triangleTests;
  const Triangle cornersA = a_.mesh().corners(pair.a);
  if (!trianglesMeet(cornersA, pair.cornersB)) return;
  const Vec3 at = closestPoints(cornersA, pair.cornersB).a;
  const bool surfaceB = a_.hasInside() || !b_.hasInside() ? false : true;
  const Vec3 normal = surfaceB ? faceNormalOf(pair.cornersB) : -faceNormalOf(cornersA);
  crossings_.add({at, at, normal, 0.0, contactId(ContactKind::Depth, pair.a + 1, pair.b)});
  if (passed_.possible())
    passed_.addCrossing(at, faceNormalOf(passed_.ofB() ? cornersA : pair.cornersB));
}

/// Looks which vertices of a solid have passed through a surface without an inside.
void ContactCandidates::lookAtPassed() {
  if (!passed_.possible() || crossings_.empty()) {
    passed_.keepSide();
    return enter(Stage::Complete);
  }
  if (sideIsKnown_) return enter(Stage::Complete);
  if (next_ == 0) passed_.chooseSide(meter_.open().boundTests);
  while (next_ < features_.vertices().size()) {
    const NearFeatures::Vertex& vertex = features_.vertices()[next_++];
    const bool far = vertex.gap - features_.moved() > slack_;
    if (vertex.ofB != passed_.ofB() || (vertex.passed == NearFeatures::Passed::No && far)) continue;
    return lookAtPassed(next_ - 1);
  }
  enter(Stage::Complete);
}

/// True if the bodies share more than the points say.
bool ContactCandidates::tooShallow() const {
  constexpr Real enough = 0.5;
  Real deepest = -std::numeric_limits<Real>::infinity();
  for (const ManifoldPoint& point : found_.points) deepest = std::max(deepest, point.depth);
  return tellLittle_ || deepest < -slack_ ||
         (found_.shared > slack_ && deepest < enough * found_.shared);
}

/// Where a solid is crossed, and all that was found is too shallow.
bool ContactCandidates::deepestIsWanted() const {
  return !crossings_.empty() && (a_.hasInside() || b_.hasInside()) && tooShallow();
}

/// False where time ran out.
bool ContactCandidates::makeBalls(const TimeBudget& budget) {
  ballsA_ = innerBallsOf(bodies_->shapeA(), budget);
  ballsB_ = ballsA_ ? innerBallsOf(bodies_->shapeB(), budget) : nullptr;
  return ballsB_ != nullptr;
}

void ContactCandidates::complete() {
  const bool solids = a_.hasInside() && b_.hasInside();
  if (!solids && !crossings_.empty() && passed_.possible()) {
    // A vertex of the surface leads the solid back to its side
    const ContactKind ofSurface = passed_.ofB() ? ContactKind::VertexOfA : ContactKind::VertexOfB;
    std::erase_if(found_.points, [&](const ManifoldPoint& point) {
      return contactKindOf(point.id) == ofSurface && point.depth > slack_ &&
             !passed_.leadsBack(contactVertexOf(point.id), point.normal);
    });
    addPassed(found_.points);
  }
  found_.corners.addTo(found_.points, slack_);
  found_.corners.clear();
  Real deepest = 0.0;
  for (const ManifoldPoint& point : found_.points) deepest = std::max(deepest, point.depth);
  if (solids) {
    raiseShared();
    depthCheck_.begin(*bodies_, found_.points, found_.shared, slack_);
  } else {
    // A vertex may be far from the face that it should leave through
    if (deepest <= features_.limit()) return enter(Stage::Depth);
    depthCheck_.begin(*bodies_, found_.points, 0.0, slack_);
  }
  enter(Stage::Check);
}

/// Vertices along walls, as all of flush boxes are, tell nothing of what is shared. A point beside
/// the deepest of them, towards the middle of the patch, does: where a ball about it lies in both
/// bodies, it keeps them in contact.
void ContactCandidates::raiseShared() {
  constexpr int tries = 4;
  std::vector<ManifoldPoint>& points = found_.points;
  // The order of the search must not matter
  std::ranges::sort(points, {}, &ManifoldPoint::id);
  Vec3 middle(0.0);
  Real count = 0.0;
  for (const ManifoldPoint& point : points)
    if (point.depth > found_.shared + slack_) {
      middle += 0.5 * (point.onA + point.onB);
      count += 1.0;
    }
  if (count < 2.0) return;
  middle /= count;
  const Pose aToB = inverseOf(bodies_->bToA());
  Real below = std::numeric_limits<Real>::infinity();
  for (int i = 0; i < tries; ++i) {
    const ManifoldPoint* deepest = nullptr;
    for (const ManifoldPoint& point : points)
      if (point.depth < below && (!deepest || point.depth > deepest->depth)) deepest = &point;
    if (!deepest || !(deepest->depth > found_.shared + slack_)) return;
    below = deepest->depth;
    const Vec3 at = 0.5 * (deepest->onA + deepest->onB), aside = middle - at;
    const Real length = glm::length(aside);
    const Vec3 inside =
        length > 0.0 ? at + std::min(1.0, 2.0 * deepest->depth / length) * aside : at;
    meter_.open().boundTests += 500;
    found_.shared =
        std::max(found_.shared, a_.depthOf(inside) + b_.depthOf(transformed(aToB, inside)));
    // Others are hardly deeper
    constexpr Real nearly = 0.99;
    if (found_.shared > nearly * deepest->depth) return;
  }
}

void ContactCandidates::checkDepths() {
  if (depthCheck_.step(meter_.open().triangleTests)) return;
  const bool solids = a_.hasInside() && b_.hasInside();
  const Real most = solids ? std::max(depthCheck_.limit(), found_.shared) : depthCheck_.limit();
  std::erase_if(found_.points,
                [&](const ManifoldPoint& point) { return point.depth > most + slack_; });
  if (!solids) return enter(Stage::Depth);
  // Vertices that are hardly inside may stand beside an edge that cuts deep
  constexpr std::size_t few = 2;
  const std::vector<ManifoldPoint>& points = found_.points;
  const bool deep =
      std::ranges::any_of(points, [&](const ManifoldPoint& point) { return point.depth > slack_; });
  tellLittle_ =
      deep && points.size() <= few && !depthCheck_.tellAll(points, meter_.open().triangleTests);
  // What is certain of edges that overlap is more, unless only corners of a patch are known
  constexpr Real little = 0.3;
  for (const ManifoldPoint& point : points)
    if (point.depth > slack_ && found_.shared < little * point.depth) tellLittle_ = true;
  tooShallow() ? enter(Stage::Crossings) : finish();
}

void ContactCandidates::finish() {
  if (a_.hasInside() && b_.hasInside())
    for (ManifoldPoint& point : found_.points) limitDepth(point);
  enter(Stage::Done);
}

/// The depth of edges, and of a vertex along a wall, may be more than what the bodies share. What
/// is reported is certain: between the surfaces.
void ContactCandidates::limitDepth(ManifoldPoint& point) const {
  const Real certain = found_.shared + slack_;
  if (!(point.depth > certain)) return;
  const Vec3 less = 0.5 * (point.depth - certain) * point.normal;
  point.onA += less;
  point.onB -= less;
  point.depth = certain;
}

void ContactCandidates::addPassed(std::vector<ManifoldPoint>& points) const {
  for (const PassedFeatures::Vertex& vertex : passed_.vertices())
    points.push_back(vertexContacts_.pointOf(passed_.ofB(), vertex.index, vertex.onSurface,
                                             vertex.back, vertex.depth));
  const std::vector<ManifoldPoint>& beyond = passed_.crossingsBeyond();
  points.insert(points.end(), beyond.begin(), beyond.end());
}

/// What stands for a contact without any other point. The deepest point's depth is a lower bound on
/// the translation that parts the bodies: only edges not much deeper are trusted.
void ContactCandidates::addDeepest() {
  constexpr Real maxRatio = 3.0;
  const auto deepest = deepest_->found();
  meter_.open().boundTests += deepest_->takeWork();
  if (!deepest) return;
  found_.shared = std::max(found_.shared, deepest_->certain());
  if (std::ranges::any_of(found_.points, [&](const ManifoldPoint& point) {
        return point.depth > 0.8 * deepest->depth;
      }))
    return;
  if (found_.doubtful && found_.doubtful->depth <= maxRatio * deepest->depth)
    found_.points.push_back(*found_.doubtful);
  else
    found_.points.push_back({deepest->onA, deepest->onB, deepest->normal, deepest->depth,
                             contactId(ContactKind::Depth, 0, 0)});
}

/// Seeks the deepest point where there is none. All crossings of two surfaces without an inside
/// count; else one does where nothing else says that the bodies touch.
void ContactCandidates::seekDepth() {
  if (!deepest_ && deepestIsWanted()) deepest_.emplace(*bodies_, *ballsA_, *ballsB_, crossings_);
  if (deepest_) {
    const bool goesOn = deepest_->step();
    meter_.open().boundTests += deepest_->takeWork();
    if (goesOn) return;
    addDeepest();
  }
  tellLittle_ = false;
  if (tooShallow() && found_.misfit) {
    const std::uint32_t vertex = contactVertexOf(found_.misfit->id);
    found_.misfit->id = contactId(ContactKind::Depth, 0, std::uint64_t{vertex} + 1);
    found_.points.push_back(*found_.misfit);
  }
  if (!(a_.hasInside() || b_.hasInside()) || deepestIsWanted()) crossings_.addTo(found_.points);
  finish();
}

void ContactCandidates::step() {
  switch (stage_) {
    case Stage::Known:
      return compareKnown();
    case Stage::Kept:
      return compareKept();
    case Stage::List:
      return compareListed();
    case Stage::Crossings:
      return lookAtCrossings();
    case Stage::Passed:
      return lookAtPassed();
    case Stage::Complete:
      return complete();
    case Stage::Check:
      return checkDepths();
    case Stage::Depth:
      return seekDepth();
    case Stage::Done:
      return;
  }
}

void ContactCandidates::copyTo(std::vector<ManifoldPoint>& points) const {
  points.assign(found_.points.begin(), found_.points.end());
  if (stage_ == Stage::Done) return;
  if (passed_.someFound()) addPassed(points);
  // What was trusted in the manifold before needs no other points beside it yet
  if (held_) points.push_back(*held_);
  for (const ManifoldPoint& corner : found_.corners.all())
    if (isKnown(corner.id)) points.push_back(corner);
  found_.corners.addTo(points, slack_);
}

bool ContactCandidates::refine(const TimeBudget& budget) {
  while (stage_ != Stage::Done) {
    if (stage_ == Stage::Depth && !deepest_ && deepestIsWanted() && !makeBalls(budget)) break;
    step();
    if (meter_.outOfTime(budget)) break;
  }
  meter_.settle(budget);
  return stage_ == Stage::Done;
}

}  // namespace nearmiss
