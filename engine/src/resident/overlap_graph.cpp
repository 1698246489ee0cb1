// SPDX-License-Identifier: MIT
#include <engine/resident/overlap_graph.h>

#include <algorithm>
#include <numeric>
#include <tuple>

namespace nearmiss::engine {
namespace {

Box boxOf(const StillScene& scene, const StillObject& object) {
  const Box& own = scene.shapes[object.shape].box;
  Box box;
  for (int corner = 0; corner < 8; ++corner) {
    const Vec3 p((corner & 1 ? own.high : own.low).x, (corner & 2 ? own.high : own.low).y,
                 (corner & 4 ? own.high : own.low).z);
    box.include(transformed(object.pose, p));
  }
  // What rounding took away
  const Vec3 margin = 1e-12 * (glm::abs(box.low) + glm::abs(box.high) + box.extent());
  return {box.low - margin, box.high + margin};
}

}  // namespace

OverlapGraph overlapGraph(const StillScene& scene) {
  OverlapGraph graph;
  for (const StoredShape& shape : scene.shapes) graph.weights.push_back(shape.bytes);
  std::vector<Box> boxes;
  for (const StillObject& object : scene.objects) boxes.push_back(boxOf(scene, object));

  // Sweep along x
  std::vector<std::uint32_t> order(boxes.size());
  std::iota(order.begin(), order.end(), 0u);
  std::ranges::sort(order, {}, [&](std::uint32_t i) { return boxes[i].low.x; });
  for (std::size_t i = 0; i < order.size(); ++i)
    for (std::size_t j = i + 1; j < order.size(); ++j) {
      if (boxes[order[j]].low.x > boxes[order[i]].high.x) break;
      if (overlap(boxes[order[i]], boxes[order[j]]))
        graph.pairs.push_back(pairOf(order[i], order[j]));
    }

  // Gather the pairs of the same two shapes
  const auto shapesOf = [&](const BodyPair& pair) {
    const std::uint32_t a = scene.objects[pair.a].shape, b = scene.objects[pair.b].shape;
    return std::pair(std::min(a, b), std::max(a, b));
  };
  std::ranges::sort(graph.pairs, {}, [&](const BodyPair& pair) {
    return std::tuple_cat(shapesOf(pair), std::tuple(pair.a, pair.b));
  });
  for (std::size_t i = 0; i < graph.pairs.size(); ++i) {
    const auto [a, b] = shapesOf(graph.pairs[i]);
    if (graph.edges.empty() || graph.edges.back().a != a || graph.edges.back().b != b)
      graph.edges.push_back({a, b, i, 0});
    ++graph.edges.back().count;
  }
  return graph;
}

}  // namespace nearmiss::engine
