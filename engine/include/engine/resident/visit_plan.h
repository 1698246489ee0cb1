// SPDX-License-Identifier: MIT
/// In which order the edges of an overlap graph are looked at, so that shapes are read seldom.
#pragma once

#include <engine/resident/overlap_graph.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace nearmiss::engine {

struct VisitPlan {
  std::vector<std::uint32_t> edges;   ///< all of the graph, each once
  std::vector<std::uint32_t> groups;  ///< by shape: its group, from 0; splitOff has none
  std::size_t groupCount = 0;
  std::size_t splitOff = 0;  ///< shapes with so many neighbours that they belong to no group
  static constexpr std::uint32_t none = 0xffffffff;
};

/// The edge whose shapes weigh most together, if that is more than `limit` bytes.
[[nodiscard]] std::optional<OverlapGraph::Edge> heaviestBeyond(const OverlapGraph& graph,
                                                               std::uint64_t limit);

/// Splits off shapes with far more neighbours than the others, takes the connected parts of what is
/// left, and divides those too heavy for half of `limit` bytes by multilevel partition [KK98].
/// Groups follow those that they share most edges with; the edges of one group come first, then
/// those to the groups before it, at last those of shapes that were split off.
[[nodiscard]] VisitPlan planVisits(const OverlapGraph& graph, std::uint64_t limit);

}  // namespace nearmiss::engine
