// SPDX-License-Identifier: MIT
#include "query/contact_candidates.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "geometry/closest_points.h"
#include "geometry/polyhedron_pair.h"
#include "geometry/triangle_normal.h"
#include "query/shared_depth.h"

namespace nearmiss {
namespace {

/// Left by searches of this thread that have listed their pairs.
thread_local std::unique_ptr<EdgePairSet> unusedPairSet;

Vec3 normalOfFace(const Polyhedron& body, std::uint32_t triangle) {
  return faceNormalOf(body.mesh().corners(triangle));
}

}  // namespace

void ContactCandidates::begin(const TwoBodies& bodies, const SurfaceEdges& edgesA,
                              const SurfaceEdges& edgesB, Real margin,
                              std::size_t maxLeafPairs) noexcept {
  bodies_ = &bodies;
  edgesA_ = &edgesA;
  edgesB_ = &edgesB;
  margin_ = margin;
  maxLeafPairs_ = maxLeafPairs;
  aToB_ = inverseOf(bodies.bToA());
  axesOfB_ = glm::mat3_cast(bodies.bToA().rotation);
  slack_ = slackOf(bodies.a(), bodies.b(), bodies.bToA());
  stage_ = bodies.fartherThan(margin + slack_) ? Stage::Done : Stage::NearVertices;
  nearA_.begin(edgesA.vertices());
  nearB_.begin(edgesB.vertices());
  next_ = 0;
  neighbours_.clear();
  edgePairs_.clear();
  crossings_.clear();
  doubtful_.reset();
  deepest_.reset();
  passed_.begin(bodies, slack_);
  corners_.clear();
  points_.clear();
  meter_.reset();
}

void ContactCandidates::add(Kind kind, std::uint64_t first, std::uint64_t second, const Vec3& onA,
                            const Vec3& onB, const Vec3& normal, Real depth) {
  points_.push_back({onA, onB, normal, depth, idOf(kind, first, second)});
}

/// Adds what a vertex and the surface of the other body say, both in the frame of that.
/// @param outward from the surface, unit length
void ContactCandidates::addVertex(bool ofB, std::uint32_t vertex, const Vec3& onOther,
                                  const Vec3& outward, Real depth) {
  const Pose& bToA = bodies_->bToA();
  if (ofB) {
    const Vec3 point = transformed(bToA, bodies_->b().mesh().positions[vertex]);
    add(Kind::VertexOfB, 0, vertex, onOther, point, -outward, depth);
  } else {
    add(Kind::VertexOfA, 0, vertex, bodies_->a().mesh().positions[vertex],
        transformed(bToA, onOther), bToA.rotation * outward, depth);
  }
}

/// Adds the point of the face that the vertex came in through. False if there is none.
bool ContactCandidates::addWayOut(bool ofB, std::uint32_t vertex, const TouchingVertex& touching) {
  const std::optional<SurfacePoint> out = touching.wayOut();
  if (!out) return false;
  const Polyhedron& other = ofB ? bodies_->a() : bodies_->b();
  addVertex(ofB, vertex, out->position, normalOfFace(other, out->triangle), out->distance);
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
  addVertex(ofB, vertex, nearest.position, normalOfFace(other, met.value_or(nearest.triangle)),
            depth);
  if (met) return;
  if (crossings_.empty()) crossings_.add(points_.back());
  points_.pop_back();
}

void ContactCandidates::listVertices() {
  const Polyhedron &a = bodies_->a(), &b = bodies_->b();
  const Real reach = margin_ + slack_;
  meter_.open().boundTests +=
      nearA_.leaveOut(a, b, bodies_->bToA(), reach) + nearB_.leaveOut(b, a, aToB_, reach);
  stage_ = Stage::VerticesOfB;
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
  addVertex(ofB, vertex, nearest.position, outward, depth);
}

/// Keeps the crossing if the triangles meet; of two solids one is enough. Calls take() with each
/// pair of their edges.
void ContactCandidates::compareTriangles(std::uint32_t ta, std::uint32_t tb,
                                         const Triangle& triangleB, const auto& take) {
  const bool solidA = bodies_->shapeA().solid(), solidB = bodies_->shapeB().solid();
  const Triangle triangleA = bodies_->a().mesh().corners(ta);
  ++meter_.open().triangleTests;
  if ((crossings_.empty() || !solidA || !solidB) && trianglesMeet(triangleA, triangleB)) {
    const Vec3 at = closestPoints(triangleA, triangleB).a;
    const Vec3 normal = !solidA && solidB ? axesOfB_ * normalOfFace(bodies_->b(), tb)
                                          : -normalOfFace(bodies_->a(), ta);
    crossings_.add({at, at, normal, 0.0, idOf(Kind::Depth, ta + 1, tb)});
  }
  for (const std::uint32_t ea : edgesA_->of(ta))
    for (const std::uint32_t eb : edgesB_->of(tb))
      if (ea != SurfaceEdges::none && eb != SurfaceEdges::none) take(std::uint64_t{ea} << 32 | eb);
}

/// Lists the leaves whose boxes are near, unless they are too many.
void ContactCandidates::listLeaves() {
  const LeafPairs near =
      TrianglePairs(bodies_->a(), bodies_->b(), bodies_->bToA(), margin_).leaves(maxLeafPairs_);
  listing_.leaves.assign(near.all().begin(), near.all().end());
  const std::size_t looked = near.complete() ? near.all().size() : maxLeafPairs_;
  meter_.open().boundTests += WorkMeter::boxTest * looked;
  stage_ = near.complete() ? Stage::Pairs : Stage::EdgesOneByOne;
  if (stage_ != Stage::Pairs) return;
  // Most pairs are met again in the neighbours of their triangles
  std::unique_ptr<EdgePairSet>& visited = listing_.visited;
  if (!visited) visited = std::move(unusedPairSet);
  if (!visited) visited = std::make_unique<EdgePairSet>();
  visited->begin(edgesA_->edges().size(), edgesB_->edges().size());
}

/// Lists the edges of triangles whose boxes are near, of some leaves, each pair once.
void ContactCandidates::listEdgePairs() {
  constexpr std::size_t atOnce = 8;
  const std::span<const LeafPair> left = std::span(listing_.leaves).subspan(next_);
  const std::span<const LeafPair> some = left.first(std::min(atOnce, left.size()));
  EdgePairSet& visited = *listing_.visited;
  TrianglePairs(bodies_->a(), bodies_->b(), bodies_->bToA(), margin_)
      .forEachOf(some, [&](std::uint32_t ta, std::uint32_t tb, const Triangle& triangleB) {
        compareTriangles(ta, tb, triangleB, [&](std::uint64_t pair) {
          if (visited.add(static_cast<std::uint32_t>(pair >> 32), static_cast<std::uint32_t>(pair)))
            edgePairs_.push_back(pair);
        });
      });
  next_ += some.size();
  if (some.size() < left.size()) return;
  visited.forget(edgePairs_);
  unusedPairSet = std::move(listing_.visited);
  next_ = 0;
  stage_ = Stage::Edges;
}

bool ContactCandidates::ofFinerA() const noexcept {
  return bodies_->a().mesh().triangles.size() >= bodies_->b().mesh().triangles.size();
}

/// Compares the edges of each triangle of the finer body with all that are near, some at once.
/// Pairs that its neighbours share are compared again, and give the same points again.
void ContactCandidates::compareOneByOne() {
  const Polyhedron& finer = ofFinerA() ? bodies_->a() : bodies_->b();
  if (neighbours_.someLeft()) return compareNeighbours(static_cast<std::uint32_t>(next_ - 1));
  if (next_ < finer.mesh().triangles.size())
    return listNeighbours(static_cast<std::uint32_t>(next_++));
  next_ = 0;
  stage_ = Stage::Passed;
}

void ContactCandidates::listNeighbours(std::uint32_t triangle) {
  const Real reach = margin_ + slack_;
  const bool ofA = ofFinerA();
  const Polyhedron &a = bodies_->a(), &b = bodies_->b();
  neighbours_.list((ofA ? a : b).mesh(), triangle, ofA ? aToB_ : bodies_->bToA(), ofA ? b : a,
                   reach);
  meter_.open().boundTests += neighbours_.size();
}

void ContactCandidates::compareNeighbours(std::uint32_t triangle) {
  constexpr std::size_t atOnce = 16;
  const bool ofA = ofFinerA();
  for (const std::uint32_t other : neighbours_.take(atOnce)) {
    const std::uint32_t ta = ofA ? triangle : other, tb = ofA ? other : triangle;
    compareTriangles(ta, tb, moved(bodies_->b().mesh(), tb, bodies_->bToA()),
                     [&](std::uint64_t pair) { compareEdges(pair); });
  }
}

void ContactCandidates::compareEdges(std::uint64_t pair) {
  meter_.open().boundTests += 4;
  const auto first = static_cast<std::uint32_t>(pair >> 32);
  const auto second = static_cast<std::uint32_t>(pair);
  const SurfaceEdge &ofA = edgesA_->edges()[first], &ofB = edgesB_->edges()[second];
  const Pose& bToA = bodies_->bToA();
  const auto endsOf = [](const Polyhedron& body, const SurfaceEdge& edge) {
    const std::vector<Vec3>& positions = body.mesh().positions;
    return std::array{positions[edge.ends[0]], positions[edge.ends[1]]};
  };
  const std::array endsA = endsOf(bodies_->a(), ofA), endsB = endsOf(bodies_->b(), ofB);
  const std::array normalsB{axesOfB_ * ofB.normals[0], axesOfB_ * ofB.normals[1]};
  const bool crosses = turnsAcross(ofA, axesOfB_ * (endsB[1] - endsB[0])) &&
                       turnsAcross(ofB, (endsA[1] - endsA[0]) * axesOfB_);
  const bool stands = PatchCorners::stand(ofA.normals, normalsB);
  if (!crosses && !stands) return;
  meter_.open().boundTests += 20;
  const FacedEdge a{endsA, ofA.normals, ofA.sides};
  const std::array movedB{transformed(bToA, endsB[0]), transformed(bToA, endsB[1])};
  const FacedEdge b{movedB, normalsB, ofB.sides};
  const std::uint64_t id = idOf(Kind::Edges, first, second);
  if (crosses && addCrossing(a, b, id)) return;
  if (stands) corners_.look(a, b, id, std::max(margin_, slack_));
}

/// Adds the nearest points of two edges if these are a contact of their own. False if not; where
/// the bodies only share less than the edges say, the points are kept as doubtful.
bool ContactCandidates::addCrossing(const FacedEdge& a, const FacedEdge& b, std::uint64_t id) {
  const auto nearest = crossingWithin(a.ends, b.ends);
  if (!nearest) return false;
  const Real distance = std::sqrt(nearest->squared);
  const auto outwards = [&](const Vec3& way) {
    return liesBetween(a.normals[0], a.normals[1], way) &&
           liesBetween(b.normals[0], b.normals[1], -way);
  };
  Vec3 way = nearest->b - nearest->a;
  way = distance > slack_ ? way / distance : glm::normalize(glm::cross(a.along(), b.along()));
  if (outwards(way) && distance <= std::max(margin_, slack_)) {
    points_.push_back({nearest->a, nearest->b, -way, -distance, id});
    return true;
  }
  if (!outwards(-way)) return false;
  const ManifoldPoint point{nearest->a, nearest->b, way, distance, id};
  const bool deep = distance <= slack_ || overlap(a, b, -way, distance);
  if (deep) points_.push_back(point);
  if (deep || passed_.look(a, b, point, meter_.open().boundTests)) return true;
  if (!doubtful_ || distance < doubtful_->depth) doubtful_ = point;
  return false;
}

/// True if the bodies share what the faces of two edges say: the edges of two slabs that lie on
/// each other cross sideways too, across all of their overlap.
bool ContactCandidates::overlap(const FacedEdge& a, const FacedEdge& b, const Vec3& outOfA,
                                Real depth) {
  constexpr Real enough = 1.0 / 3.0;
  meter_.open().boundTests += 10;
  const auto ball = ballBetween(a, b, outOfA, depth);
  if (!ball) return false;
  meter_.open().boundTests += 400;
  return depthIn(bodies_->a(), ball->centre) >= enough * ball->radius &&
         depthIn(bodies_->b(), transformed(aToB_, ball->centre)) >= enough * ball->radius;
}

/// Where solids cross without vertices inside and without edges that cross outwards.
bool ContactCandidates::deepestIsWanted() const noexcept {
  return !crossings_.empty() && (bodies_->shapeA().solid() || bodies_->shapeB().solid()) &&
         std::ranges::none_of(points_, [&](const ManifoldPoint& p) { return p.depth >= -slack_; });
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
  if (doubtful_ && doubtful_->depth <= maxRatio * deepest->depth)
    points_.push_back(*doubtful_);
  else
    add(Kind::Depth, 0, 0, deepest->onA, deepest->onB, deepest->normal, deepest->depth);
}

/// All of two surfaces without an inside; else where nothing else says that they touch.
void ContactCandidates::addCrossings() {
  const bool solids = bodies_->shapeA().solid() || bodies_->shapeB().solid();
  if (!solids || deepestIsWanted()) crossings_.addTo(points_);
}

void ContactCandidates::addPassed() {
  const PassedFeatures::Side& beyond = passed_.beyond();
  for (const PassedFeatures::Vertex& vertex : beyond.vertices)
    addVertex(passed_.ofB(), vertex.index, vertex.onSurface, vertex.back, vertex.depth);
  points_.insert(points_.end(), beyond.crossings.begin(), beyond.crossings.end());
}

/// Completes the patches, and seeks the deepest point where there is none.
void ContactCandidates::seekDepth() {
  if (!deepest_) {
    if (!crossings_.empty()) addPassed();
    corners_.addTo(points_, slack_);
    if (deepestIsWanted()) deepest_.emplace(*bodies_, *ballsA_, *ballsB_, crossings_);
  }
  if (deepest_) {
    const bool goesOn = deepest_->step();
    meter_.open().boundTests += deepest_->takeWork();
    if (goesOn) return;
    addDeepest();
  }
  addCrossings();
  stage_ = Stage::Done;
}

void ContactCandidates::step() {
  const auto through = [&](std::size_t count, Stage after, const auto& visit) {
    if (next_ < count) visit(next_++);
    if (next_ < count) return;
    next_ = 0;
    stage_ = after;
  };
  switch (stage_) {
    case Stage::NearVertices:
      return listVertices();
    case Stage::VerticesOfB:
      return through(nearB_.all().size(), Stage::VerticesOfA,
                     [&](std::size_t i) { compareVertex(true, nearB_.all()[i]); });
    case Stage::VerticesOfA:
      return through(nearA_.all().size(), Stage::Leaves,
                     [&](std::size_t i) { compareVertex(false, nearA_.all()[i]); });
    case Stage::Leaves:
      return listLeaves();
    case Stage::Pairs:
      return listEdgePairs();
    case Stage::EdgesOneByOne:
      return compareOneByOne();
    case Stage::Edges:
      return through(edgePairs_.size(), Stage::Passed,
                     [&](std::size_t i) { compareEdges(edgePairs_[i]); });
    case Stage::Passed: {
      const auto& ofSolid = (passed_.ofB() ? edgesB_ : edgesA_)->vertices();
      const bool crosses = passed_.possible() && !crossings_.empty();
      return through(crosses ? ofSolid.size() : 0, Stage::Depth,
                     [&](std::size_t i) { passed_.look(ofSolid[i], meter_.open().boundTests); });
    }
    case Stage::Depth:
      return seekDepth();
    case Stage::Done:
      return;
  }
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
