// SPDX-License-Identifier: MIT
/// Broad phases by space-time bounds, one for each way to search for the first bounds to meet [H93,
/// "Detecting collisions"].
#pragma once

#include <nearmiss/advanced/broad_phase.h>
#include <nearmiss/advanced/space_time_bound.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "broad/body_bounds.h"
#include "broad/bound_search.h"

namespace nearmiss {

/// Maximum number of planes kept per body between calls; fewer planes only widen its bound.
inline constexpr std::size_t keptPlanes = 4;

/// Initial and maximum lifetime of bounds, seconds, used if the bodies' own bounds never end.
inline constexpr Real firstHorizon = 1.0;
inline constexpr Real longestHorizon = 1e3;

/// Data of the body that a bound was built for. If any of these change, the bound is void.
struct KeptBody {
  std::uint32_t key = 0, epoch = 0, assembly = 0;
  Real radius = -1.0;  ///< of the body; the bound's radius is larger by twice the tolerance
  Real tolerance = 0.0;
};

/// Returns true if a state is within the bound kept for it.
inline bool keepsPromise(const BodyState& body, const KeptBody& kept, const SpaceTimeBound& bound,
                         Real time) noexcept {
  if (body.key != kept.key || body.motionEpoch != kept.epoch || body.assembly != kept.assembly ||
      body.shape.radius() != kept.radius)
    return false;
  const Real s = time - bound.start;
  const Real life = bound.end - bound.start;
  const Vec3 off = body.pose.position - (bound.position + bound.velocity * s);
  if (!(largestCoordinate(off) <= 0.5 * bound.acceleration * life * s + kept.tolerance))
    return false;
  return std::all_of(bound.planes.begin(), bound.planes.end(), [&](const CuttingPlane& plane) {
    return glm::dot(plane.direction, off) >= -0.5 * plane.reverse * life * s - kept.tolerance;
  });
}

/// Builds the bound of a body from `start` to `end` and notes the state. The bound is widened by
/// the rounding errors of states. Returns false if the body has no valid bound until `end`.
inline bool buildBound(const BodyState& body, Real start, Real end, KeptBody& kept,
                       std::array<CuttingPlane, keptPlanes>& ownPlanes, SpaceTimeBound& bound) {
  kept.key = body.key;
  kept.epoch = body.motionEpoch;
  kept.assembly = body.assembly;
  kept.radius = body.shape.radius();
  const std::size_t planes = std::min(body.planes.size(), keptPlanes);
  std::copy_n(body.planes.begin(), planes, ownPlanes.begin());

  bound = spaceTimeBound(body, start, end);
  bound.planes = std::span(ownPlanes).first(planes);
  const Real life = bound.end - bound.start;
  kept.tolerance = 1e-12 * (largestCoordinate(bound.position) + bound.radius +
                            (largestCoordinate(bound.velocity) + bound.acceleration * life) * life);
  const bool sound = !faultOf(bound) && std::isfinite(kept.tolerance) && bound.end >= end;
  bound.radius += 2.0 * kept.tolerance;
  return sound;
}

/// Tests the bodies without a valid bound, listed in `loose`, against all bodies, and adds the
/// pairs that meet.
inline void lookAtLoose(std::span<const BodyState> bodies, std::span<const std::uint32_t> loose,
                        const std::vector<char>& isLoose, WorkCount& work,
                        std::vector<BodyPair>& pairs,
                        bool (*meet)(const BodyState&, const BodyState&) = boundingSpheresMeet) {
  for (const std::uint32_t i : loose)
    for (std::uint32_t j = 0; j < bodies.size(); ++j) {
      if (j == i || (isLoose[j] && j < i)) continue;
      ++work.boundTests;
      if (meet(bodies[i], bodies[j])) pairs.push_back(pairOf(i, j));
    }
}

/// Starts a search that takes no resolution. Searches that take one have their own overload.
template <class Search>
void startSearch(Search& search, std::span<const SpaceTimeBound> bounds,
                 std::span<const std::uint32_t> assemblies, Real from, Real until, Real) {
  search.start(bounds, assemblies, from, until);
}

/// Returns true if a body of the pair has left the search because its bound was rebuilt since the
/// search began.
inline bool anyLeft(const std::vector<char>& left, const BodyPair& pair) noexcept {
  return left[pair.a] || left[pair.b];
}

/// Bounds and their search [H93, "Detecting collisions"]. All bounds are built at once and searched
/// for the earliest intersection; until then there is no work. A pair whose bounds meet is removed
/// from the search and watched: its bounds are rebuilt as tightly as possible, and the pair is
/// skipped until those meet. A body whose bound is void leaves the search and is watched against
/// all others, so that no other bound has to be rebuilt before it expires.
template <class Search>
class SpaceTimeBroadPhase final : public BroadPhase {
 public:
  SpaceTimeBroadPhase(std::string_view name, Promises promises) noexcept
      : name_(name), promises_(promises) {}

  std::string_view name() const noexcept override { return name_; }

  void setResolution(Real seconds) noexcept override {
    if (seconds > 0.0 && std::isfinite(seconds)) pace_.resolution = seconds;
  }

