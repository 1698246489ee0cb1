// SPDX-License-Identifier: MIT
#include "fly/gfx/detail_levels.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/geometric.hpp>
#include <numeric>
#include <utility>

namespace nearmiss::app {
namespace {

/// Cells along a radius.
constexpr std::array cellCounts{48.0f, 32.0f, 20.0f, 12.0f, 8.0f, 5.0f, 3.0f};
/// A level must have at most this share of the triangles of the one before.
constexpr double worthwhile = 0.8;

/// For each vertex the one that stands for its cell: the nearest to their mean.
std::vector<std::uint32_t> standIns(std::span<const glm::vec3> positions, float cell) {
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

/// The triangles that are left, each once, in the order of the first.
std::vector<std::uint32_t> merged(std::span<const std::uint32_t> indices,
                                  std::span<const std::uint32_t> standIn) {
  std::vector<std::pair<Corners, std::size_t>> left;
  for (std::size_t t = 0; t + 2 < indices.size(); t += 3) {
    Corners corners{standIn[indices[t]], standIn[indices[t + 1]], standIn[indices[t + 2]]};
    if (corners[0] == corners[1] || corners[1] == corners[2] || corners[2] == corners[0]) continue;
    // The least corner first, the sense kept
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
    std::vector<std::uint32_t> left = merged(indices, standIns(positions, cell));
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

}  // namespace nearmiss::app
