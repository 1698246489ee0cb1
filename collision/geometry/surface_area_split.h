// SPDX-License-Identifier: MIT
/// The binned surface area heuristic [W07]: where to divide parts of a surface in two.
#pragma once

#include <nearmiss/math.h>
#include <nearmiss/mesh.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <span>
#include <vector>

namespace nearmiss {

/// Returns half of the surface area of a box.
[[nodiscard]] inline Real halfAreaOf(const Box& box) noexcept {
  const Vec3 e = box.extent();
  return e.x * e.y + e.y * e.z + e.z * e.x;
}

/// The best border between bins along an axis, with twelve bins per axis. It minimises the sum over
/// both halves of the area of their box times their number of parts.
struct SurfaceAreaSplit {
  static constexpr int binCount = 12;
  Box middles;
  int axis = -1, lastBin = 0;

  /// Returns false if no border is better than another.
  [[nodiscard]] bool found() const noexcept { return axis >= 0; }
  [[nodiscard]] int binOf(const Vec3& middle, int along) const noexcept {
    const Real place =
        (middle[along] - middles.low[along]) / (middles.high[along] - middles.low[along]);
    return std::min(binCount - 1, static_cast<int>(place * binCount));
  }
  [[nodiscard]] bool isInFirst(const Vec3& middle) const noexcept {
    return binOf(middle, axis) <= lastBin;
  }
};

/// @param middles box around the middles of all parts
/// @param boxOf, middleOf return those of a part
template <class Part>
[[nodiscard]] SurfaceAreaSplit bestSplit(std::span<const Part> parts, const Box& middles,
                                         const auto& boxOf, const auto& middleOf) {
  constexpr int binCount = SurfaceAreaSplit::binCount;
  struct Bin {
    Box box;
    std::size_t count = 0;
  };
  const Vec3 extent = middles.extent();
  SurfaceAreaSplit best{middles};
  std::array<std::array<Bin, binCount>, 3> bins;
  for (const Part& part : parts) {
    const Box box = boxOf(part);
    const Vec3 middle = middleOf(part);
    for (int axis = 0; axis < 3; ++axis) {
      if (!(extent[axis] > 0.0)) continue;
      Bin& bin =
          bins[static_cast<std::size_t>(axis)][static_cast<std::size_t>(best.binOf(middle, axis))];
      bin.box.include(box);
      ++bin.count;
    }
  }
  Real least = std::numeric_limits<Real>::infinity();
  for (int axis = 0; axis < 3; ++axis) {
    if (!(extent[axis] > 0.0)) continue;
    const auto& own = bins[static_cast<std::size_t>(axis)];
    std::array<Real, binCount> behind{};
    Bin sum;
    for (std::size_t i = binCount - 1; i > 0; --i) {
      sum.box.include(own[i].box);
      sum.count += own[i].count;
      behind[i] = sum.count == 0 ? 0.0 : halfAreaOf(sum.box) * static_cast<Real>(sum.count);
    }
    sum = {};
    for (std::size_t i = 0; i + 1 < binCount; ++i) {
      sum.box.include(own[i].box);
      sum.count += own[i].count;
      if (sum.count == 0 || sum.count == parts.size()) continue;
      const Real cost = halfAreaOf(sum.box) * static_cast<Real>(sum.count) + behind[i + 1];
      if (cost >= least) continue;
      least = cost;
      best.axis = axis;
      best.lastBin = static_cast<int>(i);
    }
  }
  return best;
}

/// Reorders the parts and returns how many go to the first half; 0 if no border is better than
/// another. Parts keep their order within each half.
template <class Part>
[[nodiscard]] std::size_t splitBySurfaceArea(std::span<Part> parts, const Box& middles,
                                             const auto& boxOf, const auto& middleOf) {
  const SurfaceAreaSplit split = bestSplit(std::span<const Part>(parts), middles, boxOf, middleOf);
  if (!split.found()) return 0;
  // std::stable_partition would fill its buffer twice
  std::vector<Part> second;
  second.reserve(parts.size());
  auto end = parts.begin();
  for (const Part& part : parts)
    if (split.isInFirst(middleOf(part)))
      *end++ = part;
    else
      second.push_back(part);
  std::ranges::copy(second, end);
  return parts.size() - second.size();
}

}  // namespace nearmiss
