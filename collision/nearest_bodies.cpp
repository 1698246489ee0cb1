// SPDX-License-Identifier: MIT
#include <nearmiss/body_set.h>
#include <nearmiss/detail/out_of_memory.h>

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <numeric>
#include <span>
#include <tuple>
#include <utility>

#include "body_set_parts.h"

namespace nearmiss {
namespace {

/// Two bodies, and what their bounding spheres say of their distance.
struct MeetingCandidate {
  Real gap = 0.0;  ///< they are at least this far apart; below 0 where the spheres meet
  std::uint32_t a = 0, b = 0;
};

constexpr Real roundingSlack = 1e-12;

/// What rounding can do to the distance of two spheres.
Real roundingOf(const BodyState& a, const BodyState& b) noexcept {
  return roundingSlack * (glm::length(a.pose.position) + glm::length(b.pose.position) +
                          a.shape.radius() + b.shape.radius());
}

/// Distance of two bounding spheres, rounded down.
Real gapOf(const BodyState& a, const BodyState& b) noexcept {
  return glm::distance(a.pose.position, b.pose.position) - a.shape.radius() - b.shape.radius() -
         roundingOf(a, b);
}

/// No points of two bounding spheres are farther apart.
Real spanOf(const BodyState& a, const BodyState& b) noexcept {
  return glm::distance(a.pose.position, b.pose.position) + a.shape.radius() + b.shape.radius() +
         roundingOf(a, b);
}

/// Bodies by where their bounding spheres begin along x.
class SweepAlongX {
 public:
  explicit SweepAlongX(std::span<const BodyState> states) : states_(states), order_(states.size()) {
    std::iota(order_.begin(), order_.end(), 0u);
    std::sort(order_.begin(), order_.end(), [&](std::uint32_t a, std::uint32_t b) {
      return std::pair(beginOf(a), states[a].key) < std::pair(beginOf(b), states[b].key);
    });
  }

  /// Calls `see` with all pairs whose spheres are less than `reach` apart along x; `reach` may
  /// shrink meanwhile. False if time ran out.
  bool forEachPair(const Real& reach, const TimeBudget& budget, const auto& see) const {
    for (std::size_t i = 0; i < order_.size(); ++i) {
      if (budget.exhausted()) return false;
      const BodyState& a = states_[order_[i]];
      const Real end = a.pose.position.x + a.shape.radius();
      for (std::size_t j = i + 1; j < order_.size(); ++j) {
        if (beginOf(order_[j]) - end > reach + roundingSlack * (std::abs(end) + reach)) break;
        see(order_[i], order_[j]);
      }
    }
    return true;
  }

 private:
  [[nodiscard]] Real beginOf(std::uint32_t i) const noexcept {
    return states_[i].pose.position.x - states_[i].shape.radius();
  }
  std::span<const BodyState> states_;
  std::vector<std::uint32_t> order_;
};

}  // namespace

Result<NearestBodies> BodySet::nearest(Real within, const TimeBudget& budget) {
  if (!(within >= 0.0))
    return Error{ErrorCode::Unsupported, "the distance to search within must be 0 metres or more"};
  return orOutOfMemory("cannot find the nearest bodies", [&]() -> Result<NearestBodies> {
    Parts& p = *parts_;
    NearestBodies nearest;
    DistanceBounds& best = nearest.bounds;

    // Bodies lie within their spheres: no pair beyond the least of these spans can be the nearest
    const SweepAlongX sweep(p.states);
    Real reach = within;
    const bool swept = sweep.forEachPair(reach, budget, [&](std::uint32_t a, std::uint32_t b) {
      if (p.measures(a, b)) reach = std::min(reach, spanOf(p.states[a], p.states[b]));
    });
    if (!swept) return nearest;
    std::vector<MeetingCandidate> candidates;
    const bool collected = sweep.forEachPair(reach, budget, [&](std::uint32_t a, std::uint32_t b) {
      if (p.states[a].key > p.states[b].key) std::swap(a, b);
      const Real gap = gapOf(p.states[a], p.states[b]);
      if (p.measures(a, b) && gap <= reach) candidates.push_back({gap, a, b});
    });
    if (!collected) return nearest;
    std::sort(candidates.begin(), candidates.end(), [&](const auto& x, const auto& y) {
      return std::tuple(x.gap, p.handlesOf(x.a, x.b)) < std::tuple(y.gap, p.handlesOf(y.a, y.b));
    });

    // The nearest spheres first, until no further pair can be nearer than the best
    Real lower = within, limit = within;
    bool looked = false;
    best.canRefine = false;
    for (const MeetingCandidate& candidate : candidates) {
      if (candidate.gap >= limit || best.upper == 0.0) break;
      if (looked && budget.exhausted()) {
        lower = std::min(lower, std::max(candidate.gap, 0.0));
        best.canRefine = true;
        break;
      }
      looked = true;
      const BodyState &a = p.states[candidate.a], &b = p.states[candidate.b];
      const auto begun =
          p.distance.beginChecked(p.shapes[a.shape.id()], a.pose, p.shapes[b.shape.id()], b.pose);
      if (!begun) return begun.error();
      DistanceBounds known = p.distance.refineUntil(limit, budget);
      if (known.upper <= limit) known = p.distance.refine(budget);
      lower = std::min(lower, known.lower);
      best.canRefine = best.canRefine || (known.canRefine && known.lower < limit);
      if (known.upper > limit || known.upper >= best.upper) continue;
      const bool unfinished = best.canRefine;
      best = known;
      best.canRefine = unfinished;
      nearest.bodies = p.handlesOf(candidate.a, candidate.b);
      limit = std::min(limit, known.upper);
    }
    best.lower = std::min(lower, best.upper);
    return nearest;
  });
}

}  // namespace nearmiss
