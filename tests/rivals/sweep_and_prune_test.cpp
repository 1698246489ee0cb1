// SPDX-License-Identifier: MIT
/// Sweep and prune: that the kept order pays, that pairs that part are let go, boxes that turn with
/// the bodies, and the axis without a list.
#include <gtest/gtest.h>
#include <nearmiss/rivals/catalog.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <glm/gtc/quaternion.hpp>
#include <string>
#include <tuple>
#include <vector>

#include "support/borrowed.h"
#include "support/campaign.h"
#include "support/meshes.h"
#include "support/random.h"

namespace nearmiss {
namespace {

using test::cases;
using test::Random;

std::vector<BodyState> bodiesIn(int count, Real halfRange) {
  test::Random random(1);
  std::vector<BodyState> bodies;
  for (int i = 0; i < count; ++i) {
    BodyState body;
    body.key = static_cast<std::uint32_t>(i);
    body.pose.position = random.inCube(halfRange);
    body.velocity = random.direction();
    body.shape = ShapeRef::ofRadius(1.0);
    bodies.push_back(body);
  }
  return bodies;
}

TEST(SweepAndPrune, TestsFewPairsWhenBodiesMoveLittle) {
  auto bodies = bodiesIn(300, 20.0);
  const auto sweep = makeSweepAndPruneBroadPhase();
  const auto reference = makeAllPairsBroadPhase();
  std::vector<BodyPair> pairs;
  sweep->findPairs(bodies, 0.0, pairs);
  for (int frame = 0; frame < 50; ++frame) {
    for (BodyState& body : bodies) body.pose.position += 0.02 * body.velocity;
    sweep->findPairs(bodies, 0.0, pairs);
    reference->findPairs(bodies, 0.0, pairs);
    EXPECT_LT(sweep->work().boundTests, reference->work().boundTests / 20);
  }
  EXPECT_GT(pairs.size(), 10u);
}

TEST(SweepAndPrune, ForgetsPairsThatHaveParted) {
  auto bodies = bodiesIn(50, 0.5);
  const auto sweep = makeSweepAndPruneBroadPhase();
  std::vector<BodyPair> pairs;
  sweep->findPairs(bodies, 0.0, pairs);
  EXPECT_EQ(pairs.size(), 1225u);
  sweep->findPairs(bodies, 0.0, pairs);
  EXPECT_EQ(sweep->work().boundTests, 1225u) << "each known pair once, by its spheres";

  // Apart on a diagonal, and at rest: nothing is left to do
  for (std::size_t i = 0; i < bodies.size(); ++i)
    bodies[i].pose.position = Vec3(3.0 * static_cast<Real>(i));
  sweep->findPairs(bodies, 0.0, pairs);
  EXPECT_TRUE(pairs.empty());
  sweep->findPairs(bodies, 0.0, pairs);
  EXPECT_EQ(sweep->work().boundTests, 0u);
}

/// Long and flat ones, one beside the centre of rotation, one as wide as a sphere allows.
const std::vector<Box> shapeBoxes{{Vec3(-2.0, -0.2, -0.3), Vec3(2.0, 0.2, 0.3)},
                                  {Vec3(-1.0, -1.0, -0.05), Vec3(1.0, 1.0, 0.05)},
                                  {Vec3(0.5, -0.1, -0.1), Vec3(2.5, 0.1, 0.1)},
                                  {Vec3(-0.7), Vec3(0.7)}};

Real radiusOf(const Box& box) {
  return glm::length(glm::max(glm::abs(box.low), glm::abs(box.high)));
}

/// The least and greatest coordinates of a box's eight corners, as the body is turned.
Box cornersOf(const BodyState& body) {
  const Box& shape = shapeBoxes[body.shape.index()];
  Box box;
  for (int corner = 0; corner < 8; ++corner) {
    const Vec3 p((corner & 1) != 0 ? shape.high.x : shape.low.x,
                 (corner & 2) != 0 ? shape.high.y : shape.low.y,
                 (corner & 4) != 0 ? shape.high.z : shape.low.z);
    box.include(body.pose.position + body.pose.rotation * p);
  }
  return box;
}

/// On the axis on which they are farthest apart; below 0 where they overlap.
Real gapBetween(const Box& a, const Box& b) {
  const Vec3 gap = glm::max(a.low - b.high, b.low - a.high);
  return std::max({gap.x, gap.y, gap.z});
}

/// Two switches: bodies leap anywhere at once, or else turn and fly a little from call to call; the
/// clumped axis has no list.
class DynamicBoxes : public testing::TestWithParam<std::tuple<bool, bool>> {};

TEST_P(DynamicBoxes, FindExactlyThePairsWhoseTurnedBoxesAndSpheresMeet) {
  const auto [leaping, skipping] = GetParam();
  Random random(2);
  std::vector<BodyState> bodies(50);
  std::vector<Vec3> spins(bodies.size());
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    BodyState& body = bodies[i];
    body.key = static_cast<std::uint32_t>(i);
    body.shape = ShapeRef::ofRadius(radiusOf(shapeBoxes[i % shapeBoxes.size()]),
                                    static_cast<std::uint32_t>(i % shapeBoxes.size()));
    body.pose = {random.inCube(5.0), random.rotation()};
    body.velocity = random.inCube(1.0);
    spins[i] = random.inCube(3.0);
  }
  const auto sweep =
      makeSweepAndPruneBroadPhase({SweepAndPruneSettings::Boxes::Dynamic, skipping}, shapeBoxes);
  const auto reference = makeAllPairsBroadPhase();
  std::vector<BodyPair> found, spheres, before;
  std::size_t meeting = 0, parted = 0, changes = 0;
  for (int call = 0; call < cases(200); ++call) {
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      Pose& pose = bodies[i].pose;
      if (leaping) {
        if (random.chance(0.3)) pose = {random.inCube(5.0), random.rotation()};
        continue;
      }
      pose.position += 0.02 * bodies[i].velocity;
      if (glm::length(pose.position) > 6.0) bodies[i].velocity = -0.2 * pose.position;
      const Vec3 turn = 0.02 * 0.5 * spins[i];
      pose.rotation =
          glm::normalize(pose.rotation + Quat(0.0, turn.x, turn.y, turn.z) * pose.rotation);
    }
    sweep->findPairs(bodies, 0.02 * call, found);
    reference->findPairs(bodies, 0.02 * call, spheres);
    ASSERT_TRUE(std::is_sorted(found.begin(), found.end()));
    ASSERT_TRUE(std::includes(spheres.begin(), spheres.end(), found.begin(), found.end()));
    for (const BodyPair& pair : spheres) {
      const Real gap = gapBetween(cornersOf(bodies[pair.a]), cornersOf(bodies[pair.b]));
      const bool told = std::binary_search(found.begin(), found.end(), pair);
      ++meeting;
      parted += !told;
      // In between rounding outwards decides
      if (gap <= 0.0) {
        ASSERT_TRUE(told) << "call " << call << ", gap " << gap;
      }
      if (gap > 1e-6) {
        ASSERT_FALSE(told) << "call " << call << ", gap " << gap;
      }
    }
    changes += found != before;
    before = found;
  }
  EXPECT_GT(meeting, 2000u);
  EXPECT_GT(parted, meeting / 10) << "pairs that only their boxes tell apart";
  EXPECT_LT(parted, meeting * 9 / 10);
  EXPECT_GT(changes, 50u);
}

