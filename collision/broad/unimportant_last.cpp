// SPDX-License-Identifier: MIT
#include "broad/unimportant_last.h"

#include <nearmiss/advanced/space_time_bound.h>

#include <algorithm>

#include "broad/body_bounds.h"

namespace nearmiss {
namespace {

/// How far ahead a promise about a marked body reaches, seconds, and the share of it that may be
/// lost.
constexpr Real promiseLength = 1.0, promiseLoss = 1e-3;
/// The cost of a promise about a pair, in tests of bounds.
constexpr std::uint64_t promiseTests = 8;

/// Returns a time before which two bodies that are apart at `time` cannot meet, at most `until`.
Real apartUntil(const BodyState& a, const BodyState& b, Real time, Real until) noexcept {
  if (a.assembly != 0 && a.assembly == b.assembly) return until;
  const Real end = std::min({until, time + promiseLength, a.boundHoldsUntil, b.boundHoldsUntil});
  if (!(end > time)) return time;
  const SpaceTimeBound first = spaceTimeBound(a, time, end), second = spaceTimeBound(b, time, end);
  if (faultOf(first) || faultOf(second)) return time;
  return std::min(end, hornMeeting(first, second, promiseLoss * (end - time)).value_or(end));
}

}  // namespace

Real UnimportantLast::findPairs(std::span<const BodyState> bodies, Real time,
                                std::vector<BodyPair>& pairs) {
  marked_.clear();
  restartIfChanged(bodies.size(), time, pairs);
  const Real noContactBefore = given_.findPairs(bodies, time, pairs);
  work_ = given_.work();
  // Every waiting body has been looked at now
  if (some_) {
    queue_.begin(bodies, time);
    queue_.takeAll(next_);
    queue_.end();
    some_ = !next_.empty();
  }
  return noContactBefore;
}

Real UnimportantLast::findPairsWithin(std::span<const BodyState> bodies, Real time,
                                      const TimeBudget& budget, std::vector<BodyPair>& pairs) {
  marked_.clear();
  for (std::uint32_t i = 0; i < bodies.size(); ++i)
    if (bodies[i].unimportant) marked_.push_back(i);
  if (marked_.empty()) {
    const Real noContactBefore = findPairs(bodies, time, pairs);
    budget.spend(work_);
    return noContactBefore;
  }

  Real noContactBefore = findAmongOthers(bodies, time, pairs);
  bool outOfTime = budget.spend(work_);

  // First the bodies that must not wait any longer, then the others one by one
  some_ = true;
  queue_.begin(bodies, time);
  // Bodies that have lost their mark were handled together with the unmarked ones
  queue_.takeUnmarked(next_);
  queue_.add(marked_);
  looked_.assign(bodies.size(), false);
  const auto lookAtNext = [&] {
    for (const std::uint32_t body : next_) {
      const WorkCount before = work_;
      noContactBefore = std::min(noContactBefore, look(bodies, body, time, noContactBefore, pairs));
      outOfTime = budget.spend({work_.boundTests - before.boundTests, 0});
    }
  };
  queue_.takeForced(next_);
  lookAtNext();
  while (!queue_.empty() && !outOfTime) {
    queue_.take(1, next_);
    lookAtNext();
  }
  queue_.end();
  std::sort(pairs.begin(), pairs.end());
  return queue_.postponed().empty() ? noContactBefore : time;
}

/// Restarts the given method if the set of marked bodies has changed since the last call: it keeps
/// data by index, and a method that trusts announcements does not compare the bodies.
void UnimportantLast::restartIfChanged(std::size_t count, Real time, std::vector<BodyPair>& pairs) {
  if (marked_ == leftOut_ && (marked_.empty() || count == countBefore_)) return;
  // A call without bodies discards all kept data
  given_.findPairs({}, time, pairs);
  leftOut_ = marked_;
  countBefore_ = count;
}

/// Finds the given method's pairs of the bodies without a mark.
Real UnimportantLast::findAmongOthers(std::span<const BodyState> bodies, Real time,
                                      std::vector<BodyPair>& pairs) {
  others_.clear();
  important_.clear();
  for (std::uint32_t i = 0; i < bodies.size(); ++i) {
    if (bodies[i].unimportant) continue;
    others_.push_back(i);
    important_.push_back(bodies[i]);
  }
  restartIfChanged(bodies.size(), time, pairs);
  const Real noContactBefore = given_.findPairs(important_, time, pairs);
  work_ = given_.work();
  for (BodyPair& pair : pairs) pair = {others_[pair.a], others_[pair.b]};
  return noContactBefore;
}

/// Finds the pairs of a marked body with all bodies except those looked at before. Returns the time
/// until which it meets no other body, at most `until`.
Real UnimportantLast::look(std::span<const BodyState> bodies, std::uint32_t marked, Real time,
                           Real until, std::vector<BodyPair>& pairs) {
  looked_[marked] = true;
  for (std::uint32_t i = 0; i < bodies.size(); ++i) {
    if (looked_[i]) continue;
    ++work_.boundTests;
    if (boundingSpheresMeet(bodies[marked], bodies[i])) {
      pairs.push_back(pairOf(marked, i));
    } else if (until > time) {
      work_.boundTests += promiseTests;
      until = std::min(until, apartUntil(bodies[marked], bodies[i], time, until));
    }
  }
  return until;
}

}  // namespace nearmiss
