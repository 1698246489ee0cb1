// SPDX-License-Identifier: MIT
/// How often shapes are read where memory holds a few of them: by the planned order beside the best
/// and random ones, and by what is let go beside the fewest reads that any choice allows.
#include <engine/interference/shapes_in_memory.h>
#include <engine/interference/visit_plan.h>
#include <gtest/gtest.h>
#include <nearmiss/advanced/fallbacks.h>
#include <nearmiss/shape.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <numeric>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "support/files.h"
#include "support/meshes.h"
#include "support/random.h"
#include "support/shapes.h"

namespace nearmiss::engine {
namespace {

using nearmiss::test::Random;

constexpr std::uint64_t shapeBytes = 1'000'000;

using Order = std::vector<ShapeVisit>;

/// The fewest reads for an order, over all ways to let shapes go: by every set of at most `room`
/// shapes that memory can hold after each visit.
std::size_t fewestReads(std::span<const ShapeVisit> order, int room) {
  std::map<std::uint32_t, std::size_t> known{{0u, 0u}};
  for (const auto& [a, b] : order) {
    const std::uint32_t needed = 1u << a | 1u << b;
    std::map<std::uint32_t, std::size_t> next;
    for (const auto& [held, reads] : known) {
      const std::size_t now = reads + static_cast<std::size_t>(std::popcount(needed & ~held));
      // Any part of the others may stay
      const std::uint32_t others = held & ~needed;
      for (std::uint32_t kept = others;; kept = (kept - 1) & others) {
        if (std::popcount(kept | needed) <= room) {
          const auto [at, added] = next.try_emplace(kept | needed, now);
          at->second = std::min(at->second, now);
        }
        if (kept == 0) break;
      }
    }
    known = std::move(next);
  }
  return std::ranges::min_element(known, {}, [](const auto& each) { return each.second; })->second;
}

/// The reads by Belady's rule, for any number of shapes: the one needed latest goes.
std::size_t readsByBelady(std::span<const ShapeVisit> order, std::size_t room) {
  std::set<std::uint32_t> held;
  std::size_t reads = 0;
  for (std::size_t v = 0; v < order.size(); ++v)
    for (const std::uint32_t shape : order[v]) {
      if (held.contains(shape)) continue;
      ++reads;
      if (held.size() == room) {
        const auto nextUse = [&](std::uint32_t other) {
          for (std::size_t w = v; w < order.size(); ++w)
            if (order[w][0] == other || order[w][1] == other) return w;
          return order.size();
        };
        held.erase(std::ranges::max_element(held, {}, nextUse));
      }
      held.insert(shape);
    }
  return reads;
}

Order orderOf(const OverlapGraph& graph, std::span<const std::uint32_t> edges) {
  Order order;
  for (const std::uint32_t e : edges) order.push_back({graph.edges[e].a, graph.edges[e].b});
  return order;
}

OverlapGraph graphOf(std::size_t shapes, std::set<std::pair<std::uint32_t, std::uint32_t>> pairs) {
  OverlapGraph graph;
  graph.weights.assign(shapes, shapeBytes);
  for (const auto& [a, b] : pairs) graph.edges.push_back({a, b, 0, 0});
  return graph;
}

/// Cliques in a ring, each joined to the next by one edge; shapes are numbered at random, so that
/// no order of numbers tells which belong together. `cliqueOf` is by shape.
OverlapGraph ringOfCliques(Random& random, std::uint32_t cliques, std::uint32_t size,
                           std::vector<std::uint32_t>& cliqueOf) {
  std::vector<std::uint32_t> number(cliques * size);
  std::iota(number.begin(), number.end(), 0u);
  for (std::size_t i = number.size(); i-- > 1;)
    std::swap(number[i], number[random.bits() % (i + 1)]);
  std::set<std::pair<std::uint32_t, std::uint32_t>> pairs;
  const auto join = [&](std::uint32_t i, std::uint32_t j) {
    pairs.insert(std::minmax(number[i], number[j]));
  };
  cliqueOf.resize(number.size());
  for (std::uint32_t c = 0; c < cliques; ++c) {
    for (std::uint32_t i = 0; i < size; ++i) {
      cliqueOf[number[c * size + i]] = c;
      for (std::uint32_t j = 0; j < i; ++j) join(c * size + i, c * size + j);
    }
    join(c * size, (c + 1) % cliques * size + 1);
  }
  return graphOf(number.size(), std::move(pairs));
}

/// The partition cuts where one edge is, never within a clique, and nothing gave way to halves.
TEST(VisitPlan, DividesARingOfCliquesBetweenThem) {
  Random random(1);
  const std::uint64_t before = fallbacks(Fallback::PartitionHalves);
  for (int round = 0; round < 10; ++round) {
    std::vector<std::uint32_t> cliqueOf;
    const OverlapGraph graph = ringOfCliques(random, 8, 6, cliqueOf);
    const VisitPlan plan = planVisits(graph, 2 * 6 * shapeBytes);
    EXPECT_EQ(plan.groupCount, 8u);
    std::map<std::uint32_t, std::set<std::uint32_t>> cliques;
    for (std::size_t shape = 0; shape < cliqueOf.size(); ++shape)
      cliques[plan.groups[shape]].insert(cliqueOf[shape]);
    for (const auto& [group, own] : cliques) EXPECT_EQ(own.size(), 1u) << round;
  }
  EXPECT_EQ(fallbacks(Fallback::PartitionHalves), before);
}

/// A shape far heavier than all others together: no two halves are near each other in weight,
/// the partition leaves one side empty, and that is counted.
TEST(VisitPlan, CountsWhereThePartitionLeavesASideEmpty) {
  const std::uint64_t before = fallbacks(Fallback::PartitionHalves);
  for (std::uint32_t shapes = 2; shapes < 12; ++shapes) {
    std::set<std::pair<std::uint32_t, std::uint32_t>> pairs;
    for (std::uint32_t i = 1; i < shapes; ++i) pairs.insert({i - 1, i});
    OverlapGraph graph = graphOf(shapes, pairs);
    graph.weights[0] = 1000 * shapeBytes;
    const VisitPlan plan = planVisits(graph, 2 * shapeBytes);
    for (std::uint32_t i = 1; i < shapes; ++i) EXPECT_NE(plan.groups[i], plan.groups[0]);
  }
  EXPECT_GT(fallbacks(Fallback::PartitionHalves), before);
}

/// Beside the best of all orders of a few edges, each with the fewest reads that it allows, and
/// beside random ones.
TEST(VisitPlan, ReadsLittleMoreThanTheBestOrder) {
  Random random(2);
  std::size_t planned = 0, best = 0;
  double anyhow = 0.0;
  constexpr int room = 3, shapes = 6, edges = 7;
  for (int round = 0; round < 8; ++round) {
    std::set<std::pair<std::uint32_t, std::uint32_t>> pairs;
    while (pairs.size() < edges) {
      const auto a = static_cast<std::uint32_t>(random.whole(0, shapes - 1));
      const auto b = static_cast<std::uint32_t>(random.whole(0, shapes - 1));
      if (a != b) pairs.insert(std::minmax(a, b));
    }
    const OverlapGraph graph = graphOf(shapes, std::move(pairs));
    const VisitPlan plan = planVisits(graph, room * shapeBytes);
    const std::size_t own = fewestReads(orderOf(graph, plan.edges), room);
    std::vector<std::uint32_t> order(graph.edges.size());
    std::iota(order.begin(), order.end(), 0u);
    std::size_t fewest = std::numeric_limits<std::size_t>::max(), all = 0, count = 0;
    do {
      const std::size_t reads = fewestReads(orderOf(graph, order), room);
      fewest = std::min(fewest, reads);
      all += reads;
      ++count;
    } while (std::ranges::next_permutation(order).found);
    ASSERT_GE(own, fewest);
    planned += own;
    best += fewest;
    anyhow += static_cast<double>(all) / static_cast<double>(count);
  }
  RecordProperty("planned", std::to_string(planned));
  RecordProperty("best", std::to_string(best));
  RecordProperty("random", std::to_string(anyhow));
  EXPECT_LE(static_cast<double>(planned), 1.2 * static_cast<double>(best));
  EXPECT_LT(static_cast<double>(planned), 0.9 * anyhow);
}

TEST(VisitPlan, ReadsFarLessThanARandomOrder) {
  Random random(3);
  for (int round = 0; round < 5; ++round) {
    std::vector<std::uint32_t> cliqueOf;
    const OverlapGraph graph = ringOfCliques(random, 8, 6, cliqueOf);
    const VisitPlan plan = planVisits(graph, 12 * shapeBytes);
    std::vector<std::uint32_t> shuffled = plan.edges;
    for (std::size_t i = shuffled.size(); i-- > 1;)
      std::swap(shuffled[i], shuffled[random.bits() % (i + 1)]);
    const std::size_t planned = readsByBelady(orderOf(graph, plan.edges), 12);
    EXPECT_GE(planned, graph.weights.size());
    EXPECT_LE(planned, graph.weights.size() + 8) << "each once, but for the ends of the ring";
    EXPECT_GT(readsByBelady(orderOf(graph, shuffled), 12), 2 * planned);
  }
}

/// Shapes that are all one file, as many as memory has room for.
class FewShapes : public testing::Test {
 protected:
  FewShapes() {
    EXPECT_TRUE(
        writeShape(folder_ / "cube.shape", nearmiss::test::treelessShape(nearmiss::test::cube())));
  }

