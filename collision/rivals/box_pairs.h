// SPDX-License-Identifier: MIT
/// Overlapping pairs among many boxes, by one sweep. For sparse boxes that are searched only once.
#pragma once

#include <nearmiss/advanced/body_state.h>
#include <nearmiss/math.h>

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace nearmiss {

/// A sweep. Reuses its memory.
class BoxPairs {
 public:
  /// Returns every overlapping pair, unordered, and a few that only nearly overlap, because boxes
  /// are compared in float, rounded outwards. No coordinate may be NaN. Valid until the next call.
  [[nodiscard]] std::span<const BodyPair> find(std::span<const Box> boxes);

  /// Returns the number of pairs compared by the last find().
  [[nodiscard]] std::uint64_t tests() const noexcept { return tests_; }

 private:
  /// Number of boxes compared at once; the arrays are padded by that many.
  static constexpr std::size_t block = 8;

  void sortByLow(std::span<const Box> boxes);
  void gather(std::span<const Box> boxes);
  void sweep();

  std::vector<std::uint64_t> keys_, scratch_;  ///< low x as an ordered number, then the box
  std::array<std::vector<float>, 3> low_, high_;
  std::vector<BodyPair> pairs_;
  std::uint64_t tests_ = 0;
};

}  // namespace nearmiss
