// SPDX-License-Identifier: MIT
/// Near misses of a crowded flight against the distances of all triangles, at many more instants.
#include <engine/flight/near_misses.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "engine/flying.h"
#include "geometry/closest_points.h"
#include "support/allocations.h"

namespace nearmiss::engine {
namespace {

constexpr Real fine = 1.0 / 240.0;
constexpr int finePerFrame = 4;

/// Ships that fly through each other, the first as the user's.
struct Swarm {
  World world{Arena{1.2, 1.0, 21.6}};
  DronePilots pilots{7, PilotSettings{0.5, 1.5}};

  explicit Swarm(std::size_t ships) {
    SplitMix random(3);
    for (std::uint32_t i = 0; i < ships; ++i) {
      ShipDef def;
      def.shape = test::plainHangar().tables().ref(i % 2);
      const Real x = random.between(-1.5, 1.5), y = random.between(-1.5, 1.5);
      def.pose = {{x, y, random.between(-1.5, 1.5)}, test::randomRotation(random)};
      def.limits = {.accelerationMax = 12.24, .reverseMax = 6.12, .turnMax = 1.68, .drag = 3.0};
      pilots.add(*world.ships().create(def));
    }
  }
  void fly(Real seconds) {
    pilots.steer(world.ships());
    world.integrate(seconds);
  }
  [[nodiscard]] FrameOutput output(std::span<const Touch> touches = {}) const {
    FrameOutput output;
    output.bodies = world.states();
    output.touches = touches;
    output.profile.simTime = world.time();
    return output;
  }
};

/// A triangle and a sphere that holds it.
struct PlacedTriangle {
  Triangle corners;
  Vec3 centre{0.0};
  Real radius = 0.0;
};

std::vector<PlacedTriangle> placed(const BodyState& body) {
  const TriangleMesh& mesh = test::plainHangar().polyhedra[body.shape.index()].mesh();
  std::vector<PlacedTriangle> triangles;
  for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t) {
    PlacedTriangle& triangle = triangles.emplace_back();
    triangle.corners = mesh.corners(t);
    for (Vec3& corner : triangle.corners) {
      corner = transformed(body.pose, corner);
      triangle.centre += corner / 3.0;
    }
    for (const Vec3& corner : triangle.corners)
      triangle.radius = std::max(triangle.radius, glm::distance(corner, triangle.centre));
  }
  return triangles;
}

/// By all pairs of triangles whose spheres are not farther apart than the nearest so far; nothing
/// where the spheres of the bodies are farther apart than the limit.
std::optional<Real> bruteDistance(const BodyState& a, const BodyState& b, Real limit) {
  if (glm::distance(a.pose.position, b.pose.position) - a.shape.radius() - b.shape.radius() > limit)
    return std::nullopt;
  Real least = 1e30;
  const auto ofB = placed(b);
  for (const PlacedTriangle& p : placed(a))
    for (const PlacedTriangle& q : ofB) {
      const Vec3 between = q.centre - p.centre;
      const Real reach = least + p.radius + q.radius;
      if (glm::dot(between, between) > reach * reach * (1.0 + 1e-9)) continue;
      least = std::min(least, std::sqrt(squaredDistance(p.corners, q.corners)));
    }
  return least;
}

/// What a pass should come to: nearest at any instant looked at, judged at the ends of frames.
class ExpectedPass {
 public:
  void look(std::optional<Real> distance, Real limit) {
    if (over_ || !distance || *distance > limit) return;
    least_ = std::min(*distance, least_.value_or(*distance));
  }
  /// The distance of a near miss that ends with the frame.
  std::optional<Real> endFrame(std::optional<Real> distance, Real limit, Real growth) {
    std::optional<Real> ended;
    if (least_ && !over_) {
      over_ = *least_ <= 0.0;
      if (!over_ && (!distance || *distance > *least_ + growth)) {
        ended = least_;
        over_ = true;
      }
    }
    if (over_ && (!distance || *distance > limit)) {
      over_ = false;
      least_.reset();
    }
    return ended;
  }

