// SPDX-License-Identifier: MIT
/// The tour: each stop has what its sentence says, and what was before comes back.
#include "fly/modes/tour/tour.h"

#include <gtest/gtest.h>
#include <nearmiss/pair.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <glm/geometric.hpp>
#include <numeric>
#include <optional>
#include <vector>

#include "app/fly/quick_lamps.h"
#include "fly/host/key_map.h"
#include "fly/modes/tour/tour_stage.h"
#include "fly/view/bound_drawing.h"
#include "fly/view/pair_inspection.h"

namespace nearmiss::app::fly {
namespace {

class ATour : public testing::Test {
 protected:
  void SetUp() override {
    auto begun = Flight::begin(quickLamps());
    ASSERT_TRUE(begun.has_value());
    own.emplace(*std::move(begun));
    auto shown = tourFlight(*own);
    ASSERT_TRUE(shown.has_value());
    flight.emplace(*std::move(shown));
  }
  [[nodiscard]] const BodyState& ship(std::uint32_t key) const {
    return flight->output().bodies[*indexOf(*flight, key)];
  }
  [[nodiscard]] Tour begin() {
    return Tour({std::move(*own), Method::SphereTree, ui, rig, camera, {}});
  }
  std::optional<Flight> own, flight;
  UiState ui;
  CameraRig rig;
  Camera camera;
};

TEST_F(ATour, HasANearPairWhoseBoundIsNoLessThanItsGap) {
  const auto picked = setStage(*flight, TourStage::NearPair);
  ASSERT_TRUE(picked && picked->pair());
  const BodyState &a = ship(picked->a), &b = ship(picked->b);
  // The first stop: their spheres meet
  EXPECT_LT(glm::distance(a.pose.position, b.pose.position), a.shape.radius() + b.shape.radius());
  const auto& pairs = flight->output().detection->pairs;
  const auto pair =
      std::ranges::find(pairs, pairOf(*indexOf(*flight, picked->a), *indexOf(*flight, picked->b)),
                        &DetectedPair::bodies);
  ASSERT_NE(pair, pairs.end());
  EXPECT_EQ(pair->refinement.level, tourLevel);
  EXPECT_EQ(pair->refinement.verdict, Verdict::Possible);
  const Shapes& shapes = flight->shapes().collision();
  const Real gap = distance(shapes[a.shape.index()], a.pose, shapes[b.shape.index()], b.pose).upper;
  EXPECT_GT(gap, 0.0);
  EXPECT_LE(gap, pair->refinement.separationBound);
}

TEST_F(ATour, HasTwoShipsWhoseBoundsMeetLater) {
  const auto picked = setStage(*flight, TourStage::Approach);
  ASSERT_TRUE(picked && picked->pair());
  const BodyState &a = ship(picked->a), &b = ship(picked->b);
  const Real now = flight->world().time();
  const auto meeting = secondsToMeeting(a, b, now);
  ASSERT_TRUE(meeting);
  EXPECT_GT(*meeting, 0.0);
  EXPECT_LT(*meeting, jointHorizon(a, b, now));
}

TEST_F(ATour, LooksAtAPairWhereNoShipIsBeforeIt) {
  for (const TourStage stage : {TourStage::NearPair, TourStage::Approach}) {
    const auto picked = setStage(*flight, stage);
    ASSERT_TRUE(picked.has_value());
    const auto focus = focusOf(*flight, *picked);
    ASSERT_TRUE(focus);
    const OrbitAngles from = clearView(*flight, *picked);
    const Vec3 towards = CameraRig::orbitRotation(from.yaw, from.pitch) * Vec3(0, 0, 1);
    for (const BodyState& body : flight->output().bodies) {
      if (body.key == picked->a || body.key == picked->b) continue;
      const Vec3 apart = body.pose.position - focus->centre;
      const Real before = glm::dot(apart, towards);
      if (before > focus->radius) {
        EXPECT_GT(glm::length(apart - before * towards), body.shape.radius());
      }
    }
  }
}

TEST_F(ATour, ShowsTheSameEveryTime) {
  for (const TourStage stage : {TourStage::NearPair, TourStage::Approach, TourStage::Crowd}) {
    const auto first = setStage(*flight, stage);
    const std::uint64_t state = engine::stateHash(flight->world().ships());
    ASSERT_TRUE(flight->setMethod(Method::Both).has_value());
    const auto again = setStage(*flight, stage);
    ASSERT_TRUE(first && again);
    EXPECT_EQ(*first, *again);
    EXPECT_EQ(engine::stateHash(flight->world().ships()), state);
    EXPECT_EQ(flight->inUse().method, Method::SphereTree);
  }
}

/// The mean depth of the collisions of ten seconds.
double depthWith(Flight& flight, std::chrono::nanoseconds budget) {
  EXPECT_TRUE(setStage(flight, TourStage::Crowd).has_value());
  engine::FrameInput input;
  input.dt = 1.0 / 60.0;
  input.detectStep = 1.0 / 120.0;
  input.detectionBudget = budget;
  double depth = 0.0, collisions = 0.0;
  for (int frame = 0; frame < 600; ++frame)
    for (const engine::Collision& collision : flight.advance(input).collisions) {
      const bool final = collision.refinement.verdict == Verdict::Contact;
      depth += final ? engine::exactDepth : engine::depthOf(collision.refinement);
      collisions += 1.0;
    }
  EXPECT_GT(collisions, 10.0);
  return depth / collisions;
}

TEST_F(ATour, HasACrowdWhoseLevelsFallWithTheBudget) {
  using namespace std::chrono_literals;
  EXPECT_EQ(depthWith(*flight, Clock::Duration::max()), engine::exactDepth);
  EXPECT_LT(depthWith(*flight, 1us), 4.0);
}

TEST(TourStops, TakeTwoMinutesAndPressKeysThatHaveAnEffect) {
  const auto stops = tourStops();
  EXPECT_EQ(stops.size(), 6u);
  double seconds = 0.0;
  for (const TourStop& stop : stops) {
    EXPECT_FALSE(stop.title.empty());
    EXPECT_EQ(stop.sentence.back(), '.');
    seconds += stop.seconds;
    ASSERT_LE(stop.keyCount, stop.keys.size());
    for (std::size_t i = 0; i < stop.keyCount; ++i)
      EXPECT_FALSE(localKeyName(stop.keys[i]).empty());
    // All that happens does so while the stop lasts
    EXPECT_LT(stop.beat.first + stop.beat.every * stop.beat.times, stop.seconds + 1e-9);
  }
  EXPECT_DOUBLE_EQ(seconds, 120.0);
}

TEST_F(ATour, GoesFromStopToStopUnlessItIsHeld) {
  Tour tour = begin();
  for (std::size_t at = 0; at < tourStops().size(); ++at) {
    const TourStop& stop = tour.stop();
    EXPECT_EQ(&stop, &tourStops()[at]);
    int pressed = 0;
    for (double t = 0.0; t < stop.seconds - 0.1; t += 0.05) {
      EXPECT_FALSE(tour.over());
      const auto key = tour.pass(0.05);
      if (key) {
        EXPECT_EQ(*key, stop.beat.key);
      }
      pressed += key ? 1 : 0;
    }
    EXPECT_EQ(pressed, stop.beat.times) << stop.title;
    (void)tour.pass(0.2);
    EXPECT_TRUE(tour.over());
    EXPECT_EQ(tour.next(camera), at + 1 < tourStops().size());
  }

  Tour held = begin();
  held.hold();
  for (int i = 0; i < 100; ++i) EXPECT_FALSE(held.pass(1.0));
  EXPECT_FALSE(held.over());
  EXPECT_TRUE(held.next(camera));
  EXPECT_FALSE(held.held());
}

TEST_F(ATour, EasesTheEyeFromWhereItWas) {
  camera.pose.position = Vec3(1.0, 2.0, 3.0);
  Tour tour = begin();
  Camera wanted;
  wanted.pose.position = Vec3(-5.0, 0.0, 0.0);
  EXPECT_EQ(tour.eased(wanted).pose.position, camera.pose.position);
  (void)tour.pass(0.5);
  const Vec3 between = tour.eased(wanted).pose.position;
  EXPECT_GT(glm::distance(between, camera.pose.position), 0.1);
  EXPECT_GT(glm::distance(between, wanted.pose.position), 0.1);
  (void)tour.pass(5.0);
  EXPECT_EQ(tour.eased(wanted).pose.position, wanted.pose.position);
}

TEST_F(ATour, CountsSomethingAtEveryStop) {
  Tour tour = begin();
  do {
    SCOPED_TRACE(tour.stop().title);
    const auto picked = setStage(*flight, tour.stop().stage);
    ASSERT_TRUE(picked.has_value());
    ui.view.picked = *picked;
    const TourView view = tour.view(*flight, ui, 0.001, {});
    EXPECT_GE(view.figures.size(), 2u);
    for (const TourFigure& figure : view.figures) {
      EXPECT_FALSE(figure.name.empty() || figure.value.empty());
      EXPECT_GE(figure.share, 0.0);
      EXPECT_LE(figure.share, 1.0);
    }
  } while (tour.next(camera));
}

TEST_F(ATour, GivesBackWhatWasBefore) {
  for (int frame = 0; frame < 30; ++frame) {
    engine::FrameInput input;
    input.dt = input.detectStep = 1.0 / 60.0;
    (void)own->advance(input);
  }
  const std::uint64_t state = engine::stateHash(own->world().ships());
  ui.view.drawLevel = DrawLevel::Level3;
  ui.pace.speedExponent = -1;
  Tour tour = begin();
  while (tour.next(camera)) ASSERT_TRUE(setStage(*flight, tour.stop().stage).has_value());
  BeforeTour before = tour.leave();
  EXPECT_EQ(engine::stateHash(before.flight.world().ships()), state);
  EXPECT_EQ(before.ui.view.drawLevel, DrawLevel::Level3);
  EXPECT_EQ(before.ui.pace.speedExponent, -1);
  // It flies on
  engine::FrameInput input;
  input.dt = input.detectStep = 1.0 / 60.0;
  (void)before.flight.advance(input);
  EXPECT_NE(engine::stateHash(before.flight.world().ships()), state);
}

}  // namespace
}  // namespace nearmiss::app::fly
