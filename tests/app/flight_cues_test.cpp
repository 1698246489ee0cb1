// SPDX-License-Identifier: MIT
/// The marks by which one flies: which way arrows point, who is nearest, where the eye came from.
#include "fly/view/flight_cues.h"

#include <gtest/gtest.h>

#include <cmath>
#include <glm/geometric.hpp>
#include <vector>

#include "fly/view/flight_view.h"

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

TEST(FlightCues, SayNothingWhereOtherWordsStand) {
  std::vector<Rect> said;
  EXPECT_TRUE(takePlace(said, {10, 10, 60, 20}));
  EXPECT_FALSE(takePlace(said, {60, 20, 60, 20})) << "a corner of the first";
  EXPECT_FALSE(takePlace(said, {20, 12, 5, 5})) << "within it";
  EXPECT_TRUE(takePlace(said, {70, 10, 60, 20})) << "beside it";
  EXPECT_FALSE(takePlace(said, {120, 25, 60, 20}));
  EXPECT_EQ(said.size(), 2u) << "what is left out takes no place";
}

TEST(NearestShip, ClosesByItsVelocityAlongTheWay) {
  const std::vector<BodyState> bodies{bodyAt({0, 0, 0}, {0, 0, -2}), bodyAt({0, 0, -3}, {5, 0, 1}),
                                      bodyAt({9, 0, 0})};
  const auto nearest = nearestShip(bodies, 0);
  ASSERT_TRUE(nearest);
  EXPECT_DOUBLE_EQ(nearest->distance, 3.0);
  EXPECT_DOUBLE_EQ(nearest->closing, -3.0 + 6.0);
  EXPECT_FALSE(nearestShip({bodies.data(), 1}, 0));
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
}

}  // namespace
}  // namespace nearmiss::app::fly
