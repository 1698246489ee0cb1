// SPDX-License-Identifier: MIT
/// Solids in and astride containers without thickness, such as an open crate: each part of the
/// solid has its own side of the surface.
#include <gtest/gtest.h>
#include <nearmiss/pair.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include "contact/rigid_pile.h"
#include "support/campaign.h"
#include "support/concave_meshes.h"
#include "support/meshes.h"
#include "support/random.h"
#include "support/shapes.h"
#include "support/sized_solids.h"

namespace nearmiss {
namespace {

using test::Random;

/// Half of the extent of a crate.
constexpr Vec3 crateHalf{0.4, 0.25, 0.4};

/// A box without a lid, of squares of 5 cm.
Shape crate() {
  constexpr Real edge = 0.05;
  TriangleMesh mesh;
  const auto addWall = [&](const Vec3& corner, const Vec3& u, const Vec3& v) {
    const int across = static_cast<int>(std::round(glm::length(u) / edge));
    const int up = static_cast<int>(std::round(glm::length(v) / edge));
    const auto at = [&](int i, int k) {
      const Vec3 point = corner + Real(i) / across * u + Real(k) / up * v;
      const auto same = std::ranges::find_if(
          mesh.positions, [&](const Vec3& p) { return glm::distance(p, point) < 1e-9; });
      if (same == mesh.positions.end()) {
        mesh.positions.push_back(point);
        return static_cast<std::uint32_t>(mesh.positions.size() - 1);
      }
      return static_cast<std::uint32_t>(same - mesh.positions.begin());
    };
    for (int i = 0; i < across; ++i)
      for (int k = 0; k < up; ++k)
        test::addQuad(mesh, at(i, k), at(i + 1, k), at(i + 1, k + 1), at(i, k + 1));
  };
  const Vec3 x(2.0 * crateHalf.x, 0.0, 0.0), y(0.0, 2.0 * crateHalf.y, 0.0),
      z(0.0, 0.0, 2.0 * crateHalf.z);
  addWall(-crateHalf, x, z);
  addWall(-crateHalf, z, y);
  addWall(-crateHalf + x, y, z);
  addWall(-crateHalf, y, x);
  addWall(-crateHalf + z, x, y);
  return test::treelessShape(mesh);
}

Real deepestOf(const ContactManifold& manifold) {
  Real deepest = 0.0;
  for (const ManifoldPoint& point : manifold.points) deepest = std::max(deepest, point.depth);
  return deepest;
}

/// Lowers a bar onto two walls: only their rims may carry it, however far its ends reach beyond.
TEST(ManifoldContainer, LetsASolidAstrideItsRimBeAsDeepAsItWasLowered) {
  const Shape open = crate(),
              bar = test::treelessShape(test::box({-0.7, -0.1, -0.1}, {0.7, 0.1, 0.1}));
  Random random(91);
  for (int i = 0; i < test::cases(50); ++i) {
    SCOPED_TRACE(i);
    const Quat turn = glm::angleAxis(random.between(-0.5, 0.5), Vec3(0.0, 1.0, 0.0));
    Pose at{{random.between(-0.1, 0.1), crateHalf.y + 0.1, random.between(-0.15, 0.15)}, turn};
    ManifoldQuery query;
    constexpr Real step = 0.004;
    for (int k = -1; k < 8; ++k) {
      const Real deep = k * step;
      at.position.y = crateHalf.y + 0.1 - deep;
      query.begin(open, {}, bar, at, {0.01, 64});
      const ContactManifold& kept = query.refine();
      const ContactManifold fresh = contactManifold(open, {}, bar, at, {0.01, 64});
      for (const ContactManifold* found : {&kept, &fresh}) {
        ASSERT_FALSE(found->points.empty());
        EXPECT_NEAR(deepestOf(*found), std::max(deep, 0.0), 1e-6) << "lowered by " << deep;
      }
    }
    if (testing::Test::HasFailure()) return;
  }
}

/// Pushes a plate through the floor from either side, by more than half of its thickness: a kept
/// query knows on which side it was.
TEST(ManifoldContainer, RemembersTheSideOfEachVertex) {
  const Shape open = crate(),
              plate = test::treelessShape(test::box({-0.2, -0.05, -0.2}, {0.2, 0.05, 0.2}));
  Random random(92);
  for (int i = 0; i < test::cases(50); ++i) {
    SCOPED_TRACE(i);
    const Real up = i % 2 ? 1.0 : -1.0;
    const Quat turn = glm::angleAxis(random.between(-3.0, 3.0), Vec3(0.0, 1.0, 0.0));
    Pose at{{random.between(-0.02, 0.02), 0.0, random.between(-0.02, 0.02)}, turn};
    ManifoldQuery query;
    for (int k = -1; k < 9; ++k) {
      const Real deep = 0.01 * k;
      at.position.y = -crateHalf.y + up * (0.05 - deep);
      query.begin(open, {}, plate, at, {0.02, 64});
      const ContactManifold& found = query.refine();
      ASSERT_FALSE(found.points.empty());
      int back = 0;
      for (const ManifoldPoint& point : found.points) {
        EXPECT_LE(point.depth, deep + 1e-6);
        back += point.depth > deep - 1e-6 && up * point.normal.y < -1.0 + 1e-6;
      }
      EXPECT_GE(back, 4) << "at " << deep;
    }
    if (testing::Test::HasFailure()) return;
  }
}

/// Gears and bars that fall into and over a crate come to rest.
TEST(ManifoldContainer, HoldsWhatFallsInAndOver) {
  const Shape open = crate(), floor = test::treelessShape(test::box({-20, -1, -20}, {20, 0, 20}));
  const std::vector<Shape> solids =
      test::shapesOf({test::box({-0.6, -0.1, -0.1}, {0.6, 0.1, 0.1}), test::gear(12, 4, 2, 2)});
  Random random(93);
  const int cases = test::cases(4);
  int resting = 0;
  for (int i = 0; i < cases; ++i) {
    SCOPED_TRACE(i);
    test::RigidPile pile;
    pile.settings = {.seconds = 1.0 / 120,
                     .rounds = 15,
                     .friction = 0.5,
                     .share = 0.2,
                     .slop = 0.003,
                     .manifold = {0.01, 4}};
    pile.bodies.push_back({&floor, {}});
    pile.bodies.push_back(
        test::ofMass(test::shellBody(open, {{0.0, crateHalf.y + 0.01, 0.0}}), 1.0));
    for (int k = 0; k < 3; ++k) {
      const Vec3 at(random.between(-0.3, 0.3), 1.1 + 0.9 * k, random.between(-0.3, 0.3));
      pile.bodies.push_back(
          test::ofMass(test::solidBody(random.anyOf(solids), {at, random.rotation()}), 1.0));
    }
    Real deepest = 0.0;
    for (int step = 0; step < 720; ++step)
      pile.step(
          [&](const test::RigidBody& a, const test::RigidBody& b, const ManifoldPoint& point) {
            if (a.shape == &open || b.shape == &open) deepest = std::max(deepest, point.depth);
          });
    // A step takes a falling body at most 6 cm farther
    EXPECT_LT(deepest, 0.06);
    resting += pile.energyOfMotion() < 1e-2;
    for (std::size_t k = 2; k < pile.bodies.size(); ++k) {
      const test::RigidBody& body = pile.bodies[k];
      EXPECT_GT(body.middle().y, 0.0) << "fell through";
      EXPECT_LT(
          deepestOf(contactManifold(open, pile.bodies[1].pose, *body.shape, body.pose, {0.0, 64})),
          0.01);
    }
  }
  EXPECT_GE(resting, cases / 2);
}

}  // namespace
}  // namespace nearmiss
