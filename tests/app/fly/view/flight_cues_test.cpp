// SPDX-License-Identifier: MIT
/// The marks by which one flies: which way arrows point, who is nearest and is hit first, where the
/// eye came from.
#include "fly/view/flight_cues.h"

#include <gtest/gtest.h>
#include <nearmiss/detail/split_mix.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/geometric.hpp>
#include <limits>
#include <vector>

#include "app/fly/drawn_text.h"
#include "app/fly/quick_lamps.h"
#include "fly/overlay/views.h"
#include "fly/view/flight_view.h"
#include "support/untrapped.h"

namespace nearmiss::app::fly {
namespace {

const glm::vec2 window(1280.0f, 720.0f);
constexpr Rect area{0.0f, 30.0f, 900.0f, 500.0f};

BodyState bodyAt(const Vec3& place, const Vec3& velocity = Vec3(0.0)) {
  BodyState body;
  body.pose.position = place;
  body.velocity = velocity;
  return body;
}

/// In the middle, looking along -z.
Camera cameraAt(const Vec3& place) {
  Camera camera;
  camera.pose.position = place;
  return camera;
}

std::vector<EdgeArrow> arrowsTo(const std::vector<BodyState>& bodies, const Camera& camera) {
  std::vector<EdgeArrow> arrows;
  findEdgeArrows(camera, window, area, bodies, 0, arrows);
  return arrows;
}

TEST(EdgeArrows, StandOnTheEdgeTowardsWhatIsOutOfView) {
  const Camera camera = cameraAt({0, 0, 0});
  const struct {
    Vec3 place;
    glm::vec2 way;
  } cases[] = {{{5, 0, -1}, {1, 0}},
               {{-5, 0, -1}, {-1, 0}},
               {{-5, 0, 4}, {-1, 0}},
               {{0, 9, -0.5}, {0, -1}},
               {{0, -9, 3}, {0, 1}}};
  for (const auto& [place, way] : cases) {
    const auto arrows = arrowsTo({bodyAt({0, 0, 0}), bodyAt(place)}, camera);
    ASSERT_GE(arrows.size(), 1u);
    EXPECT_GT(glm::dot(arrows[0].way, way), 0.9f) << place.x << " " << place.y;
    EXPECT_NEAR(arrows[0].distance, glm::length(place), 1e-9);
    const glm::vec2 tip = arrows[0].tip;
    EXPECT_TRUE(std::abs(tip.x - area.x) < 1 || std::abs(tip.x - area.right()) < 1 ||
                std::abs(tip.y - area.y) < 1 || std::abs(tip.y - area.bottom()) < 1);
  }
}

TEST(EdgeArrows, AreTheNearestFiveAndNoneToWhatIsSeen) {
  std::vector<BodyState> bodies{bodyAt({0, 0, 8})};
  for (int i = 9; i > 0; --i) bodies.push_back(bodyAt({0, 0, 8.0 + i}));
  auto arrows = arrowsTo(bodies, cameraAt({0, 0, 8}));
  ASSERT_EQ(arrows.size(), maxEdgeArrows);
  for (std::size_t i = 0; i < arrows.size(); ++i) {
    EXPECT_DOUBLE_EQ(arrows[i].distance, static_cast<double>(i + 1));
    EXPECT_FALSE(arrows[i].middle) << "it is in view";
  }
  bodies = {bodyAt({0, 0, 8}), bodyAt({0, 0.5, 2})};
  EXPECT_TRUE(arrowsTo(bodies, cameraAt({0, 0, 8})).empty());
}

TEST(EdgeArrows, PointToTheMiddleWhereNothingIsInView) {
  std::vector<BodyState> bodies{bodyAt({0, 0, -4}), bodyAt({0, 0, 3})};
  const auto arrows = arrowsTo(bodies, cameraAt({0, 0, -4}));
  ASSERT_EQ(arrows.size(), 2u);
  EXPECT_TRUE(arrows[1].middle);
  EXPECT_DOUBLE_EQ(arrows[1].distance, 4.0);
  bodies.push_back(bodyAt({0, 0, -6}));
  EXPECT_EQ(arrowsTo(bodies, cameraAt({0, 0, -4})).size(), 1u) << "a ship is in view";
}

/// Panels and the tags of contacts anywhere in the area, arrows to all sides of it.
TEST(FlightCues, PrintNothingOverPanelsAndNoWordsOverTags) {
  auto flight = Flight::begin(quickLamps());
  ASSERT_TRUE(flight.has_value());
  engine::FrameInput input;
  input.dt = input.detectStep = 1.0 / 30.0;
  FlightCues cues;
  CameraRig rig;
  const Rect all{0.0f, 0.0f, 1280.0f, 720.0f};
  std::size_t drawn = 0;
  for (int frame = 0; frame < 60; ++frame) {
    const auto bodies = flight->advance(input).bodies;
    const BodyState& own = bodies[flight->simulation().userIndex()];
    Camera camera = rig.update(own.pose, own.shape.radius(), 1.0 / 30.0);
    camera.pose.rotation = glm::angleAxis(0.2 * frame, Vec3(0, 1, 0));
    const auto side = static_cast<float>(frame % 4);
    const std::array<Ground, 2> panels{
        Ground{{side < 2.0f ? 0.0f : 980.0f, 40.0f + 150.0f * side, 300.0f, 200.0f},
               palette::panel},
        Ground{{400.0f, side < 2.0f ? 0.0f : 600.0f, 400.0f, 120.0f}, palette::panel}};
    const std::array<Rect, 2> tags{Rect{side < 2.0f ? 1100.0f : 0.0f, 300.0f, 180.0f, 120.0f},
                                   Rect{300.0f, 560.0f, 600.0f, 160.0f}};
    const DrawnText text(1280.0f, 720.0f, 1.0f);
    const Ink ink;
    cues.draw(ink, *flight, camera, false, {1280.0f, 720.0f}, all, panels, tags);
    for (const Rect& letter : text.letters()) {
      ++drawn;
      for (const Rect& tag : tags) EXPECT_FALSE(meets(letter, tag)) << letter.x << ", " << letter.y;
      for (const Ground& panel : panels)
        EXPECT_FALSE(meets(letter, panel.rect)) << letter.x << ", " << letter.y;
    }
  }
  EXPECT_GT(drawn, 500u);
}

TEST(EdgeArrows, StandOnTheEdgeHoweverFarTheShip) {
  const test::Untrapped extremes;
  for (const double far : {1e12, 1e25, 1e37, 1e50})
    for (const Vec3& place : {Vec3(far, 0, -1), Vec3(far, far, far), Vec3(-far, far, -1e-3)}) {
      const auto arrows = arrowsTo({bodyAt({0, 0, 0}), bodyAt(place)}, cameraAt({0, 0, 0}));
      ASSERT_GE(arrows.size(), 1u) << far;
      for (const EdgeArrow& arrow : arrows) {
        EXPECT_NEAR(glm::length(arrow.way), 1.0f, 1e-5f) << far;
        EXPECT_TRUE(std::abs(arrow.tip.x - area.x) < 1 ||
                    std::abs(arrow.tip.x - area.right()) < 1 ||
                    std::abs(arrow.tip.y - area.y) < 1 || std::abs(arrow.tip.y - area.bottom()) < 1)
            << far << ": " << arrow.tip.x << ", " << arrow.tip.y;
      }
    }
}

/// ImGui takes the radius of a corner that is no number for an index.
TEST(FlightCues, DrawNothingWhereThereIsNoPlace) {
  const test::Untrapped extremes;
  const DrawnText text(1280.0f, 720.0f, 1.0f);
  const Ink ink;
  const float nan = std::numeric_limits<float>::quiet_NaN();
  for (const float bad : {nan, std::numeric_limits<float>::infinity(), -1e38f, 1e10f}) {
    const int before = ink.list()->VtxBuffer.Size;
    for (const glm::vec2& at : {glm::vec2(bad, 10.0f), glm::vec2(10.0f, bad)}) {
      const Rect rect{at.x, at.y, 40.0f, 20.0f};
      ink.panel(rect, 1.0f);
      ink.hatch(rect, palette::own);
      ink.segment({10.0f, 10.0f}, at, palette::own);
      ink.circle(at, 9.0f, palette::own, 1.0f);
      ink.triangle({10.0f, 10.0f}, {20.0f, 10.0f}, at, palette::own, palette::plot, 1.0f);
      ink.text(at, "words");
      ink.paragraph(at, "words", 100.0f);
    }
    ink.circle({10.0f, 10.0f}, bad, palette::own, 1.0f);
    ink.fill({10.0f, 10.0f, bad, 20.0f}, palette::own, 1.0f, 4.0f);
    EXPECT_EQ(ink.list()->VtxBuffer.Size, before) << bad;
  }
  ink.fill({10.0f, 10.0f, 40.0f, 20.0f}, palette::own, 1.0f, 4.0f);
  EXPECT_GT(ink.list()->VtxBuffer.Size, 0);
}

TEST(FlightCues, SayNothingWhereOtherWordsStand) {
  std::vector<Rect> said;
  EXPECT_TRUE(reservePlace(said, {10, 10, 60, 20}));
  EXPECT_FALSE(reservePlace(said, {60, 20, 60, 20})) << "a corner of the first";
  EXPECT_FALSE(reservePlace(said, {20, 12, 5, 5})) << "within it";
  EXPECT_TRUE(reservePlace(said, {70, 10, 60, 20})) << "beside it";
  EXPECT_FALSE(reservePlace(said, {120, 25, 60, 20}));
  EXPECT_EQ(said.size(), 2u) << "what is left out takes no place";
}

/// Against every pair of surfaces, without a limit of time.
TEST(Surroundings, FindTheNearestSurfaceAndTheFirstHit) {
  auto flight = Flight::begin(quickLamps(13));
  ASSERT_TRUE(flight.has_value());
  const Shapes& shapes = flight->shapes().collision();
  const std::size_t own = flight->simulation().userIndex();
  Surroundings surroundings;
  DistanceQuery query;
  int otherThanByMiddles = 0, hits = 0, closings = 0, finals = 0;
  engine::FrameInput input;
  input.dt = input.detectStep = 1.0 / 30.0;
  for (int frame = 0; frame < 400; ++frame) {
    const auto bodies = flight->advance(input).bodies;
    double nearest = 1e30, middles = 1e30;
    std::size_t byMiddles = own, bySurfaces = own;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      if (i == own) continue;
      const double surfaces = distance(shapes[bodies[own].shape.index()], bodies[own].pose,
                                       shapes[bodies[i].shape.index()], bodies[i].pose)
                                  .upper;
      const double apart = glm::distance(bodies[own].pose.position, bodies[i].pose.position);
      if (apart < middles) middles = apart, byMiddles = i;
      if (surfaces < nearest) nearest = surfaces, bySurfaces = i;
    }
    const auto near = surroundings.look(bodies, own, shapes, double(frame));
    ASSERT_FALSE(near.empty());
    // Another one may be as near where its search ran out of time
    const bool open =
        std::ranges::any_of(near, [](const NearShip& ship) { return ship.distance.canRefine; });
    finals += !open;
    EXPECT_GE(near[0].distance.upper, nearest * (1.0 - 1e-9));
    EXPECT_TRUE(std::ranges::any_of(near, [nearest](const NearShip& ship) {
      return ship.distance.lower <= nearest * (1.0 + 1e-9);
    }));
    if (!open) {
      // Several may touch
      EXPECT_TRUE(near[0].index == bySurfaces || nearest == 0.0);
      EXPECT_NEAR(near[0].distance.upper, nearest, 1e-9);
    }
    otherThanByMiddles += bySurfaces != byMiddles;
    closings += near[0].closing > 0.0;

    const NearShip* first = firstHit(near);
    if (!first) continue;
    ++hits;
    const BodyState &a = bodies[own], &b = bodies[first->index];
    const auto apartAfter = [&](double seconds) {
      return distance(shapes[a.shape.index()], poseAfter({a.pose, a.velocity}, seconds),
                      shapes[b.shape.index()], poseAfter({b.pose, b.velocity}, seconds))
          .upper;
    };
    EXPECT_LT(apartAfter(*first->contact), 3e-3 * (a.shape.radius() + b.shape.radius()));
    EXPECT_GT(apartAfter(0.9 * *first->contact), 0.0);
    EXPECT_LE(*first->contact, Surroundings::horizon);
  }
  EXPECT_GT(otherThanByMiddles, 10) << "surfaces and middles were in the same order";
  EXPECT_GT(hits, 10) << closings;
  EXPECT_GT(closings, 40);
  EXPECT_GT(finals, 200);
}

TEST(Surroundings, LookAgainWhereShipsWereMovedThoughNoTimePassed) {
  auto flight = Flight::begin(quickLamps(1));
  ASSERT_TRUE(flight.has_value());
  const Shapes& shapes = flight->shapes().collision();
  std::vector<BodyState> bodies(flight->output().bodies.begin(), flight->output().bodies.end());
  Surroundings surroundings;
  bodies[1].pose.position = bodies[0].pose.position + Vec3(20.0, 0.0, 0.0);
  const double before = surroundings.look(bodies, 0, shapes, 1.0)[0].distance.upper;
  bodies[1].pose.position.x += 5.0;
  EXPECT_EQ(surroundings.look(bodies, 0, shapes, 1.0)[0].distance.upper, before) << "it stands";
  surroundings.forget();
  EXPECT_GT(surroundings.look(bodies, 0, shapes, 1.0)[0].distance.upper, before + 4.0);
  EXPECT_GT(surroundings.distanceTo(bodies, 0, 1, shapes).upper, before + 4.0);
}

TEST(Surroundings, SayWhatIsKnown) {
  DistanceBounds bounds;
  bounds.lower = bounds.upper = 0.0;
  EXPECT_EQ(distanceText(bounds), "touching");
  bounds.upper = bounds.lower = 2.218;
  EXPECT_EQ(distanceText(bounds), "2.22 m");
  bounds.lower = 1.5;
  EXPECT_EQ(distanceText(bounds), "≤ 2.22 m");
  bounds.canRefine = false;
  EXPECT_EQ(distanceText(bounds), "2.22 m");
}

TEST(ChaseEye, IsNeverInsideAnotherShip) {
  SplitMix random(5);
  int moved = 0;
  for (int i = 0; i < 500; ++i) {
    std::vector<BodyState> bodies{bodyAt({0, 0, 0})};
    for (const double x : {-6.0, 0.0, 6.0}) {
      bodies.push_back(bodyAt({x, random.between(-1.0, 1.0), 3.0}));
      bodies.back().shape = ShapeRef::ofRadius(random.between(0.3, 2.0), 0);
    }
    const Vec3 eye(random.between(-8.0, 8.0), random.between(-2.0, 2.0), random.between(1.0, 5.0));
    const Vec3 out = outsideShips(bodies, 0, eye);
    for (std::size_t k = 1; k < bodies.size(); ++k)
      EXPECT_GT(glm::distance(out, bodies[k].pose.position), bodies[k].shape.radius());
    moved += out != eye;
  }
  EXPECT_GT(moved, 50);
  EXPECT_LT(moved, 450);
}

TEST(EyeTrail, GoesOnBackwardsAndNotOverALeap) {
  EyeTrail trail;
  Pose eye;
  EXPECT_FALSE(trail.before(eye, 0.01));
  eye.position = {0.02, 0, 0};
  eye.rotation = glm::angleAxis(0.01, Vec3(0, 1, 0));
  const auto before = trail.before(eye, 0.01);
  ASSERT_TRUE(before);
  EXPECT_NEAR(before->position.x, 0.02 - 2.0 * EyeTrail::exposure, 1e-12);
  const Quat expected = glm::angleAxis(0.01 - EyeTrail::exposure, Vec3(0, 1, 0));
  EXPECT_NEAR(std::abs(glm::dot(before->rotation, expected)), 1.0, 1e-9);
  eye.position = {5, 0, 0};
  EXPECT_FALSE(trail.before(eye, 0.01));
  // Twice as far back at 8 m/s
  eye.position = {5.08, 0, 0};
  const auto fast = trail.before(eye, 0.01);
  ASSERT_TRUE(fast);
  EXPECT_NEAR(fast->position.x, 5.08 - 8.0 * 2.0 * EyeTrail::exposure, 1e-9);
}

TEST(ShipsBetween, AreThoseThatMayHideTheOwnShip) {
  const Vec3 eye(0.0, 0.0, 6.0);
  const Sphere own{{0.0, 0.0, 0.0}, 1.0};
  const auto covers = [&](const Vec3& place) { return hides(eye, {place, 1.0}, own); };
  EXPECT_TRUE(covers({0.0, 0.0, 3.0}));
  EXPECT_TRUE(covers({0.8, 0.0, 3.0}));
  EXPECT_TRUE(covers(eye)) << "the eye is inside";
  EXPECT_TRUE(covers({0.0, 0.0, 6.6})) << "the eye is inside, in front of the centre";
  EXPECT_FALSE(covers({2.5, 0.0, 3.0})) << "beside";
  EXPECT_FALSE(covers({0.0, 0.0, -2.0})) << "behind the own ship";
  EXPECT_FALSE(covers({0.0, 0.0, 9.0})) << "behind the eye";
  EXPECT_FALSE(hides(own.centre, {{0.0, 0.0, 3.0}, 1.0}, own)) << "the eye is in the own ship";
}

TEST(ShipsBetween, AreDrawnTranslucentUnlessTheEyeIsFreeOrLooksAtAPair) {
  auto flight = Flight::begin(quickLamps(1));
  ASSERT_TRUE(flight.has_value());
  const auto bodies = flight->output().bodies;
  const std::size_t own = flight->simulation().userIndex();
  const BodyState& drone = bodies[1 - own];
  // Behind the drone, in line with the own ship
  const Vec3 way = glm::normalize(drone.pose.position - bodies[own].pose.position);
  const Camera camera = cameraAt(drone.pose.position + 3.0 * way);
  SceneDrawing drawing;
  UiState ui;
  const auto ghosts = [&](CameraMode mode) {
    const DrawFrame& frame = drawing.compose(*flight, {}, {}, ui, camera, mode, own, 0.0);
    EXPECT_EQ(frame.ships.size() + frame.ghosts.size(), mode == CameraMode::Cockpit ? 1u : 2u);
    EXPECT_EQ(std::ranges::count_if(frame.ships, &ShipInstance::own),
              mode == CameraMode::Cockpit ? 0 : 1);
    return frame.ghosts.size();
  };
  EXPECT_EQ(ghosts(CameraMode::Chase), 1u);
  EXPECT_EQ(ghosts(CameraMode::Orbit), 1u);
  EXPECT_EQ(ghosts(CameraMode::Free), 0u);
  EXPECT_EQ(ghosts(CameraMode::Cockpit), 0u);
  // Those of the ghost mode come in addition
  (void)ghosts(CameraMode::Chase);
  const ShipInstance more;
  EXPECT_EQ(drawing.withGhosts({&more, 1}).size(), 2u);
  ui.view.picked = {bodies[0].key, bodies[1].key};
  EXPECT_EQ(ghosts(CameraMode::Chase), 0u);
}

}  // namespace
}  // namespace nearmiss::app::fly
