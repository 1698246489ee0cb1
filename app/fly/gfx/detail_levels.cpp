// SPDX-License-Identifier: MIT
#include "fly/gfx/detail_levels.h"

#include <algorithm>
#include <array>
#include <glm/geometric.hpp>
#include <numeric>
#include <optional>
#include <utility>

namespace nearmiss::app::fly {
namespace {

/// Cells per radius.
constexpr std::array cellCounts{48.0f, 32.0f, 20.0f, 12.0f, 8.0f, 5.0f, 3.0f};
/// Maximum number of triangles of a level relative to the previous one.
constexpr double worthwhile = 0.8;

/// Returns for each vertex the representative of its cell: the vertex nearest to the mean.
std::vector<std::uint32_t> representatives(std::span<const glm::vec3> positions, float cell) {
  using Cell = std::array<int, 3>;
  std::vector<Cell> cells;
  for (const glm::vec3& p : positions) {
    const glm::vec3 at = glm::floor(p / cell);
    cells.push_back({static_cast<int>(at.x), static_cast<int>(at.y), static_cast<int>(at.z)});
  }
  std::vector<std::uint32_t> order(positions.size()), chosen(positions.size());
  std::iota(order.begin(), order.end(), 0u);
  std::ranges::sort(order, [&cells](std::uint32_t p, std::uint32_t q) {
    return std::pair(cells[p], p) < std::pair(cells[q], q);
  });
  for (std::size_t begin = 0, end = 0; begin < order.size(); begin = end) {
    glm::vec3 sum(0.0f);
    while (end < order.size() && cells[order[end]] == cells[order[begin]])
      sum += positions[order[end++]];
    const glm::vec3 mean = sum / static_cast<float>(end - begin);
    const std::span members(order.data() + begin, end - begin);
    const std::uint32_t nearest = *std::ranges::min_element(
        members, {}, [&](std::uint32_t i) { return glm::distance(positions[i], mean); });
    for (const std::uint32_t i : members) chosen[i] = nearest;
  }
  return chosen;
}

using Corners = std::array<std::uint32_t, 3>;

/// The remaining triangles without duplicates, in the order of first occurrence.
std::vector<std::uint32_t> merged(std::span<const std::uint32_t> indices,
                                  std::span<const std::uint32_t> representative) {
  std::vector<std::pair<Corners, std::size_t>> left;
  for (std::size_t t = 0; t + 2 < indices.size(); t += 3) {
    Corners corners{representative[indices[t]], representative[indices[t + 1]],
                    representative[indices[t + 2]]};
    if (corners[0] == corners[1] || corners[1] == corners[2] || corners[2] == corners[0]) continue;
    // Rotate the smallest corner to the front, which keeps the orientation
    std::rotate(corners.begin(), std::ranges::min_element(corners), corners.end());
    left.emplace_back(corners, t);
  }
  std::ranges::sort(left);
  const auto same = [](const auto& p, const auto& q) { return p.first == q.first; };
  left.erase(std::unique(left.begin(), left.end(), same), left.end());
  std::ranges::sort(left, {}, &std::pair<Corners, std::size_t>::second);
  std::vector<std::uint32_t> kept;
  for (const auto& [corners, t] : left) kept.insert(kept.end(), corners.begin(), corners.end());
  return kept;
}

}  // namespace

std::vector<DetailLevel> detailLevels(std::span<const glm::vec3> positions,
                                      std::span<const std::uint32_t> indices, float radius) {
  std::vector<DetailLevel> levels(1);
  levels[0].indices.assign(indices.begin(), indices.end());
  if (!(radius > 0.0f)) return levels;
  for (const float count : cellCounts) {
    const float cell = radius / count;
    std::vector<std::uint32_t> left = merged(indices, representatives(positions, cell));
    const auto most = worthwhile * static_cast<double>(levels.back().indices.size());
    if (left.empty() || static_cast<double>(left.size()) > most) continue;
    levels.push_back({std::move(left), cell});
  }
  return levels;
}

std::size_t levelFor(std::span<const float> cells, float most) noexcept {
  std::size_t level = 0;
  while (level + 1 < cells.size() && cells[level + 1] <= most) ++level;
  return level;
}

namespace {

/// Triangles at each vertex, as concatenated lists.
struct Fans {
  std::vector<std::uint32_t> starts, triangles;

