// SPDX-License-Identifier: MIT
#include "query/wide_boxes.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "geometry/box_tree.h"

namespace nearmiss {
namespace {

constexpr int bins = 16;
/// Deeper, halves are of equal size.
constexpr int freeDepth = 32;

Real halfSurfaceOf(const Box& box) noexcept {
  const Vec3 e = box.extent();
  return e.x * e.y + e.y * e.z + e.z * e.x;
}

/// Twice the centre.
Real centreAlong(const Box& box, int axis) noexcept { return box.low[axis] + box.high[axis]; }

/// Where to cut a range of boxes, and what rays pay for it.
struct BoxCut {
  int axis = 0;
  int bin = 0;  ///< the first that belongs to the second part
  Real cost = std::numeric_limits<Real>::infinity();
};

/// Sorts boxes into slices along an axis by their centres.
struct BoxSlices {
  Real low, perLength;
  [[nodiscard]] int of(Real centre) const noexcept {
    return std::min(bins - 1, static_cast<int>((centre - low) * perLength));
  }
};

struct BoxBin {
  Box box;
  std::size_t count = 0;
  void include(const BoxBin& other) noexcept {
    box.include(other.box);
    count += other.count;
  }
  /// Leaves hold up to four.
  [[nodiscard]] Real cost() const noexcept {
    return count == 0 ? 0.0
                      : halfSurfaceOf(box) *
                            static_cast<Real>((count + WideBoxes::width - 1) / WideBoxes::width);
  }
};

void offerCuts(const std::array<BoxBin, bins>& slices, int axis, BoxCut& best) noexcept {
  std::array<Real, bins> after{};
  BoxBin right;
  for (int i = bins - 1; i > 0; --i) {
    right.include(slices[static_cast<std::size_t>(i)]);
    after[static_cast<std::size_t>(i)] = right.cost();
  }
  BoxBin left;
  for (int i = 1; i < bins; ++i) {
    left.include(slices[static_cast<std::size_t>(i - 1)]);
    const Real cost = left.cost() + after[static_cast<std::size_t>(i)];
    if (cost < best.cost) best = {axis, i, cost};
  }
}

}  // namespace

WideBoxes::Range WideBoxes::rangeOf(std::uint32_t begin, std::uint32_t end) const noexcept {
  Range range{begin, end, {}};
  for (std::uint32_t i = begin; i < end; ++i) range.box.include(boxes_[sorted_[i]]);
  return range;
}

void WideBoxes::build(std::span<const Box> boxes) {
  boxes_ = boxes;
  nodes_.clear();
  order_.clear();
  sorted_.resize(boxes.size());
  std::iota(sorted_.begin(), sorted_.end(), 0u);
  if (boxes.empty()) return;
  const Range whole = rangeOf(0, static_cast<std::uint32_t>(boxes.size()));
  middle_ = whole.box.centre();
  Real half = 0.0, far = 0.0;
  for (int axis = 0; axis < 3; ++axis) {
    half =
        std::max({half, whole.box.high[axis] - middle_[axis], middle_[axis] - whole.box.low[axis]});
    far = std::max({far, std::abs(whole.box.high[axis]), std::abs(whole.box.low[axis])});
  }
  // A power of two loses no digit
  unit_ = half > 0.0 ? std::ldexp(1.0, std::ilogb(half) + 1) : 1.0;
  rounding_ = 4.0 * std::numeric_limits<Real>::epsilon() * far / unit_;
  makeNode(whole, 0);
}

std::uint32_t WideBoxes::makeNode(const Range& whole, int depth) {
  std::array<Range, width> parts{whole};
  std::size_t count = 1;
  while (count < width) {
    // Split what rays hit the most often; deep down the largest, so that the depth has an end
    const auto weight = [depth](const Range& range) {
      return std::pair(depth < freeDepth ? halfSurfaceOf(range.box) : 0.0, range.size());
    };
    std::size_t widest = width;
    for (std::size_t i = 0; i < count; ++i)
      if (parts[i].size() > width && (widest == width || weight(parts[i]) > weight(parts[widest])))
        widest = i;
    if (widest == width) break;
    const Range range = parts[widest];
    const std::uint32_t at = split(range, depth);
    parts[widest] = rangeOf(range.begin, at);
    parts[count++] = rangeOf(at, range.end);
  }

  const auto made = static_cast<std::uint32_t>(nodes_.size());
  nodes_.emplace_back();
  nodes_[made].count = static_cast<std::uint32_t>(count);
  for (unsigned lane = 0; lane < width; ++lane) {
    put(made, lane, parts[std::min<std::size_t>(lane, count - 1)].box);
    nodes_[made].child[lane] = isLeaf;
  }
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t child =
        parts[i].size() <= width ? makeLeaf(parts[i]) : makeNode(parts[i], depth + 1);
    nodes_[made].child[i] = child;
  }
  return made;
}

