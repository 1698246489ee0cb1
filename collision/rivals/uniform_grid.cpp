// SPDX-License-Identifier: MIT
#include <nearmiss/advanced/broad_phase.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "broad/body_bounds.h"
#include "rivals/body_boxes.h"

namespace nearmiss {
namespace {

/// Broad phase with Turk's grid: cells at least as large as the largest body, so that each body
/// touches at most eight. It covers all bodies; if they are scattered widely, cells grow to limit
/// their number.
class UniformGridBroadPhase final : public BroadPhase {
 public:
  std::string_view name() const noexcept override { return "uniform-grid"; }

  Real findPairs(std::span<const BodyState> bodies, Real time,
                 std::vector<BodyPair>& pairs) override {
    pairs.clear();
    work_ = {};
    layOut(bodies);
    fill();
    for (std::uint32_t cell = 0; cell + 1 < starts_.size(); ++cell) tryCell(cell, bodies, pairs);
    tryBoundless(bodies, pairs);
    std::sort(pairs.begin(), pairs.end());
    return time;
  }

  WorkCount work() const noexcept override { return work_; }

 private:
  using Cell = std::array<std::int32_t, 3>;
  struct Range {
    Cell first{}, last{};
  };

  void layOut(std::span<const BodyState> bodies) {
    boxes_.clear();
    all_ = Box{};
    Real edge = 0.0;
    for (const BodyState& body : bodies) {
      const Box box = fixedBoxOf(body);
      boxes_.push_back(box);
      if (!bounded(box)) continue;
      all_.include(box);
      const Vec3 extent = box.extent();
      edge = std::max({edge, extent.x, extent.y, extent.z});
    }

    // Enlarged, so that rounding never makes a body touch a third cell on an axis
    counts_ = {1, 1, 1};
    perMetre_ = 0.0;
    if (all_.empty() || !(edge > 0.0)) return;
    const Vec3 whole = all_.extent();
    edge = std::max(edge * (1.0 + 1e-6), 1e-9 * std::max({whole.x, whole.y, whole.z}));
    const Real most = 64.0 + 4.0 * static_cast<Real>(bodies.size());
    for (;; edge *= 1.25) {
      const Vec3 cells = glm::floor(whole / edge) + 1.0;
      if (cells.x * cells.y * cells.z > most) continue;
      for (int axis = 0; axis < 3; ++axis) counts_[axis] = static_cast<std::int32_t>(cells[axis]);
      perMetre_ = 1.0 / edge;
      return;
    }
  }

  [[nodiscard]] std::int32_t coordinate(Real value, int axis) const noexcept {
    const auto cell = static_cast<std::int32_t>((value - all_.low[axis]) * perMetre_);
    return std::clamp(cell, 0, counts_[axis] - 1);
  }
  [[nodiscard]] std::uint32_t indexOf(std::int32_t x, std::int32_t y,
                                      std::int32_t z) const noexcept {
    return static_cast<std::uint32_t>((z * counts_[1] + y) * counts_[0] + x);
  }
  template <class Visit>
  void forEachCell(const Range& range, const Visit& visit) const {
    for (std::int32_t z = range.first[2]; z <= range.last[2]; ++z)
      for (std::int32_t y = range.first[1]; y <= range.last[1]; ++y)
        for (std::int32_t x = range.first[0]; x <= range.last[0]; ++x) visit(indexOf(x, y, z));
  }

  /// Sorts bodies by cell, by counting.
  void fill() {
    ranges_.clear();
    boundless_.clear();
    starts_.assign(static_cast<std::size_t>(counts_[0]) * static_cast<std::size_t>(counts_[1]) *
                           static_cast<std::size_t>(counts_[2]) +
                       1,
                   0);
    for (std::uint32_t i = 0; i < boxes_.size(); ++i) {
      Range range;
      if (bounded(boxes_[i])) {
        for (int axis = 0; axis < 3; ++axis) {
          range.first[axis] = coordinate(boxes_[i].low[axis], axis);
          range.last[axis] = coordinate(boxes_[i].high[axis], axis);
        }
      } else {
        range.last = {-1, -1, -1};
        boundless_.push_back(i);
      }
      forEachCell(range, [this](std::uint32_t cell) { ++starts_[cell]; });
      ranges_.push_back(range);
    }
    std::uint32_t sum = 0;
    for (std::uint32_t& start : starts_) start = sum += start;
    entries_.resize(sum);
    for (auto i = static_cast<std::uint32_t>(boxes_.size()); i-- > 0;)
      forEachCell(ranges_[i], [this, i](std::uint32_t cell) { entries_[--starts_[cell]] = i; });
  }

  void tryCell(std::uint32_t cell, std::span<const BodyState> bodies,
               std::vector<BodyPair>& pairs) {
    for (std::uint32_t p = starts_[cell]; p < starts_[cell + 1]; ++p)
      for (std::uint32_t q = p + 1; q < starts_[cell + 1]; ++q) {
        const std::uint32_t a = entries_[p], b = entries_[q];
        ++work_.boundTests;
        if (!boundingSpheresMeet(bodies[a], bodies[b])) continue;
        // A pair is reported in the first of its common cells
        const Cell &i = ranges_[a].first, &j = ranges_[b].first;
        if (cell == indexOf(std::max(i[0], j[0]), std::max(i[1], j[1]), std::max(i[2], j[2])))
          pairs.push_back({a, b});
      }
  }

  void tryBoundless(std::span<const BodyState> bodies, std::vector<BodyPair>& pairs) {
    for (const std::uint32_t i : boundless_)
      for (std::uint32_t j = 0; j < bodies.size(); ++j) {
        if (j == i || (j < i && !bounded(boxes_[j]))) continue;
        ++work_.boundTests;
        if (boundingSpheresMeet(bodies[i], bodies[j])) pairs.push_back(pairOf(i, j));
      }
  }

  std::vector<Box> boxes_;
  std::vector<Range> ranges_;
  Box all_;
  Cell counts_{1, 1, 1};
  Real perMetre_ = 0.0;
  std::vector<std::uint32_t> starts_;   ///< per cell, plus one: index into entries_
  std::vector<std::uint32_t> entries_;  ///< bodies, ascending within a cell
  std::vector<std::uint32_t> boundless_;
  WorkCount work_;
};

}  // namespace

std::unique_ptr<BroadPhase> makeUniformGridBroadPhase() {
  return std::make_unique<UniformGridBroadPhase>();
}

}  // namespace nearmiss