  std::size_t readsOf(const Order& order, std::size_t shapes, std::uint64_t room) const {
    StoredShape stored;
    stored.file = folder_ / "cube.shape";
    stored.bytes = shapeBytes;
    const std::vector<StoredShape> all(shapes, stored);
    ShapesInMemory memory(all, order, room * shapeBytes);
    for (std::size_t v = 0; v < order.size(); ++v) EXPECT_TRUE(memory.next());
    EXPECT_LE(memory.figures().maxBytes, room * shapeBytes);
    return memory.figures().reads;
  }

  nearmiss::test::TemporaryFolder folder_;
};

/// Round and round with room for all but one: letting the shape go that is needed latest reads one
/// or two in a round, and any other rule far more.
TEST_F(FewShapes, GoWhenTheyAreNeededLatest) {
  constexpr std::uint32_t shapes = 8, rounds = 12;
  Order order;
  for (std::uint32_t i = 0; i < shapes * rounds; ++i)
    order.push_back({i % shapes, (i + 1) % shapes});
  const std::size_t fewest = fewestReads(order, shapes - 1);
  const std::size_t reads = readsOf(order, shapes, shapes - 1);
  EXPECT_GT(fewest, shapes + rounds / 2);
  EXPECT_GE(reads, fewest);
  EXPECT_LE(reads, 2 * fewest);
}

/// Reading ahead costs little: a reader that is early lets go what it would keep if it were late.
TEST_F(FewShapes, AreReadHardlyMoreOftenThanMustBe) {
  Random random(4);
  std::size_t fewest = 0, reads = 0;
  for (int round = 0; round < 12; ++round) {
    Order order;
    for (int i = 0; i < 40; ++i) {
      const auto a = static_cast<std::uint32_t>(random.whole(0, 7));
      order.push_back({a, (a + static_cast<std::uint32_t>(random.whole(1, 7))) % 8});
    }
    const std::size_t least = fewestReads(order, 4);
    EXPECT_GE(readsByBelady(order, 4), least);
    const std::size_t own = readsOf(order, 8, 4);
    EXPECT_GE(own, least);
    fewest += least;
    reads += own;
  }
  RecordProperty("fewest", std::to_string(fewest));
  RecordProperty("reads", std::to_string(reads));
  EXPECT_LE(static_cast<double>(reads), 1.3 * static_cast<double>(fewest));
}

}  // namespace
}  // namespace nearmiss::engine
