// SPDX-License-Identifier: MIT
#include "rivals/subdivision.h"

#include <cmath>

namespace nearmiss {
namespace {

/// Returns a box that contains the cubes of a bound at both times, hence at all times between.
Box hullOf(const SpaceTimeBound& bound, Real from, Real to) noexcept {
  Box hull = crossSection(bound, from);
  hull.include(crossSection(bound, to));
  return hull;
}

bool insertPair(std::vector<BodyPair>& sorted, const BodyPair& pair) {
  const auto at = std::lower_bound(sorted.begin(), sorted.end(), pair);
  if (at != sorted.end() && *at == pair) return false;
  sorted.insert(at, pair);
  return true;
}

}  // namespace

void Subdivision::start(std::span<const SpaceTimeBound> bounds,
                        std::span<const std::uint32_t> assemblies, Real from, Real until,
                        Real resolution) {
  bounds_ = bounds;
  assemblies_ = assemblies;
  from_ = from;
  until_ = until;
  resolution_ = resolution;
  counts_ = {};
  stack_.clear();
  meeting_.clear();
  reported_.clear();
  findCandidates(until);
  findOverlapping();
  stack_.push_back({from, until, 0, pairs_.size()});
}

void Subdivision::encloseAll(Real from, Real to) {
  boxes_.clear();
  for (const SpaceTimeBound& bound : bounds_) boxes_.push_back(hullOf(bound, from, to));
}

void Subdivision::findCandidates(Real until) {
  pairs_.clear();
  if (lists_ == PairLists::None) {
    selectAmongAll(from_, until);
    return;
  }
  encloseAll(from_, until);
  for (const BodyPair& pair : boxPairs_.find(boxes_))
    if (overlap(boxes_[pair.a], boxes_[pair.b]) && !sameAssembly(assemblies_, pair))
      pairs_.push_back(pair);
  counts_.pairTests += boxPairs_.tests();
}

void Subdivision::findOverlapping() {
  overlapping_.clear();
  std::size_t kept = 0;
  for (const BodyPair& pair : pairs_) {
    const SpaceTimeBound& a = bounds_[pair.a];
    const SpaceTimeBound& b = bounds_[pair.b];
    ++counts_.pairTests;
    bool meet = overlap(crossSection(a, from_), crossSection(b, from_));
    if (meet && (!a.planes.empty() || !b.planes.empty())) {
      ++counts_.programs;
      const auto meeting = earliestMeeting(a, b);
      meet = meeting && *meeting <= from_;
    }
    if (meet)
      overlapping_.push_back(pair);
    else
      pairs_[kept++] = pair;
  }
  pairs_.resize(kept);
  std::sort(overlapping_.begin(), overlapping_.end());
  // The lists no longer contain them; without lists they must be remembered
  if (lists_ == PairLists::None) reported_ = overlapping_;
}

void Subdivision::selectAmongAll(Real from, Real to) {
  encloseAll(from, to);
  const auto count = static_cast<std::uint32_t>(boxes_.size());
  for (std::uint32_t a = 0; a < count; ++a)
    for (std::uint32_t b = a + 1; b < count; ++b) {
      ++counts_.pairTests;
      const BodyPair pair{a, b};
      if (overlap(boxes_[a], boxes_[b]) && !sameAssembly(assemblies_, pair) &&
          !std::binary_search(reported_.begin(), reported_.end(), pair))
        pairs_.push_back(pair);
    }
}

void Subdivision::halve(const Interval& interval) {
  // The later half keeps the pairs of the whole interval; the earlier half gets those that may meet
  // in it
  const Real middle = interval.from + 0.5 * (interval.to - interval.from);
  stack_.push_back({middle, interval.to, interval.first, interval.last});
  const std::size_t first = pairs_.size();
  if (lists_ == PairLists::None) selectAmongAll(interval.from, middle);
  const std::size_t listed = lists_ == PairLists::Kept ? interval.last : interval.first;
  for (std::size_t i = interval.first; i < listed; ++i) {
    const BodyPair pair = pairs_[i];
    if (std::binary_search(reported_.begin(), reported_.end(), pair)) continue;
    ++counts_.pairTests;
    if (overlap(hullOf(bounds_[pair.a], interval.from, middle),
                hullOf(bounds_[pair.b], interval.from, middle)))
      pairs_.push_back(pair);
  }
  if (pairs_.size() > first) stack_.push_back({interval.from, middle, first, pairs_.size()});
}

void Subdivision::report(const Interval& interval) {
  for (std::size_t i = interval.first; i < interval.last; ++i) {
    const BodyPair pair = pairs_[i];
    const SpaceTimeBound& a = bounds_[pair.a];
    const SpaceTimeBound& b = bounds_[pair.b];
    ++counts_.pairTests;
    if (!overlap(hullOf(a, interval.from, interval.to), hullOf(b, interval.from, interval.to)))
      continue;
    Real time = interval.from;
    if (!a.planes.empty() || !b.planes.empty()) {
      ++counts_.programs;
      const auto meeting = earliestMeeting(a, b);
      if (!meeting) continue;
      time = std::max(time, *meeting);
    }
    if (insertPair(reported_, pair)) meeting_.add({time, pair});
  }
}

std::optional<BoundMeeting> Subdivision::next() {
  while (!stack_.empty() && (meeting_.empty() || stack_.back().from < meeting_.first().time)) {
    const Interval interval = stack_.back();
    stack_.pop_back();
    // Pairs of finished intervals lie above those still to do
    pairs_.resize(interval.last);
    ++counts_.crossings;
    const Real middle = interval.from + 0.5 * (interval.to - interval.from);
    const bool divisible = middle > interval.from && middle < interval.to;
    if (interval.to - interval.from > resolution_ && divisible)
      halve(interval);
    else
      report(interval);
  }
  if (meeting_.empty()) return std::nullopt;
  const BoundMeeting first = meeting_.takeFirst();
  if (first.time > until_) return std::nullopt;
  return first;
}

}  // namespace nearmiss
