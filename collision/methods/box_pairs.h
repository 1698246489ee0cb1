// SPDX-License-Identifier: MIT
/// Pairs of many boxes that overlap, by one sweep: for sparse boxes that are searched only once.
#pragma once

#include <nearmiss/body_state.h>
#include <nearmiss/math.h>

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace nearmiss {

/// Keeps its memory.
class BoxPairs {
 public:
  /// Every pair that overlaps, in no order, and few that only nearly do: boxes are compared in
  /// floats, rounded outwards. No coordinate may be NaN. Valid until the next call.
  [[nodiscard]] std::span<const BodyPair> find(std::span<const Box> boxes);

  /// Pairs compared by the last find().
  [[nodiscard]] std::uint64_t tests() const noexcept { return tests_; }

 private:
  /// Boxes that are compared in one go; the arrays are longer by that.
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