  Fans(std::span<const std::uint32_t> indices, std::size_t vertexCount)
      : starts(vertexCount + 1, 0), triangles(indices.size()) {
    for (const std::uint32_t v : indices) ++starts[v + 1];
    for (std::size_t v = 0; v < vertexCount; ++v) starts[v + 1] += starts[v];
    std::vector<std::uint32_t> next(starts.begin(), starts.end() - 1);
    for (std::size_t i = 0; i < indices.size(); ++i) {
      triangles[next[indices[i]]++] = static_cast<std::uint32_t>(i / 3);
    }
  }
  [[nodiscard]] std::span<const std::uint32_t> at(std::uint32_t v) const {
    return std::span(triangles).subspan(starts[v], starts[v + 1] - starts[v]);
  }
};

class Tipsify {
 public:
  Tipsify(std::span<const std::uint32_t> indices, std::size_t vertexCount, std::size_t cacheSize)
      : indices_(indices),
        fans_(indices, vertexCount),
        cacheSize_(cacheSize),
        now_(cacheSize + 1),
        live_(vertexCount),
        entered_(vertexCount, 0),
        emitted_(indices.size() / 3, false) {
    for (std::uint32_t v = 0; v < vertexCount; ++v) live_[v] = fans_.at(v).size();
  }

  std::vector<std::uint32_t> order() {
    ordered_.reserve(indices_.size());
    for (auto centre = nextLeft(); centre; centre = nextCentre()) emitFan(*centre);
    return std::move(ordered_);
  }

 private:
  /// Emits the remaining triangles at a vertex; their corners are candidates for the next fan.
  void emitFan(std::uint32_t centre) {
    rim_.clear();
    for (const std::uint32_t t : fans_.at(centre)) {
      if (emitted_[t]) continue;
      emitted_[t] = true;
      for (std::size_t k = 0; k < 3; ++k) {
        const std::uint32_t v = indices_[3 * t + k];
        ordered_.push_back(v);
        rim_.push_back(v);
        trail_.push_back(v);
        --live_[v];
        if (now_ - entered_[v] > cacheSize_) entered_[v] = now_++;
      }
    }
  }

  /// Returns the centre of the next fan: the oldest candidate that stays cached while its triangles
  /// are emitted. If there is none, returns the vertex visited last that has triangles left; if
  /// there is none either, any vertex with triangles left.
  std::optional<std::uint32_t> nextCentre() {
    std::optional<std::uint32_t> best;
    std::size_t bestAge = 0;
    for (const std::uint32_t v : rim_) {
      if (live_[v] == 0) continue;
      const std::size_t age = now_ - entered_[v];
      const std::size_t worth = age + 2 * live_[v] <= cacheSize_ ? age + 1 : 1;
      if (worth > bestAge) {
        bestAge = worth;
        best = v;
      }
    }
    while (!best && !trail_.empty()) {
      if (live_[trail_.back()] > 0) best = trail_.back();
      trail_.pop_back();
    }
    return best ? best : nextLeft();
  }

  std::optional<std::uint32_t> nextLeft() {
    while (cursor_ < live_.size() && live_[cursor_] == 0) ++cursor_;
    if (cursor_ == live_.size()) return std::nullopt;
    return static_cast<std::uint32_t>(cursor_);
  }

  std::span<const std::uint32_t> indices_;
  Fans fans_;
  std::size_t cacheSize_, now_, cursor_ = 0;
  std::vector<std::size_t> live_;     ///< number of remaining triangles at each vertex
  std::vector<std::size_t> entered_;  ///< time at which each vertex entered the cache
  std::vector<bool> emitted_;
  std::vector<std::uint32_t> ordered_, rim_, trail_;
};

}  // namespace

std::vector<std::uint32_t> orderForReuse(std::span<const std::uint32_t> indices,
                                         std::size_t vertexCount, std::size_t cacheSize) {
  return Tipsify(indices, vertexCount, cacheSize).order();
}

}  // namespace nearmiss::app::fly
