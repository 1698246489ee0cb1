// SPDX-License-Identifier: MIT
#include <nearmiss/advanced/broad_phase.h>

#include <algorithm>
#include <cmath>

#include "broad/body_bounds.h"
#include "broad/cell_hash.h"
#include "rivals/body_boxes.h"

namespace nearmiss {
namespace {

/// Broad phase with nested grids whose cells double in size from level to level. A body is on the
/// finest level with cells at least as large as it, in the cell of its lowest corner. It is
/// compared with bodies on its own level and all coarser ones.
class HierarchicalGridBroadPhase final : public BroadPhase {
 public:
  std::string_view name() const noexcept override { return "hierarchical-grid"; }

  Real findPairs(std::span<const BodyState> bodies, Real time,
                 std::vector<BodyPair>& pairs) override {
    pairs.clear();
    work_ = {};
    bodies_ = bodies;
    pairs_ = &pairs;
    place();
    link();
    for (std::uint32_t i = 0; i < homes_.size(); ++i) {
      if (homes_[i].level == boundless)
        lookEverywhere(i);
      else
        lookAround(i);
    }
    std::sort(pairs.begin(), pairs.end());
    return time;
  }

  WorkCount work() const noexcept override { return work_; }

 private:
  static constexpr std::uint32_t none = 0xffffffffu;
  static constexpr int maxLevels = 32;
  static constexpr int boundless = maxLevels;
  struct Home {
    GridCell cell;
    int level = 0;
    std::uint32_t next = none;
  };

  [[nodiscard]] static Real largest(const Vec3& v) noexcept { return std::max({v.x, v.y, v.z}); }

  void place() {
    boxes_.clear();
    Real extent = 0.0, away = 0.0;
    for (const BodyState& body : bodies_) {
      const Box box = fixedBoxOf(body);
      boxes_.push_back(box);
      if (!bounded(box)) continue;
      extent = std::max(extent, largest(box.extent()));
      away = std::max({away, largest(glm::abs(box.low)), largest(glm::abs(box.high))});
    }

    // The coarsest level contains the largest body. Below, levels end where cell coordinates would
    // overflow
    const int top = std::max(std::ilogb(std::max(extent, 1e-100)), std::ilogb(away + 1e-100) - 50);
    const int bottom = std::max(top + 1 - (maxLevels - 1), std::ilogb(away + 1e-100) - 50);
    for (int level = 0; level < maxLevels; ++level)
      scales_[level] = std::ldexp(1.0, -bottom - level);
    used_ = 0;
    homes_.clear();
    for (const Box& box : boxes_) {
      Home home;
      home.level = boundless;
      if (bounded(box)) {
        const Real size = std::max(largest(box.extent()), 1e-100);
        home.level = std::max(0, std::ilogb(size) + 1 - bottom);
        home.cell = cellAt(box.low, scales_[home.level]);
        used_ |= 1u << home.level;
      }
      homes_.push_back(home);
    }
  }

  void link() {
    std::size_t buckets = 16;
    while (buckets < 2 * homes_.size()) buckets *= 2;
    heads_.assign(buckets, none);
    for (auto i = static_cast<std::uint32_t>(homes_.size()); i-- > 0;) {
      if (homes_[i].level == boundless) continue;
      std::uint32_t& head = headOf(homes_[i].cell, homes_[i].level);
      homes_[i].next = head;
      head = i;
    }
  }

  std::uint32_t& headOf(const GridCell& cell, int level) noexcept {
    return heads_[hashOf(cell, level) & (heads_.size() - 1)];
  }

  void lookAround(std::uint32_t i) {
    const Home& own = homes_[i];
    for (int level = own.level; level < maxLevels; ++level) {
      if ((used_ >> level & 1u) == 0) continue;
      // A body that extends here from a lower cell is in the adjacent one, because no body is
      // larger than a cell
      const GridCell low = cellAt(boxes_[i].low, scales_[level]),
                     high = cellAt(boxes_[i].high, scales_[level]);
      GridCell at;
      for (at.z = low.z - 1; at.z <= high.z; ++at.z)
        for (at.y = low.y - 1; at.y <= high.y; ++at.y)
          for (at.x = low.x - 1; at.x <= high.x; ++at.x)
            for (std::uint32_t j = headOf(at, level); j != none; j = homes_[j].next) {
              // Within a level the lower of two finds the other
              if (level == own.level && j <= i) continue;
              if (homes_[j].level == level && homes_[j].cell == at) tryPair(i, j);
            }
    }
  }

  void lookEverywhere(std::uint32_t i) {
    for (std::uint32_t j = 0; j < homes_.size(); ++j)
      if (j != i && !(j < i && homes_[j].level == boundless)) tryPair(i, j);
  }

  void tryPair(std::uint32_t i, std::uint32_t j) {
    ++work_.boundTests;
    if (boundingSpheresMeet(bodies_[i], bodies_[j])) pairs_->push_back(pairOf(i, j));
  }

  // The current call
  std::span<const BodyState> bodies_;
  std::vector<BodyPair>* pairs_ = nullptr;
  WorkCount work_;

  std::vector<Box> boxes_;
  std::vector<Home> homes_;
  Real scales_[maxLevels] = {};  ///< cells per metre
  std::uint32_t used_ = 0;       ///< one bit for every level that contains bodies
  std::vector<std::uint32_t> heads_;
};

}  // namespace

std::unique_ptr<BroadPhase> makeHierarchicalGridBroadPhase() {
  return std::make_unique<HierarchicalGridBroadPhase>();
}

}  // namespace nearmiss
