// SPDX-License-Identifier: MIT
/// The tour: each stop has what its sentence says, and what was before comes back.
#include "fly/modes/tour/tour.h"

#include <gtest/gtest.h>
#include <nearmiss/pair.h>

#include <algorithm>
#include <chrono>
#include <cmath>
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
  const auto encounter = flyToEncounter(*flight);
  ASSERT_TRUE(encounter && encounter->pair.pair());
  const BodyState &a = ship(encounter->pair.a), &b = ship(encounter->pair.b);
  // The first stop: their spheres meet
  EXPECT_LT(glm::distance(a.pose.position, b.pose.position), a.shape.radius() + b.shape.radius());
  const std::size_t first = *indexOf(*flight, encounter->pair.a);
  const std::size_t second = *indexOf(*flight, encounter->pair.b);
  const auto& pairs = flight->output().detection->pairs;
  const auto pair = std::ranges::find(pairs, pairOf(first, second), &DetectedPair::bodies);
  ASSERT_NE(pair, pairs.end());
  EXPECT_EQ(pair->refinement.level, tourLevel);
  EXPECT_EQ(pair->refinement.verdict, Verdict::Possible);
  const PairGap gap = gapOf(*flight, first, second, tourLevel);
  EXPECT_GT(gap.gap, 0.0);
  EXPECT_LE(gap.gap, gap.bound);
  EXPECT_EQ(gap.bound, pair->refinement.separationBound) << "as the detection of that frame says";
  // Finer spheres bound it no worse
  EXPECT_LE(gap.bound, gapOf(*flight, first, second, 1).bound);
  // The same moment, looked at to other levels
  const Vec3 place = a.pose.position;
  for (int level = 1; level < engine::exactDepth; ++level) {
    ASSERT_TRUE(detectAgain(*flight, *encounter, level).has_value());
    EXPECT_EQ(ship(encounter->pair.a).pose.position, place) << level;
    const auto& again = flight->output().detection->pairs;
    const auto found = std::ranges::find(again, pairOf(first, second), &DetectedPair::bodies);
    ASSERT_NE(found, again.end());
    const Real bound = gapOf(*flight, first, second, level).bound;
    EXPECT_EQ(found->refinement.verdict == Verdict::Separate, !std::isfinite(bound)) << level;
    if (std::isfinite(bound)) {
      EXPECT_EQ(found->refinement.separationBound, bound) << level;
    }
  }
}

TEST_F(ATour, ComesFromAfarAlongTheSlider) {
  const auto encounter = flyToEncounter(*flight);
  ASSERT_TRUE(encounter.has_value());
  EXPECT_EQ(encounter->at(0.0), encounter->first);
  EXPECT_EQ(encounter->at(1.0), encounter->nearest);
  const auto apart = [&] {
    return glm::distance(ship(encounter->pair.a).pose.position,
                         ship(encounter->pair.b).pose.position);
  };
  const std::uint64_t state = engine::stateHash(flight->world().ships());
  const double near = apart();
  auto way = engine::Rewinder::begin(*flight->past(), flight->simulation());
  ASSERT_TRUE(way.has_value());
  double last = 0.0;
  for (const double place : {1.0, 0.75, 0.5, 0.25, 0.0}) {
    ASSERT_TRUE(way->goTo(encounter->at(place)).has_value());
    flight->show(*way);
    EXPECT_GE(apart(), last) << place;
    last = apart();
  }
  EXPECT_GT(last, 1.5 * near);
  // No test is needed for a while, and the boxes hold longer
  const BodyState &a = ship(encounter->pair.a), &b = ship(encounter->pair.b);
  const Real now = flight->world().time();
  EXPECT_GT(secondsToMeeting(a, b, now).value_or(jointHorizon(a, b, now)), 0.0);
  ASSERT_TRUE(way->goTo(encounter->nearest).has_value());
  flight->show(*way);
  EXPECT_EQ(engine::stateHash(flight->world().ships()), state);
}

/// True if the pair of the encounter hits while it is flown again to that level.
bool hitsAgain(Flight& flight, const Encounter& encounter, int levelCap) {
  EXPECT_TRUE(flyOnFrom(flight, encounter.first).has_value());
  engine::FrameInput input;
  input.dt = input.detectStep = 1.0 / 120.0;
  input.levelCap = levelCap;
  bool hit = false;
  while (flight.world().time() < encounter.time + Encounter::afterSeconds)
    for (const engine::Collision& collision : flight.advance(input).collisions) {
      const auto bodies = flight.output().bodies;
      hit |= PickedShips{bodies[collision.a].key, bodies[collision.b].key} == encounter.pair;
    }
  return hit;
}

/// What the tour teaches: the ships pass each other, unless a test stops at a coarse level.
TEST_F(ATour, ShowsAPassThatCoarseSpheresTakeForAHit) {
  const auto encounter = flyToEncounter(*flight);
  ASSERT_TRUE(encounter.has_value());
  EXPECT_TRUE(hitsAgain(*flight, *encounter, 1));
  EXPECT_TRUE(hitsAgain(*flight, *encounter, tourLevel));
  EXPECT_FALSE(hitsAgain(*flight, *encounter, Detector::noLevelCap));
}

