// SPDX-License-Identifier: MIT
#include "geometry/wide_boxes.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "base/float_rounding.h"
#include "base/parallel_for.h"
#include "geometry/box_measures.h"
#include "geometry/surface_area_split.h"

namespace nearmiss {
namespace {

/// Of the unit, as a power of two.
constexpr int minExponent = -60;
/// Below this depth, halves have equal size.
constexpr int freeDepth = 32;
/// Ranges of at most this many items are cut between full leaves.
constexpr std::size_t fewItems = 64;
/// Ranges of at most this many items are built by one thread.
constexpr std::size_t oneTask = 4096;
/// A thread reuses its scratch memory for up to this many items.
constexpr std::size_t maxReused = 65536;

std::size_t leavesFor(std::size_t items) noexcept {
  return (items + WideBoxes::width - 1) / WideBoxes::width;
}

}  // namespace

/// Builds a part of the hierarchy into its own lists.
class WideBoxes::Builder {
 public:
  /// An item and its box, in units.
  struct BoxedItem {
    float low[3], high[3];
    std::uint32_t item;

    [[nodiscard]] Box box() const noexcept {
      return {Vec3(low[0], low[1], low[2]), Vec3(high[0], high[1], high[2])};
    }
    /// Returns twice the centre.
    [[nodiscard]] Vec3 middle() const noexcept {
      return {Real{low[0]} + high[0], Real{low[1]} + high[1], Real{low[2]} + high[2]};
    }
  };
  struct Range {
    std::size_t begin, end;
    Box box;
    [[nodiscard]] std::size_t size() const noexcept { return end - begin; }
  };
  /// A child that another builder creates.
  struct Later {
    Range range;
    int depth;
    std::uint32_t slot;
  };

  explicit Builder(std::span<BoxedItem> items) : items_(items) {}

  [[nodiscard]] Range range(std::size_t begin, std::size_t end) const noexcept {
    Range range{begin, end, {}};
    for (std::size_t i = begin; i < end; ++i) range.box.include(items_[i].box());
    return range;
  }

  /// Children of at most `later` items are deferred.
  std::uint32_t makeNode(const Range& whole, int depth, std::size_t later) {
    std::array<Range, width> parts{whole};
    std::size_t count = 1;
    while (count < width) {
      // Split the range most likely to be hit; deep down, split the largest, to limit the depth
      const auto weight = [depth](const Range& part) {
        return std::pair(depth < freeDepth ? halfAreaOf(part.box) : 0.0, part.size());
      };
      std::size_t widest = width;
      for (std::size_t i = 0; i < count; ++i)
        if (parts[i].size() > width &&
            (widest == width || weight(parts[i]) > weight(parts[widest])))
          widest = i;
      if (widest == width) break;
      const Range part = parts[widest];
      const std::size_t at = split(part, depth);
      parts[widest] = range(part.begin, at);
      parts[count++] = range(at, part.end);
    }
    std::sort(parts.begin(), parts.begin() + static_cast<std::ptrdiff_t>(count),
              [](const Range& a, const Range& b) { return a.begin < b.begin; });

    const std::uint32_t made = addNode(std::span(parts).first(count));
    for (std::size_t i = 0; i < count; ++i) {
      if (parts[i].size() > width && parts[i].size() <= later) {
        putOff.push_back({parts[i], depth + 1, static_cast<std::uint32_t>(width * made + i)});
        continue;
      }
      const std::uint32_t child =
          parts[i].size() <= width ? makeLeaf(parts[i]) : makeNode(parts[i], depth + 1, later);
      nodes[made].child[i] = child;
    }
    return made;
  }

  void makeRoot() {
    nodes.clear();
    order.clear();
    const Range whole = range(0, items_.size());
    addNode(std::span(&whole, 1));
    const std::uint32_t child =
        whole.size() <= width ? makeLeaf(whole) : makeNode(whole, 0, oneTask);
    nodes[0].child[0] = child;
  }

  std::vector<Node> nodes;
  std::vector<std::uint32_t> order;
  std::vector<Later> putOff;

 private:
  std::uint32_t addNode(std::span<const Range> parts) {
    Node& node = nodes.emplace_back();
    node.count = static_cast<std::uint32_t>(parts.size());
    for (unsigned lane = 0; lane < width; ++lane) {
      const Box& box = parts[std::min<std::size_t>(lane, parts.size() - 1)].box;
      for (int axis = 0; axis < 3; ++axis) {
        node.low[axis][lane] = static_cast<float>(box.low[axis]);
        node.high[axis][lane] = static_cast<float>(box.high[axis]);
      }
      node.child[lane] = isLeaf;
    }
    return static_cast<std::uint32_t>(nodes.size() - 1);
  }

