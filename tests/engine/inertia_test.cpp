// SPDX-License-Identifier: MIT
/// Inertia tensors against closed forms, turned bodies, and bodies that are thin or open.
#include <engine/flight/inertia.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>

#include "support/meshes.h"
#include "support/random.h"

namespace nearmiss::engine {
namespace {

using nearmiss::test::Random;

/// Inertia added by the floor for thin bodies.
Real minInertia(const Polyhedron& body) { return 0.0004 * body.radius() * body.radius(); }

TEST(Inertia, OfABoxIsTheTextbooks) {
  const Vec3 half(1.0, 0.6, 0.25);
  const Polyhedron box(nearmiss::test::box(-half, half));
  const InverseInertia inverse = inverseInertiaOf(box);
  for (int axis = 0; axis < 3; ++axis) {
    const Vec3 others = half * (Vec3(1.0) - Vec3(axis == 0, axis == 1, axis == 2));
    const Real expected = glm::dot(others, others) / 3.0 + minInertia(box);
    EXPECT_NEAR(1.0 / inverse.diagonal[axis], expected, 1e-12);
  }
  EXPECT_LT(glm::length(inverse.mixed), 1e-12);
}

TEST(Inertia, OfABallAndOfAShell) {
  const Polyhedron ball(nearmiss::test::sphere(60, 80));
  EXPECT_NEAR(1.0 / inverseInertiaOf(ball).diagonal.y, 0.4, 0.003);
  // Without one of its triangles it is a sheet
  TriangleMesh open = nearmiss::test::sphere(60, 80);
  open.triangles.pop_back();
  EXPECT_NEAR(1.0 / inverseInertiaOf(Polyhedron(open)).diagonal.y, 2.0 / 3.0, 0.005);
}

/// About the origin, wherever the body lies: by Steiner's theorem.
TEST(Inertia, IsAboutTheOrigin) {
  const Polyhedron far(nearmiss::test::box({2.0, -0.5, -0.5}, {3.0, 0.5, 0.5}));
  const InverseInertia inverse = inverseInertiaOf(far);
  EXPECT_NEAR(1.0 / inverse.diagonal.x, 1.0 / 6.0 + minInertia(far), 1e-9);
  EXPECT_NEAR(1.0 / inverse.diagonal.y, 1.0 / 6.0 + 6.25 + minInertia(far), 1e-9);
}

TEST(Inertia, TurnsWithTheBody) {
  Random random(3);
  for (int i = 0; i < 200; ++i) {
    TriangleMesh mesh = nearmiss::test::spikyStar(static_cast<std::uint64_t>(i), 5, 8, 0.3);
    const InverseInertia before = inverseInertiaOf(Polyhedron(mesh));
    const Quat turn = random.rotation();
    for (Vec3& p : mesh.positions) p = turn * p;
    const InverseInertia after = inverseInertiaOf(Polyhedron(mesh));
    const Vec3 v = random.inCube(1.0);
    const Vec3 expected = turn * (before * (glm::conjugate(turn) * v));
    ASSERT_LT(glm::distance(after * v, expected), 1e-9 * before.norm());
    ASSERT_LE(glm::length(before * v), before.norm() * glm::length(v) * (1.0 + 1e-12));
    ASSERT_GT(glm::dot(before * v, v), 0.0);
  }
}

TEST(Inertia, OfNeedlesAndPlatesIsFinite) {
  for (const Vec3& half : {Vec3(1.0, 1e-9, 1e-9), Vec3(1.0, 1.0, 1e-12), Vec3(1e-7)}) {
    const InverseInertia inverse = inverseInertiaOf(Polyhedron(nearmiss::test::box(-half, half)));
    const Real longest = std::max({half.x, half.y, half.z});
    EXPECT_TRUE(std::isfinite(inverse.norm()));
    EXPECT_GT(inverse.norm(), 0.0);
    EXPECT_LT(inverse.norm() * longest * longest, 1e4);
  }
}

/// Two halves of a box, where they belong, are as hard to turn as the whole, up to what the floor
/// for thin bodies makes of a radius that is a little larger.
TEST(Inertia, OfPartsIsThatOfTheWhole) {
  const Polyhedron whole(nearmiss::test::box({-1.0, -0.5, -0.25}, {1.0, 0.5, 0.25}));
  const Polyhedron half(nearmiss::test::box({-0.5, -0.5, -0.25}, {0.5, 0.5, 0.25}));
  const Quat halfTurn(0.0, 0.0, 0.0, 1.0);
  const BodyPart parts[] = {{&half, {{-0.5, 0.0, 0.0}, {1.0, 0.0, 0.0, 0.0}}},
                            {&half, {{0.5, 0.0, 0.0}, halfTurn}}};
  const InverseInertia of = inverseInertiaOf(parts), expected = inverseInertiaOf(whole);
  for (int axis = 0; axis < 3; ++axis) {
    EXPECT_NEAR(of.diagonal[axis], expected.diagonal[axis], 2e-3 * expected.diagonal[axis]);
    EXPECT_NEAR(of.mixed[axis], 0.0, 1e-12);
  }
  // Another place, another inertia
  const BodyPart together[] = {{&half, {}}, {&half, {}}};
  EXPECT_GT(std::abs(inverseInertiaOf(together).diagonal.y - expected.diagonal.y), 1e-3);
}

}  // namespace
}  // namespace nearmiss::engine
