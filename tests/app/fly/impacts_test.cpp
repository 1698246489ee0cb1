// SPDX-License-Identifier: MIT
/// Hits as they are seen: where, how hard, for how long, and whether spheres or triangles decided.
#include "fly/view/impacts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/geometric.hpp>
#include <span>
#include <vector>

namespace nearmiss::app::fly {
namespace {

/// Two ships that fly apart along x after they met beside the origin.
struct Hit {
  std::array<BodyState, 2> bodies;
  std::array<engine::Collision, 1> collisions;

  explicit Hit(double speed, Verdict verdict = Verdict::Contact) {
    bodies[0].velocity = {0.5 * speed, 1.0, 0.0};
    bodies[1].velocity = {-0.5 * speed, 1.0, 0.0};
    collisions[0] = {};
    collisions[0].a = 0;
    collisions[0].b = 1;
    collisions[0].refinement.verdict = verdict;
    collisions[0].refinement.deepest = {{{0.5, 0.0, 0.0}, 0.4}, {{-0.5, 0.0, 0.0}, 0.4}};
  }
  [[nodiscard]] engine::FrameOutput output() const {
    engine::FrameOutput output;
    output.bodies = bodies;
    output.collisions = collisions;
    return output;
  }
};

TEST(Impacts, AreWhereSpheresMeetAndAsHardAsShipsPart) {
  const Hit hit(3.0);
  const Impact impact = impactOf(hit.output(), hit.collisions[0], 2.0);
  EXPECT_NEAR(glm::length(impact.place), 0.0, 1e-9);
  EXPECT_NEAR(glm::distance(impact.normal, Vec3(1, 0, 0)), 0.0, 1e-12);
  EXPECT_NEAR(impact.speed, 3.0, 1e-12);
  EXPECT_EQ(impact.born, 2.0);
}

/// What impacts add to a picture.
struct Shown {
  std::vector<DrawLine> lines, arcs;
  std::vector<DrawLight> lights;
  std::vector<DrawSphere> spheres;

