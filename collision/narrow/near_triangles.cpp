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

/// Margin of a list, in multiples of the last frame's motion. A longer list serves more frames, but
/// each of them compares more of it.
constexpr Real framesAhead = 3.0;
/// Maximum motion in one frame, relative to the smaller radius, for which a list is made. Above it,
/// too many triangles would be near.
constexpr Real maxMotion = 0.005;
/// Maximum motion since two triangles intersected, in the same unit, for which they are compared
/// first.
constexpr Real maxMotionSinceMeeting = 0.015;
/// Consecutive frames with the surfaces apart before a list is made.
constexpr std::uint32_t apartBefore = 3;
/// In bound tests: a search that costs less is no slower than a list.
constexpr std::int64_t minEffort = 256;
/// Maximum cost of a list, as a multiple of the search that it replaces.
constexpr std::int64_t maxEffort = 2;
/// Cost of comparing one entry, in bound tests. A whole list must cost less than a third of a
/// search.
constexpr std::int64_t effortOfEntry = 64;
/// Entries between two checks of the time.
constexpr std::uint32_t entriesOfQuantum = 16;
/// Searches to wait after a failed attempt, doubled by each further failure.
constexpr std::uint32_t firstRest = 16, maxRest = 1024;
/// Triangles that were apart this many consecutive times are no longer compared first, until a
/// search finds them again.
constexpr std::uint32_t maxPartings = 2;

bool meet(const TrianglePair& pair, std::uint32_t ofA, std::uint32_t ofB) {
  return trianglesMeet(pair.shapeA.polyhedron().mesh().corners(ofA),
                       moved(pair.shapeB.polyhedron().mesh(), ofB, pair.work.setup.bToA));
}

Real motionSince(const Pose& pose, const TrianglePair& pair) noexcept {
  return movedAtMost(pose, pair.work.setup.bToA, pair.shapeB.polyhedron().radius());
}

Real smallerRadius(const TrianglePair& pair) noexcept {
  return std::min(pair.shapeA.polyhedron().radius(), pair.shapeB.polyhedron().radius());
}

}  // namespace

Real movedAtMost(const Pose& from, const Pose& to, Real radius) noexcept {
  // A rotation by an angle t moves a point by 2 sin(t / 2) radius, and the quaternions, of either
  // sign, differ by 2 sin(t / 4). One percent more allows for quaternions that are not quite of
  // unit length
  const Quat p = from.rotation, q = to.rotation;
  const auto square = [](const Quat& d) { return d.w * d.w + d.x * d.x + d.y * d.y + d.z * d.z; };
  const Real turn = std::sqrt(std::min(square(p - q), square(p + q)));
  return glm::distance(from.position, to.position) + 2.02 * turn * radius;
}

bool NearTriangles::surfacesApart(const TrianglePair& pair, const Search& given,
                                  const SearchPath& path, WorkMeter& meter,
                                  const TimeBudget& budget) {
  const std::size_t slot = slotOf(pair);
  Kept& kept = kept_[slot];
  if (kept.margin < 0.0 || motionSince(kept.listedAt, pair) > kept.margin) return false;
  Search search = given;
  search.a = pair.sideA;
  search.b = pair.sideB;
  for (std::uint32_t from = 0; from < kept.listed; from += entriesOfQuantum) {
    grantQuantum(search);
    const std::uint32_t some = std::min(kept.listed - from, entriesOfQuantum);
    const SearchEnd end = path.compare(search, {listOf(slot) + from, some, some});
    kept.paid -= countWork(search, meter);
    // Without time for all of them, search the usual way
    if (end != SearchEnd::Exhausted || meter.outOfTime(budget)) return false;
  }
  kept.paid += kept.search;
  kept.last = pair.work.setup.bToA;
  return true;
}

