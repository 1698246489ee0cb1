// SPDX-License-Identifier: MIT
/// Broad phase: which pairs of bodies may touch at all, by simple bounds.
#pragma once

#include <nearmiss/body_state.h>
#include <nearmiss/time_budget.h>

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

namespace nearmiss {

class StoppableBroadPhase;

class BroadPhase {
 public:
  virtual ~BroadPhase() = default;

  /// The name shown in the user interface and written to measurement files; unique, lower case.
  [[nodiscard]] virtual std::string_view name() const noexcept = 0;

  /// Finds every pair whose bounding spheres meet at `time` (simulation seconds) and writes them to
  /// `pairs`, sorted, without repeats. `pairs` is cleared first; its capacity is kept.
  ///
  /// Conservative: a pair whose surfaces touch is never left out; a reported pair need not touch.
  /// Pairs inside one assembly are left out.
  ///
  /// Returns until when, in simulation seconds, no pair outside `pairs` can begin to touch: `time`
  /// from a method without look-ahead; from space-time bounds, their earliest intersection or
  /// expiry [H93, "Detecting collisions"].
  virtual Real findPairs(std::span<const BodyState> bodies, Real time,
                         std::vector<BodyPair>& pairs) = 0;

  /// The least time that a touch must last to matter, in simulation seconds: instants nearer to
  /// each other than that need not be distinguished. Only a method that looks ahead uses it; until
  /// it is set, such a method uses the time between calls. Ignored unless above 0 and finite.
  virtual void setResolution(Real seconds) noexcept { static_cast<void>(seconds); }

  /// Work of the last call.
  [[nodiscard]] virtual WorkCount work() const noexcept = 0;

  /// This method as one that can stop when time runs out; null where it cannot.
  [[nodiscard]] virtual StoppableBroadPhase* stoppable() noexcept { return nullptr; }
};

}  // namespace nearmiss
