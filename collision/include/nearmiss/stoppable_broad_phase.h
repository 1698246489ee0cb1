// SPDX-License-Identifier: MIT
/// A broad phase that can stop when time runs out, and lists the bodies that it has postponed [H93,
/// "Conclusions"; H96 §12].
#pragma once

#include <nearmiss/broad_phase.h>

#include <cstdint>
#include <span>
#include <vector>

namespace nearmiss {

/// The most calls in a row that may leave out a body. Each call then has to look at one in so many
/// of the postponed bodies, whatever its budget: few enough that it overruns by little.
inline constexpr std::uint32_t mostBodyWait = 16;

class StoppableBroadPhase : public BroadPhase {
 public:
  /// As findPairs(), within `budget`, which it charges. It leaves bodies out when time runs out,
  /// and lists them in postponedBodies(): a pair with neither body listed is found as by
  /// findPairs(). Bodies of full importance are never left out, others by mostBodyWait calls in a
  /// row at most. The time returned holds for all bodies: it is `time` if any is left out.
  virtual Real findPairsWithin(std::span<const BodyState> bodies, Real time,
                               const TimeBudget& budget, std::vector<BodyPair>& pairs) = 0;

  /// To be called before a call within a budget: `bodies`, by their indices in the span, have
  /// jumped or exceeded their bounds since the last call. All others have kept their bounds and
  /// their indices, so that the method need not compare every state; without this it does.
  virtual void announceJumps(std::span<const std::uint32_t> bodies) = 0;

  /// The bodies that the last call left out, those that wait longest first. Valid until the next
  /// call.
  [[nodiscard]] virtual std::span<const PostponedBody> postponedBodies() const noexcept = 0;
  /// How long the body had waited until the last call looked at it; nothing if it had not.
  [[nodiscard]] virtual Wait waitBefore(std::uint32_t body) const noexcept = 0;

  [[nodiscard]] StoppableBroadPhase* stoppable() noexcept final { return this; }
};

}  // namespace nearmiss
