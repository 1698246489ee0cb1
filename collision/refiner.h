// SPDX-License-Identifier: MIT
/// One worker's part of a detection.
#pragma once

#include <nearmiss/detector.h>
#include <nearmiss/narrow_phase.h>

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "narrow/articulated_narrow_phase.h"

namespace nearmiss {

/// A narrow phase, and those of its pairs that can still be refined.
class Refiner {
 public:
  /// @param first false for those of a detection that begin the same pairs besides
  explicit Refiner(std::unique_ptr<NarrowPhase> narrow, bool first = true)
      : narrow_(std::move(narrow), first) {}

  /// Has no part in the current detection, until it begins.
  void rest() noexcept;
  /// Takes up a detection: `pairs` are all of it, of which this one looks at some.
  void begin(std::span<const BodyState> bodies, std::span<const BodyPair> pairs, int levelCap);

  /// Refines a pair for the first time, to the end of a level whatever the budget.
  void look(std::size_t i, const TimeBudget& open);
  /// Refines the pairs looked at further, a level for each in turn, while there is time.
  void refineInTurn(const TimeBudget& budget);
  /// The same, a level for whichever pair has the highest priority by what is known.
  void refineByPriority(RefinementOrder order, const Viewer& viewer, const TimeBudget& budget);

  /// Lowers the bounds of the pairs looked at that may touch, the largest first, while there is
  /// time; none of them may be refined further.
  void tighten(const TimeBudget& budget);

  /// Refines a pair by `steps` levels, or as many as it has, without a time limit.
  void repeat(std::size_t i, std::uint32_t steps);

  void setCoherence(bool on) { narrow_.setCoherence(on); }

  /// As it was given.
  [[nodiscard]] const NarrowPhase& given() const noexcept { return narrow_.inner(); }
  /// For bodies with links as well.
  [[nodiscard]] const NarrowPhase& narrow() const noexcept { return narrow_; }
  [[nodiscard]] bool finished() const noexcept { return active_.empty(); }
  [[nodiscard]] WorkCount work() const noexcept;
  [[nodiscard]] std::size_t steps() const noexcept { return steps_; }
  /// Of these, those of one pair.
  [[nodiscard]] std::uint32_t stepsOf(std::size_t i) const noexcept { return stepsOf_[i]; }
  [[nodiscard]] int rounds() const noexcept { return rounds_; }  ///< beyond the first

 private:
  [[nodiscard]] bool mayRefine(std::size_t i) const noexcept;
  bool refine(std::size_t i, const TimeBudget& budget);

  ArticulatedNarrowPhase narrow_;
  std::span<const BodyState> bodies_;
  std::span<const BodyPair> pairs_;
  int levelCap_ = 0;
  std::vector<std::size_t> active_;                   ///< of pairs_, those that can be refined
  std::vector<std::pair<Real, std::size_t>> ranked_;  ///< of these a heap, by priority; or bounds
  std::size_t steps_ = 0;
  std::vector<std::uint32_t> stepsOf_;  ///< by pair
  int rounds_ = 0;
  bool resting_ = true;
};

}  // namespace nearmiss
