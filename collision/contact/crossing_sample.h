// SPDX-License-Identifier: MIT
/// A small sample of the points where triangles of two bodies intersect.
#pragma once

#include <nearmiss/detail/split_mix.h>
#include <nearmiss/math.h>
#include <nearmiss/pair.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <glm/geometric.hpp>
#include <vector>

namespace nearmiss {

/// Keeps those of all added points that are extreme in some directions, and a few random ones. The
/// result does not depend on the order of addition. Reuses its memory.
class CrossingSample {
 public:
  void clear() noexcept { random_.clear(); }
  [[nodiscard]] bool empty() const noexcept { return random_.empty(); }

  /// @param point depth 0, with a unique id
  void add(const ManifoldPoint& point) {
    addFarthest(point);
    if (random_.size() == maxRandom) {
      if (!before(point, random_.front())) return;
      std::pop_heap(random_.begin(), random_.end(), before);
      random_.pop_back();
    }
    random_.push_back(point);
    std::push_heap(random_.begin(), random_.end(), before);
  }

  /// Returns the midpoints between the two extreme points of each pair of opposite directions.
  /// @pre !empty()
  [[nodiscard]] std::array<Vec3, 13> middles() const noexcept {
    std::array<Vec3, 13> middles;
    for (std::size_t k = 0; k < middles.size(); ++k)
      middles[k] = 0.5 * (farthest_[k].point.onA + farthest_[ways - 1 - k].point.onA);
    return middles;
  }
  /// Returns any of the points.
  /// @pre !empty()
  [[nodiscard]] const ManifoldPoint& one() const noexcept {
    return *std::min_element(random_.begin(), random_.end(), before);
  }

  /// Appends all points kept, some twice.
  void addTo(std::vector<ManifoldPoint>& points) const {
    points.insert(points.end(), random_.begin(), random_.end());
    if (empty()) return;
    for (const auto& [reach, point] : farthest_) points.push_back(point);
  }

 private:
  static constexpr std::size_t maxRandom = 64, ways = 26;
  struct Farthest {
    Real reach = 0.0;
    ManifoldPoint point;
  };

  /// A random order: mixed ids of different points differ.
  static bool before(const ManifoldPoint& p, const ManifoldPoint& q) noexcept {
    return SplitMix(p.id).bits() < SplitMix(q.id).bits();
  }

  void addFarthest(const ManifoldPoint& point) noexcept {
    std::size_t k = 0;
    for (int x = -1; x <= 1; ++x)
      for (int y = -1; y <= 1; ++y)
        for (int z = -1; z <= 1; ++z) {
          if (x == 0 && y == 0 && z == 0) continue;
          Farthest& known = farthest_[k++];
          const Real reach = glm::dot(Vec3(x, y, z), point.onA);
          if (empty() || reach > known.reach || (reach == known.reach && point.id < known.point.id))
            known = {reach, point};
        }
  }

  std::array<Farthest, ways> farthest_;
  std::vector<ManifoldPoint> random_;  ///< a heap with the last point of this order in front
};

}  // namespace nearmiss
