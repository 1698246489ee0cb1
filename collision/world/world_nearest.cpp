// SPDX-License-Identifier: MIT
#include <nearmiss/detail/out_of_memory.h>
#include <nearmiss/world.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <glm/geometric.hpp>
#include <limits>
#include <numeric>
#include <optional>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "base/work_meter.h"
#include "world/world_parts.h"

namespace nearmiss {
namespace {

/// Two bodies, and a bound on their distance from the bounding spheres.
struct MeetingCandidate {
  Real gap = 0.0;  ///< lower bound on the distance; negative if the spheres overlap
  std::uint32_t a = 0, b = 0;
};

constexpr Real roundingSlack = 1e-12;

/// Returns the rounding error of the distance of two spheres.
Real roundingOf(const BodyState& a, const BodyState& b) noexcept {
  return roundingSlack * (glm::length(a.pose.position) + glm::length(b.pose.position) +
                          a.shape.radius() + b.shape.radius());
}

/// Returns the distance of two bounding spheres, rounded down.
Real gapOf(const BodyState& a, const BodyState& b) noexcept {
  return glm::distance(a.pose.position, b.pose.position) - a.shape.radius() - b.shape.radius() -
         roundingOf(a, b);
}

/// Returns the maximum distance of points of two bounding spheres, rounded up.
Real spanOf(const BodyState& a, const BodyState& b) noexcept {
  return glm::distance(a.pose.position, b.pose.position) + a.shape.radius() + b.shape.radius() +
         roundingOf(a, b);
}

/// Bodies sorted by the start of their bounding spheres along x.
class SweepAlongX {
 public:
  SweepAlongX(std::span<const BodyState> states, WorkMeter& meter)
      : states_(states), order_(states.size()), meter_(meter) {
    std::iota(order_.begin(), order_.end(), 0u);
    std::sort(order_.begin(), order_.end(), [&](std::uint32_t a, std::uint32_t b) {
      return std::pair(beginOf(a), states[a].key) < std::pair(beginOf(b), states[b].key);
    });
    meter_.open().boundTests += order_.size() * std::bit_width(order_.size());
  }

  /// Calls `see` for all pairs whose spheres are less than `reach` apart along x; `reach` may
  /// shrink meanwhile. Returns false if time ran out.
  bool forEachPair(const Real& reach, const TimeBudget& budget, const auto& see) const {
    constexpr std::uint64_t price = 4;
    for (std::size_t i = 0; i < order_.size(); ++i) {
      const BodyState& a = states_[order_[i]];
      const Real end = a.pose.position.x + a.shape.radius();
      for (std::size_t j = i + 1; j < order_.size(); ++j) {
        if (beginOf(order_[j]) - end > reach + roundingSlack * (std::abs(end) + reach)) break;
        see(order_[i], order_[j]);
        meter_.open().boundTests += price;
        if (meter_.outOfTime(budget)) return false;
      }
      meter_.open().boundTests += 1;
      if (meter_.outOfTime(budget)) return false;
    }
    return true;
  }

 private:
  [[nodiscard]] Real beginOf(std::uint32_t i) const noexcept {
    return states_[i].pose.position.x - states_[i].shape.radius();
  }
  std::span<const BodyState> states_;
  std::vector<std::uint32_t> order_;
  WorkMeter& meter_;
};

/// A search for the nearest pair of a set. `Parts` is World::Parts, which is private.
template <class Parts>
class NearestPairSearch {
 public:
  NearestPairSearch(Parts& set, Real within, const TimeBudget& budget)
      : p_(set), budget_(budget), lower_(within), limit_(within) {}

  NearestBodies run() {
    if (list()) {
      measureAll();
    } else {
      // Other pairs may be in contact, but a result needs points of some pair
      if (likely_) measure(*likely_);
      lower_ = 0.0;
      nearest_.bounds.canRefine = true;
    }
    meter_.settle(budget_);
    nearest_.bounds.lower = std::min(lower_, nearest_.bounds.upper);
    return nearest_;
  }

 private:
  /// Orders a heap with the nearest spheres first.
  [[nodiscard]] auto byDistance() const {
    return [this](const MeetingCandidate& x, const MeetingCandidate& y) {
      return std::tuple(x.gap, p_.handlesOf(x.a, x.b)) > std::tuple(y.gap, p_.handlesOf(y.a, y.b));
    };
  }

