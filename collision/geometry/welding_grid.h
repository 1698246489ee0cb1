// SPDX-License-Identifier: MIT
/// Finds the earlier vertex that another one is welded to, among those that have others near. Cells
/// are sorted, not hashed, so that no choice of positions makes them collide.
#pragma once

#include <nearmiss/detail/triangle_geometry.h>
#include <nearmiss/math.h>
#include <nearmiss/mesh.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <glm/common.hpp>
#include <glm/vector_relational.hpp>
#include <utility>
#include <vector>

#include "geometry/equal_items.h"
#include "geometry/wide_boxes.h"

namespace nearmiss {

/// Points, or cells, with the vertices that they are of, sorted.
class SortedPlaces {
 public:
  using Place = std::pair<Vec3, std::uint32_t>;

  void add(const Vec3& place, std::uint32_t vertex) { places_.emplace_back(place, vertex); }
  void sort() {
    std::sort(places_.begin(), places_.end(), [](const Place& a, const Place& b) {
      return a.first != b.first ? isBefore(a.first, b.first) : a.second < b.second;
    });
  }
  /// Calls visit(place, vertex, vertex of those that is first at the same place).
  void forEach(const auto& visit) const {
    std::size_t first = 0;
    for (std::size_t i = 0; i < places_.size(); ++i) {
      if (places_[i].first != places_[first].first) first = i;
      visit(places_[i].first, places_[i].second, places_[first].second);
    }
  }

 private:
  std::vector<Place> places_;
};

/// For each vertex the first at its position. Zeros of both signs are one.
[[nodiscard]] inline std::vector<std::uint32_t> firstAtPositions(const std::vector<Vec3>& positions,
                                                                 int workers = 1) {
  return firstOfEqual(
      positions.size(), [&](std::size_t v) { return positions[v]; }, workers);
}

/// Finds the earliest kept vertex near another. Few that are kept share a cell of a grid, since
/// they are no nearer to each other than the distance; those that stay apart may crowd, and have a
/// tree.
class WeldingGrid {
 public:
  /// @param distance above 0, and its square too
  /// @param first only vertices that are their own first are asked about, as firstAtPositions()
  ///   returns them
  WeldingGrid(const std::vector<Vec3>& positions, Real distance,
              const std::vector<std::uint32_t>& first)
      : positions_(positions), distance_(distance), cellOf_(positions.size(), none) {
    SortedPlaces sorted;
    for (std::uint32_t v = 0; v < positions.size(); ++v)
      if (first[v] == v) sorted.add(cellAt(positions[v]), v);
    sorted.sort();
    sorted.forEach([this](const Vec3& cell, std::uint32_t v, std::uint32_t firstInCell) {
      if (v == firstInCell) cells_.push_back(cell);
      cellOf_[v] = static_cast<std::uint32_t>(cells_.size() - 1);
    });
  }

  /// Forgets which vertices were kept. @param apart vertices that are kept even if others are near
  void start(const std::vector<char>& apart) {
    heads_.assign(cells_.size(), none);
    next_.assign(positions_.size(), none);
    isApart_ = &apart;
    apart_.clear();
    for (std::uint32_t v = 0; v < positions_.size(); ++v)
      if (apart[v] != 0 && cellOf_[v] != none) apart_.push_back(v);
    if (!apart_.empty()) plantBoxes();
  }

  /// The earliest vertex that was kept within reach of vertex `v`, or `v` itself, which is kept.
  /// @pre all before `v` were asked about
  std::uint32_t keptFor(std::uint32_t v) {
    if ((*isApart_)[v] != 0) return v;
    std::uint32_t earliest = earliestApart(v);
    const Vec3 home = cells_[cellOf_[v]];
    for (int x = -1; x <= 1; ++x)
      for (int y = -1; y <= 1; ++y) {
        const Vec3 low = home + Vec3(x, y, -1), high = home + Vec3(x, y, 1);
        for (auto at = std::lower_bound(cells_.begin(), cells_.end(), low,
                                        [](const Vec3&a, const Vec3&b) { return isBefore(a, b); });
             at != cells_.end() && !isBefore(high, *at); ++at)
          for (std::uint32_t k = heads_[static_cast<std::size_t>(at - cells_.begin())]; k != none;
               k = next_[k])
            if (k < earliest && mayBecome(k, v)) earliest = k;
      }
    if (earliest == v) {
      std::uint32_t& head = heads_[cellOf_[v]];
      next_[v] = head;
      head = v;
    }
    return earliest;
  }

