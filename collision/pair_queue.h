// SPDX-License-Identifier: MIT
/// Which pairs go first when there is not time for all [H93, "Conclusions"; H96 §12].
///
/// Does: order the meeting pairs of one detection by priority, and remember from one detection to
/// the next which were left out and since when.
/// Does not: read clocks, compare bodies.
#pragma once

#include <nearmiss/broad_phase.h>
#include <nearmiss/detail/key_indices.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace nearmiss {

class PairQueue {
 public:
  /// Before begin(): adds to the sorted `pairs` those that the last detection postponed, that still
  /// meet, and that `broad` did not find because it left out one of their bodies. Otherwise their
  /// waits would start over each time it finds them. Returns the work done.
  WorkCount recall(std::span<const BodyState> bodies, const StoppableBroadPhase& broad,
                   std::vector<BodyPair>& pairs);

  /// Takes up the pairs that meet now, sorted. A pair has waited as long as it was left out here,
  /// or else as long as `broad` left out a body of it. All must outlive this detection.
  void begin(std::span<const BodyPair> pairs, Real time, const StoppableBroadPhase& broad);

  /// Puts the pairs in order. Those that must not wait any longer are in forced(); the others come
  /// by takeBest().
  void rank();
  /// Indices in the span of pairs: of full importance in their order, then those that have waited
  /// longest.
  [[nodiscard]] std::span<const std::uint32_t> forced() const noexcept { return forced_; }
  [[nodiscard]] bool empty() const noexcept { return rest_.empty(); }
  /// @pre !empty()
  std::uint32_t takeBest();

  /// To be called for every pair that was looked at.
  void markSeen(std::size_t i) noexcept { entries_[i].seen = true; }
  [[nodiscard]] bool seen(std::size_t i) const noexcept { return entries_[i].seen; }
  /// Until this detection.
  [[nodiscard]] const Wait& waited(std::size_t i) const noexcept { return entries_[i].waited; }

  /// Postpones what was not seen.
  void end();
  /// Sorted by pair; valid until the next begin().
  [[nodiscard]] std::span<const PostponedPair> postponed() const noexcept { return postponed_; }

 private:
  struct Entry {
    Wait waited;
    bool seen = false;
  };
  /// Of the last detection: the keys of the bodies, which outlive their indices.
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
    std::uint32_t left = 0;  ///< number of detections that may still leave it out
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
  std::vector<Ranked> rest_;  ///< a heap by claim from the first takeBest() on
  bool heaped_ = false;

  static constexpr std::uint32_t isNotLeftOut = 0xffffffffu;
  std::span<const PostponedBody> leftOut_;  ///< by the broad phase
  std::vector<std::uint32_t> placeOf_;      ///< by body: its index in leftOut_, if that has any

  std::vector<PostponedPair> postponed_;
  /// Of the last detection, sorted: what was postponed; and, without a wait, what was looked at of
  /// bodies that were left out, whose waits are not the pair's.
  std::vector<PostponedPair> known_;
  std::vector<Keys> keys_;                ///< as known_ at the end of the last detection
  std::vector<BodyPair> recalled_, all_;  ///< kept for their memory
  KeyIndices indices_;
};

}  // namespace nearmiss
