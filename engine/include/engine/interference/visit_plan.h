// SPDX-License-Identifier: MIT
/// Which shapes must be in memory together, and in which order they are visited.
#pragma once

#include <engine/interference/still_scene.h>
#include <nearmiss/body_state.h>
#include <nearmiss/build_progress.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

namespace nearmiss::engine {

/// Shapes are its nodes, and what they weigh in memory; an edge joins two whose objects have boxes
/// that overlap, and a shape with itself where several of its objects do.
struct OverlapGraph {
  struct Edge {
    std::uint32_t a = 0, b = 0;        ///< shapes, a <= b
    std::size_t first = 0, count = 0;  ///< in `pairs`
  };
  std::vector<std::uint64_t> weights;  ///< bytes, by shape
  std::vector<BodyPair> pairs;         ///< of objects; those of an edge in a row
  std::vector<Edge> edges;             ///< by a, then b
};

/// Boxes are turned with their objects, and boxes around these are compared along one axis after
/// sorting along it. Pairs that the scene leaves out are no edges.
/// @param margin metres: boxes no farther apart overlap
/// @param maxPairs with more the graph has one more, and pairs are missing
/// @param progress may be null; where it is cancelled, pairs are missing
[[nodiscard]] OverlapGraph overlapGraph(
    const StillScene& scene, Real margin = 0.0,
    std::size_t maxPairs = std::numeric_limits<std::size_t>::max(),
    const BuildProgress* progress = nullptr);

// The order in which edges of an overlap graph are visited, so that shapes are read seldom.

struct VisitPlan {
  std::vector<std::uint32_t> edges;   ///< all of the graph, each once
  std::vector<std::uint32_t> groups;  ///< by shape: its group, from 0; splitOff has none
  std::size_t groupCount = 0;
  std::size_t splitOff = 0;  ///< shapes with too many neighbours to belong to a group
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