  /// Pairs of vertices that were compared in all.
  [[nodiscard]] std::size_t compared() const noexcept { return compared_; }

 private:
  static constexpr std::uint32_t none = 0xffffffff;

  bool mayBecome(std::uint32_t kept, std::uint32_t v) noexcept {
    ++compared_;
    return squaredDistance(positions_[kept], positions_[v]) < distance_ * distance_;
  }

  [[nodiscard]] Vec3 cellAt(const Vec3& p) const noexcept { return glm::floor(p / distance_); }

  /// Rounding may place vertices two cells apart that are a hair nearer than the distance. Those
  /// are not welded, whichever way they are found.
  [[nodiscard]] bool adjoin(std::uint32_t a, std::uint32_t b) const noexcept {
    const Vec3 &p = cells_[cellOf_[a]], &q = cells_[cellOf_[b]];
    return glm::all(glm::lessThanEqual(p - 1.0, q)) && glm::all(glm::lessThanEqual(q, p + 1.0));
  }

  /// Also notes the earliest vertex below each slot, so that a search can pass over later ones.
  void plantBoxes() {
    std::vector<Box> points;
    for (const std::uint32_t v : apart_) points.push_back({positions_[v], positions_[v]});
    boxes_.build(points);
    earliestIn_.assign(WideBoxes::width * boxes_.nodeCount(), none);
    for (auto at = static_cast<std::uint32_t>(boxes_.nodeCount()); at-- > 0;)
      for (std::uint32_t lane = 0; lane < boxes_.node(at).count; ++lane) {
        std::uint32_t& earliest = earliestIn_[WideBoxes::width * at + lane];
        const std::uint32_t child = boxes_.node(at).child[lane];
        if ((child & WideBoxes::isLeaf) != 0)
          earliest = apart_[boxes_.itemsOf(child)[0]];
        else
          for (std::uint32_t k = 0; k < boxes_.node(child).count; ++k)
            earliest = std::min(earliest, earliestIn_[WideBoxes::width * child + k]);
      }
  }

  /// The earliest of those apart in reach of `v`, or `v`.
  [[nodiscard]] std::uint32_t earliestApart(std::uint32_t v) {
    std::uint32_t earliest = v;
    if (apart_.empty()) return earliest;
    std::array<std::uint32_t, WideBoxes::maxWaiting> waiting{0};
    for (std::size_t size = 1; size > 0;) {
      const std::uint32_t slot = waiting[--size];
      if (earliestIn_[slot] >= earliest || !reaches(boxes_.boxOf(slot), positions_[v])) continue;
      const std::uint32_t child = boxes_.childOf(slot);
      if ((child & WideBoxes::isLeaf) == 0) {
        // The earliest comes last
        const std::size_t first = size;
        for (std::uint32_t k = 0; k < boxes_.node(child).count; ++k)
          waiting[size++] = WideBoxes::width * child + k;
        std::sort(
            waiting.begin() + static_cast<std::ptrdiff_t>(first),
            waiting.begin() + static_cast<std::ptrdiff_t>(size),
            [this](std::uint32_t p, std::uint32_t q) { return earliestIn_[p] > earliestIn_[q]; });
        continue;
      }
      boxes_.anyIn(child, [&](std::uint32_t i, unsigned) {
        const std::uint32_t k = apart_[i];
        if (k < earliest && mayBecome(k, v) && adjoin(k, v)) earliest = k;
        return false;
      });
    }
    return earliest;
  }

  /// Rounded as distances of vertices are, and every step is monotonic: the box of a vertex in
  /// reach is in reach.
  [[nodiscard]] bool reaches(const Box& box, const Vec3& p) const noexcept {
    return squaredDistance(box, p) < distance_ * distance_;
  }

  const std::vector<Vec3>& positions_;
  Real distance_;
  std::vector<Vec3> cells_;            ///< those with vertices, sorted
  std::vector<std::uint32_t> cellOf_;  ///< by vertex: in cells_
  std::vector<std::uint32_t> heads_;   ///< by cell: the last kept vertex that is not apart
  std::vector<std::uint32_t> next_;    ///< by vertex: the one kept before it in its cell
  const std::vector<char>* isApart_ = nullptr;
  std::vector<std::uint32_t> apart_;       ///< ascending
  WideBoxes boxes_;                        ///< of apart_
  std::vector<std::uint32_t> earliestIn_;  ///< by slot of boxes_
  std::size_t compared_ = 0;
};

}  // namespace nearmiss
