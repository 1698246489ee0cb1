// SPDX-License-Identifier: MIT
/// Which shapes must be in memory together, and the order of visits.
#pragma once

#include <engine/interference/still_scene.h>
#include <nearmiss/advanced/body_state.h>
#include <nearmiss/advanced/build_progress.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

namespace nearmiss::engine {

/// Graph of shapes, weighted by memory. An edge joins two shapes that have objects with overlapping
/// boxes; a shape with several such objects has an edge to itself.
struct OverlapGraph {
  struct Edge {
    std::uint32_t a = 0, b = 0;        ///< shapes, a <= b
    std::size_t first = 0, count = 0;  ///< range in `pairs`
  };
  std::vector<std::uint64_t> weights;  ///< bytes, by shape
  std::vector<BodyPair> pairs;         ///< pairs of objects, grouped by edge
  std::vector<Edge> edges;             ///< sorted by a, then b
};

/// Builds the graph. Boxes rotate with their objects; sweep and prune along one axis uses the boxes
/// around these. Left-out pairs of the scene create no edges.
/// @param margin     boxes at most this far apart overlap [m]
/// @param maxPairs   if there are more pairs, the graph has one more than this and is incomplete
/// @param progress   may be null; if cancelled, the graph is incomplete
[[nodiscard]] OverlapGraph overlapGraph(
    const StillScene& scene, Real margin = 0.0,
    std::size_t maxPairs = std::numeric_limits<std::size_t>::max(),
    const BuildProgress* progress = nullptr);

// The order of visits of an overlap graph, chosen to read few shapes.

struct VisitPlan {
  std::vector<std::uint32_t> edges;   ///< all edges of the graph, each once
  std::vector<std::uint32_t> groups;  ///< by shape: group index, or `none` for shapes that are
                                      ///< split off
  std::size_t groupCount = 0;
  std::size_t splitOff = 0;  ///< shapes with too many neighbours to belong to a group
  static constexpr std::uint32_t none = 0xffffffff;
};

/// Returns the edge with the heaviest pair of shapes if that exceeds `limit` bytes.
[[nodiscard]] std::optional<OverlapGraph::Edge> heaviestBeyond(const OverlapGraph& graph,
                                                               std::uint64_t limit);

/// Splits off shapes with far more neighbours than the others, computes the connected components of
/// the rest, and divides those heavier than half of `limit` bytes by multilevel partitioning
/// [KK98]. Each group is placed after the groups with which it shares most edges. The order is:
/// edges within a group, edges to earlier groups, and finally edges of the shapes that were split
/// off.
[[nodiscard]] VisitPlan planVisits(const OverlapGraph& graph, std::uint64_t limit);

}  // namespace nearmiss::engine
