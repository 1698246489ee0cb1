// SPDX-License-Identifier: MIT
/// Finds the earlier vertex that another vertex is welded to, among those that have others near.
/// Cells are sorted, not hashed, so that no choice of positions can make them collide.
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

#include "base/equal_items.h"
#include "geometry/wide_boxes.h"

namespace nearmiss {

/// Points or cells, each with its vertex, sorted.
class SortedPlaces {
 public:
  using Place = std::pair<Vec3, std::uint32_t>;

  void add(const Vec3& place, std::uint32_t vertex) { places_.emplace_back(place, vertex); }
  void sort() {
    std::sort(places_.begin(), places_.end(), [](const Place& a, const Place& b) {
      return a.first != b.first ? isBefore(a.first, b.first) : a.second < b.second;
    });
  }
  /// Calls visit(place, vertex, first vertex at the same place).
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

/// Returns, for each vertex, the first vertex at its position. Zeros of both signs are equal.
[[nodiscard]] inline std::vector<std::uint32_t> firstAtPositions(const std::vector<Vec3>& positions,
                                                                 int workers = 1) {
  return firstOfEqual(
      positions.size(), [&](std::size_t v) { return positions[v]; }, workers);
}

/// Finds the earliest kept vertex near another. Few kept vertices share a cell of the grid, because
/// they are no nearer to each other than the distance. Vertices that are kept apart may crowd, so
/// they are stored in a tree.
class WeldingGrid {
 public:
  /// @param distance metres; it and its square must be above 0
  /// @param first as returned by firstAtPositions(); keptFor() may only be called for vertices that
  /// are their own first
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

  /// Resets which vertices were kept.
  /// @param apart vertices that are kept even if others are near
  void start(const std::vector<char>& apart) {
    heads_.assign(cells_.size(), none);
    next_.assign(positions_.size(), none);
    isApart_ = &apart;
    apart_.clear();
    for (std::uint32_t v = 0; v < positions_.size(); ++v)
      if (apart[v] != 0 && cellOf_[v] != none) apart_.push_back(v);
    if (!apart_.empty()) plantBoxes();
  }

  /// Returns the earliest kept vertex within reach of vertex `v`. If there is none, keeps and
  /// returns `v`.
  /// @pre called before for all vertices before `v`
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

  /// Total number of vertex pairs compared.
  [[nodiscard]] std::size_t compared() const noexcept { return compared_; }

 private:
  static constexpr std::uint32_t none = 0xffffffff;

  bool mayBecome(std::uint32_t kept, std::uint32_t v) noexcept {
    ++compared_;
    return squaredDistance(positions_[kept], positions_[v]) < distance_ * distance_;
  }

  [[nodiscard]] Vec3 cellAt(const Vec3& p) const noexcept { return glm::floor(p / distance_); }

  /// Rounding may place vertices two cells apart that are slightly nearer than the distance. These
  /// are not welded, independently of how they are found.
  [[nodiscard]] bool adjoin(std::uint32_t a, std::uint32_t b) const noexcept {
    const Vec3 &p = cells_[cellOf_[a]], &q = cells_[cellOf_[b]];
    return glm::all(glm::lessThanEqual(p - 1.0, q)) && glm::all(glm::lessThanEqual(q, p + 1.0));
  }

  /// Builds the tree, and stores the earliest vertex below each slot, so that a search can skip
  /// later ones.
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

  /// Returns the earliest vertex of those kept apart within reach of `v`, or `v`.
  [[nodiscard]] std::uint32_t earliestApart(std::uint32_t v) {
    std::uint32_t earliest = v;
    if (apart_.empty()) return earliest;
    std::array<std::uint32_t, WideBoxes::maxWaiting> waiting{0};
    for (std::size_t size = 1; size > 0;) {
      const std::uint32_t slot = waiting[--size];
      if (earliestIn_[slot] >= earliest || !reaches(boxes_.boxOf(slot), positions_[v])) continue;
      const std::uint32_t child = boxes_.childOf(slot);
      if ((child & WideBoxes::isLeaf) == 0) {
        // Push children so that the earliest comes last
        const std::size_t first = size;
        for (std::uint32_t k = 0; k < boxes_.node(child).count; ++k)
          waiting[size++] = WideBoxes::width * child + k;
        std::sort(waiting.begin() + static_cast<std::ptrdiff_t>(first),
                  waiting.begin() + static_cast<std::ptrdiff_t>(size),
                  [this](std::uint32_t p, std::uint32_t q) {
                    return std::pair(earliestIn_[p], p) > std::pair(earliestIn_[q], q);
                  });
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

  /// Rounds in the same way as distances of vertices, and every step is monotonic: if a vertex is
  /// within reach, so is its box.
  [[nodiscard]] bool reaches(const Box& box, const Vec3& p) const noexcept {
    return squaredDistance(box, p) < distance_ * distance_;
  }

  const std::vector<Vec3>& positions_;
  Real distance_;
  std::vector<Vec3> cells_;            ///< cells with vertices, sorted
  std::vector<std::uint32_t> cellOf_;  ///< by vertex: index into cells_
  std::vector<std::uint32_t> heads_;   ///< by cell: the last kept vertex that is not kept apart
  std::vector<std::uint32_t> next_;    ///< by vertex: the vertex kept before it in its cell
  const std::vector<char>* isApart_ = nullptr;
  std::vector<std::uint32_t> apart_;       ///< ascending
  WideBoxes boxes_;                        ///< over apart_
  std::vector<std::uint32_t> earliestIn_;  ///< by slot of boxes_
  std::size_t compared_ = 0;
};

}  // namespace nearmiss