bool NearTriangles::stillMeet(const TrianglePair& pair, Search& search, WorkMeter& meter) {
  Kept& kept = kept_[slotOf(pair)];
  if (kept.meetA == Kept::none || kept.parted >= maxPartings ||
      motionSince(kept.metAt, pair) > maxMotionSinceMeeting * smallerRadius(pair))
    return false;
  ++meter.open().triangleTests;
  if (!meet(pair, kept.meetA, kept.meetB)) {
    ++kept.parted;
    return false;
  }
  kept.parted = 0;
  kept.metAt = pair.work.setup.bToA;
  search.triangleA = kept.meetA;
  search.triangleB = kept.meetB;
  return true;
}

void NearTriangles::foundMeeting(const TrianglePair& pair, const Search& search) {
  Kept& kept = kept_[slotOf(pair)];
  if (kept.meetA == search.triangleA && kept.meetB == search.triangleB) kept.parted = 0;
  kept.apart = 0;
  kept.metAt = pair.work.setup.bToA;
  kept.meetA = search.triangleA;
  kept.meetB = search.triangleB;
}

void NearTriangles::foundApart(const TrianglePair& pair, const Search& search,
                               const SearchPath& path, WorkMeter& meter, const TimeBudget& budget) {
  const std::size_t slot = slotOf(pair);
  Kept& kept = kept_[slot];
  const Pose before = std::exchange(kept.last, pair.work.setup.bToA);
  // If a list did not last, wait longer before the next
  if (std::exchange(kept.margin, -1.0) >= 0.0) rest(kept, kept.paid > 0);
  if (++kept.apart < apartBefore) return;
  const Real motion = motionSince(before, pair);
  if (motion > maxMotion * smallerRadius(pair) || pair.work.effort < minEffort) return;
  if (kept.rest > 0) {
    --kept.rest;
    return;
  }
  if (budget.exhausted()) return;
  kept.listedAt = kept.last;
  kept.paid = 0;
  kept.search = pair.work.effort;
  const Real margin = framesAhead * motion;
  // Only a complete list is valid, also if memory runs out
  if (list(pair, slot, margin, search, path, meter, budget))
    kept.margin = margin;
  else
    rest(kept, false);
}

NearGroup* NearTriangles::listOf(std::size_t slot) {
  if (lists_.empty()) lists_.resize(maxListed * KeptPairs<Kept>::slots);
  return &lists_[maxListed * slot];
}

void NearTriangles::rest(Kept& kept, bool paid) noexcept {
  kept.failures = paid ? 0 : kept.failures + 1;
  if (!paid) kept.rest = std::min(firstRest << std::min(kept.failures - 1, 6u), maxRest);
}

/// Searches from the roots, with all boxes enlarged by the margin. Each test of the search
/// classifies as apart only what is farther apart than its slack, so pruned triangles are farther
/// apart than the margin. Returns false if too many are near, or if it costs too much.
bool NearTriangles::list(const TrianglePair& pair, std::size_t slot, Real wide, Search search,
                         const SearchPath& path, WorkMeter& meter, const TimeBudget& budget) {
  constexpr float infinite = std::numeric_limits<float>::infinity();
  Kept& kept = kept_[slot];
  const float margin = std::nextafter(static_cast<float>(wide), infinite);
  const std::int64_t worthwhile = pair.work.effort / (3 * effortOfEntry);
  NearGroups near{listOf(slot), 0,
                  static_cast<std::uint32_t>(std::min<std::int64_t>(worthwhile, maxListed))};
  search.atRoots = false;
  search.list = &near;
  search.margin = margin;
  search.slack = std::nextafter(search.slack + margin, infinite);
  search.boxSlack = std::nextafter(search.boxSlack + margin, infinite);
  search.a = pair.sideA;
  search.b = pair.sideB;
  if (stack_.size() < 64) stack_.resize(64);
  stack_[0] = rootFrame();
  search.size = 1;
  for (std::int64_t allowed = maxEffort * pair.work.effort; allowed >= 0;) {
    const SearchEnd end = searchForQuantum(search, stack_, path.findByBoxes);
    const std::int64_t spent = countWork(search, meter);
    allowed -= spent;
    kept.paid -= spent;
    if (end == SearchEnd::Exhausted) {
      kept.listed = near.size;
      return true;
    }
    if (end == SearchEnd::Full || meter.outOfTime(budget)) return false;
  }
  return false;
}

}  // namespace nearmiss
