// SPDX-License-Identifier: MIT
#include "narrow/near_triangles.h"

#include <nearmiss/mesh.h>
#include <nearmiss/shape.h>

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <limits>
#include <utility>

#include "geometry/polyhedron_pair.h"

namespace nearmiss {
namespace {

/// A list is made to last for as many frames as the last one was, at the same speed: making it
/// costs about two searches.
constexpr Real framesAhead = 8.0;
/// Motion of a frame beyond which none is made, of the smaller radius: too much would be near.
constexpr Real mostMotion = 0.15;
/// Searches that cost less are as fast as a list.
constexpr std::int64_t leastEffort = 192;
/// How much more than the search itself a list may cost, and how long to wait after a failure.
constexpr std::int64_t mostEffort = 4;
constexpr std::uint32_t restAfterFailure = 24;

}  // namespace

Real movedAtMost(const Pose& from, const Pose& to, Real radius) noexcept {
  // Turning by an angle t moves a point by 2 sin(t / 2) radius, and the quaternions, of either
  // sign, differ by 2 sin(t / 4); one hundredth more is for quaternions that are not quite units
  const Quat p = from.rotation, q = to.rotation;
  const auto square = [](const Quat& d) { return d.w * d.w + d.x * d.x + d.y * d.y + d.z * d.z; };
  const Real turn = std::sqrt(std::min(square(p - q), square(p + q)));
  return glm::distance(from.position, to.position) + 2.02 * turn * radius;
}

bool NearTriangles::surfacesApart(const TrianglePair& pair, const Pose& bToA, WorkMeter& meter) {
  Kept& kept = kept_.of(pair.bodyA, pair.bodyB);
  if (kept.margin < 0.0 ||
      movedAtMost(kept.listedAt, bToA, pair.shapeB.polyhedron().radius()) > kept.margin)
    return false;
  const TriangleMesh &a = pair.shapeA.polyhedron().mesh(), &b = pair.shapeB.polyhedron().mesh();
  for (std::uint32_t i = 0; i < kept.listed; ++i) {
    const auto [ofA, ofB] = kept.triangles[i];
    ++meter.open().triangleTests;
    if (!trianglesMeet(a.corners(ofA), moved(b, ofB, bToA))) continue;
    // Those that meet go on doing so for a while
    std::swap(kept.triangles[i], kept.triangles[0]);
    return false;
  }
  kept.last = bToA;
  return true;
}

void NearTriangles::foundApart(const TrianglePair& pair, const PairSearchWork& w,
                               const Search& search, const SearchPath& path, WorkMeter& meter,
                               const TimeBudget& budget) {
  Kept& kept = kept_.of(pair.bodyA, pair.bodyB);
  const Pose before = std::exchange(kept.last, w.setup.bToA);
  if (!std::exchange(kept.seen, true)) return;
  const Polyhedron &a = pair.shapeA.polyhedron(), &b = pair.shapeB.polyhedron();
  const Real motion = movedAtMost(before, kept.last, b.radius());
  if (motion > mostMotion * std::min(a.radius(), b.radius()) || w.effort < leastEffort) return;
  if (kept.rest > 0) {
    --kept.rest;
    return;
  }
  kept.listed = 0;
  kept.listedAt = kept.last;
  kept.margin = framesAhead * motion;
  listing_ = &kept;
  if (list(pair, w, search, path, mostEffort * w.effort, meter, budget)) return;
  kept.margin = -1.0;
  kept.rest = restAfterFailure;
}

/// Searches from the roots, with spheres as much larger as the margin is wide. Every test of the
/// search takes more than its slack for apart, as a distance: what is passed over is farther apart
/// than the margin. False: too many are near, or it costs too much.
bool NearTriangles::list(const TrianglePair& pair, const PairSearchWork& w, Search search,
                         const SearchPath& path, std::int64_t allowed, WorkMeter& meter,
                         const TimeBudget& budget) {
  pair_ = &pair;
  work_ = &w;
  slack_ = std::nextafter(static_cast<float>(Real{w.motion.slack} + listing_->margin),
                          std::numeric_limits<float>::infinity());
  search.slack = slack_;
  search.caller = this;
  search.trianglesMeet = [](void* caller, std::uint32_t a, std::uint32_t b) {
    Kept& kept = *static_cast<NearTriangles*>(caller)->listing_;
    const auto end = kept.triangles.begin() + kept.listed;
    // Parts of large triangles lie in several leaves
    if (std::find(kept.triangles.begin(), end, std::pair{a, b}) != end) return false;
    if (kept.listed == mostListed) return true;
    kept.triangles[kept.listed++] = {a, b};
    return false;
  };
  sharedSpheres_ = search.everyPair;
  if (sharedSpheres_) visited_.clear();
  if (search.passOver != nullptr)
    search.passOver = [](void* caller, const SearchPair& slots) {
      NearTriangles& own = *static_cast<NearTriangles*>(caller);
      const TrianglePair& of = *own.pair_;
      if (own.sharedSpheres_ && !own.visited_.add(of.shapeA.sphereTree()->identity(slots.a),
                                                  of.shapeB.sphereTree()->identity(slots.b)))
        return true;
      return boxesApart(own.work_->motion, {of.treeA, of.shapeA, slots.a},
                        {of.treeB, of.shapeB, slots.b}, own.slack_);
    };
  if (stack_.size() < 64) stack_.resize(64);
  stack_[0] = rootFrame();
  search.size = 1;
  for (;;) {
    search.stack = stack_.data();
    search.capacity = static_cast<std::uint32_t>(stack_.size());
    search.effort = WorkMeter::quantum;
    search.triangleTests = 0;
    const SearchEnd end = path.find(search);
    const std::int64_t spent = std::int64_t{WorkMeter::quantum} - search.effort;
    meter.open().boundTests += static_cast<std::uint64_t>(spent);
    allowed -= spent;
    switch (end) {
      case SearchEnd::Exhausted:
        return true;
      case SearchEnd::Full:
        stack_.resize(2 * stack_.size() + search.maxAdded);
        break;
      case SearchEnd::Unfinished:
        if (allowed < 0 || meter.outOfTime(budget)) return false;
        break;
      case SearchEnd::Witness:
      case SearchEnd::Meet:
        return false;
    }
  }
}

}  // namespace nearmiss
