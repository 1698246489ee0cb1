// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <nearmiss/detail/split_mix.h>

#include <cmath>
#include <glm/geometric.hpp>

#include "fly/gfx/camera.h"
#include "fly/gfx/renderer.h"

namespace nearmiss::app::fly {
namespace {

void nextMode(CameraRig& rig) {
  rig.setMode(static_cast<CameraMode>((static_cast<int>(rig.mode()) + 1) % 4));
}

/// A ship that flies a bend: forward at 3 m/s while it yaws.
Pose bend(double seconds) {
  const double turn = 0.7 * seconds;
  return {Vec3(-4.0 * (1.0 - std::cos(turn)), 0.2 * seconds, -4.0 * std::sin(turn)),
          glm::angleAxis(turn, Vec3(0, 1, 0))};
}

Camera follow(CameraRig& rig, int framesPerSecond, double seconds) {
  Camera camera = rig.update(bend(0.0), 1.0, 0.0);
  const int frames = static_cast<int>(std::lround(seconds * framesPerSecond));
  for (int i = 1; i <= frames; ++i) {
    camera = rig.update(bend(static_cast<double>(i) / framesPerSecond), 1.0, 1.0 / framesPerSecond);
  }
  return camera;
}

glm::vec2 pixelOf(const Camera& camera, const Vec3& world) {
  glm::vec2 pixel(-1.0f);
  EXPECT_TRUE(project(camera, 1280, 720, world, pixel));
  return pixel;
}

/// At rest and in a bend, at every distance, with panels over more and more of the picture.
TEST(FlyCamera, ChaseKeepsTheShipAbovePanels) {
  int raised = 0;
  for (const double share : {1.0, 0.75, 0.65})
    for (const double zoom : {-6.0, 0.0, 4.0}) {
      CameraRig rig;
      rig.zoom(zoom);
      rig.setFreeArea(0.0, share);
      CameraRig other;
      other.zoom(zoom);
      for (int frame = 0; frame < 240; ++frame) {
        const Pose ship = bend(frame / 60.0);
        const Camera camera = rig.update(ship, 1.0, 1.0 / 60.0);
        const Camera before = other.update(ship, 1.0, 1.0 / 60.0);
        raised += glm::abs(glm::dot(camera.pose.rotation, before.pose.rotation)) < 1.0 - 1e-9;
        // The lowest points of the ship's sphere as the eye sees it
        for (const double aside : {-0.5, 0.0, 0.5}) {
          const Vec3 down =
              camera.pose.rotation * Vec3(aside, -std::sqrt(1.0 - aside * aside), 0.0);
          EXPECT_LE(pixelOf(camera, ship.position + 0.98 * down).y, share * 720.0 + 12.0)
              << share << ", " << zoom << ", " << frame;
        }
      }
    }
  EXPECT_GT(raised, 500);
}

TEST(FlyCamera, ChaseKeepsTheShipInTheMiddleOfTheFreeArea) {
  for (const double middle : {-0.45, 0.0, 0.3})
    for (const double floor : {1.0, 0.8}) {
      CameraRig rig;
      rig.setFreeArea(middle, floor);
      const Camera camera = rig.update(Pose{}, 1.0, 1.0 / 60.0);
      EXPECT_NEAR(pixelOf(camera, Vec3(0.0)).x, 640.0 + 360.0 * middle, 20.0)
          << middle << ", " << floor;
      // The line of flight goes with it
      EXPECT_NEAR(pixelOf(camera, Vec3(0.0, 0.0, -40.0)).x, 640.0 + 360.0 * middle, 20.0);
    }
}

TEST(FlyCamera, OrbitAndLookKeepTheirMiddleInTheFreeArea) {
  for (const double middle : {-0.45, 0.0, 0.3})
    for (const bool looks : {false, true}) {
      CameraRig rig;
      rig.setMode(CameraMode::Orbit);
      const Vec3 place = looks ? Vec3(3.0, 2.0, -5.0) : Vec3(0.0);
      if (looks) {
        rig.lookAt(Sphere{place, 1.5});
        rig.beginLook();
      }
      rig.setFreeArea(middle, 1.0);
      const Camera camera = rig.update(Pose{}, 1.0, 1.0 / 60.0);
      EXPECT_NEAR(pixelOf(camera, place).x, 640.0 + 360.0 * middle, 1.0) << middle << looks;
      EXPECT_NEAR(pixelOf(camera, place).y, 360.0, 1.0);
    }
}

TEST(FlyCamera, ProjectionAgreesWithItsMatrices) {
  SplitMix random(3);
  int inFront = 0;
  for (int i = 0; i < 200; ++i) {
    const auto any = [&](double reach) { return random.between(-reach, reach); };
    Camera camera;
    camera.pose = {Vec3(any(5), any(5), any(5)),
                   glm::normalize(Quat(any(1), any(1), any(1), any(1) + 2.0))};
    const Vec3 world(any(20), any(20), any(20));
    glm::vec2 pixel(0.0f);
    const bool seen = project(camera, 1280, 720, world, pixel);
    const glm::vec4 clip = camera.projection(1280.0 / 720.0) * camera.viewRotation() *
                           glm::vec4(glm::vec3(world - camera.pose.position), 1.0f);
    EXPECT_EQ(seen, clip.w >= static_cast<float>(camera.nearPlane));
    if (!seen || clip.w < 0.5f) continue;
    ++inFront;
    const float tolerance = 0.02f + 1e-4f * glm::length(pixel);
    EXPECT_NEAR(pixel.x, (0.5f + 0.5f * clip.x / clip.w) * 1280.0f, tolerance);
    EXPECT_NEAR(pixel.y, (0.5f - 0.5f * clip.y / clip.w) * 720.0f, tolerance);
  }
  EXPECT_GT(inFront, 60);
}

TEST(FlyCamera, JoltThrowsTheEyeThatFollowsAndIsSoonOver) {
  for (const int turns : {0, 1, 2}) {
    CameraRig calm, rig;
    for (int i = 0; i < turns; ++i) {
      nextMode(calm);
      nextMode(rig);
    }
    (void)calm.update(bend(0.0), 1.0, 0.0);
    (void)rig.update(bend(0.0), 1.0, 0.0);
    rig.kick({0.0, 5.0, 0.0});
    const auto thrown = [&](double seconds) {
      return glm::distance(rig.update(bend(0.0), 1.0, seconds).pose.position,
                           calm.update(bend(0.0), 1.0, seconds).pose.position);
    };
    const double first = thrown(0.02);
    EXPECT_LE(first, 0.5);
    EXPECT_EQ(first > 0.05, turns < 2) << "the eye that orbits keeps still";
    EXPECT_LT(thrown(1.0), 1e-3);
  }
}

TEST(FlyCamera, ChaseKeepsTheShipBelowTheLineOfFlightAndLooksAhead) {
  CameraRig rig;
  const Camera camera = follow(rig, 60, 3.0);
  const Pose ship = bend(3.0);
  const glm::vec2 pixel = pixelOf(camera, ship.position);
  EXPECT_NEAR(pixel.x, 640.0f, 120.0f);
  EXPECT_NEAR(pixel.y, 420.0f, 150.0f);
  const Vec3 forward = ship.rotation * Vec3(0, 0, -1);
  EXPECT_GT(glm::dot(camera.pose.rotation * Vec3(0, 0, -1), forward), 0.8);
  EXPECT_LT(glm::dot(camera.pose.position - ship.position, forward), -2.0);
}

TEST(FlyCamera, ChaseHidesNothingOfTheLineOfFlightBehindTheOwnShip) {
  CameraRig rig;
  const Pose ship;
  for (const double notches : {0.0, 4.0, -8.0}) {
    rig.zoom(notches);
    const Camera camera = rig.update(ship, 1.0, 1.0 / 60.0);
    const auto shipRadius =
        static_cast<float>(360.0 / (std::tan(0.5 * camera.fieldOfView) *
                                    glm::distance(camera.pose.position, ship.position)));
    for (const double ahead : {10.0, 40.0, 300.0})
      EXPECT_GT(glm::distance(pixelOf(camera, {0.0, 0.0, -ahead}), pixelOf(camera, ship.position)),
                shipRadius)
          << notches << " notches, " << ahead << " m";
  }
}

TEST(FlyCamera, ChaseIsTheSameAtEveryFrameRate) {
  CameraRig slow, fast;
  const Camera a = follow(slow, 30, 2.0), b = follow(fast, 240, 2.0);
  EXPECT_LT(glm::distance(a.pose.position, b.pose.position), 0.15);
  EXPECT_GT(std::abs(glm::dot(a.pose.rotation, b.pose.rotation)), 0.9995);
}

TEST(FlyCamera, ChaseLagsBehindASuddenTurnAndCatchesUp) {
  CameraRig rig;
  Pose ship;
  rig.update(ship, 1.0, 0.0);
  ship.rotation = glm::angleAxis(1.0, Vec3(0, 1, 0));
  const auto ahead = [&](const Camera& camera) {
    return glm::dot(camera.pose.rotation * Vec3(0, 0, -1), ship.rotation * Vec3(0, 0, -1));
  };
  const double atOnce = ahead(rig.update(ship, 1.0, 1.0 / 60.0));
  for (int i = 0; i < 180; ++i) rig.update(ship, 1.0, 1.0 / 60.0);
  const double later = ahead(rig.update(ship, 1.0, 1.0 / 60.0));
  EXPECT_LT(atOnce, 0.8);
  EXPECT_GT(later, 0.95);
}

TEST(FlyCamera, AJumpOfTheShipThrowsNobodyOff) {
  CameraRig rig;
  Pose ship;
  for (int i = 0; i < 10; ++i) rig.update(ship, 1.0, 1.0 / 60.0);
  const double before = glm::distance(rig.update(ship, 1.0, 0.0).pose.position, ship.position);
  ship.position = Vec3(500.0, 0.0, 0.0);
  const Camera after = rig.update(ship, 1.0, 1.0 / 60.0);
  EXPECT_NEAR(glm::distance(after.pose.position, ship.position), before, 0.3);
}

TEST(FlyCamera, ModesComeInTurn) {
  CameraRig rig;
  const Pose ship = bend(1.0);
  EXPECT_EQ(rig.mode(), CameraMode::Chase);
  nextMode(rig);
  EXPECT_EQ(rig.mode(), CameraMode::Cockpit);
  const Camera cockpit = rig.update(ship, 1.0, 0.01);
  EXPECT_NEAR(std::abs(glm::dot(cockpit.pose.rotation, ship.rotation)), 1.0, 1e-12);
  EXPECT_LT(glm::distance(cockpit.pose.position, ship.position), 1.2);

  nextMode(rig);
  EXPECT_EQ(rig.mode(), CameraMode::Orbit);
  const Camera orbit = rig.update(ship, 1.0, 0.01);
  rig.drag(100.0, 30.0);
  const Camera turned = rig.update(ship, 1.0, 0.01);
  EXPECT_GT(glm::distance(orbit.pose.position, turned.pose.position), 1.0);
  for (const Camera& camera : {orbit, turned}) {
    const glm::vec2 pixel = pixelOf(camera, ship.position);
    EXPECT_NEAR(pixel.x, 640.0f, 0.01f);
    EXPECT_NEAR(pixel.y, 360.0f, 0.01f);
  }
  rig.zoom(4.0);
  EXPECT_LT(glm::distance(rig.update(ship, 1.0, 0.01).pose.position, ship.position),
            0.8 * glm::distance(turned.pose.position, ship.position));

  nextMode(rig);
  EXPECT_EQ(rig.mode(), CameraMode::Free);
  const Camera start = rig.update(ship, 1.0, 0.01);
  rig.moveFree(Vec3(0, 0, 1), 0.5);
  const Camera moved = rig.update(bend(2.0), 1.0, 0.01);
  const Vec3 way = moved.pose.position - start.pose.position;
  EXPECT_GT(glm::dot(way, start.pose.rotation * Vec3(0, 0, -1)), 0.99 * glm::length(way));
  EXPECT_GT(glm::length(way), 0.5);
  rig.reset();
  EXPECT_EQ(rig.mode(), CameraMode::Chase);
}

TEST(FlyCamera, AGlanceAsideReturns) {
  CameraRig rig;
  const Pose ship;
  const Camera straight = rig.update(ship, 1.0, 0.0);
  rig.drag(150.0, 0.0);
  const Camera aside = rig.update(ship, 1.0, 1.0 / 60.0);
  EXPECT_LT(std::abs(glm::dot(aside.pose.rotation, straight.pose.rotation)), 0.97);
  Camera back = aside;
  for (int i = 0; i < 300; ++i) back = rig.update(ship, 1.0, 1.0 / 60.0);
  EXPECT_GT(std::abs(glm::dot(back.pose.rotation, straight.pose.rotation)), 0.9999);
}

TEST(FlyCamera, FliesFreelyAtFourRadiiASecond) {
  CameraRig rig;
  (void)rig.update(Pose{}, 2.0, 0.0);
  while (rig.mode() != CameraMode::Free) nextMode(rig);
  for (const double frame : {1.0 / 240.0, 1.0 / 60.0, 0.1}) {
    const Vec3 before = rig.update(Pose{}, 2.0, frame).pose.position;
    double flown = 0.0;
    for (; flown < 1.0; flown += frame) rig.moveFree(Vec3(0, 0, 1), frame);
    const Vec3 moved = rig.update(Pose{}, 2.0, frame).pose.position - before;
    EXPECT_NEAR(glm::length(moved), 8.0 * flown, 1e-9) << frame;
  }
}

TEST(FlyCamera, BecomesFreeWhereItIsAndTurnsAndWidens) {
  CameraRig rig;
  const Camera chase = rig.update(bend(1.0), 1.0, 1.0 / 60.0);
  rig.beginLook();
  rig.startFreeCamera();
  EXPECT_EQ(rig.mode(), CameraMode::Free);
  const Camera free = rig.update(bend(2.0), 1.0, 1.0 / 60.0);
  EXPECT_EQ(free.pose.position, chase.pose.position);

  rig.turnFree(1.0, 0.5);
  const Camera turned = rig.update(bend(2.0), 1.0, 1.0 / 60.0);
  const Vec3 left = free.pose.rotation * Vec3(-1, 0, 0);
  EXPECT_GT(glm::dot(turned.pose.rotation * Vec3(0, 0, -1), left), 0.3);

  rig.widen(3.0);
  const double wide = rig.update(bend(2.0), 1.0, 1.0 / 60.0).fieldOfView;
  EXPECT_GT(wide, 1.1 * free.fieldOfView);
  rig.widen(100.0);
  EXPECT_LT(rig.update(bend(2.0), 1.0, 0.0).fieldOfView, 2.0);
  rig.widen(-200.0);
  EXPECT_GT(rig.update(bend(2.0), 1.0, 0.0).fieldOfView, 0.1);
}

TEST(FlyCamera, SeesMoreTheFasterTheShipFlies) {
  double before = 0.0;
  for (const double speed : {0.0, 4.0, 8.0, 30.0}) {
    CameraRig rig, orbit;
    orbit.setMode(CameraMode::Orbit);
    double seen = 0.0, orbiting = 0.0;
    for (int frame = 0; frame < 180; ++frame) {
      const Pose ship{Vec3(0.0, 0.0, -speed * frame / 60.0), glm::identity<Quat>()};
      seen = rig.update(ship, 1.0, 1.0 / 60.0).fieldOfView;
      orbiting = orbit.update(ship, 1.0, 1.0 / 60.0).fieldOfView;
    }
    EXPECT_EQ(orbiting, Camera().fieldOfView);
    EXPECT_GE(seen, before);
    EXPECT_EQ(seen > Camera().fieldOfView, speed > 0.0) << speed;
    EXPECT_LT(seen, Camera().fieldOfView + 0.12);
    before = seen;
  }
}

TEST(FlyCamera, KeepsAPairInViewThatItLooksAt) {
  SplitMix random(9);
  for (int i = 0; i < 60; ++i) {
    CameraRig rig;
    const auto any = [&](double reach) { return random.between(-reach, reach); };
    Pose ship{Vec3(any(5), any(5), any(5)), glm::identity<Quat>()};
    for (int mode = 0; mode < i % 4; ++mode) nextMode(rig);
    (void)rig.update(ship, 1.0, 0.0);
    Vec3 centre(any(30), any(30), any(30));
    const double radius = random.between(1.0, 6.0);
    rig.beginLook();
    Camera camera;
    for (int frame = 0; frame < 120; ++frame) {
      // The pair drifts, and once it is another one
      centre += Vec3(0.05, -0.02, 0.03);
      if (frame == 60) centre += Vec3(12.0, 0.0, -5.0);
      rig.lookAt(Sphere{centre, radius});
      camera = rig.update(ship, 1.0, 1.0 / 60.0);
      for (int axis = 0; axis < 3; ++axis)
        for (const double side : {-1.0, 1.0}) {
          Vec3 edge = centre;
          edge[axis] += side * radius;
          const glm::vec2 pixel = pixelOf(camera, edge);
          ASSERT_TRUE(pixel.x > 0 && pixel.x < 1280 && pixel.y > 0 && pixel.y < 720)
              << "frame " << frame << ": " << pixel.x << ", " << pixel.y;
        }
    }
    // Large in the view, not somewhere in it
    EXPECT_GT(glm::length(pixelOf(camera, centre + camera.pose.rotation * Vec3(radius, 0, 0)) -
                          pixelOf(camera, centre)),
              150.0f);
    // The look ends with the pair, and the camera is where it was
    const CameraMode mode = rig.mode();
    rig.lookAt(std::nullopt);
    EXPECT_FALSE(rig.looking());
    EXPECT_EQ(rig.mode(), mode);
  }
}

}  // namespace
}  // namespace nearmiss::app::fly