  Real findPairs(std::span<const BodyState> bodies, Real time,
                 std::vector<BodyPair>& pairs) override {
    work_ = {};
    pairs.clear();
    if (time > time_ && std::isfinite(time - time_)) pace_.step = time - time_;
    if (pace_.resolution > 0.0) pace_.step = pace_.resolution;
    const bool goesOn = time >= time_ && time < expire_ && bodies.size() == kept_.size();
    time_ = time;
    void_.clear();
    if (goesOn && promises_ == Promises::Checked) findVoid(bodies);
    // If many bounds are void, restarting the search is cheaper than watching all their pairs
    if (!goesOn || (outside_.left + void_.size()) * 4 > bodies.size() + 4)
      rebuild(bodies);
    else
      for (const std::uint32_t i : void_) leaveSearch(bodies, i);

    // Look at the pairs that touched, and at the watched pairs that are due
    due_.swap(touching_);
    touching_.clear();
    while (!watched_.empty() && watched_.first().time <= time)
      due_.push_back(watched_.takeFirst().pair);
    for (const BodyPair& pair : due_) look(bodies, pair);
    due_.clear();

    // Watch all pairs found before the end of the contact-free time. The tight bounds of a pair
    // meet later than its long-lived ones, so the earliest of the tight ones determines that end
    while (upcoming_ && upcoming_->time <= contactFreeUntil()) {
      look(bodies, upcoming_->pair);
      upcoming_ = nextMeeting();
    }
    pairs.assign(touching_.begin(), touching_.end());

    Real noContactBefore = contactFreeUntil();
    if (!outside_.loose.empty()) {
      lookAtLoose(bodies, outside_.loose, outside_.isLoose, work_, pairs);
      noContactBefore = time;
    }
    std::sort(pairs.begin(), pairs.end());
    return std::max(time, noContactBefore);
  }

  WorkCount work() const noexcept override { return work_; }

 private:
  /// Returns the earlier of the time of the next watched pair and the end of the bounds.
  [[nodiscard]] Real contactFreeUntil() const noexcept {
    return watched_.empty() ? expire_ : std::min(expire_, watched_.first().time);
  }

  void findVoid(std::span<const BodyState> bodies) {
    work_.boundTests += bodies.size();
    for (std::uint32_t i = 0; i < bodies.size(); ++i)
      if (!outside_.isLoose[i] && !keepsPromise(bodies[i], kept_[i], bounds_[i], time_))
        void_.push_back(i);
  }

  void rebuild(std::span<const BodyState> bodies) {
    chooseExpiry(bodies);
    kept_.resize(bodies.size());
    planes_.resize(bodies.size());
    bounds_.resize(bodies.size());
    outside_.isLoose.assign(bodies.size(), false);
    outside_.hasLeft.assign(bodies.size(), false);
    outside_.left = 0;
    assemblies_.clear();
    outside_.loose.clear();
    for (std::uint32_t i = 0; i < bodies.size(); ++i) {
      keep(i, bodies[i]);
      assemblies_.push_back(bodies[i].assembly);
    }
    // Trusted bounds stay as they were when the search began
    const bool stays = promises_ == Promises::Believed && outside_.loose.empty();
    if (!stays) searched_ = bounds_;
    // Bodies without a bound enter the search as points of one assembly, so they do not meet each
    // other; their other meetings are ignored
    constexpr std::uint32_t assemblyOfLoose = 0xffffffffu;
    for (const std::uint32_t i : outside_.loose) {
      searched_[i] = {time_, expire_, Vec3(0.0), Vec3(0.0), 0.0, 0.0, {}};
      assemblies_[i] = assemblyOfLoose;
    }
    startSearch(search_, stays ? bounds_ : searched_, assemblies_, time_, expire_, pace_.step);

    // Bounds that overlap at the start need not touch. With cutting planes, even bounds that were
    // apart may overlap as cubes after a rebuild
    watched_.clear();
    touching_.clear();
    for (const BodyPair& pair : search_.overlapping())
      if (!outside_.isLoose[pair.a] && !outside_.isLoose[pair.b]) touching_.push_back(pair);
    counted_ = {};
    metSinceRebuild_ = 0;
    upcoming_ = nextMeeting();
  }

  /// Rebuilds the void bound of one body, and watches it against all others.
  void leaveSearch(std::span<const BodyState> bodies, std::uint32_t i) {
    if (!outside_.hasLeft[i]) ++outside_.left;
    outside_.hasLeft[i] = true;
    const auto has = [i](const BodyPair& pair) { return pair.a == i || pair.b == i; };
    std::erase_if(touching_, has);
    watched_.forgetIf([&has](const BoundMeeting& watched) { return has(watched.pair); });
    // All bounds expire together, so this body's earlier end applies to all
    if (bodies[i].boundHoldsUntil > time_) expire_ = std::min(expire_, bodies[i].boundHoldsUntil);
    keep(i, bodies[i]);
    if (upcoming_ && anyLeft(outside_.hasLeft, upcoming_->pair)) upcoming_ = nextMeeting();
    if (outside_.isLoose[i]) return;
    for (std::uint32_t j = 0; j < bodies.size(); ++j) {
      if (j == i || outside_.isLoose[j] || sameAssembly(bodies[i], bodies[j])) continue;
      ++work_.boundTests;
      if (!trapezoidOverlap(bounds_[i], bounds_[j])) continue;
      touching_.push_back(pairOf(i, j));
    }
  }