  std::uint32_t makeLeaf(const Range& range) {
    const auto leaf = static_cast<std::uint32_t>(order.size() / width);
    const std::span<BoxedItem> own = items_.subspan(range.begin, range.size());
    std::ranges::sort(own, {}, &BoxedItem::item);
    for (std::size_t i = 0; i < width; ++i) order.push_back(own[std::min(i, own.size() - 1)].item);
    return leaf | isLeaf;
  }

  std::size_t split(const Range& range, int depth) {
    const std::span<BoxedItem> own = items_.subspan(range.begin, range.size());
    if (own.size() <= fewItems) return range.begin + splitFew(own);
    Box middles;
    for (const BoxedItem& item : own) middles.include(item.middle());
    SurfaceAreaSplit best;
    if (depth < freeDepth)
      best = bestSplit(
          std::span<const BoxedItem>(own), middles,
          [](const BoxedItem& item) { return item.box(); },
          [](const BoxedItem& item) { return item.middle(); });
    std::size_t first = 0;
    if (best.found()) {
      // The order within the halves does not matter
      const auto second = std::partition(own.begin(), own.end(), [&best](const BoxedItem& item) {
        return best.isInFirst(item.middle());
      });
      first = static_cast<std::size_t>(second - own.begin());
    } else {
      first = (leavesFor(own.size()) + 1) / 2 * width;
      const int axis = longestAxis(middles);
      std::nth_element(
          own.begin(), own.begin() + static_cast<std::ptrdiff_t>(first), own.end(),
          [axis](const BoxedItem& a, const BoxedItem& b) { return comesBefore(a, b, axis); });
    }
    return range.begin + first;
  }

  /// Ties are broken by index, so that the halves are the same sets on every machine.
  static bool comesBefore(const BoxedItem& a, const BoxedItem& b, int axis) noexcept {
    const Real at = a.middle()[axis], other = b.middle()[axis];
    return at != other ? at < other : a.item < b.item;
  }

  /// Returns the best cut that leaves full leaves on its left.
  static std::size_t splitFew(std::span<BoxedItem> own) {
    Real least = std::numeric_limits<Real>::infinity();
    std::size_t best = 0;
    int bestAxis = 0;
    for (int axis = 0; axis < 3; ++axis) {
      sortAlong(own, axis);
      std::array<Real, fewItems / width + 1> before{};
      Box box;
      for (std::size_t i = 0; i < own.size(); ++i) {
        if (i % width == 0 && i > 0)
          before[i / width] = halfAreaOf(box) * static_cast<Real>(i / width);
        box.include(own[i].box());
      }
      box = {};
      for (std::size_t i = own.size(); i-- > width;) {
        box.include(own[i].box());
        if (i % width != 0) continue;
        const Real cost =
            before[i / width] + halfAreaOf(box) * static_cast<Real>(leavesFor(own.size() - i));
        if (cost >= least) continue;
        least = cost;
        best = i;
        bestAxis = axis;
      }
    }
    if (bestAxis != 2) sortAlong(own, bestAxis);
    return best;
  }
  static void sortAlong(std::span<BoxedItem> own, int axis) {
    std::sort(own.begin(), own.end(),
              [axis](const BoxedItem& a, const BoxedItem& b) { return comesBefore(a, b, axis); });
  }

  std::span<BoxedItem> items_;
};

void WideBoxes::setBounds(const Box& bounds) noexcept {
  bounds_ = bounds;
  middle_ = bounds_.centre();
  Real half = 0.0;
  for (int axis = 0; axis < 3; ++axis)
    half = std::max({half, bounds_.high[axis] - middle_[axis], middle_[axis] - bounds_.low[axis]});
  // Scaling by a power of two is exact. Its inverse must be finite in float
  unit_ = half > 0.0 ? std::ldexp(1.0, std::max(std::ilogb(half) + 1, minExponent)) : 1.0;
  perUnit_ = 1.0 / unit_;
  rounding_ = 4.0 * std::numeric_limits<Real>::epsilon() * largestCoordinate(bounds_) / unit_;
}

void WideBoxes::refit(std::span<const Box> leaves) noexcept {
  Box bounds;
  for (const Box& box : leaves) bounds.include(box);
  setBounds(bounds);
  // Children come after their parents
  for (std::size_t at = nodes_.size(); at-- > 0;) {
    Node& node = nodes_[at];
    for (unsigned lane = 0; lane < width; ++lane) {
      const std::uint32_t child = node.child[std::min(lane, node.count - 1)];
      for (int axis = 0; axis < 3; ++axis) {
        float &low = node.low[axis][lane], &high = node.high[axis][lane];
        if ((child & isLeaf) != 0) {
          const Box& box = leaves[child & ~isLeaf];
          low = floatAtMost((box.low[axis] - middle_[axis]) * perUnit_);
          high = floatAtLeast((box.high[axis] - middle_[axis]) * perUnit_);
        } else {
          low = *std::ranges::min_element(nodes_[child].low[axis]);
          high = *std::ranges::max_element(nodes_[child].high[axis]);
        }
      }
    }
  }
}

void WideBoxes::build(std::span<const Box> boxes, int workers) {
  nodes_.clear();
  order_.clear();
  if (boxes.empty()) return;
  Box bounds;
  for (const Box& box : boxes) bounds.include(box);
  setBounds(bounds);

  // Reused by the next build, for example for the bodies in the next frame
  thread_local std::vector<Builder::BoxedItem> scratch;
  std::vector<Builder::BoxedItem> items = std::move(scratch);
  items.resize(boxes.size());
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    const Vec3 low = inUnits(boxes[i].low), high = inUnits(boxes[i].high);
    for (int axis = 0; axis < 3; ++axis) {
      items[i].low[axis] = floatAtMost(low[axis]);
      items[i].high[axis] = floatAtLeast(high[axis]);
    }
    items[i].item = static_cast<std::uint32_t>(i);
  }