  Shown(const Impacts& impacts, double now, std::span<const BodyState> bodies, bool calm = false) {
    impacts.light(now, bodies, calm, {lines, arcs, lights, spheres});
  }
};

TEST(Impacts, OfProvenContactsFlyAsSparksAndFadeInWallTime) {
  Impacts impacts;
  const Hit hit(3.0);
  ASSERT_EQ(impacts.take(hit.output(), 10.0).size(), 1u);
  double before = 1e9;
  for (const double age : {0.05, 0.3, 0.6}) {
    const Shown shown(impacts, 10.0 + age, hit.bodies);
    ASSERT_EQ(shown.lights.size(), 1u);
    EXPECT_TRUE(shown.spheres.empty());
    EXPECT_FALSE(shown.lines.empty());
    EXPECT_LT(double{shown.lights[0].colour.r}, before);
    before = double{shown.lights[0].colour.r};
    for (const DrawLine& spark : shown.lines) {
      EXPECT_LT(glm::length(spark.to), 4.0 * age);
      // Along the tangent plane rather than along the normal, x
      EXPECT_LT(std::abs(spark.to.x), 0.5 * glm::length(spark.to));
    }
  }
  const Shown after(impacts, 10.0 + 1.01 * Impacts::seconds, hit.bodies);
  EXPECT_TRUE(after.lines.empty() && after.lights.empty());
}

TEST(Impacts, SparkAtTheContactPoints) {
  Hit hit(3.0);
  engine::SolidContact& contact = hit.collisions[0].contact.emplace();
  contact.count = 2;
  contact.manifold[0].onA = contact.manifold[0].onB = {0.0, 2.0, 0.0};
  contact.manifold[1].onA = contact.manifold[1].onB = {0.0, -2.0, 0.0};
  contact.mean = {{1.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
  Impacts impacts;
  (void)impacts.take(hit.output(), 0.0);
  int up = 0, down = 0;
  for (const DrawLine& spark : Shown(impacts, 0.02, hit.bodies).lines) {
    EXPECT_NEAR(std::abs(spark.from.y), 2.0, 0.2);
    (spark.from.y > 0.0 ? up : down) += 1;
  }
  EXPECT_GT(up, 5);
  EXPECT_GT(down, 5);
}

TEST(Impacts, OfSpheresCrackleOnTheSpheresThatFlyWithTheirShips) {
  Impacts impacts;
  Hit hit(3.0, Verdict::Possible);
  hit.collisions[0].refinement.level = 2;
  (void)impacts.take(hit.output(), 0.0);
  // The first ship has moved and turned since
  hit.bodies[0].pose = {{0.0, 5.0, 0.0}, glm::angleAxis(1.5707963, Vec3(0, 0, 1))};
  const Sphere moved{{0.0, 5.5, 0.0}, 0.4}, still{{-0.5, 0.0, 0.0}, 0.4};
  const Shown shown(impacts, 0.1, hit.bodies);
  ASSERT_EQ(shown.spheres.size(), 2u);
  EXPECT_LT(glm::distance(shown.spheres[0].sphere.centre, moved.centre), 1e-6);
  int onFirst = 0, onSecond = 0;
  EXPECT_TRUE(shown.lines.empty());
  for (const DrawLine& arc : shown.arcs) {
    const Sphere& near = arc.from.y > 3.0 ? moved : still;
    const double away = glm::distance(arc.from, near.centre);
    EXPECT_GE(away, 0.99 * near.radius);
    EXPECT_LE(away, 1.2 * near.radius);
    (&near == &moved ? onFirst : onSecond) += 1;
  }
  EXPECT_GT(onFirst, 20);
  EXPECT_GT(onSecond, 20);
  // A ship that is gone crackles no more
  EXPECT_EQ(Shown(impacts, 0.1, std::span(hit.bodies).first(1)).spheres.size(), 1u);
}

TEST(Impacts, CrackleByFlickeringArcsUnlessTheyAreCalm) {
  Impacts impacts;
  const Hit hit(3.0, Verdict::Possible);
  (void)impacts.take(hit.output(), 0.0);
  const auto changed = [&](bool calm) {
    const Shown early(impacts, 0.1, hit.bodies, calm), late(impacts, 0.5, hit.bodies, calm);
    EXPECT_EQ(early.arcs.size(), late.arcs.size());
    EXPECT_EQ(early.lights.empty(), calm);
    EXPECT_GT(early.arcs[0].alpha, late.arcs[0].alpha) << "it fades";
    return early.arcs[3].to != late.arcs[3].to;
  };
  EXPECT_TRUE(changed(false));
  EXPECT_FALSE(changed(true));
}

TEST(Impacts, StandStillAndDoNotGlowWhileCalm) {
  Impacts impacts;
  const Hit hit(3.0);
  (void)impacts.take(hit.output(), 0.0);
  const Shown early(impacts, 0.05, hit.bodies, true), late(impacts, 0.5, hit.bodies, true);
  EXPECT_TRUE(early.lights.empty());
  ASSERT_FALSE(early.lines.empty());
  EXPECT_EQ(early.lines[0].to, late.lines[0].to);
  EXPECT_LT(early.lines.size(), Shown(impacts, 0.05, hit.bodies).lines.size());
}

TEST(Impacts, OfManyTheNewestStay) {
  Impacts impacts;
  const Hit hit(1.0), spheres(1.0, Verdict::Possible);
  for (int i = 0; i < 40; ++i) (void)impacts.take(hit.output(), 0.001 * i);
  EXPECT_EQ(Shown(impacts, 0.04, hit.bodies).lights.size(), Impacts::maxImpacts);
  for (int i = 0; i < 40; ++i) (void)impacts.take(spheres.output(), 0.04);
  EXPECT_EQ(Shown(impacts, 0.05, hit.bodies).spheres.size(), 2 * Impacts::maxCrackles);
}

}  // namespace
}  // namespace nearmiss::app::fly