  /// Lists the pairs that may be nearest, as a heap with the nearest spheres first. Returns false
  /// if time ran out.
  bool list() {
    // Bodies lie within their spheres, so no pair farther apart than the smallest of these spans
    // can be nearest
    const SweepAlongX sweep(p_.states, meter_);
    Real reach = limit_, least = std::numeric_limits<Real>::infinity();
    const bool swept = sweep.forEachPair(reach, budget_, [&](std::uint32_t a, std::uint32_t b) {
      if (!p_.measures(a, b)) return;
      const Real span = spanOf(p_.states[a], p_.states[b]);
      reach = std::min(reach, span);
      if (!(span < least)) return;
      least = span;
      likely_ = candidateOf(a, b);
    });
    if (!swept) return false;
    const bool listed = sweep.forEachPair(reach, budget_, [&](std::uint32_t a, std::uint32_t b) {
      if (!p_.measures(a, b)) return;
      const MeetingCandidate pair = candidateOf(a, b);
      if (pair.gap <= reach) candidates_.push_back(pair);
    });
    if (!listed) return false;
    std::make_heap(candidates_.begin(), candidates_.end(), byDistance());
    meter_.open().boundTests += 4 * candidates_.size();
    return true;
  }

  [[nodiscard]] MeetingCandidate candidateOf(std::uint32_t a, std::uint32_t b) const {
    if (p_.states[a].key > p_.states[b].key) std::swap(a, b);
    return {gapOf(p_.states[a], p_.states[b]), a, b};
  }

  MeetingCandidate takeNearest() {
    meter_.open().boundTests += 4 * std::bit_width(candidates_.size());
    std::pop_heap(candidates_.begin(), candidates_.end(), byDistance());
    const MeetingCandidate nearest = candidates_.back();
    candidates_.pop_back();
    return nearest;
  }

  /// Measures pairs, nearest spheres first, until no further pair can be nearer than the best.
  void measureAll() {
    nearest_.bounds.canRefine = false;
    for (bool looked = false; !candidates_.empty(); looked = true) {
      const MeetingCandidate candidate = takeNearest();
      if (candidate.gap >= limit_ || nearest_.bounds.upper == 0.0) break;
      if (looked && (meter_.outOfTime(budget_) || budget_.exhausted())) {
        lower_ = std::min(lower_, std::max(candidate.gap, 0.0));
        nearest_.bounds.canRefine = true;
        break;
      }
      measure(candidate);
    }
  }

  void measure(const MeetingCandidate& pair) {
    const BodyState &a = p_.states[pair.a], &b = p_.states[pair.b];
    p_.distance.begin(p_.shapes[a.shape.index()], a.pose, p_.shapes[b.shape.index()], b.pose);
    DistanceBounds known = p_.distance.refineUntil(limit_, budget_);
    if (known.upper <= limit_) known = p_.distance.refine(budget_);
    lower_ = std::min(lower_, known.lower);
    DistanceBounds& best = nearest_.bounds;
    best.canRefine = best.canRefine || (known.canRefine && known.lower < limit_);
    if (known.upper > limit_ || known.upper >= best.upper) return;
    const bool unfinished = best.canRefine;
    best = known;
    best.canRefine = unfinished;
    nearest_.bodies = p_.handlesOf(pair.a, pair.b);
    limit_ = std::min(limit_, known.upper);
  }

  Parts& p_;
  const TimeBudget& budget_;
  WorkMeter meter_;
  std::vector<MeetingCandidate> candidates_;
  std::optional<MeetingCandidate> likely_;  ///< pair with the smallest span so far
  NearestBodies nearest_;
  Real lower_;  ///< no measured pair is nearer
  Real limit_;  ///< pairs farther apart are ignored
};

}  // namespace

Result<NearestBodies> World::minDistance(Real within, const TimeBudget& budget) {
  if (!(within >= 0.0))
    return Error{ErrorCode::Unsupported, "the distance to search within must be 0 metres or more"};
  return orOutOfMemory("cannot find the nearest bodies", [&]() -> Result<NearestBodies> {
    return NearestPairSearch(*parts_, within, budget).run();
  });
}

}  // namespace nearmiss
