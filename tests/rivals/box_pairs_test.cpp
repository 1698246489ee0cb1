// SPDX-License-Identifier: MIT
/// The sweep over many boxes finds every pair that overlaps, whatever floats make of the numbers.
#include "rivals/box_pairs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "support/campaign.h"
#include "support/random.h"
#include "support/untrapped.h"

namespace nearmiss {
namespace {

using test::Random;

std::vector<Box> randomBoxes(Random& random, int count, Real room, Real offset, bool whole) {
  std::vector<Box> boxes;
  for (int i = 0; i < count; ++i) {
    Box& box = boxes.emplace_back();
    box.low =
        Vec3(offset) + (whole ? random.onLattice(static_cast<int>(room) + 1) : random.inCube(room));
    for (int axis = 0; axis < 3; ++axis)
      box.high[axis] = box.low[axis] + (whole ? random.whole(0, 2) : random.between(0.0, 2.0));
  }
  return boxes;
}

TEST(BoxPairs, HoldEveryPairThatOverlapsAndFewMore) {
  Random random(31);
  BoxPairs sweep;
  std::size_t hits = 0, extra = 0, touching = 0;
  for (int round = 0; round < test::cases(300); ++round) {
    // On both sides of where the way of sorting changes
    const int count = random.whole(0, random.chance(0.5) ? 60 : 300);
    const Real room = std::cbrt(static_cast<Real>(count)) * random.between(0.5, 3.0);
    const Real offset = random.chance(0.2) ? 1e7 : random.chance(0.2) ? -1e3 : 0.0;
    const auto boxes = randomBoxes(random, count, room, offset, random.chance(0.4));
    std::vector<BodyPair> truth;
    for (std::uint32_t a = 0; a < boxes.size(); ++a)
      for (std::uint32_t b = a + 1; b < boxes.size(); ++b) {
        if (!overlap(boxes[a], boxes[b])) continue;
        truth.push_back({a, b});
        touching += boxes[a].high.x == boxes[b].low.x;
      }
    const auto span = sweep.find(boxes);
    std::vector<BodyPair> found(span.begin(), span.end());
    std::sort(found.begin(), found.end());
    ASSERT_TRUE(std::adjacent_find(found.begin(), found.end()) == found.end());
    ASSERT_TRUE(std::includes(found.begin(), found.end(), truth.begin(), truth.end()))
        << "round " << round;
    hits += truth.size();
    if (std::abs(offset) < 1e6) extra += found.size() - truth.size();
  }
  EXPECT_GT(hits, 1000u);
  EXPECT_GT(touching, 100u);
  EXPECT_LT(extra, hits / 20);
}

TEST(BoxPairs, BearNumbersBeyondFloats) {
  const nearmiss::test::Untrapped endsOfTheRange;
  std::vector<Box> boxes;
  for (const Real at : {-1e300, -1e39, -1e-300, 0.0, 1e-300, 1e39, 1e300}) {
    boxes.push_back({Vec3(at), Vec3(at)});
    boxes.push_back({Vec3(at), Vec3(at)});
    boxes.push_back({Vec3(-std::abs(at)), Vec3(std::abs(at))});
  }
  BoxPairs sweep;
  const auto span = sweep.find(boxes);
  std::vector<BodyPair> found(span.begin(), span.end());
  std::sort(found.begin(), found.end());
  for (std::uint32_t a = 0; a < boxes.size(); ++a)
    for (std::uint32_t b = a + 1; b < boxes.size(); ++b)
      if (overlap(boxes[a], boxes[b])) {
        EXPECT_TRUE(std::binary_search(found.begin(), found.end(), BodyPair{a, b}))
            << a << " " << b;
      }
}

}  // namespace
}  // namespace nearmiss