 private:
  std::optional<Real> least_;
  bool over_ = false;
};

/// What counts is the user's own speed: a pass by another ship alone has none.
TEST(NearMisses, HaveTheUsersOwnSpeed) {
  const Shapes shapes = test::plainHangar().tables();
  const auto passOf = [&](const Vec3& own, const Vec3& other) {
    Swarm swarm(2);
    Ships& ships = swarm.world.ships();
    const Real both = ships.states()[0].shape.radius() + ships.states()[1].shape.radius();
    // Ever closer beside each other, until it is a near miss
    for (Real aside = both; aside > 0.3 * both; aside -= 0.02 * both) {
      NearMisses misses;
      for (int frame = -60; frame <= 60; ++frame) {
        const Real t = frame / 60.0;
        EXPECT_TRUE(ships.setPose(0, {t * own, ships.states()[0].pose.rotation}));
        EXPECT_TRUE(
            ships.setPose(1, {Vec3(0.0, aside, 0.0) + t * other, ships.states()[1].pose.rotation}));
        FrameOutput output = swarm.output();
        output.profile.simTime = 1.0 + t;
        misses.take(output, 0, shapes);
        if (!misses.ended().empty()) return misses.ended().front().ownSpeed;
      }
    }
    return -1.0;
  };
  EXPECT_NEAR(passOf({0.0, 0.0, 0.0}, {5.0, 0.0, 0.0}), 0.0, 1e-9);
  EXPECT_NEAR(passOf({3.0, 0.0, 0.0}, {0.0, 0.0, 0.0}), 3.0, 1e-9);
  EXPECT_NEAR(passOf({3.0, 0.0, 0.0}, {-4.0, 0.0, 0.0}), 3.0, 1e-9);
  EXPECT_NEAR(passOf({4.0, 0.0, 0.0}, {3.0, 0.0, 0.0}), 1.0, 1e-9) << "past the ship";
}

TEST(NearMisses, AreThoseOfBruteForceAtManyMoreInstants) {
  constexpr std::size_t ships = 10;
  Swarm swarm(ships);
  const Shapes shapes = test::plainHangar().tables();
  const Real radius = swarm.world.states()[0].shape.radius();
  const Real limit = NearMisses::nearShare * radius, growth = NearMisses::growth * radius;
  NearMisses misses;
  std::vector<ExpectedPass> passes(ships);
  std::vector<std::vector<Real>> expected(ships), found(ships);
  std::size_t looks = 0, near = 0;
  for (int step = 0; step < 240 * 70; ++step) {
    swarm.fly(fine);
    const bool frameEnds = step % finePerFrame == finePerFrame - 1;
    const auto bodies = swarm.world.states();
    for (std::size_t i = 1; i < bodies.size(); ++i) {
      const auto distance = bruteDistance(bodies[0], bodies[i], limit);
      ++looks;
      near += distance.has_value();
      passes[i].look(distance, limit);
      if (!frameEnds) continue;
      if (const auto ended = passes[i].endFrame(distance, limit, growth))
        expected[i].push_back(*ended);
    }
    if (!frameEnds) continue;
    misses.take(swarm.output(), 0, shapes);
    for (const NearMiss& miss : misses.ended()) {
      found[miss.ship].push_back(miss.distance);
      EXPECT_GT(miss.ownSpeed, 0.0);
      EXPECT_LE(miss.time, swarm.world.time());
    }
  }
  // Bodies that nearly touch may touch between two of the instants
  const auto grazes = [limit](Real distance) { return distance < 0.05 * limit; };
  std::size_t total = 0;
  for (std::size_t i = 1; i < ships; ++i) {
    std::erase_if(found[i], grazes);
    std::erase_if(expected[i], grazes);
    ASSERT_EQ(found[i].size(), expected[i].size())
        << "ship " << i << ": " << testing::PrintToString(found[i])
        << testing::PrintToString(expected[i]);
    for (std::size_t n = 0; n < found[i].size(); ++n)
      EXPECT_NEAR(found[i][n], expected[i][n], 0.02 * limit) << "ship " << i << ", pass " << n;
    total += found[i].size();
  }
  EXPECT_GT(total, 8u);
  // Where nobody is near no surface is looked at
  EXPECT_LT(near, looks / 2);
  EXPECT_LT(misses.comparisons(), near);
}

TEST(NearMisses, AreNoneOfShipsThatTouch) {
  Swarm swarm(2);
  const Shapes shapes = test::plainHangar().tables();
  NearMisses free, touching;
  std::size_t missed = 0, withTouches = 0;
  const Touch touch{{0, 1}, 0.0, 0.0};
  for (int frame = 0; frame < 60 * 300; ++frame) {
    swarm.fly(1.0 / 60.0);
    free.take(swarm.output(), 0, shapes);
    touching.take(swarm.output(std::span(&touch, 1)), 0, shapes);
    missed += free.ended().size();
    withTouches += touching.ended().size();
  }
  EXPECT_GT(missed, 5u);
  EXPECT_EQ(withTouches, 0u);
  EXPECT_EQ(touching.comparisons(), 0u);
}

TEST(NearMisses, AskTheHeapForNothingInTheLongRun) {
  Swarm swarm(10);
  const Shapes shapes = test::plainHangar().tables();
  NearMisses misses;
  const auto fly = [&](int frames) {
    std::size_t allocated = 0;
    for (int frame = 0; frame < frames; ++frame) {
      swarm.fly(1.0 / 60.0);
      const FrameOutput output = swarm.output();
      allocated += nearmiss::test::allocationsIn([&] { misses.take(output, 0, shapes); });
    }
    return allocated;
  };
  EXPECT_GT(fly(60 * 60), 0u);
  EXPECT_EQ(fly(60 * 20), 0u);
}

}  // namespace
}  // namespace nearmiss::engine
