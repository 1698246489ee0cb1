// SPDX-License-Identifier: MIT
#include <engine/interference/visit_plan.h>

#include <metis.h>
#include <nearmiss/advanced/fallbacks.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>

#include "interference/clash_sorter.h"

namespace nearmiss::engine {
namespace {

Box boxOf(const StillScene& scene, const StillObject& object, Real margin) {
  const Box& own = scene.shapes[object.shape].box;
  // Radius around the origin, about which the object rotates
  const Real reach = glm::length(glm::max(glm::abs(own.low), glm::abs(own.high)));
  Box box;
  for (int corner = 0; corner < 8; ++corner) {
    const Vec3 p((corner & 1 ? own.high : own.low).x, (corner & 2 ? own.high : own.low).y,
                 (corner & 4 ? own.high : own.low).z);
    box.include(transformed(object.pose, p));
  }
  // Margin for rounding
  const Vec3 more = std::max(0.5 * margin, clashRounding * reach) +
                    1e-12 * (glm::abs(box.low) + glm::abs(box.high) + box.extent());
  return {box.low - more, box.high + more};
}

}  // namespace

OverlapGraph overlapGraph(const StillScene& scene, Real margin, std::size_t maxPairs,
                          const BuildProgress* progress) {
  OverlapGraph graph;
  for (const StoredShape& shape : scene.shapes) graph.weights.push_back(shape.bytes);
  std::vector<Box> boxes;
  for (const StillObject& object : scene.objects) boxes.push_back(boxOf(scene, object, margin));

  // Sweep along x
  std::vector<std::uint32_t> order(boxes.size());
  std::iota(order.begin(), order.end(), 0u);
  std::ranges::sort(order, {}, [&](std::uint32_t i) { return boxes[i].low.x; });
  for (std::size_t i = 0; i < order.size() && graph.pairs.size() <= maxPairs; ++i) {
    if (progress && progress->cancelled) return graph;
    for (std::size_t j = i + 1; j < order.size(); ++j) {
      if (boxes[order[j]].low.x > boxes[order[i]].high.x || graph.pairs.size() > maxPairs) break;
      const BodyPair pair = pairOf(order[i], order[j]);
      if (overlap(boxes[order[i]], boxes[order[j]]) &&
          !std::ranges::binary_search(scene.skipped, pair, {}, &SkippedPair::pair))
        graph.pairs.push_back(pair);
    }
  }

  // Group the pairs by their two shapes
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

namespace {

constexpr std::uint32_t noGroup = VisitPlan::none;

/// Shapes with this many times the median number of neighbours are split off.
constexpr std::size_t highValence = 8, minValence = 16;

using Neighbours = std::vector<std::vector<std::uint32_t>>;  ///< shapes, by shape

Neighbours neighboursOf(const OverlapGraph& graph) {
  Neighbours neighbours(graph.weights.size());
  for (const OverlapGraph::Edge& edge : graph.edges) {
    if (edge.a == edge.b) continue;
    neighbours[edge.a].push_back(edge.b);
    neighbours[edge.b].push_back(edge.a);
  }
  return neighbours;
}

std::uint64_t weightOf(const OverlapGraph& graph, const OverlapGraph::Edge& edge) noexcept {
  return graph.weights[edge.a] + (edge.a == edge.b ? 0 : graph.weights[edge.b]);
}

/// Marks split-off shapes with `none` and the others with 0.
std::vector<std::uint32_t> withoutHubs(const Neighbours& neighbours, std::size_t& splitOff) {
  std::vector<std::size_t> valences;
  for (const auto& own : neighbours)
    if (!own.empty()) valences.push_back(own.size());
  std::vector<std::uint32_t> groups(neighbours.size(), 0);
  if (valences.empty()) return groups;
  const auto middle = valences.begin() + static_cast<std::ptrdiff_t>(valences.size() / 2);
  std::nth_element(valences.begin(), middle, valences.end());
  const std::size_t most = std::max(highValence * *middle, minValence);
  for (std::size_t shape = 0; shape < neighbours.size(); ++shape)
    if (neighbours[shape].size() > most) {
      groups[shape] = noGroup;
      ++splitOff;
    }
  return groups;
}

class Division {
 public:
  Division(const OverlapGraph& graph, const Neighbours& neighbours, std::uint64_t limit,
           std::vector<std::uint32_t> marks)
      : graph_(graph), neighbours_(neighbours), limit_(limit), groups_(std::move(marks)) {}

  std::vector<std::uint32_t> run() {
    std::vector<bool> seen(groups_.size(), false);
    for (std::uint32_t shape = 0; shape < groups_.size(); ++shape) {
      if (seen[shape] || groups_[shape] == noGroup) continue;
      divide(component(shape, seen));
    }
    return std::move(groups_);
  }
  [[nodiscard]] std::size_t count() const noexcept { return count_; }

 private:
  std::vector<std::uint32_t> component(std::uint32_t start, std::vector<bool>& seen) const {
    std::vector<std::uint32_t> part{start};
    seen[start] = true;
    for (std::size_t i = 0; i < part.size(); ++i)
      for (const std::uint32_t next : neighbours_[part[i]]) {
        if (seen[next] || groups_[next] == noGroup) continue;
        seen[next] = true;
        part.push_back(next);
      }
    return part;
  }

  void divide(const std::vector<std::uint32_t>& part) {
    std::uint64_t weight = 0;
    for (const std::uint32_t shape : part) weight += graph_.weights[shape];
    if (weight <= limit_ || part.size() == 1) {
      for (const std::uint32_t shape : part) groups_[shape] = static_cast<std::uint32_t>(count_);
      ++count_;
      return;
    }
    // Bisect recursively until the parts are light enough
    const std::vector<idx_t> side = halves(part);
    std::vector<std::uint32_t> parts[2];
    for (std::size_t i = 0; i < part.size(); ++i) parts[side[i] != 0].push_back(part[i]);
    // If the partitioner leaves one side empty, use arbitrary halves
    if (parts[0].empty() || parts[1].empty()) {
      countFallback(Fallback::PartitionHalves);
      const auto middle = part.begin() + static_cast<std::ptrdiff_t>(part.size() / 2);
      parts[0].assign(part.begin(), middle);
      parts[1].assign(middle, part.end());
    }
    for (const auto& half : parts) divide(half);
  }

  [[nodiscard]] std::vector<idx_t> halves(const std::vector<std::uint32_t>& part) const {
    std::map<std::uint32_t, idx_t> indices;
    for (std::size_t i = 0; i < part.size(); ++i) indices[part[i]] = static_cast<idx_t>(i);
    std::vector<idx_t> starts{0}, ends, edgeWeights, weights, side(part.size(), 0);
    for (const std::uint32_t shape : part) {
      // In kilobytes, so that 32 bits suffice
      weights.push_back(static_cast<idx_t>(1 + graph_.weights[shape] / 1024));
      for (const std::uint32_t next : neighbours_[shape]) {
        const auto index = indices.find(next);
        if (index == indices.end()) continue;
        ends.push_back(index->second);
        // Cutting an edge costs reading the neighbour again
        edgeWeights.push_back(
            static_cast<idx_t>(1 + graph_.weights[next] / 1024 + graph_.weights[shape] / 1024));
      }
      starts.push_back(static_cast<idx_t>(ends.size()));
    }
    auto count = static_cast<idx_t>(part.size());
    idx_t constraints = 1, parts = 2, cut = 0;
    idx_t options[METIS_NOPTIONS];
    METIS_SetDefaultOptions(options);
    options[METIS_OPTION_SEED] = 1;
    // A failure leaves one side empty
    (void)METIS_PartGraphRecursive(&count, &constraints, starts.data(), ends.data(), weights.data(),
                                   nullptr, edgeWeights.data(), &parts, nullptr, nullptr, options,
                                   &cut, side.data());
    return side;
  }

  const OverlapGraph& graph_;
  const Neighbours& neighbours_;
  std::uint64_t limit_;
  std::vector<std::uint32_t> groups_;
  std::size_t count_ = 0;
};

/// Orders the groups: next comes the one that shares most pairs with the previous ones; the latest
/// counts twice.
std::vector<std::uint32_t> rankOf(const OverlapGraph& graph,
                                  const std::vector<std::uint32_t>& groups, std::size_t count) {
  std::vector<std::map<std::uint32_t, std::size_t>> shared(count);
  for (const OverlapGraph::Edge& edge : graph.edges) {
    const std::uint32_t a = groups[edge.a], b = groups[edge.b];
    if (a == noGroup || b == noGroup || a == b) continue;
    shared[a][b] += 1;
    shared[b][a] += 1;
  }
  std::vector<std::uint32_t> rank(count, noGroup);
  std::vector<std::size_t> pull(count, 0);
  std::uint32_t current = noGroup;
  for (std::uint32_t placed = 0; placed < count; ++placed) {
    std::uint32_t best = noGroup;
    std::size_t most = 0;
    for (std::uint32_t group = 0; group < count; ++group) {
      if (rank[group] != noGroup) continue;
      std::size_t worth = pull[group];
      if (current != noGroup)
        if (const auto link = shared[current].find(group); link != shared[current].end())
          worth += link->second;
      if (best != noGroup && worth <= most) continue;
      best = group;
      most = worth;
    }
    rank[best] = placed;
    current = best;
    for (const auto& [other, pairs] : shared[best]) pull[other] += pairs;
  }
  return rank;
}

}  // namespace

std::optional<OverlapGraph::Edge> heaviestBeyond(const OverlapGraph& graph, std::uint64_t limit) {
  std::optional<OverlapGraph::Edge> heaviest;
  for (const OverlapGraph::Edge& edge : graph.edges) {
    const std::uint64_t weight = weightOf(graph, edge);
    if (weight <= limit) continue;
    limit = weight;
    heaviest = edge;
  }
  return heaviest;
}

VisitPlan planVisits(const OverlapGraph& graph, std::uint64_t limit) {
  VisitPlan plan;
  const Neighbours neighbours = neighboursOf(graph);
  Division division(graph, neighbours, limit / 2, withoutHubs(neighbours, plan.splitOff));
  plan.groups = division.run();
  plan.groupCount = division.count();

  // Order by the later group; inner edges first, then from the latest earlier group backwards
  const std::vector<std::uint32_t> rank = rankOf(graph, plan.groups, plan.groupCount);
  const auto placeOf = [&](std::uint32_t shape) {
    return plan.groups[shape] == noGroup ? noGroup : rank[plan.groups[shape]];
  };
  plan.edges.resize(graph.edges.size());
  std::iota(plan.edges.begin(), plan.edges.end(), 0u);
  std::ranges::sort(plan.edges, {}, [&](std::uint32_t e) {
    const OverlapGraph::Edge& edge = graph.edges[e];
    const std::uint32_t a = placeOf(edge.a), b = placeOf(edge.b);
    const std::uint32_t later = std::max(a, b), gap = later - std::min(a, b);
    // Keep all edges of a split-off shape together
    const std::uint32_t hub = later != noGroup ? 0 : a == noGroup ? edge.a : edge.b;
    return std::tuple(later, hub, later == noGroup ? std::min(a, b) : gap, edge.a, edge.b);
  });
  return plan;
}

}  // namespace nearmiss::engine
