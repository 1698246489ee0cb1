// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <nearmiss/mesh.h>

#include <cmath>
#include <glm/gtc/constants.hpp>
#include <glm/gtc/quaternion.hpp>
#include <glm/matrix.hpp>
#include <limits>
#include <string>

#include "oracle/solid.h"
#include "support/campaign.h"
#include "support/meshes.h"
#include "support/pairs.h"
#include "support/shapes.h"

namespace nearmiss {
namespace {

using test::Random;

TriangleMesh placed(TriangleMesh mesh, const Pose& pose) {
  for (Vec3& p : mesh.positions) p = transformed(pose, p);
  return mesh;
}

MassProperties propertiesOf(const TriangleMesh& mesh) { return *massProperties(mesh); }

void expectNear(const glm::dmat3& a, const glm::dmat3& b, Real within) {
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 3; ++k) ASSERT_NEAR(a[i][k], b[i][k], within) << i << " " << k;
}

glm::dmat3 diagonal(Real x, Real y, Real z) {
  glm::dmat3 m(0.0);
  m[0][0] = x;
  m[1][1] = y;
  m[2][2] = z;
  return m;
}

TEST(MassProperties, KnowsABox) {
  const MassProperties box = propertiesOf(*boxMesh({0.5, 1.0, 2.0}));
  EXPECT_DOUBLE_EQ(box.volume, 8.0);
  EXPECT_EQ(box.centre, Vec3(0.0));
  // m / 3 times the squares of two half extents
  expectNear(box.inertia, 8.0 / 3.0 * diagonal(1.0 + 4.0, 0.25 + 4.0, 0.25 + 1.0), 1e-14);
}

/// With four times the triangles a sphere's error is a quarter.
TEST(MassProperties, ApproachesASphere) {
  constexpr Real radius = 1.5;
  const Real volume = 4.0 / 3.0 * glm::pi<Real>() * radius * radius * radius;
  const Real moment = 0.4 * volume * radius * radius;
  Real offVolume = 0.0, offMoment = 0.0;
  for (int subdivisions = 1; subdivisions <= 5; ++subdivisions) {
    const MassProperties ball = propertiesOf(*sphereMesh(radius, subdivisions));
    const Real ofVolume = volume - ball.volume, ofMoment = moment - ball.inertia[0][0];
    ASSERT_GT(ofVolume, 0.0);
    ASSERT_GT(ofMoment, 0.0);
    if (subdivisions > 1) {
      EXPECT_NEAR(offVolume / ofVolume, 4.0, 0.6);
      EXPECT_NEAR(offMoment / ofMoment, 4.0, 0.6);
    }
    offVolume = ofVolume;
    offMoment = ofMoment;
    expectNear(ball.inertia, diagonal(1, 1, 1) * ball.inertia[0][0], 1e-12);
  }
  EXPECT_LT(offVolume, 0.002 * volume);
}

/// A prism over a regular polygon, in closed form.
TEST(MassProperties, KnowsACylinder) {
  constexpr int segments = 24;
  constexpr Real radius = 0.7, half = 1.3;
  const MassProperties cylinder = propertiesOf(*cylinderMesh(radius, half, segments));
  const Real angle = glm::two_pi<Real>() / segments;
  const Real area = 0.5 * segments * radius * radius * std::sin(angle);
  const Real volume = 2.0 * half * area;
  const Real about = volume * radius * radius * (2.0 + std::cos(angle)) / 6.0;
  EXPECT_NEAR(cylinder.volume, volume, 1e-13);
  EXPECT_NEAR(cylinder.inertia[2][2], about, 1e-13);
  EXPECT_NEAR(cylinder.inertia[0][0], 0.5 * about + volume * half * half / 3.0, 1e-12);
}

TEST(MassProperties, MovesAndTurnsWithTheBody) {
  Random random(81);
  for (const TriangleMesh& mesh : test::solidMeshes()) {
    const MassProperties own = propertiesOf(mesh);
    for (int i = 0; i < test::cases(10); ++i) {
      const Pose pose = test::randomPose(random, 10.0);
      const MassProperties moved = propertiesOf(placed(mesh, pose));
      const glm::dmat3 turn = glm::mat3_cast(pose.rotation);
      ASSERT_NEAR(moved.volume, own.volume, 1e-12 * (1 + own.volume));
      ASSERT_LT(glm::distance(moved.centre, transformed(pose, own.centre)), 1e-12);
      expectNear(moved.inertia, turn * own.inertia * glm::transpose(turn), 1e-12);
    }
  }
}

/// As many digits as the coordinates leave, and not as few as their squares would.
TEST(MassProperties, KeepsItsDigitsFarFromTheOrigin) {
  const MassProperties own = propertiesOf(test::torus());
  const MassProperties far =
      propertiesOf(placed(test::torus(), {{1e6, -2e6, 3e6}, Quat(1, 0, 0, 0)}));
  EXPECT_NEAR(far.volume, own.volume, 1e-8);
  EXPECT_LT(glm::distance(far.centre, Vec3(1e6, -2e6, 3e6)), 1e-8);
  expectNear(far.inertia, own.inertia, 1e-8);
}

TEST(MassProperties, AgreesWithPointsDrawnAtRandom) {
  Random random(82);
  for (int i = 0; i < test::cases(6); ++i) {
    // Parts that keep apart: one within another would count twice
    TriangleMesh mesh =
        placed(test::spikyStar(static_cast<std::uint64_t>(random.whole(1, 99)), 6, 8),
               {{-1.0, 0, 0}, random.rotation()});
    test::append(mesh,
                 placed(test::comb(3), {{1.0, random.between(-0.5, 0.5), 0}, random.rotation()}));
    const Shape shape = test::treelessShape(mesh);
    ASSERT_TRUE(shape.solid());
    const MassProperties found = *massProperties(shape);
    const Box box = shape.polyhedron().bounds();
    const Real all = box.extent().x * box.extent().y * box.extent().z;
    constexpr int drawn = 200000;
    Real count = 0.0;
    Vec3 sum(0.0);
    glm::dmat3 second(0.0);
    for (int k = 0; k < drawn; ++k) {
      const Real x = random.unit(), y = random.unit(), z = random.unit();
      const Vec3 p = box.low + Vec3(x, y, z) * box.extent();
      if (!shape.polyhedron().contains(p)) continue;
      const Vec3 q = p - found.centre;
      count += 1.0;
      sum += q;
      second += glm::dot(q, q) * glm::dmat3(1.0) - glm::outerProduct(q, q);
    }
    const Real each = all / drawn;
    EXPECT_NEAR(found.volume, each * count, 0.03 * found.volume);
    EXPECT_LT(glm::length(sum) / count, 0.02);
    expectNear(found.inertia, each * second, 0.05 * found.inertia[1][1]);
  }
}

TEST(MassProperties, CountsOverlapsAsOftenAsTheSurfaceWinds) {
  TriangleMesh mesh = test::cube();
  test::append(mesh, test::cube(), {1.0, 0.5, 0.25});
  const MassProperties both = *massProperties(test::treelessShape(mesh));
  EXPECT_NEAR(both.volume, 16.0, 1e-13);
  EXPECT_LT(glm::distance(both.centre, {0.5, 0.25, 0.125}), 1e-14);
}

TEST(MassProperties, RefusesWhatHasNoInside) {
  const auto sentence = [](const TriangleMesh& mesh) {
    const auto made = massProperties(mesh);
    return made ? std::string("none") : made.error().message;
  };
  TriangleMesh open = test::cube();
  open.triangles.pop_back();
  EXPECT_EQ(sentence(open),
            "cannot compute mass properties: the surface has no inside, it is not closed (3 "
            "boundary edges)");
  EXPECT_EQ(massProperties(test::treelessShape(open)).error().message, sentence(open));
  EXPECT_EQ(massProperties(open).error().code, ErrorCode::Unsupported);
  TriangleMesh inward = test::cube();
  test::flip(inward);
  EXPECT_EQ(sentence(inward),
            "cannot compute mass properties: the surface encloses no volume, or faces inwards");
  TriangleMesh infinite = test::cube();
  infinite.positions[3].y = std::numeric_limits<Real>::infinity();
  EXPECT_EQ(massProperties(infinite).error().code, ErrorCode::BadFormat);
  TriangleMesh stray = test::cube();
  stray.triangles[2][1] = 8;
  EXPECT_EQ(massProperties(stray).error().code, ErrorCode::BadFormat);
  EXPECT_EQ(massProperties(TriangleMesh{}).error().code, ErrorCode::EmptyMesh);
}

}  // namespace
}  // namespace nearmiss
