// SPDX-License-Identifier: MIT
#include "fly/view/bound_drawing.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "app/fly/quick_lamps.h"
#include "support/random.h"

namespace nearmiss::app::fly {
namespace {

using WordKind = BoundDrawing::Word::Kind;

BodyState ship(const Vec3& position, const Vec3& velocity) {
  BodyState body;
  body.pose.position = position;
  body.velocity = velocity;
  body.shape = ShapeRef::ofRadius(1.0);
  body.accelerationBound = 0.5;
  body.boundHoldsUntil = 12.0;
  return body;
}

std::size_t wordsOf(const BoundDrawing& drawing, WordKind kind) {
  return static_cast<std::size_t>(
      std::ranges::count(drawing.words(), kind, &BoundDrawing::Word::kind));
}

TEST(BoundDrawing, ShowsBothCubesAndTheEdgesBetween) {
  BoundDrawing drawing;
  drawing.add(ship(Vec3(1, 2, 3), Vec3(0.6, 0, 0)), 10.0);
  EXPECT_EQ(drawing.lines().size(), 12u + 12u + 8u * 5u);
  EXPECT_EQ(wordsOf(drawing, WordKind::Now), 1u);
  EXPECT_EQ(wordsOf(drawing, WordKind::Expiry), 1u);
  EXPECT_EQ(wordsOf(drawing, WordKind::Cut), 0u);
  // Two seconds on: half-width 1 + 0.5 * 2^2 / 2 about the unaccelerated position
  Vec3 low(1e9), high(-1e9);
  for (const DrawLine& line : drawing.lines())
    for (const Vec3& end : {line.from, line.to}) {
      low = glm::min(low, end);
      high = glm::max(high, end);
    }
  EXPECT_NEAR(high.x, 1.0 + 1.2 + 2.0, 1e-6);
  EXPECT_NEAR(low.x, std::min(0.0, 1.0 + 1.2 - 2.0), 1e-6);
  EXPECT_NEAR(high.y, 4.0, 1e-6);
  drawing.clear();
  EXPECT_TRUE(drawing.lines().empty() && drawing.words().empty());
}

TEST(BoundDrawing, HatchesWhatCuttingPlanesCutTheLastCubeAlong) {
  test::Random random(5);
  int cut = 0;
  for (int round = 0; round < 200; ++round) {
    BodyState body = ship(Vec3(0.0), Vec3(0.3, -0.2, 0.1));
    body.accelerationBound = random.between(0.1, 2.0);
    const Real x = random.between(-1, 1), y = random.between(-1, 1), z = random.between(-1, 1);
    const Real reverse = random.between(0.0, 0.05);
    const CuttingPlane plane{glm::normalize(Vec3(x, y, z)), reverse};
    BoundDrawing without, drawing;
    without.add(body, 10.0);
    body.planes = {&plane, 1};
    drawing.add(body, 10.0);
    ASSERT_GE(drawing.lines().size(), without.lines().size());
    if (wordsOf(drawing, WordKind::Cut) == 0) continue;
    ++cut;
    // Every line of it lies in the plane and in the cube
    const SpaceTimeBound bound = spaceTimeBound(body, 10.0, 12.0);
    const Box box = crossSection(bound, 12.0);
    const Vec3 foot = body.velocity * 2.0 - (1.0 + 2.0 * plane.reverse) * plane.direction;
    ASSERT_GE(drawing.lines().size(), without.lines().size() + 3);
    for (std::size_t i = without.lines().size(); i < drawing.lines().size(); ++i)
      for (const Vec3& end : {drawing.lines()[i].from, drawing.lines()[i].to}) {
        EXPECT_NEAR(glm::dot(plane.direction, end - foot), 0.0, 1e-9);
        for (int axis = 0; axis < 3; ++axis) {
          EXPECT_GE(end[axis], box.low[axis] - 1e-9);
          EXPECT_LE(end[axis], box.high[axis] + 1e-9);
        }
      }
  }
  EXPECT_GT(cut, 100);
}

TEST(BoundDrawing, ShowsWhereTwoBoundsFirstMeet) {
  const BodyState a = ship(Vec3(-2.5, 0, 0), Vec3(0.5, 0, 0)),
                  b = ship(Vec3(2.5, 0, 0), Vec3(-0.5, 0, 0));
  const auto seconds = secondsToMeeting(a, b, 10.0);
  ASSERT_TRUE(seconds);
  // Gap 3, closing by 1 m/s and by two cubes that grow 0.5 * 2 / 2 m/s each
  EXPECT_NEAR(*seconds, 3.0 / 2.0, 1e-6);
  EXPECT_EQ(jointHorizon(a, b, 10.0), 2.0);
  EXPECT_EQ(jointHorizon(a, b, 13.0), 0.0);
  BodyState brief = b;
  brief.boundHoldsUntil = 10.5;
  EXPECT_EQ(jointHorizon(a, brief, 10.0), 0.5);
  BoundDrawing drawing;
  drawing.addMeeting(a, b, 10.0);
  EXPECT_EQ(drawing.lines().size(), 24u);
  ASSERT_EQ(wordsOf(drawing, WordKind::Meeting), 1u);
  EXPECT_NEAR(drawing.words().front().place.x, 0.0, 1e-6);

  drawing.clear();
  const BodyState away = ship(Vec3(9, 0, 0), Vec3(0.5, 0, 0));
  EXPECT_FALSE(secondsToMeeting(a, away, 10.0));
  drawing.addMeeting(a, away, 10.0);
  EXPECT_TRUE(drawing.lines().empty());
  // Bounds that have expired bound nothing
  drawing.add(a, 12.0);
  EXPECT_TRUE(drawing.lines().empty());
}

TEST(EarliestMeeting, IsWhatTheLastDetectionProved) {
  auto flight = Flight::begin(quickLamps(10));
  ASSERT_TRUE(flight.has_value());
  ASSERT_TRUE(looksAhead(*flight));
  engine::FrameInput input = unlimitedFrame();
  input.dt = input.detectStep = 0.2;
  std::size_t sooner = 0;
  for (int frame = 0; frame < 300; ++frame) {
    (void)flight->advance(input);
    const Detection& found = *flight->output().detection;
    const auto earliest = earliestMeeting(*flight);
    ASSERT_TRUE(earliest);
    const Real now = flight->world().time();
    EXPECT_LE(*earliest, std::max(0.0, found.noContactBefore - now) + 1e-12);
    sooner += found.pairs.empty() && found.noContactBefore < now + input.dt;
  }
  EXPECT_GT(sooner, 0u);
  // What was moved since may touch at once
  const BodyState& ship = flight->output().bodies[1];
  engine::HandAct act;
  act.ship = ship.key;
  act.position = ship.pose.position + Vec3(0.1, 0.0, 0.0);
  act.velocity = ship.velocity;
  flight->simulation().put(act);
  EXPECT_EQ(earliestMeeting(*flight), 0.0);
}

}  // namespace
}  // namespace nearmiss::app::fly