INSTANTIATE_TEST_SUITE_P(Motion, DynamicBoxes, testing::Combine(testing::Bool(), testing::Bool()),
                         [](const auto& tested) {
                           const std::string motion =
                               std::get<0>(tested.param) ? "Teleporting" : "Coherent";
                           return motion + (std::get<1>(tested.param) ? "TwoAxes" : "ThreeAxes");
                         });

TEST(SweepAndPrune, TakesTheBoxesOfTheShapesItIsMadeFor) {
  std::vector<Polyhedron> shapes;
  shapes.emplace_back(test::cube(0.5));
  const BroadPhaseEntry& entry = *findBroadPhase("sweep-and-prune-dynamic");
  const auto spheres = entry.make();
  const auto boxes = makeBroadPhase(entry, test::borrowed(shapes));
  EXPECT_EQ(boxes->name(), entry.name);
  std::vector<BodyState> bodies(2);
  for (BodyState& body : bodies) body.shape = ShapeRef::ofRadius(shapes[0].radius());
  bodies[1].key = 1;
  bodies[1].pose.position.x = 1.2;
  std::vector<BodyPair> found;
  spheres->findPairs(bodies, 0.0, found);
  EXPECT_EQ(found.size(), 1u);
  boxes->findPairs(bodies, 0.0, found);
  EXPECT_TRUE(found.empty()) << "side by side";
  const Real eighth = 0.5 * std::acos(std::sqrt(0.5));
  bodies[1].pose.rotation = Quat(std::cos(eighth), 0.0, 0.0, std::sin(eighth));
  boxes->findPairs(bodies, 0.0, found);
  EXPECT_EQ(found.size(), 1u) << "an edge turned towards the other";
  // A shape that it was not made for has the box of its sphere
  bodies[0].shape = bodies[1].shape = ShapeRef::ofRadius(bodies[1].shape.radius(), 7);
  bodies[1].pose.rotation = glm::identity<Quat>();
  boxes->findPairs(bodies, 0.0, found);
  EXPECT_EQ(found.size(), 1u);
}

/// On a floor that becomes a wall, and another: the intervals across it all overlap.
TEST(SweepAndPrune, LeavesOutTheClumpedAxisAndNoticesWhenItIsAnotherOne) {
  constexpr SweepAndPruneSettings skipping{SweepAndPruneSettings::Boxes::Fixed, true};
  const auto two = makeSweepAndPruneBroadPhase(skipping);
  const auto three = makeSweepAndPruneBroadPhase();
  const auto reference = makeAllPairsBroadPhase();
  Random random(3);
  auto bodies = bodiesIn(300, 25.0);
  std::vector<BodyPair> found, truth;
  std::size_t touching = 0;
  for (const int across : {2, 0, 1, 2}) {
    // Only the walls change, not the bodies: no list is void
    for (BodyState& body : bodies) {
      body.pose.position = random.inCube(25.0);
      body.pose.position[across] = random.between(-0.4, 0.4);
    }
    std::uint64_t withTwo = 0, withThree = 0;
    for (int call = 0; call < 100; ++call) {
      for (BodyState& body : bodies) {
        body.pose.position += 0.02 * random.inCube(1.0);
        // Trembling across the floor, where every exchange is for nothing
        body.pose.position[across] = random.between(-0.4, 0.4);
      }
      two->findPairs(bodies, 0.0, found);
      three->findPairs(bodies, 0.0, truth);
      ASSERT_EQ(found, truth);
      reference->findPairs(bodies, 0.0, truth);
      ASSERT_EQ(found, truth);
      touching += found.size();
      if (call < 50) continue;
      withTwo += two->work().boundTests;
      withThree += three->work().boundTests;
    }
    EXPECT_LT(withTwo * 5, withThree) << "across axis " << across;
  }
  EXPECT_GT(touching, 1000u);
}

}  // namespace
}  // namespace nearmiss
