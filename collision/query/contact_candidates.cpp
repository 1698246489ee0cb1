// SPDX-License-Identifier: MIT
#include "query/contact_candidates.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <utility>

#include "geometry/closest_points.h"
#include "geometry/polyhedron_pair.h"
#include "geometry/triangle_normal.h"
#include "query/contact_id.h"

namespace nearmiss {
namespace {

Vec3 normalOfFace(const Polyhedron& body, std::uint32_t triangle) {
  return faceNormalOf(body.mesh().corners(triangle));
}

}  // namespace

void ContactCandidates::begin(const TwoBodies& bodies, const SurfaceEdges& edgesA,
                              const SurfaceEdges& edgesB, Real margin,
                              std::size_t maxLeafPairs) noexcept {
  known_ = {};
  turns_ = {};
  prepare(bodies, edgesA, edgesB, margin, maxLeafPairs);
}

void ContactCandidates::beginAgain(const TwoBodies& bodies, const SurfaceEdges& edgesA,
                                   const SurfaceEdges& edgesB, Real margin,
                                   std::span<const std::uint64_t> known) noexcept {
  known_ = known;
  if (stage_ == Stage::Done) {
    turns_ = {};
  } else if (stage_ == Stage::Known) {
    // There was time for nothing else: leave them out once
    if (next_ > 0) known_ = {};
  } else {
    if (stage_ == Stage::Vertices || stage_ == Stage::Passed) turns_.vertices += next_;
    if (nearEdges_.begun()) {
      const NearEdges::Progress more = nearEdges_.progress();
      turns_.edges = {turns_.edges.places + more.places, more.pairs};
    }
    ++turns_.part;
  }
  prepare(bodies, edgesA, edgesB, margin, usualLeafPairs);
}

void ContactCandidates::prepare(const TwoBodies& bodies, const SurfaceEdges& edgesA,
                                const SurfaceEdges& edgesB, Real margin,
                                std::size_t maxLeafPairs) noexcept {
  bodies_ = &bodies;
  edgesA_ = &edgesA;
  edgesB_ = &edgesB;
  margin_ = margin;
  aToB_ = inverseOf(bodies.bToA());
  slack_ = slackOf(bodies.a(), bodies.b(), bodies.bToA());
  enter(bodies.fartherThan(margin + slack_) ? Stage::Done : Stage::Known);
  parts_ = 0;
  nearA_.begin(edgesA.vertices());
  nearB_.begin(edgesB.vertices());
  nearEdges_.begin(bodies, edgesA, edgesB, margin, slack_, maxLeafPairs, turns_.edges);
  triangleCrossings_.clear();
  deepest_.reset();
  passed_.begin(bodies, slack_);
  edgeCrossings_.begin(bodies, edgesA, edgesB, margin, slack_);
  found_.clear();
  held_.clear();
  meter_.reset();
}

/// What a vertex and the surface of the other body say, both in the frame of that.
/// @param outward from the surface, unit length
ManifoldPoint ContactCandidates::pointOf(bool ofB, std::uint32_t vertex, const Vec3& onOther,
                                         const Vec3& outward, Real depth) const {
  const Pose& bToA = bodies_->bToA();
  const std::uint64_t id = contactIdOfVertex(ofB, vertex);
  if (ofB) {
    const Vec3 point = transformed(bToA, bodies_->b().mesh().positions[vertex]);
    return {onOther, point, -outward, depth, id};
  }
  return {bodies_->a().mesh().positions[vertex], transformed(bToA, onOther),
          bToA.rotation * outward, depth, id};
}

/// Adds the point of the face that the vertex came in through. False if there is none.
bool ContactCandidates::addWayOut(bool ofB, std::uint32_t vertex, const TouchingVertex& touching) {
  const std::optional<SurfacePoint> out = touching.wayOut();
  if (!out) return false;
  const Polyhedron& other = ofB ? bodies_->a() : bodies_->b();
  found_.points.push_back(
      pointOf(ofB, vertex, out->position, normalOfFace(other, out->triangle), out->distance));
  return true;
}

/// Of a vertex on the surface of a solid: the face that its body meets from in front, or else the
/// one that it comes in through, along a wall. Where both have none, the vertex counts if nothing
/// else does.
void ContactCandidates::addOnSolid(bool ofB, std::uint32_t vertex, const SurfacePoint& nearest,
                                   Real depth) {
  const Polyhedron &own = ofB ? bodies_->b() : bodies_->a(),
                   &other = ofB ? bodies_->a() : bodies_->b();
  const TouchingVertex touching(own, vertex, ofB ? bodies_->bToA() : aToB_, other, slack_);
  const std::optional<std::uint32_t> met = touching.faceMet(nearest.triangle);
  const bool out = !met && addWayOut(ofB, vertex, touching);
  meter_.open().boundTests += touching.work();
  if (out || depth < -margin_) return;
  const Vec3 outward = normalOfFace(other, met.value_or(nearest.triangle));
  const ManifoldPoint point = pointOf(ofB, vertex, nearest.position, outward, depth);
  if (met)
    found_.points.push_back(point);
  else if (triangleCrossings_.empty())
    triangleCrossings_.add(point);
}

void ContactCandidates::listVertices() {
  const Polyhedron &a = bodies_->a(), &b = bodies_->b();
  const Real reach = margin_ + slack_;
  meter_.open().boundTests +=
      nearA_.leaveOut(a, b, bodies_->bToA(), reach) + nearB_.leaveOut(b, a, aToB_, reach);
  enter(Stage::Vertices);
}

/// Compares the features of the manifold before: where time runs out, what held the bodies then
/// holds them still.
void ContactCandidates::compareKnown() {
  if (next_ == known_.size()) return nextPart();
  const std::uint64_t id = known_[next_++];
  switch (const ContactKind kind = contactKindOf(id)) {
    case ContactKind::VertexOfA:
    case ContactKind::VertexOfB: {
      const bool ofB = kind == ContactKind::VertexOfB;
      compareVertex(ofB, contactVertexOf(id));
      if (passed_.possible(ofB)) passed_.look(contactVertexOf(id), meter_.open().boundTests);
      return;
    }
    case ContactKind::Edges:
      // Held apart: bodies deep in each other may have moved these edges out of each other's reach,
      // where a search that ends does not look
      return edgeCrossings_.compare(contactEdgesOf(id), held_, nullptr, meter_.open().boundTests);
    case ContactKind::Depth:
      return;
  }
}

void ContactCandidates::lookAtVertices() {
  const std::span<const std::uint32_t> ofB = nearB_.all(), ofA = nearA_.all();
  const std::size_t count = ofB.size() + ofA.size();
  if (next_ == count) return nextPart();
  const std::size_t i = (next_++ + turns_.vertices) % count;
  const bool isB = i < ofB.size();
  const std::uint32_t vertex = isB ? ofB[i] : ofA[i - ofB.size()];
  if (!isKnown(contactIdOfVertex(isB, vertex))) compareVertex(isB, vertex);
}

void ContactCandidates::compareVertex(bool ofB, std::uint32_t vertex) {
  constexpr std::uint64_t price = 200;
  const Polyhedron &own = ofB ? bodies_->b() : bodies_->a(),
                   &other = ofB ? bodies_->a() : bodies_->b();
  const Pose& toOther = ofB ? bodies_->bToA() : aToB_;
  const Vec3 point = transformed(toOther, own.mesh().positions[vertex]);
  meter_.open().boundTests += 4;
  const Real reach = margin_ + slack_;
  if (squaredDistance(other.bounds(), point) > reach * reach) return;
  meter_.open().boundTests += price / 4;
  const bool inside = other.contains(point);
  if (!inside && !other.hasTriangleIn({point - reach, point + reach})) return;
  meter_.open().boundTests += price;
  const SurfacePoint nearest = other.nearest(point);
  const Real depth = inside ? nearest.distance : -nearest.distance;
  if (nearest.distance <= slack_ && other.report().solid())
    return addOnSolid(ofB, vertex, nearest, depth);
  if (depth < -margin_) return;
  const TouchingVertex touching(own, vertex, toOther, other, slack_);
  Vec3 outward = normalOfFace(other, nearest.triangle);
  if (nearest.distance > slack_) {
    outward = (inside ? 1.0 : -1.0) * (nearest.position - point) / nearest.distance;
    // Beyond a surface; or just behind a side, of a stack that is out of flush
    const bool elsewhere =
        inside ? touching.passesThrough(outward, depth) && addWayOut(ofB, vertex, touching)
               : passed_.possible(ofB) && touching.goesThrough(nearest.position);
    meter_.open().boundTests += touching.work();
    if (elsewhere) return;
  } else if (touching.comesFromBehind(outward)) {
    outward = -outward;
  }
  found_.points.push_back(pointOf(ofB, vertex, nearest.position, outward, depth));
}

/// Keeps the crossing if the triangles meet; of two solids one is enough.
void ContactCandidates::compareTriangles(std::uint32_t ta, std::uint32_t tb) {
  const bool solidA = bodies_->shapeA().solid(), solidB = bodies_->shapeB().solid();
  ++meter_.open().triangleTests;
  if (!triangleCrossings_.empty() && solidA && solidB) return;
  const Triangle triangleA = bodies_->a().mesh().corners(ta);
  const Triangle triangleB = moved(bodies_->b().mesh(), tb, bodies_->bToA());
  if (!trianglesMeet(triangleA, triangleB)) return;
  const Vec3 at = closestPoints(triangleA, triangleB).a;
  const Vec3 normal = !solidA && solidB ? bodies_->bToA().rotation * normalOfFace(bodies_->b(), tb)
                                        : -normalOfFace(bodies_->a(), ta);
  triangleCrossings_.add({at, at, normal, 0.0, contactId(ContactKind::Depth, ta + 1, tb)});
}

/// Compares a pair of edges that were listed, or lists more.
void ContactCandidates::lookAtEdges() {
  if (!nearEdges_.someLeft()) {
    if (!nearEdges_.listSome(meter_.open())) return nextPart();
    for (const auto& [ta, tb] : nearEdges_.triangles()) compareTriangles(ta, tb);
  }
  // In the same step: a search that has time for the list alone still gets on
  if (nearEdges_.someLeft())
    edgeCrossings_.compare(nearEdges_.take(), found_, passed_.possible() ? &passed_ : nullptr,
                           meter_.open().boundTests);
}

/// True if the bodies share more than the points say.
bool ContactCandidates::tooShallow(const std::vector<ManifoldPoint>& points, Real shared) const {
  constexpr Real enough = 0.5;
  Real deepest = -std::numeric_limits<Real>::infinity();
  for (const ManifoldPoint& point : points) deepest = std::max(deepest, point.depth);
  return deepest < -slack_ || (shared > slack_ && deepest < enough * shared);
}

/// Where a solid is crossed, and all that was found is too shallow.
bool ContactCandidates::deepestIsWanted() const {
  return !triangleCrossings_.empty() && (bodies_->shapeA().solid() || bodies_->shapeB().solid()) &&
         tooShallow(found_.points, found_.shared);
}

/// False where time ran out.
bool ContactCandidates::makeBalls(const TimeBudget& budget) {
  ballsA_ = innerBallsOf(bodies_->shapeA(), budget);
  ballsB_ = ballsA_ ? innerBallsOf(bodies_->shapeB(), budget) : nullptr;
  return ballsB_ != nullptr;
}

/// What stands for a contact without any other point. The deepest point's depth is a lower bound on
/// the translation that parts the bodies: only edges not much deeper are trusted.
void ContactCandidates::addDeepest() {
  constexpr Real maxRatio = 3.0;
  const auto deepest = deepest_->found();
  meter_.open().boundTests += deepest_->takeWork();
  if (!deepest) return;
  if (found_.doubtful && found_.doubtful->depth <= maxRatio * deepest->depth)
    found_.points.push_back(*found_.doubtful);
  else
    found_.points.push_back({deepest->onA, deepest->onB, deepest->normal, deepest->depth,
                             contactId(ContactKind::Depth, 0, 0)});
}

/// All of two surfaces without an inside; else where nothing else says that they touch.
void ContactCandidates::addCrossings() {
  const bool solids = bodies_->shapeA().solid() || bodies_->shapeB().solid();
  if (!solids || deepestIsWanted()) triangleCrossings_.addTo(found_.points);
}

void ContactCandidates::addPassed(const PassedFeatures::Side& beyond,
                                  std::vector<ManifoldPoint>& points) const {
  for (const PassedFeatures::Vertex& vertex : beyond.vertices)
    points.push_back(
        pointOf(passed_.ofB(), vertex.index, vertex.onSurface, vertex.back, vertex.depth));
  points.insert(points.end(), beyond.crossings.begin(), beyond.crossings.end());
}

/// Completes the patches, and seeks the deepest point where there is none.
void ContactCandidates::seekDepth() {
  if (!deepest_) {
    if (!triangleCrossings_.empty()) addPassed(passed_.beyond(), found_.points);
    found_.corners.addTo(found_.points, slack_);
    found_.corners.clear();
    if (deepestIsWanted()) deepest_.emplace(*bodies_, *ballsA_, *ballsB_, triangleCrossings_);
  }
  if (deepest_) {
    const bool goesOn = deepest_->step();
    meter_.open().boundTests += deepest_->takeWork();
    if (goesOn) return;
    addDeepest();
  }
  addCrossings();
  enter(Stage::Done);
}

void ContactCandidates::lookAtPassed() {
  const auto& ofSolid = (passed_.ofB() ? edgesB_ : edgesA_)->vertices();
  // Whether the bodies cross is known once edges were looked at
  const bool crosses = !triangleCrossings_.empty() || parts_ == 1;
  if (!crosses || next_ == ofSolid.size()) return nextPart();
  const std::uint32_t vertex = ofSolid[(next_++ + turns_.vertices) % ofSolid.size()];
  if (!isKnown(contactIdOfVertex(passed_.ofB(), vertex)))
    passed_.look(vertex, meter_.open().boundTests);
}

/// Begins with the next of vertices, edges and what has passed a surface.
void ContactCandidates::nextPart() noexcept {
  constexpr std::array parts{Stage::NearVertices, Stage::Edges, Stage::Passed};
  const std::size_t count = passed_.possible() ? 3 : 2;
  if (parts_ == count) return enter(Stage::Depth);
  enter(parts[(turns_.part + parts_++) % count]);
}

void ContactCandidates::step() {
  switch (stage_) {
    case Stage::Known:
      return compareKnown();
    case Stage::NearVertices:
      return listVertices();
    case Stage::Vertices:
      return lookAtVertices();
    case Stage::Edges:
      return lookAtEdges();
    case Stage::Passed:
      return lookAtPassed();
    case Stage::Depth:
      return seekDepth();
    case Stage::Done:
      return;
  }
}

void ContactCandidates::copyTo(std::vector<ManifoldPoint>& points) const {
  points.assign(found_.points.begin(), found_.points.end());
  const bool ended = stage_ == Stage::Depth ? deepest_.has_value() : stage_ == Stage::Done;
  if (!ended) {
    if (passed_.someFound()) addPassed(passed_.likelyBeyond(), points);
    points.insert(points.end(), held_.points.begin(), held_.points.end());
    points.insert(points.end(), held_.corners.all().begin(), held_.corners.all().end());
    // It was trusted in the manifold before
    if (held_.doubtful) points.push_back(*held_.doubtful);
  }
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
