// SPDX-License-Identifier: MIT
/// Solids on a surface without an inside: on which side they stand, and how deep.
#include <gtest/gtest.h>
#include <nearmiss/pair.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "contact/contact_body.h"
#include "contact/rigid_pile.h"
#include "geometry/polyhedron_pair.h"
#include "pair/shared_depth.h"
#include "support/bounded_penetration.h"
#include "support/campaign.h"
#include "support/meshes.h"
#include "support/random.h"
#include "support/shapes.h"
#include "support/sized_solids.h"

namespace nearmiss {
namespace {

using test::Random;

/// Pressed into a plain from either side, a solid is as deep as its lowest vertex, and leaves it.
TEST(ManifoldTerrain, MovesASolidBackToTheSideThatItCameFrom) {
  const std::vector<Shape> shapes = test::edgedAndRoundSolids();
  const Shape plain = test::treelessShape(test::terrain(10, [](Real, Real) { return 0.0; }));
  Random random(81);
  int flat = 0;
  for (int i = 0; i < test::cases(300); ++i) {
    SCOPED_TRACE(i);
    const Shape& solid = random.anyOf(shapes);
    const bool aligned = random.chance(0.3);
    flat += aligned;
    const Quat turn = aligned ? Quat(1, 0, 0, 0) : random.rotation();
    const Real deep = std::pow(10.0, random.between(-6.0, -1.5)), up = random.chance(0.5) ? 1 : -1;
    Real lowest = std::numeric_limits<Real>::infinity();
    for (const Vec3& vertex : solid.polyhedron().mesh().positions)
      lowest = std::min(lowest, up * (turn * vertex).y);
    const Vec3 at(random.between(-4, 4), -up * (lowest + deep), random.between(-4, 4));
    const Pose ofPlain{random.inCube(10.0), random.rotation()};
    Pose ofSolid{transformed(ofPlain, at), ofPlain.rotation * turn};
    const Vec3 outwards = ofPlain.rotation * Vec3(0.0, up, 0.0);
    for (const bool swapped : {false, true}) {
      const auto manifold = [&] {
        return swapped ? contactManifold(plain, ofPlain, solid, ofSolid)
                       : contactManifold(solid, ofSolid, plain, ofPlain);
      };
      const ContactManifold found = manifold();
      ASSERT_FALSE(found.points.empty());
      const ManifoldPoint& deepest = found.points.front();
      EXPECT_NEAR(deepest.depth, deep, 1e-8);
      EXPECT_GT(glm::dot(deepest.normal, outwards) * (swapped ? -1.0 : 1.0), 1.0 - 1e-6);
      const Vec3 place = ofSolid.position;
      ofSolid.position += (deep + 1e-7) * outwards;
      EXPECT_TRUE(manifold().points.empty());
      ofSolid.position = place;
    }
    if (testing::Test::HasFailure()) return;
  }
  EXPECT_GT(flat, test::cases(300) / 5);
}

/// A box that lies half beyond the rim is held by two of its vertices and by the rim.
TEST(ManifoldTerrain, HoldsABoxOverItsRim) {
  const Shape sheet = test::treelessShape(test::terrain(3, [](Real, Real) { return 0.0; }));
  const Shape box = test::treelessShape(test::cube(0.5));
  Random random(83);
  for (int i = 0; i < test::cases(100); ++i) {
    SCOPED_TRACE(i);
    const Real deep = std::pow(10.0, random.between(-4.0, -1.7)), up = random.chance(0.5) ? 1 : -1;
    const Quat about = glm::angleAxis(random.between(-0.3, 0.3), Vec3(0.0, 1.0, 0.0));
    const Pose at{{random.between(2.9, 3.1), up * (0.5 - deep), random.between(-0.35, 0.35)},
                  about};
    const ContactManifold found = contactManifold(sheet, {}, box, at);
    ASSERT_EQ(found.points.size(), 4u);
    int onRim = 0;
    for (const ManifoldPoint& point : found.points) {
      EXPECT_LT(up * point.normal.y, -1.0 + 1e-6);
      EXPECT_NEAR(point.depth, deep, 1e-6);
      onRim += std::abs(point.onA.x - 3.0) < 1e-6;
    }
    EXPECT_EQ(onRim, 2);
    if (testing::Test::HasFailure()) return;
  }
}

/// Points on a part of a large terrain cost as much as those on a small one.
TEST(ManifoldTerrain, CostsWhatIsNear) {
  const Shape small = test::treelessShape(test::hills(6));
  const Shape large = test::treelessShape(test::hills(90));
  const std::vector<Shape> shapes = test::edgedAndRoundSolids();
  Random random(84);
  int touching = 0;
  for (int i = 0; i < test::cases(40); ++i) {
    SCOPED_TRACE(i);
    const Shape& solid = random.anyOf(shapes);
    const Pose at{{random.between(-3, 3), random.between(0.0, 1.2), random.between(-3, 3)},
                  random.rotation()};
    const auto ask = [&](const Shape& land) {
      WorkClock clock;
      ManifoldQuery query;
      query.begin(solid, at, land, {}, {0.02, 64});
      ContactManifold found = query.refine(TimeBudget(clock, std::chrono::seconds(100)));
      return std::pair(std::move(found.points), clock.now());
    };
    const auto [ofSmall, cheap] = ask(small);
    const auto [ofLarge, dear] = ask(large);
    ASSERT_EQ(ofSmall.empty(), ofLarge.empty());
    EXPECT_LE(dear, 2 * cheap + std::chrono::microseconds(20));
    touching += !ofLarge.empty();
  }
  EXPECT_GT(touching, test::cases(40) / 3);
}

/// The deepest of many points of the surface in a solid.
Real sampledDepth(const Polyhedron& surface, const Shape& solid, const Pose& pose) {
  constexpr int parts = 16;
  const Pose toSolid = inverseOf(pose);
  Box near;
  near.include(pose.position - solid.polyhedron().radius());
  near.include(pose.position + solid.polyhedron().radius());
  Real most = 0.0;
  surface.forEachTriangleIn(near, [&](std::uint32_t t) {
    const Triangle c = surface.mesh().corners(t);
    for (int u = 0; u <= parts; ++u)
      for (int v = 0; u + v <= parts; ++v) {
        const Vec3 point = c[0] + Real(u) / parts * (c[1] - c[0]) + Real(v) / parts * (c[2] - c[0]);
        most = std::max(most, depthIn(solid.polyhedron(), transformed(toSolid, point)));
      }
  });
  return most;
}

/// Where only faces cross, the deepest point that there is tells how deep a solid is, however large
/// the terrain.
TEST(ManifoldTerrain, IsAsDeepAsTheDeepestPoint) {
  const std::vector<Shape> thin = test::shapesOf(
      {test::box({-1, -1, -0.1}, {1, 1, 0.1}), test::box({-0.1, -0.1, -1}, {0.1, 0.1, 1})});
  const std::vector<Shape> lands{test::treelessShape(test::hills(6)),
                                 test::treelessShape(test::hills(40))};
  Random random(85);
  int ofDeepest = 0;
  const int cases = test::cases(300);
  for (int i = 0; i < cases; ++i) {
    SCOPED_TRACE(i);
    const Shape &solid = random.anyOf(thin), &land = random.anyOf(lands);
    const Pose at{{random.between(-1, 1), random.between(-0.6, 1.2), random.between(-1, 1)},
                  random.rotation()};
    const auto points = contactManifold(land, {}, solid, at).points;
    const Real truth = sampledDepth(land.polyhedron(), solid, at);
    if (truth > 1e-3) {
      ASSERT_FALSE(points.empty());
    }
    // Of the deepest point; others are held to other tests
    if (points.empty() || contactKindOf(points[0].id) != ContactKind::Depth) continue;
    ++ofDeepest;
    EXPECT_GT(points[0].depth, 0.9 * truth);
  }
  EXPECT_GT(ofDeepest, cases / 20);
}

/// A heap on hills comes to rest on them, on ridges too.
TEST(ManifoldTerrain, CarriesAHeap) {
  const std::vector<Shape> shapes = test::edgedAndRoundSolids();
  const Shape hills = test::treelessShape(test::hills(20));
  Random random(82);
  for (int i = 0; i < test::cases(1); ++i) {
    SCOPED_TRACE(i);
    test::RigidPile pile = test::heapOver(hills, shapes, 3, random);
    pile.fall(960);
    for (const test::RigidBody& body : pile.bodies) {
      if (body.shape == &hills) continue;
      EXPECT_LT(test::boundedPenetration(hills, {}, *body.shape, body.pose).lower, 0.02) << "sank";
      EXPECT_LT(std::abs(body.middle().x) + std::abs(body.middle().z), 15.0) << "thrown off";
    }
  }
}

}  // namespace
}  // namespace nearmiss
