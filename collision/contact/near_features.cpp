// SPDX-License-Identifier: MIT
#include "contact/near_features.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <glm/geometric.hpp>
#include <glm/gtc/quaternion.hpp>
#include <glm/mat3x3.hpp>
#include <utility>

#include "contact/edge_contact.h"
#include "contact/vertex_contacts.h"
#include "geometry/polyhedron_pair.h"
#include "pair/two_bodies.h"

namespace nearmiss {

namespace {

/// The cost of comparing two boxes, and two triangles, in bound tests.
constexpr std::uint64_t boxPrice = 8, trianglePrice = 8;

}  // namespace

void NearTrianglePairs::begin(const Polyhedron& a, const Polyhedron& b, const Pose& bToA,
                              Real margin, const Progress& begin) noexcept {
  a_ = &a;
  b_ = &b;
  bToA_ = bToA;
  margin_ = margin;
  begin_ = begin;
  split_ = false;
  place_ = next_ = walked_ = 0;
  leaves_.clear();
  pairs_.clear();
}

NearTrianglePairs::Progress NearTrianglePairs::progress() const noexcept {
  if (place_ == 0) return {0, begin_.leaves};
  const bool placeIsDone = next_ == leaves_.size() && walk_.ended();
  // A slow place must not keep others from their turn
  return placeIsDone || !listed_ ? Progress{place_, 0} : Progress{place_ - 1, walked_};
}

bool NearTrianglePairs::listSome(WorkCount& work) {
  pairs_.clear();
  const TrianglePairs boxes(*a_, *b_, bToA_, margin_);
  if (next_ == leaves_.size()) {
    leaves_.clear();
    next_ = 0;
    if ((!split_ || walk_.ended()) && !enterPlace(boxes, work)) return false;
    walkOn(boxes, work);
  }
  listLeaves(boxes, work);
  return true;
}

/// Enters the next place. The place in which the search began comes again at the end, for the
/// leaves that were skipped. Returns false if none is left.
bool NearTrianglePairs::enterPlace(const TrianglePairs& boxes, WorkCount& work) {
  constexpr std::size_t wanted = 192;
  if (!split_) {
    work.boundTests += boxPrice * boxes.split(wanted, places_);
    split_ = true;
  }
  const std::size_t count = places_.size() + (begin_.leaves != 0 && !places_.empty() ? 1 : 0);
  if (place_ == count) return false;
  walk_.begin(places_[(begin_.places + place_++) % places_.size()]);
  walked_ = 0;
  listed_ = false;
  return true;
}

/// Finds the next leaves. Continues until there are some, up to a limit, and skips earlier ones in
/// one step; otherwise a search that is cut short would never get past them.
void NearTrianglePairs::walkOn(const TrianglePairs& boxes, WorkCount& work) {
  const std::size_t visited = place_ == 1 ? begin_.leaves : 0;
  constexpr std::size_t maxSteps = 16;
  for (std::size_t step = 0; leaves_.empty() && !walk_.ended(); ++step) {
    if (step >= maxSteps && walked_ >= visited) return;
    work.boundTests += boxPrice * boxes.step(walk_, leaves_);
    const std::size_t over = std::min(leaves_.size(), visited - std::min(visited, walked_));
    leaves_.erase(leaves_.begin(), leaves_.begin() + static_cast<std::ptrdiff_t>(over));
    walked_ += over;
  }
  // At the end only skipped leaves remain
  const bool again = place_ > places_.size();
  if (!again || walked_ + leaves_.size() < begin_.leaves) return;
  leaves_.resize(begin_.leaves - walked_);
  walk_.end();
}

void NearTrianglePairs::listLeaves(const TrianglePairs& boxes, WorkCount& work) {
  constexpr std::size_t batch = 8;
  const std::span<const LeafPair> left = std::span(leaves_).subspan(next_);
  const std::span<const LeafPair> some = left.first(std::min(batch, left.size()));
  if (some.empty()) return;
  boxes.forEachOf(some, [&](std::uint32_t ta, std::uint32_t tb, const Triangle& cornersB) {
    pairs_.push_back({ta, tb, cornersB});
  });
  listed_ = listed_ || !pairs_.empty();
  next_ += some.size();
  walked_ += some.size();
  work.boundTests += boxPrice * some.size() + trianglePrice * pairs_.size();
}

namespace {

/// Reused by searches of this thread; returned when a search has listed its edges.
thread_local std::unique_ptr<EdgePairSet> unusedPairSet;

}  // namespace

void NearFeatures::begin(const ContactBody& a, const ContactBody& b, const Pose& bToA, Real margin,
                         Real slack, const NearTrianglePairs::Progress& begin, bool once) {
  // Edges that cross deeper than the resolution of the finer body come with vertices that are deep
  constexpr Real ofLength = 0.1;
  // The cost of a search grows with the motion that it allows. Bodies that moved far beyond the
  // last allowance will also exceed this one
  constexpr Real slow = 0.5, fast = 0.05;
  const bool isFast = !a_ || moved_ > 4.0 * (once_ ? fast * limit_ : allowed_);
  a_ = &a;
  b_ = &b;
  reference_ = bToA;
  axes_ = glm::mat3_cast(reference_.rotation);
  moved_ = 0.0;
  apart_ = -1.0;
  margin_ = margin;
  limit_ = std::max(margin, ofLength * std::min(a.edges().meanLength(), b.edges().meanLength()));
  once_ = once && a.polyhedron().report().solid() && b.polyhedron().report().solid();
  allowed_ = once_ ? 0.0 : (isFast ? fast : slow) * limit_;
  reach_ = once_ ? margin + VertexContacts::touchingDistance(a, b, slack) : limit_ + allowed_;
  complete_ = false;
  vertices_.clear();
  edges_.clear();
  known_.clear();
  met_.clear();
  triangles_.begin(a.polyhedron(), b.polyhedron(), reference_, reach_, begin);
  if (!visited_) visited_ = std::move(unusedPairSet);
  if (!visited_) visited_ = std::make_unique<EdgePairSet>();
  visited_->begin(a.edges().edges().size(), b.edges().edges().size());
}

bool NearFeatures::follow(const Pose& bToA, Real margin) noexcept {
  if (!a_) return false;
  moved_ = motionBetween(a_->polyhedron(), b_->polyhedron(), reference_, bToA);
  return margin == margin_ && moved_ <= allowed_;
}

void NearFeatures::add(std::uint32_t vertex, bool ofB, std::uint32_t guess) {
  if (known_.add(vertex, ofB ? 1 : 0)) vertices_.push_back({vertex, ofB, Passed::Unknown, guess});
}

bool NearFeatures::listSome(WorkCount& work) {
  if (complete_) return false;
  if (!triangles_.listSome(work)) {
    endList();
    return false;
  }
  for (const NearTrianglePairs::Pair& pair : triangles_.pairs()) addNear(pair);
  work.boundTests += 8 * triangles_.pairs().size();
  return true;
}

void NearFeatures::endList() {
  complete_ = true;
  visited_->forget(met_);
  unusedPairSet = std::move(visited_);
}

/// Returns true if one of two triangles of solids lies farther than `reach` in front of the plane
/// of the other, or behind it. Vertices that are deeper inside a solid are found from neighbouring
/// ones.
bool NearFeatures::areApart(const NearTrianglePairs::Pair& pair, const Triangle& cornersA,
                            Real reach) const noexcept {
  if (!a_->hasInside() || !b_->hasInside()) return false;
  const auto apart = [reach](const Vec3& normal, const Vec3& origin, const Triangle& corners) {
    const Real first = glm::dot(normal, corners[0] - origin);
    const Real second = glm::dot(normal, corners[1] - origin);
    const Real third = glm::dot(normal, corners[2] - origin);
    return std::min({first, second, third}) > reach || std::max({first, second, third}) < -reach;
  };
  return apart(a_->normalOf(pair.a), cornersA[0], pair.cornersB) ||
         apart(axes_ * b_->normalOf(pair.b), pair.cornersB[0], cornersA);
}

void NearFeatures::addNear(const NearTrianglePairs::Pair& pair) {
  if (a_->buried(pair.a) || b_->buried(pair.b)) return;
  const Real square = reach_ * reach_;
  const Triangle cornersA = a_->mesh().corners(pair.a);
  if (areApart(pair, cornersA, reach_)) return;
  const Box boxA = boxOf(cornersA), boxB = boxOf(pair.cornersB);
  const auto &ofA = a_->mesh().triangles[pair.a], &ofB = b_->mesh().triangles[pair.b];
  // A vertex far inside the other body is the only one there if its triangles intersect the surface
  const bool cross = overlap(boxA, boxB);
  for (std::size_t k = 0; k < 3; ++k) {
    if (cross || squaredDistance(boxB, cornersA[k]) <= square) add(ofA[k], false, pair.b);
    if (cross || squaredDistance(boxA, pair.cornersB[k]) <= square) add(ofB[k], true, pair.a);
  }
  for (const std::uint32_t ea : a_->edges().of(pair.a))
    for (const std::uint32_t eb : b_->edges().of(pair.b))
      if (ea != SurfaceEdges::none && eb != SurfaceEdges::none) addEdges(ea, eb);
}

/// Examines each pair once.
void NearFeatures::addEdges(std::uint32_t ea, std::uint32_t eb) {
  if (!visited_->add(ea, eb)) return;
  met_.push_back(std::uint64_t{ea} << 32 | eb);
  keepEdges(ea, eb);
}

/// Keeps a pair of edges that can become a contact within the allowed motion.
void NearFeatures::keepEdges(std::uint32_t ea, std::uint32_t eb) {
  const SurfaceEdge &ofA = a_->edges().edges()[ea], &ofB = b_->edges().edges()[eb];
  const std::vector<Vec3>&positionsA = a_->mesh().positions, &positionsB = b_->mesh().positions;
  const Real turned =
      2.0 * allowed_ / std::min(a_->polyhedron().radius(), b_->polyhedron().radius()) + 1e-5;
  const Vec3 alongB = axes_ * (positionsB[ofB.ends[1]] - positionsB[ofB.ends[0]]);
  const Vec3 alongA = positionsA[ofA.ends[1]] - positionsA[ofA.ends[0]];
  const std::array normalsB{axes_ * ofB.normals[0], axes_ * ofB.normals[1]};
  const SurfaceEdge turnedB{{}, normalsB};
  const bool crosses = turnsAcross(ofA, alongB, turned) && turnsAcross(turnedB, alongA, turned);
  if (!crosses && !PatchCorners::stand(ofA.normals, normalsB, turned)) return;
  const Vec3 startB = axes_ * positionsB[ofB.ends[0]] + reference_.position;
  const Real gap = std::sqrt(squaredDistanceOf(positionsA[ofA.ends[0]], alongA, startB, alongB));
  if (gap > limit_ + allowed_) return;
  edges_.push_back({std::uint64_t{ea} << 32 | eb, gap});
}

}  // namespace nearmiss
