// SPDX-License-Identifier: MIT
/// One broad and one narrow phase, and the rule by which they share a frame's time.
///
/// Does: find contacts at one instant under a time budget, each with a level and a bound.
/// Does not: move bodies, respond to contacts, choose the instants or the budget.
#pragma once

#include <nearmiss/broad_phase.h>
#include <nearmiss/narrow_phase.h>
#include <nearmiss/result.h>
#include <nearmiss/time_budget.h>

#include <memory>
#include <vector>

namespace nearmiss {

/// One pair that the narrow phase looked at.
struct DetectedPair {
  BodyPair bodies;
  Refinement refinement;
};

/// The answer for one instant. Owned by the detector; valid until its next detect().
struct Detection {
  Real time = 0.0;        ///< simulation seconds
  Real quietUntil = 0.0;  ///< what BroadPhase::findPairs returned
  std::vector<DetectedPair> pairs;
  std::span<const PostponedPair> postponed;  ///< meeting pairs that were not looked at, by pair
  bool complete = false;  ///< no pair could have been refined further; false: time ran out
  int rounds = 0;         ///< passes over the pairs, begun ones included
  std::size_t steps = 0;  ///< levels completed, over all pairs
  WorkCount broadWork, narrowWork;
  Clock::Duration broadTime{}, narrowTime{};  ///< on the stopwatch, if there is one
};

/// Reads bodies, changes none: two detectors may be run on the same bodies and compared.
class Detector {
 public:
  static constexpr int noLevelCap = 1000;

  /// @pre Neither is null.
  Detector(std::unique_ptr<BroadPhase> broad, std::unique_ptr<NarrowPhase> narrow) noexcept;

  /// Detects contacts at `time`. Every pair is refined once, whatever the budget, so that none is
  /// answered by its bounding spheres alone; then all are refined in turn, a level at a time, until
  /// none can be or `budget` is exhausted [H96 §4.2].
  ///
  /// May overrun `budget` by the one quantum of work it was in, and by the first round.
  /// @pre checkBodies(bodies, time) has nothing to say, but that a promise may have run out.
  const Detection& detect(std::span<const BodyState> bodies, Real time, const TimeBudget& budget);

  /// The same for bodies that nobody has looked at: refuses what a detector cannot work with, and
  /// is then as it was before. Never null. Errors: those of checkBodies().
  Result<const Detection*> detectChecked(std::span<const BodyState> bodies, Real time,
                                         const TimeBudget& budget);

  /// No pair is refined beyond this level; 0 leaves all to the bounding spheres.
  void setLevelCap(int level) noexcept { levelCap_ = level; }
  [[nodiscard]] int levelCap() const noexcept { return levelCap_; }

  /// The least time that a touch must last to matter: see BroadPhase::setResolution().
  void setResolution(Real seconds) noexcept { broad_->setResolution(seconds); }

  /// How many pairs of less than full importance a detection may look at: see
  /// BroadPhase::setAllowance().
  void setAllowance(std::size_t pairs) noexcept { broad_->setAllowance(pairs); }

  /// Times the two phases of later detect() calls; null stops that. Must outlive them.
  void setStopwatch(const Clock* stopwatch) noexcept { stopwatch_ = stopwatch; }

  /// Up to `most` colliding sphere pairs of detection pair `i`, in world space, into `out`.
  void contacts(std::size_t i, std::size_t most, std::vector<ContactSpheres>& out) const {
    narrow_->contacts(i, most, out);
  }

  [[nodiscard]] const Detection& last() const noexcept { return detection_; }
  [[nodiscard]] const BroadPhase& broadPhase() const noexcept { return *broad_; }
  [[nodiscard]] const NarrowPhase& narrowPhase() const noexcept { return *narrow_; }

 private:
  [[nodiscard]] bool mayRefine(std::size_t i) const noexcept;

  std::unique_ptr<BroadPhase> broad_;
  std::unique_ptr<NarrowPhase> narrow_;
  std::vector<BodyPair> candidates_;
  std::vector<std::size_t> active_;  ///< places in candidates_ that can still be refined
  Detection detection_;
  const Clock* stopwatch_ = nullptr;
  int levelCap_ = noLevelCap;
};

}  // namespace nearmiss
