// SPDX-License-Identifier: MIT
#include "tools/robot/sphere_budget.h"

#include <algorithm>
#include <optional>

namespace nearmiss::app::robot {
namespace {

/// A number of spheres per link of a group, and their excess volume.
struct Knot {
  std::size_t count = 0;
  Real outside = 0.0;
};

/// The current and the next knot of a group.
struct GroupState {
  Knot now;
  std::optional<Knot> next;
  bool finished = false;

  [[nodiscard]] Real gainPerSphere() const noexcept {
    return next ? (now.outside - next->outside) / static_cast<Real>(next->count - now.count) : 0.0;
  }
};

/// Searches for the next number with a gain, up to four times the current one.
Result<Success> lookAhead(const BudgetedLinks& group, GroupState& state) {
  constexpr Real least = 1e-6;  // relative to the excess volume
  const std::size_t last = std::min(4 * state.now.count, group.most);
  for (std::size_t count = state.now.count; count < last;) {
    count = std::min(nextCount(count), group.most);
    const auto outside = group.outside(count);
    if (!outside) return outside.error();
    if (*outside < state.now.outside * (1.0 - least)) {
      state.next = Knot{count, *outside};
      return Success{};
    }
  }
  state.finished = true;
  return Success{};
}

}  // namespace

Result<SharedBudget> shareSpheres(std::span<const BudgetedLinks> groups, std::size_t total,
                                  const std::function<bool()>& stopped) {
  SharedBudget shared;
  std::vector<GroupState> states(groups.size());
  std::size_t left = total;
  for (const BudgetedLinks& group : groups) {
    shared.counts.emplace_back(group.members, std::size_t{1});
    left -= std::min(left, group.members);
  }
  const auto isStop = [&stopped](const Error& error) {
    return error.code == ErrorCode::Cancelled && stopped && stopped();
  };
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const auto outside = groups[g].outside(1);
    if (!outside && isStop(outside.error())) return shared;
    if (!outside) return outside.error();
    states[g].now = {1, *outside};
  }
  while (left > 0) {
    std::size_t best = 0;
    for (std::size_t g = 0; g < groups.size(); ++g) {
      if (stopped && stopped()) return shared;
      if (!states[g].next && !states[g].finished) {
        const auto looked = lookAhead(groups[g], states[g]);
        if (!looked && isStop(looked.error())) return shared;
        if (!looked) return looked.error();
      }
      if (states[g].gainPerSphere() > states[best].gainPerSphere()) best = g;
    }
    GroupState& state = states[best];
    if (!(state.gainPerSphere() > 0.0)) break;
    for (std::size_t count = state.now.count; count < state.next->count && left > 0; ++count)
      for (std::size_t& member : shared.counts[best]) {
        if (left == 0) break;
        ++member;
        --left;
      }
    state.now = *state.next;
    state.next.reset();
  }
  shared.unspent = left;
  return shared;
}

}  // namespace nearmiss::app::robot
