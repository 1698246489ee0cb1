// SPDX-License-Identifier: MIT
/// A few of the points where triangles of two bodies meet.
#pragma once

#include <nearmiss/contact_manifold.h>
#include <nearmiss/math.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <glm/geometric.hpp>
#include <limits>
#include <utility>
#include <vector>

namespace nearmiss {

/// Takes any number of points and keeps those that reach the farthest in some directions, and a
/// random few of all. Which it keeps does not depend on their order. Keeps its memory.
class CrossingSample {
 public:
  void clear() noexcept { random_.clear(); }
  [[nodiscard]] bool empty() const noexcept { return random_.empty(); }

  /// @param point depth 0, with an id that no other one has
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

  /// Amid two that reach the farthest in opposite directions.
  /// @pre !empty()
  [[nodiscard]] std::array<Vec3, 13> middles() const noexcept {
    std::array<Vec3, 13> middles;
    for (std::size_t k = 0; k < middles.size(); ++k)
      middles[k] = 0.5 * (farthest_[k].point.onA + farthest_[ways - 1 - k].point.onA);
    return middles;
  }
  /// One of them.
  /// @pre !empty()
  [[nodiscard]] const ManifoldPoint& one() const noexcept {
    return *std::min_element(random_.begin(), random_.end(), before);
  }

  /// Some twice.
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

  /// An order of ids that has nothing to do with places.
  static bool before(const ManifoldPoint& p, const ManifoldPoint& q) noexcept {
    constexpr std::uint64_t mix = 0x9e3779b97f4a7c15;
    const auto mixed = [](std::uint64_t id) { return (id ^ id >> 29) * mix; };
    return std::pair(mixed(p.id), p.id) < std::pair(mixed(q.id), q.id);
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
  std::vector<ManifoldPoint> random_;  ///< a heap, the last one in front
};

}  // namespace nearmiss