TEST_F(ATour, LooksAtAPairWhereNoShipIsBeforeIt) {
  const auto encounter = flyToEncounter(*flight);
  ASSERT_TRUE(encounter.has_value());
  const auto focus = focusOf(*flight, encounter->pair);
  ASSERT_TRUE(focus);
  const OrbitAngles from = clearView(*flight, encounter->pair);
  const Vec3 towards = CameraRig::orbitRotation(from.yaw, from.pitch) * Vec3(0, 0, 1);
  for (const BodyState& body : flight->output().bodies) {
    if (body.key == encounter->pair.a || body.key == encounter->pair.b) continue;
    const Vec3 apart = body.pose.position - focus->centre;
    const Real before = glm::dot(apart, towards);
    if (before > focus->radius) {
      EXPECT_GT(glm::length(apart - before * towards), body.shape.radius());
    }
  }
}

TEST_F(ATour, ShowsTheSameEveryTime) {
  const auto first = flyToEncounter(*flight);
  const std::uint64_t state = engine::stateHash(flight->world().ships());
  ASSERT_TRUE(flight->setMethod(Method::Both).has_value());
  const auto again = flyToEncounter(*flight);
  ASSERT_TRUE(first && again);
  EXPECT_EQ(first->pair, again->pair);
  EXPECT_EQ(first->nearest, again->nearest);
  ASSERT_TRUE(flyTo(*flight, *first).has_value());
  EXPECT_EQ(engine::stateHash(flight->world().ships()), state) << "without the search";
  EXPECT_EQ(engine::stateHash(flight->world().ships()), state);
  EXPECT_EQ(flight->inUse().method, Method::SphereTree);
}

/// The mean depth of the collisions of ten seconds.
double depthWith(Flight& flight, std::chrono::nanoseconds budget) {
  EXPECT_TRUE(flyToEncounter(flight).has_value());
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
    // The slider moves within its ends
    EXPECT_NE(stop.from, stop.to);
    for (const double place : {stop.from, stop.to}) EXPECT_TRUE(place >= 0.0 && place <= 1.0);
  }
  EXPECT_DOUBLE_EQ(seconds, 120.0);
}

TEST_F(ATour, GoesFromStopToStopUnlessItIsHeld) {
  Tour tour = begin();
  for (std::size_t at = 0; at < tourStops().size(); ++at) {
    const TourStop& stop = tour.stop();
    EXPECT_EQ(&stop, &tourStops()[at]);
    EXPECT_EQ(tour.place(), stop.from);
    for (double t = 0.0; t < stop.seconds - 0.1; t += 0.05) {
      EXPECT_FALSE(tour.over());
      tour.pass(0.05);
    }
    // A budget changes from round to round
    if (stop.variable == TourVariable::Budget)
      for (int round = 0; round < 4; ++round) tour.beginRound();
    EXPECT_EQ(tour.place(), stop.to) << stop.title;
    tour.pass(0.2);
    EXPECT_TRUE(tour.over());
    EXPECT_EQ(tour.next(camera), at + 1 < tourStops().size());
  }

  Tour held = begin();
  held.hold();
  for (int i = 0; i < 100; ++i) held.pass(1.0);
  EXPECT_FALSE(held.over());
  EXPECT_EQ(held.place(), tourStops()[0].from);
  EXPECT_TRUE(held.next(camera));
  EXPECT_FALSE(held.held());
  // Moving the slider holds the stop; it stays where it was left
  held.slideTo(0.3);
  held.pass(10.0);
  EXPECT_TRUE(held.held());
  EXPECT_EQ(held.place(), 0.3);
  held.slideTo(7.0);
  EXPECT_EQ(held.place(), 1.0);
}

TEST_F(ATour, EasesTheEyeFromWhereItWas) {
  camera.pose.position = Vec3(1.0, 2.0, 3.0);
  Tour tour = begin();
  Camera wanted;
  wanted.pose.position = Vec3(-5.0, 0.0, 0.0);
  EXPECT_EQ(tour.eased(wanted).pose.position, camera.pose.position);
  tour.pass(0.5);
  const Vec3 between = tour.eased(wanted).pose.position;
  EXPECT_GT(glm::distance(between, camera.pose.position), 0.1);
  EXPECT_GT(glm::distance(between, wanted.pose.position), 0.1);
  tour.pass(5.0);
  EXPECT_EQ(tour.eased(wanted).pose.position, wanted.pose.position);
}

TEST_F(ATour, CountsSomethingAtEveryStop) {
  Tour tour = begin();
  do {
    SCOPED_TRACE(tour.stop().title);
    const auto encounter = flyToEncounter(*flight);
    ASSERT_TRUE(encounter.has_value());
    ui.view.picked = encounter->pair;
    const ShownNumbers numbers;
    const TourView view = tour.view(*flight, ui, numbers);
    EXPECT_FALSE(view.slider.name.empty() || view.slider.value.empty());
    EXPECT_FALSE(view.figures[0].heading.empty()) << "figures say what they are of";
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
  while (tour.next(camera)) ASSERT_TRUE(flyToEncounter(*flight).has_value());
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
