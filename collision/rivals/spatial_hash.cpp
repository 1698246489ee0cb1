// SPDX-License-Identifier: MIT
#include <nearmiss/rivals/broad_phases.h>
#include <nearmiss/shape.h>

#include <algorithm>
#include <cmath>

#include "broad/body_bounds.h"
#include "broad/cell_hash.h"
#include "rivals/body_boxes.h"

namespace nearmiss {
namespace {

/// Broad phase with an unbounded grid: every cell that a body touches is hashed to a bucket.
/// Buckets may contain several cells, so entries store theirs.
class SpatialHashBroadPhase final : public BroadPhase {
 public:
  explicit SpatialHashBroadPhase(std::uint32_t maxBuckets) noexcept : maxBuckets_(maxBuckets) {}
  std::string_view name() const noexcept override { return "spatial-hash"; }

  Real findPairs(std::span<const BodyState> bodies, Real time,
                 std::vector<BodyPair>& pairs) override {
    pairs.clear();
    work_ = {};
    bodies_ = bodies;
    pairs_ = &pairs;
    measure();
    fill();
    for (std::size_t bucket = 0; bucket + 1 < starts_.size(); ++bucket) tryBucket(bucket);
    for (const std::uint32_t i : large_) tryAll(i);
    std::sort(pairs.begin(), pairs.end());
    return time;
  }

  WorkCount work() const noexcept override { return work_; }

 private:
  /// A body that touches more cells is compared with all others instead.
  static constexpr std::int64_t maxCells = 64;
  struct Range {
    GridCell first, last;
    bool large = false;
  };
  struct Entry {
    GridCell cell;
    std::uint32_t body = 0;
  };

  /// Sets cells to twice the size of the median body, so that a few very large bodies do not
  /// matter.
  void measure() {
    boxes_.clear();
    sizes_.clear();
    for (const BodyState& body : bodies_) {
      const Box box = fixedBoxOf(body);
      boxes_.push_back(box);
      const Vec3 extent = box.extent();
      if (bounded(box)) sizes_.push_back(std::max({extent.x, extent.y, extent.z}));
    }
    perMetre_ = 1.0;
    if (sizes_.empty()) return;
    const auto middle = sizes_.begin() + static_cast<std::ptrdiff_t>(sizes_.size() / 2);
    std::nth_element(sizes_.begin(), middle, sizes_.end());
    perMetre_ = 1.0 / std::max(2.0 * *middle, 1e-12);
  }

  [[nodiscard]] bool countable(const Vec3& at) const noexcept {
    const Vec3 scaled = glm::abs(at * perMetre_);
    return scaled.x < 1e15 && scaled.y < 1e15 && scaled.z < 1e15;
  }
  [[nodiscard]] Range rangeOf(const Box& box) const noexcept {
    Range range;
    range.large = !countable(box.low) || !countable(box.high);
    if (range.large) return range;
    range.first = cellAt(box.low, perMetre_);
    range.last = cellAt(box.high, perMetre_);
    const std::int64_t x = range.last.x - range.first.x + 1, y = range.last.y - range.first.y + 1,
                       z = range.last.z - range.first.z + 1;
    range.large = x > maxCells || y > maxCells || z > maxCells || x * y * z > maxCells;
    return range;
  }
  template <class Visit>
  static void forEachCell(const Range& range, const Visit& visit) {
    if (range.large) return;
    GridCell at;
    for (at.z = range.first.z; at.z <= range.last.z; ++at.z)
      for (at.y = range.first.y; at.y <= range.last.y; ++at.y)
        for (at.x = range.first.x; at.x <= range.last.x; ++at.x) visit(at);
  }
  [[nodiscard]] std::size_t bucketOf(const GridCell& cell) const noexcept {
    return hashOf(cell) & (starts_.size() - 2);
  }

  /// Sorts entries by bucket, by counting.
  void fill() {
    std::size_t buckets = 1;
    while (buckets < 4 * boxes_.size() && 2 * buckets <= maxBuckets_) buckets *= 2;
    starts_.assign(buckets + 1, 0);
    ranges_.clear();
    large_.clear();
    for (std::uint32_t i = 0; i < boxes_.size(); ++i) {
      const Range range = rangeOf(boxes_[i]);
      ranges_.push_back(range);
      if (range.large) large_.push_back(i);
      forEachCell(range, [this](const GridCell& cell) { ++starts_[bucketOf(cell)]; });
    }
    std::uint32_t sum = 0;
    for (std::uint32_t& start : starts_) start = sum += start;
    entries_.resize(sum);
    for (auto i = static_cast<std::uint32_t>(boxes_.size()); i-- > 0;)
      forEachCell(ranges_[i], [this, i](const GridCell& cell) {
        entries_[--starts_[bucketOf(cell)]] = {cell, i};
      });
  }

  void tryBucket(std::size_t bucket) {
    for (std::uint32_t p = starts_[bucket]; p < starts_[bucket + 1]; ++p)
      for (std::uint32_t q = p + 1; q < starts_[bucket + 1]; ++q) {
        const Entry &a = entries_[p], &b = entries_[q];
        if (!(a.cell == b.cell)) continue;
        ++work_.boundTests;
        if (!boundingSpheresMeet(bodies_[a.body], bodies_[b.body])) continue;
        // A pair is reported in the first of its common cells
        const GridCell &i = ranges_[a.body].first, &j = ranges_[b.body].first;
        if (a.cell == GridCell{std::max(i.x, j.x), std::max(i.y, j.y), std::max(i.z, j.z)})
          pairs_->push_back({std::min(a.body, b.body), std::max(a.body, b.body)});
      }
  }

  void tryAll(std::uint32_t i) {
    for (std::uint32_t j = 0; j < ranges_.size(); ++j) {
      if (j == i || (j < i && ranges_[j].large)) continue;
      ++work_.boundTests;
      if (boundingSpheresMeet(bodies_[i], bodies_[j])) pairs_->push_back(pairOf(i, j));
    }
  }

  // The current call
  std::span<const BodyState> bodies_;
  std::vector<BodyPair>* pairs_ = nullptr;
  WorkCount work_;

  std::uint32_t maxBuckets_;
  Real perMetre_ = 1.0;
  std::vector<Box> boxes_;
  std::vector<Real> sizes_;
  std::vector<Range> ranges_;
  std::vector<std::uint32_t> starts_;  ///< per bucket, plus one: index into entries_
  std::vector<Entry> entries_;
  std::vector<std::uint32_t> large_;
};

}  // namespace

std::unique_ptr<BroadPhase> makeSpatialHashBroadPhase(std::uint32_t maxBuckets) {
  return std::make_unique<SpatialHashBroadPhase>(maxBuckets);
}

}  // namespace nearmiss
