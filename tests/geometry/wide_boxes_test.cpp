// SPDX-License-Identifier: MIT
/// Hierarchies of boxes eight at a time: they hold what they were given, and no search outgrows
/// them.
#include "geometry/wide_boxes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "support/random.h"

namespace nearmiss {
namespace {

using test::Random;

/// What a walk through all nodes sees.
struct Walk {
  const WideBoxes& boxes;
  std::span<const Box> given;
  std::vector<int> seen = std::vector<int>(given.size());
  int depth = 0;

  void expectHeld(const Box& lane, std::uint32_t item) const {
    const Vec3 low = boxes.inUnits(given[item].low), high = boxes.inUnits(given[item].high);
    for (int axis = 0; axis < 3; ++axis) {
      EXPECT_LE(lane.low[axis], low[axis]);
      EXPECT_GE(lane.high[axis], high[axis]);
      // No larger than they must be
      EXPECT_GE(lane.low[axis], -1.0);
      EXPECT_LE(lane.high[axis], 1.0);
    }
  }

  /// The items below a node, each of which its box in the parent must hold.
  std::vector<std::uint32_t> below(std::uint32_t child, int level) {
    depth = std::max(depth, level);
    std::vector<std::uint32_t> items;
    if ((child & WideBoxes::isLeaf) != 0) {
      for (const std::uint32_t item : boxes.itemsOf(child & ~WideBoxes::isLeaf))
        if (items.empty() || items.back() != item) items.push_back(item);
      EXPECT_TRUE(std::ranges::is_sorted(items));
      for (const std::uint32_t item : items) ++seen[item];
      return items;
    }
    const WideBoxes::Node& node = boxes.node(child);
    EXPECT_GE(node.count, 1u);
    for (unsigned lane = 0; lane < node.count; ++lane) {
      Box box;
      for (int axis = 0; axis < 3; ++axis) {
        box.low[axis] = node.low[axis][lane];
        box.high[axis] = node.high[axis][lane];
      }
      for (const std::uint32_t item : below(node.child[lane], level + 1)) {
        expectHeld(box, item);
        items.push_back(item);
      }
    }
    return items;
  }
};

int expectSound(WideBoxes& boxes, const std::vector<Box>& given) {
  boxes.build(given);
  Walk walk{boxes, given};
  EXPECT_EQ(boxes.empty(), given.empty());
  if (given.empty()) return 0;
  EXPECT_EQ(walk.below(0, 0).size(), given.size());
  EXPECT_TRUE(std::ranges::all_of(walk.seen, [](int times) { return times == 1; }));
  // Of eight children one is looked into while seven wait
  EXPECT_LE(7u * static_cast<unsigned>(walk.depth) + 1, WideBoxes::maxWaiting);
  return walk.depth;
}

Box around(const Vec3& middle, const Vec3& half) { return {middle - half, middle + half}; }

TEST(WideBoxes, HoldWhatTheyWereGiven) {
  Random random(81);
  WideBoxes boxes;
  expectSound(boxes, {});
  for (int round = 0; round < 200; ++round) {
    SCOPED_TRACE(round);
    const Real size = std::pow(10.0, random.whole(-15, 15));
    const Vec3 shift = round % 3 == 0 ? 1e6 * size * random.direction() : Vec3(0.0);
    std::vector<Box> given;
    for (int i = random.whole(1, 300); i > 0; --i) {
      const Vec3 half = random.chance(0.3) ? Vec3(0.0) : glm::abs(random.inCube(0.2 * size));
      given.push_back(around(shift + random.inCube(size), half));
    }
    expectSound(boxes, given);
  }
}

TEST(WideBoxes, HaveAnEndHoweverBoxesLie) {
  WideBoxes boxes;
  // All in one place
  EXPECT_LE(expectSound(boxes, std::vector<Box>(5000, around(Vec3(1.0), Vec3(0.5)))), 8);
  // Each half as far away as the one before: slices cut off a few at a time
  std::vector<Box> nested;
  for (int i = 0; i < 900; ++i)
    for (int k = 0; k < 8; ++k)
      nested.push_back(around(Vec3(std::ldexp(1.0, -i), 0.0, 0.0), Vec3(std::ldexp(0.1, -i))));
  const int depth = expectSound(boxes, nested);
  EXPECT_GT(depth, 6);
  // The largest parts have the smallest boxes
  std::vector<Box> crowded = nested;
  for (int i = 0; i < 40000; ++i)
    crowded.push_back(around(Vec3(std::ldexp(1.0, -899 - i % 7)), Vec3(0.0)));
  expectSound(boxes, crowded);
}

}  // namespace
}  // namespace nearmiss