std::uint32_t WideBoxes::makeLeaf(const Range& range) {
  const auto leaf = static_cast<std::uint32_t>(leafCount());
  std::sort(sorted_.begin() + range.begin, sorted_.begin() + range.end);
  for (std::uint32_t i = 0; i < width; ++i)
    order_.push_back(sorted_[range.begin + std::min(i, range.size() - 1)]);
  return leaf | isLeaf;
}

std::uint32_t WideBoxes::split(const Range& range, int depth) {
  const auto first = sorted_.begin() + range.begin, last = sorted_.begin() + range.end;
  Vec3 low(std::numeric_limits<Real>::infinity()), high = -low;
  for (auto i = first; i != last; ++i)
    for (int axis = 0; axis < 3; ++axis) {
      low[axis] = std::min(low[axis], centreAlong(boxes_[*i], axis));
      high[axis] = std::max(high[axis], centreAlong(boxes_[*i], axis));
    }
  const auto slicesAlong = [&](int axis) {
    return BoxSlices{low[axis], bins / (high[axis] - low[axis])};
  };

  BoxCut cut;
  for (int axis = 0; axis < 3 && depth < freeDepth; ++axis) {
    if (!(high[axis] > low[axis])) continue;
    const BoxSlices slices = slicesAlong(axis);
    if (!std::isfinite(slices.perLength)) continue;
    std::array<BoxBin, bins> sliced;
    for (auto i = first; i != last; ++i) {
      BoxBin& bin = sliced[static_cast<std::size_t>(slices.of(centreAlong(boxes_[*i], axis)))];
      bin.box.include(boxes_[*i]);
      ++bin.count;
    }
    offerCuts(sliced, axis, cut);
  }
  if (std::isfinite(cut.cost)) {
    const BoxSlices slices = slicesAlong(cut.axis);
    const auto middle = std::partition(first, last, [&](std::uint32_t thing) {
      return slices.of(centreAlong(boxes_[thing], cut.axis)) < cut.bin;
    });
    if (middle != first && middle != last)
      return static_cast<std::uint32_t>(middle - sorted_.begin());
  }

  // Ties are decided by number, so that the halves are the same sets everywhere
  const int axis = longestAxis({low, high});
  const auto middle = first + range.size() / 2;
  std::nth_element(first, middle, last, [&](std::uint32_t p, std::uint32_t q) {
    const Real pAt = centreAlong(boxes_[p], axis), qAt = centreAlong(boxes_[q], axis);
    return pAt != qAt ? pAt < qAt : p < q;
  });
  return static_cast<std::uint32_t>(middle - sorted_.begin());
}

void WideBoxes::put(std::uint32_t at, unsigned lane, const Box& box) noexcept {
  const Vec3 low = inUnits(box.low), high = inUnits(box.high);
  for (int axis = 0; axis < 3; ++axis) {
    auto below = static_cast<float>(low[axis]), above = static_cast<float>(high[axis]);
    if (below > low[axis]) below = std::nextafter(below, -2.0f);
    if (above < high[axis]) above = std::nextafter(above, 2.0f);
    nodes_[at].low[axis][lane] = below;
    nodes_[at].high[axis][lane] = above;
  }
}

}  // namespace nearmiss