  Builder top(items);
  top.nodes = std::move(nodes_);
  top.order = std::move(order_);
  top.makeRoot();
  std::vector<Builder> parts(top.putOff.size(), Builder(items));
  parallelFor(parts.size(), workers, [&](std::size_t i, int) {
    parts[i].makeNode(top.putOff[i].range, top.putOff[i].depth, 0);
  });
  nodes_ = std::move(top.nodes);
  order_ = std::move(top.order);
  if (!parts.empty()) {
    // Reserve exactly, because a shape keeps the reserved memory
    std::size_t nodeCount = nodes_.size(), orderSize = order_.size();
    for (const Builder& part : parts) {
      nodeCount += part.nodes.size();
      orderSize += part.order.size();
    }
    nodes_.reserve(nodeCount);
    order_.reserve(orderSize);
  }
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const auto firstNode = static_cast<std::uint32_t>(nodes_.size());
    const auto firstLeaf = static_cast<std::uint32_t>(leafCount());
    for (Node& node : parts[i].nodes) {
      for (unsigned lane = 0; lane < node.count; ++lane)
        node.child[lane] += (node.child[lane] & isLeaf) != 0 ? firstLeaf : firstNode;
      nodes_.push_back(node);
    }
    order_.insert(order_.end(), parts[i].order.begin(), parts[i].order.end());
    const std::uint32_t slot = top.putOff[i].slot;
    nodes_[slot / width].child[slot % width] = firstNode;
  }
  if (items.size() <= maxReused) scratch = std::move(items);
}

Box WideBoxes::boxOf(std::uint32_t slot) const noexcept {
  const Node& own = nodes_[slot / width];
  const std::uint32_t lane = slot % width;
  Box box;
  for (int axis = 0; axis < 3; ++axis) {
    box.low[axis] = middle_[axis] + unit_ * (own.low[axis][lane] - rounding_);
    box.high[axis] = middle_[axis] + unit_ * (own.high[axis][lane] + rounding_);
  }
  return box;
}

WideBoxes::Query::Query(const WideBoxes& boxes, const Box& box) noexcept {
  for (int axis = 0; axis < 3; ++axis) {
    const auto outwards = [&](Real at, Real sign) {
      const Real place = (at - boxes.middle_[axis]) / boxes.unit_;
      return place + sign * (boxes.rounding_ +
                             8.0 * std::numeric_limits<Real>::epsilon() * std::abs(place));
    };
    constexpr Real largest = std::numeric_limits<float>::max();
    low_[axis] = floatAtMost(std::clamp(outwards(box.low[axis], -1.0), -largest, largest));
    high_[axis] = floatAtLeast(std::clamp(outwards(box.high[axis], 1.0), -largest, largest));
  }
}

unsigned WideBoxes::Query::lanesOf(const Node& node) const noexcept {
  unsigned apart = 0;
  for (unsigned half = 0; half < 2; ++half) {
    FourFloats beyond = four(-1.0f);
    for (int axis = 0; axis < 3; ++axis) {
      const FourFloats below = fourAt(node.low[axis] + 4 * half) - four(high_[axis]);
      const FourFloats above = four(low_[axis]) - fourAt(node.high[axis] + 4 * half);
      beyond = greater(beyond, greater(below, above));
    }
    apart |= lanesLess(four(0.0f), beyond) << 4 * half;
  }
  return ~apart & 0xffu;
}

}  // namespace nearmiss
