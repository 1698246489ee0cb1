// SPDX-License-Identifier: MIT
/// What a character of a game relies on: a ball that is moved until it meets something, and slides
/// along that, never comes nearer than its radius, and is never stuck.
#include <gtest/gtest.h>
#include <nearmiss/ray.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "support/campaign.h"
#include "support/meshes.h"
#include "support/random.h"
#include "support/shapes.h"
#include "support/sized_solids.h"

namespace nearmiss {
namespace {

using test::Random;

/// Solids in each other and beside each other.
class WalkedWorld {
 public:
  WalkedWorld(const std::vector<Shape>& shapes, Random& random) {
    for (int i = 0; i < 14; ++i)
      solids_.push_back(
          {&random.anyOf(shapes),
           {random.inCube(2.0), random.chance(0.5) ? random.rotation() : Quat(1, 0, 0, 0)}});
  }
  [[nodiscard]] Real distanceTo(const Vec3& point) const {
    Real least = std::numeric_limits<Real>::infinity();
    for (const Solid& solid : solids_)
      least = std::min(least, nearestPoint(*solid.shape, solid.pose, point).upper);
    return least;
  }
  [[nodiscard]] RayHit firstHit(const Ray& ray) const {
    RayHit first;
    for (const Solid& solid : solids_) {
      const RayHit hit = raycast(*solid.shape, solid.pose, ray);
      if (hit.hit() && hit.t < first.t) first = hit;
    }
    return first;
  }

 private:
  struct Solid {
    const Shape* shape;
    Pose pose;
  };
  std::vector<Solid> solids_;
};

/// A ball, and how often it met something.
struct Walker {
  static constexpr Real skin = 1e-3;  ///< metres that it keeps from what it meets
  Vec3 centre{0.0};
  Real radius = 0.0;
  int met = 0, stuck = 0;

  /// Moves by `move`, as far as it can, and slides along what it meets.
  void walk(const WalkedWorld& world, const Vec3& move) {
    Vec3 left = move;
    std::vector<Vec3> walls;
    for (int round = 0; round < 6 && glm::length(left) > 1e-7; ++round) {
      const Real length = glm::length(left);
      const Vec3 way = left / length;
      const RayHit hit = world.firstHit({centre, way, length + skin, radius});
      const Real free = hit.hit() ? std::max(hit.t - skin, 0.0) : length;
      centre += free * way;
      if (!hit.hit()) return;
      ++met;
      stuck += hit.t == 0.0;
      left = slid(left - free * way, hit.normal, walls);
      if (glm::dot(left, move) < 0.0) return;
      walls.push_back(hit.normal);
    }
  }

 private:
  /// What is left of a move beside a wall, and along the corner with one that was met before.
  static Vec3 slid(const Vec3& move, const Vec3& wall, const std::vector<Vec3>& walls) {
    Vec3 beside = move - glm::dot(move, wall) * wall;
    for (const Vec3& before : walls) {
      if (glm::dot(beside, before) >= 0.0) continue;
      const Vec3 corner = glm::cross(before, wall);
      const Real square = glm::dot(corner, corner);
      beside = square > 1e-12 ? glm::dot(beside, corner) / square * corner : Vec3(0.0);
    }
    return beside;
  }
};

TEST(BallWalk, NeverComesNearerThanItsRadiusAndIsNeverStuck) {
  std::vector<Shape> shapes = test::edgedAndRoundSolids();
  shapes.push_back(test::treelessShape(test::loose(test::sphere(5, 7))));
  Random random(71);
  int met = 0;
  for (int i = 0; i < test::cases(20); ++i) {
    SCOPED_TRACE(i);
    const WalkedWorld world(shapes, random);
    Walker walker;
    walker.radius = random.between(0.05, 0.3);
    do walker.centre = random.inCube(3.0);
    while (world.distanceTo(walker.centre) < walker.radius + 2.0 * Walker::skin);
    for (int goal = 0; goal < 4; ++goal) {
      const Vec3 there = random.inCube(3.0);
      for (int step = 0; step < 40; ++step) {
        const Vec3 whole = there - walker.centre;
        const Real length = glm::length(whole);
        if (length < 1e-6) break;
        walker.walk(world, std::min(1.0, 0.1 / length) * whole);
        ASSERT_GE(world.distanceTo(walker.centre), walker.radius);
      }
    }
    ASSERT_EQ(walker.stuck, 0);
    met += walker.met;
  }
  EXPECT_GT(met, test::cases(200));
}

}  // namespace
}  // namespace nearmiss
