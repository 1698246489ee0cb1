// SPDX-License-Identifier: MIT
/// Broad phase: which pairs of bodies may touch at all, by simple bounds; and which bodies it has
/// postponed, if its time was limited [H93, "Conclusions"; H96 §12].
#pragma once

#include <nearmiss/body_state.h>
#include <nearmiss/time_budget.h>

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

namespace nearmiss {

/// The most calls in a row that may leave out a body. Each call then has to look at one in so many
/// of the postponed bodies, whatever its budget: few enough that it overruns by little.
inline constexpr std::uint32_t mostBodyWait = 16;

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

  /// As findPairs(), within `budget`, which it charges. A method that can stop leaves bodies out
  /// when time runs out, and lists them in postponedBodies(): a pair with neither body listed is
  /// found as by findPairs(). Bodies of full importance are never left out, others by mostBodyWait
  /// calls in a row at most. The time returned holds for all bodies: it is `time` if any is left
  /// out. Any other method does all its work, as here.
  virtual Real findPairsWithin(std::span<const BodyState> bodies, Real time,
                               const TimeBudget& budget, std::vector<BodyPair>& pairs) {
    const Real noContactBefore = findPairs(bodies, time, pairs);
    budget.spend(work());
    return noContactBefore;
  }

  /// To be called before a call within a budget: `bodies`, by their indices in the span, have
  /// jumped or exceeded their bounds since the last call. All others have kept their bounds and
  /// their indices, so that the method need not compare every state; without this it does. Only a
  /// method that can stop uses it.
  virtual void announceJumps(std::span<const std::uint32_t> bodies) { static_cast<void>(bodies); }

  /// The bodies that the last call left out, those that wait longest first. Valid until the next
  /// call.
  [[nodiscard]] virtual std::span<const PostponedBody> postponedBodies() const noexcept {
    return {};
  }
  /// How long the body had waited until the last call looked at it; nothing if it had not.
  [[nodiscard]] virtual Wait waitBefore(std::uint32_t body) const noexcept {
    static_cast<void>(body);
    return {};
  }

  /// Work of the last call.
  [[nodiscard]] virtual WorkCount work() const noexcept = 0;
};

}  // namespace nearmiss
