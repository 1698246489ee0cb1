// SPDX-License-Identifier: MIT
/// The part of a detection that one worker does.
#pragma once

#include <nearmiss/advanced/detector.h>
#include <nearmiss/advanced/narrow_phase.h>

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "narrow/articulated_narrow_phase.h"

namespace nearmiss {

/// A narrow phase, and those of its pairs that can still be refined.
class Refiner {
 public:
  /// @param first false for additional refiners that begin the same pairs
  explicit Refiner(std::unique_ptr<NarrowPhase> narrow, bool first = true)
      : narrow_(std::move(narrow), first) {}

  /// Takes no part in the current detection.
  void rest() noexcept;
  /// Starts a detection. `pairs` are all its pairs, of which this worker examines some.
  void begin(std::span<const BodyState> bodies, std::span<const BodyPair> pairs, int levelCap);

  /// Refines a pair for the first time, to the end of a level, even if the budget is exhausted.
  void look(std::size_t i, const TimeBudget& open);
  /// Refines the examined pairs further, one level for each in turn, while there is time.
  void refineInTurn(const TimeBudget& budget);
  /// As refineInTurn(), but always refines the pair with the highest priority by its current
  /// result.
  void refineByPriority(RefinementOrder order, const Viewer& viewer, const TimeBudget& budget);

  /// Lowers the bounds of the examined pairs that may touch, the largest first, while there is
  /// time. None of them can be refined further.
  void tighten(const TimeBudget& budget);

  /// Refines a pair by `steps` levels, or as many as it has, without a time limit.
  void repeat(std::size_t i, std::uint32_t steps);

  void setCoherence(bool on) { narrow_.setCoherence(on); }

  /// Returns the narrow phase given to the constructor.
  [[nodiscard]] const NarrowPhase& given() const noexcept { return narrow_.inner(); }
  /// Returns the narrow phase that also supports bodies with links.
  [[nodiscard]] const NarrowPhase& narrow() const noexcept { return narrow_; }
  [[nodiscard]] bool finished() const noexcept { return active_.empty(); }
  [[nodiscard]] WorkCount work() const noexcept;
  [[nodiscard]] std::size_t steps() const noexcept { return steps_; }
  /// Returns the number of levels completed for one pair.
  [[nodiscard]] std::uint32_t stepsOf(std::size_t i) const noexcept { return stepsOf_[i]; }
  [[nodiscard]] int rounds() const noexcept { return rounds_; }  ///< after the first round

 private:
  [[nodiscard]] bool mayRefine(std::size_t i) const noexcept;
  bool refine(std::size_t i, const TimeBudget& budget);

  ArticulatedNarrowPhase narrow_;
  std::span<const BodyState> bodies_;
  std::span<const BodyPair> pairs_;
  int levelCap_ = 0;
  /// Indices in pairs_ of pairs that can be refined.
  std::vector<std::size_t> active_;
  std::vector<std::pair<Real, std::size_t>> ranked_;  ///< a heap of these by priority; or bounds
  std::size_t steps_ = 0;
  std::vector<std::uint32_t> stepsOf_;  ///< by pair
  int rounds_ = 0;
  bool resting_ = true;
};

}  // namespace nearmiss
