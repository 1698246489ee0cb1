// SPDX-License-Identifier: MIT
/// Which shapes have to be in memory together: the graph of overlapping objects.
#pragma once

#include <engine/resident/still_scene.h>
#include <nearmiss/body_state.h>

#include <cstddef>
#include <cstdint>
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
/// sorting along it.
[[nodiscard]] OverlapGraph overlapGraph(const StillScene& scene);

}  // namespace nearmiss::engine