  /// All bounds end together, when the first body's own bound does. The lifetime is doubled if few
  /// pairs met in the last one, and halved if very many did.
  void chooseExpiry(std::span<const BodyState> bodies) {
    const bool lastedOut = bodies.size() == kept_.size() && !(time_ < expire_);
    if (lastedOut && metSinceRebuild_ * 4 <= bodies.size())
      pace_.horizon = std::min(2.0 * pace_.horizon, longestHorizon);
    if (metSinceRebuild_ > 2 * bodies.size())
      pace_.horizon = std::max(0.5 * pace_.horizon, 4.0 * pace_.step);
    expire_ = time_ + pace_.horizon;
    for (const BodyState& body : bodies)
      if (body.boundHoldsUntil > time_) expire_ = std::min(expire_, body.boundHoldsUntil);
    // If the clock is so large that adding the horizon does not change it, every body is loose
    if (!(expire_ > time_)) expire_ = time_;
  }

  void keep(std::uint32_t i, const BodyState& body) {
    const bool sound = buildBound(body, time_, expire_, kept_[i], planes_[i], bounds_[i]);
    if (!sound && !outside_.isLoose[i]) outside_.loose.push_back(i);
    outside_.isLoose[i] = !sound;
  }

  std::optional<BoundMeeting> nextMeeting() {
    for (;;) {
      const auto meeting = search_.next();
      const MeetingCounts& counts = search_.counts();
      work_.boundTests += counts.crossings + counts.pairTests + counts.programs -
                          (counted_.crossings + counted_.pairTests + counted_.programs);
      counted_ = counts;
      if (!meeting) return std::nullopt;
      if (outside_.isLoose[meeting->pair.a] || outside_.isLoose[meeting->pair.b]) continue;
      if (anyLeft(outside_.hasLeft, meeting->pair)) continue;
      ++metSinceRebuild_;
      return meeting;
    }
  }

  /// Records that the pair touches, or otherwise when to look again if it may touch before its
  /// bounds expire.
  void look(std::span<const BodyState> bodies, const BodyPair& pair) {
    ++work_.boundTests;
    if (boundingSpheresMeet(bodies[pair.a], bodies[pair.b])) {
      touching_.push_back(pair);
      return;
    }
    // Bounds from the current state on, as tight as possible
    const SpaceTimeBound a = boundNow(bodies, pair.a), b = boundNow(bodies, pair.b);
    auto meeting = hornMeeting(a, b, 0.25 * pace_.step);
    ++work_.boundTests;
    if (meeting && !(a.planes.empty() && b.planes.empty())) {
      const auto beside = retightenedMeeting(a, b, 0.5 * pace_.step);
      ++work_.boundTests;
      meeting = beside ? std::optional(std::max(*meeting, *beside)) : std::nullopt;
    }
    if (meeting) watched_.add({*meeting, pair});
  }

  [[nodiscard]] SpaceTimeBound boundNow(std::span<const BodyState> bodies,
                                        std::uint32_t i) const noexcept {
    SpaceTimeBound bound = bounds_[i];
    bound.start = time_;
    bound.position = bodies[i].pose.position;
    bound.velocity = bodies[i].velocity;
    return bound;
  }

  /// Interval of calls and intended lifetime of bounds, seconds.
  struct Pace {
    Real resolution = 0.0;  ///< 0 until it is set
    Real step = 0.01;       ///< the resolution, or the time between the last two calls
    Real horizon = firstHorizon;
  };

  /// Bodies outside the search.
  struct Outside {
    std::vector<char> isLoose;         ///< by body: has no valid bound
    std::vector<std::uint32_t> loose;  ///< indices of those bodies
    std::vector<char> hasLeft;         ///< by body: left the search because its bound was rebuilt
    std::size_t left = 0;              ///< how many have left
  };

  std::string_view name_;
  Promises promises_;
  Search search_;
  Real time_ = 0.0, expire_ = -std::numeric_limits<Real>::infinity();
  Pace pace_;
  std::size_t metSinceRebuild_ = 0;
  std::vector<KeptBody> kept_;
  std::vector<std::array<CuttingPlane, keptPlanes>> planes_;
  std::vector<SpaceTimeBound> bounds_;  ///< current bounds
  /// bounds at the start of the search, if bounds_ may change
  std::vector<SpaceTimeBound> searched_;
  std::vector<std::uint32_t> assemblies_;
  std::vector<std::uint32_t> void_;
  Outside outside_;
  std::optional<BoundMeeting> upcoming_;
  EventQueue<BoundMeeting> watched_;  ///< pairs whose bounds have met
  std::vector<BodyPair> touching_;    ///< pairs to look at in the next call, unconditionally
  std::vector<BodyPair> due_;
  MeetingCounts counted_;
  WorkCount work_;
};

}  // namespace nearmiss
