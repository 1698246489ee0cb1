// SPDX-License-Identifier: MIT
#include "rivals/box_pairs.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace nearmiss {
namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();
/// Floats end slightly above this.
constexpr Real farthest = 1e38;

/// Returns a float that is at most the value and close to it.
float below(Real value) noexcept {
  if (!(value > -farthest)) return -infinity;
  return static_cast<float>(std::min(value, farthest) - 1e-7 * std::abs(value) - 1e-40);
}
float above(Real value) noexcept { return -below(-value); }

/// Maps floats to integers of the same order.
std::uint32_t ordered(float value) noexcept {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  return bits >> 31 != 0 ? ~bits : bits | 0x80000000u;
}

void sortByInsertion(std::vector<std::uint64_t>& keys) noexcept {
  for (std::size_t i = 1; i < keys.size(); ++i) {
    const std::uint64_t key = keys[i];
    std::size_t j = i;
    for (; j > 0 && keys[j - 1] > key; --j) keys[j] = keys[j - 1];
    keys[j] = key;
  }
}

/// Radix sort by the upper halves, one byte at a time.
void sortByDigits(std::vector<std::uint64_t>& keys, std::vector<std::uint64_t>& scratch) {
  constexpr std::size_t digits = 4, values = 256;
  std::array<std::array<std::uint32_t, values>, digits> starts{};
  const auto digitOf = [](std::uint64_t key, std::size_t digit) {
    return static_cast<std::size_t>(key >> (32 + 8 * digit)) & 255u;
  };
  for (const std::uint64_t key : keys)
    for (std::size_t digit = 0; digit < digits; ++digit) ++starts[digit][digitOf(key, digit)];
  scratch.resize(keys.size());
  for (std::size_t digit = 0; digit < digits; ++digit) {
    std::uint32_t sum = 0;
    for (std::uint32_t& start : starts[digit]) {
      const std::uint32_t count = start;
      start = sum;
      sum += count;
    }
    for (const std::uint64_t key : keys) scratch[starts[digit][digitOf(key, digit)]++] = key;
    keys.swap(scratch);
  }
}

}  // namespace

std::span<const BodyPair> BoxPairs::find(std::span<const Box> boxes) {
  sortByLow(boxes);
  gather(boxes);
  sweep();
  return pairs_;
}

void BoxPairs::sortByLow(std::span<const Box> boxes) {
  constexpr std::size_t few = 48;
  keys_.clear();
  for (std::uint32_t i = 0; i < boxes.size(); ++i)
    keys_.push_back(std::uint64_t{ordered(below(boxes[i].low.x))} << 32 | i);
  if (keys_.size() <= few)
    sortByInsertion(keys_);
  else
    sortByDigits(keys_, scratch_);
}

void BoxPairs::gather(std::span<const Box> boxes) {
  for (std::size_t axis = 0; axis < 3; ++axis) {
    low_[axis].resize(keys_.size() + block);
    high_[axis].resize(keys_.size() + block);
  }
  for (std::size_t k = 0; k < keys_.size(); ++k) {
    const Box& box = boxes[static_cast<std::uint32_t>(keys_[k])];
    for (int axis = 0; axis < 3; ++axis) {
      low_[static_cast<std::size_t>(axis)][k] = below(box.low[axis]);
      high_[static_cast<std::size_t>(axis)][k] = above(box.high[axis]);
    }
  }
}

void BoxPairs::sweep() {
  pairs_.clear();
  tests_ = 0;
  const std::size_t count = keys_.size();
  const float *lowX = low_[0].data(), *highX = high_[0].data();
  const float *lowY = low_[1].data(), *highY = high_[1].data();
  const float *lowZ = low_[2].data(), *highZ = high_[2].data();
  for (std::size_t i = 0; i < count; ++i) {
    const float endX = highX[i], ly = lowY[i], hy = highY[i], lz = lowZ[i], hz = highZ[i];
    for (std::size_t first = i + 1; first < count && lowX[first] <= endX; first += block) {
      // Hardly any block contains a pair: test all boxes at once, without a branch
      int any = 0;
      for (std::size_t j = first; j < first + block; ++j)
        any |= int{lowY[j] <= hy} & int{highY[j] >= ly} & int{lowZ[j] <= hz} & int{highZ[j] >= lz};
      tests_ += block;
      if (any == 0) continue;
      for (std::size_t j = first; j < std::min(first + block, count); ++j) {
        if (lowX[j] > endX || lowY[j] > hy || highY[j] < ly || lowZ[j] > hz || highZ[j] < lz)
          continue;
        const auto a = static_cast<std::uint32_t>(keys_[i]);
        const auto b = static_cast<std::uint32_t>(keys_[j]);
        pairs_.push_back(pairOf(a, b));
      }
    }
  }
}

}  // namespace nearmiss
