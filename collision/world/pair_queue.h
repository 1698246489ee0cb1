// SPDX-License-Identifier: MIT
/// Decides which pairs come first when there is not enough time for all [H93, "Conclusions"; H96
/// §12].
///
/// Does: order the overlapping pairs of one detection by priority, and remember from one detection
/// to the next which were skipped and since when.
/// Does not: read clocks, compare bodies.
#pragma once

#include <nearmiss/advanced/broad_phase.h>
#include <nearmiss/detail/key_indices.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace nearmiss {

class PairQueue {
 public:
  /// Call before begin(). Adds to the sorted `pairs` those that the last detection postponed, that
  /// still overlap, and that `broad` did not find because it skipped one of their bodies. Otherwise
  /// their waits would restart each time `broad` finds them. Returns the work done.
  WorkCount recall(std::span<const BodyState> bodies, const StoppableBroadPhase& broad,
                   std::vector<BodyPair>& pairs);

  /// Starts a detection with the overlapping pairs, sorted. A pair has waited since it was first
  /// skipped here, or else since `broad` skipped one of its bodies. All arguments must outlive this
  /// detection.
  void begin(std::span<const BodyPair> pairs, Real time, const StoppableBroadPhase& broad);

  /// Ranks the pairs. forced() then returns those that must not wait any longer; takeBest() returns
  /// the others.
  void rank();
  /// Returns indices in the span of pairs: those of full importance in their order, then those that
  /// have waited longest.
  [[nodiscard]] std::span<const std::uint32_t> forced() const noexcept { return forced_; }
  [[nodiscard]] bool empty() const noexcept { return rest_.empty(); }
  /// Removes and returns the pair of highest priority.
  /// @pre !empty()
  std::uint32_t takeBest();

  /// Call it for every pair that was examined.
  void markSeen(std::size_t i) noexcept { entries_[i].seen = true; }
  [[nodiscard]] bool seen(std::size_t i) const noexcept { return entries_[i].seen; }
  /// Returns the wait of a pair until this detection.
  [[nodiscard]] const Wait& waited(std::size_t i) const noexcept { return entries_[i].waited; }

  /// Postpones the pairs that were not examined.
  void end();
  /// Returns the postponed pairs, sorted; valid until the next begin().
  [[nodiscard]] std::span<const PostponedPair> postponed() const noexcept { return postponed_; }

 private:
  struct Entry {
    Wait waited;
    bool seen = false;
  };
  /// The keys of the bodies of a pair of the last detection. Unlike indices, they do not change.
  struct Keys {
    std::uint32_t a = 0, b = 0;
  };

  void moveToNewIndices();
  void noteLeftOut(const StoppableBroadPhase& broad);
  [[nodiscard]] bool isLeftOut(std::uint32_t body) const noexcept {
    return !leftOut_.empty() && placeOf_[body] != isNotLeftOut;
  }
  [[nodiscard]] bool isLeftOut(const BodyPair& pair) const noexcept {
    return isLeftOut(pair.a) || isLeftOut(pair.b);
  }
  [[nodiscard]] Wait waitOf(std::uint32_t body, const StoppableBroadPhase& broad) const noexcept;
  void keep(const BodyPair& pair, const Wait& wait);
  [[nodiscard]] Entry entryOf(const BodyPair& pair, std::size_t& at,
                              const StoppableBroadPhase& broad) const;
  /// A pair that may wait.
  struct Ranked {
    std::uint64_t claim = 0;
    std::uint32_t left = 0;  ///< number of detections that may still skip it
    std::uint32_t i = 0;
  };
  [[nodiscard]] Ranked rankedOf(std::uint32_t i, std::uint32_t importance) const noexcept;
  [[nodiscard]] std::size_t due() const noexcept;
  [[nodiscard]] static bool goesAfter(const Ranked& p, const Ranked& q) noexcept;

  // The current detection
  std::span<const BodyState> bodies_;
  std::span<const BodyPair> pairs_;
  Real time_ = 0.0;
  std::vector<Entry> entries_;  ///< as pairs_
  std::vector<std::uint32_t> forced_;
  std::vector<Ranked> rest_;  ///< becomes a heap by claim at the first takeBest()
  bool heaped_ = false;

  static constexpr std::uint32_t isNotLeftOut = 0xffffffffu;
  std::span<const PostponedBody> leftOut_;  ///< skipped by the broad phase
  std::vector<std::uint32_t> placeOf_;      ///< per body: its index in leftOut_, if it was skipped

  std::vector<PostponedPair> postponed_;
  /// From the last detection, sorted: postponed pairs, and examined pairs of skipped bodies. The
  /// latter have no wait, because their bodies' wait is not the pair's.
  std::vector<PostponedPair> known_;
  std::vector<Keys> keys_;                ///< parallel to known_ at the end of the last detection
  std::vector<BodyPair> recalled_, all_;  ///< members only to reuse their memory
  KeyIndices indices_;
};

}  // namespace nearmiss
