// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nearmiss/mesh.h>

#include <algorithm>
#include <cmath>
#include <glm/gtc/constants.hpp>
#include <limits>
#include <string>
#include <vector>

namespace nearmiss {
namespace {

using testing::HasSubstr;

void expectSolid(const Result<TriangleMesh>& made, Real volume) {
  ASSERT_TRUE(made) << made.error().message;
  const MeshReport report = checkMesh(*made);
  EXPECT_TRUE(report.solid()) << describe(report);
  EXPECT_EQ(report.components, 1u);
  EXPECT_EQ(report.nonManifoldVertices, 0u);
  EXPECT_NEAR(report.volume / volume, 1.0, 1e-12);
  EXPECT_TRUE(checkTriangles(*made));
  // No vertex is there twice, and none is unused
  TriangleMesh cleaned = *made;
  const MeshCleaning cleaning = *cleanMesh(cleaned, 0.0);
  EXPECT_EQ(cleaning.weldedVertices + cleaning.unusedVertices + cleaning.degenerateTriangles, 0u);
}

TEST(Primitives, BoxesHaveTheirHalfExtents) {
  const auto made = boxMesh({0.5, 2.0, 3.0});
  expectSolid(made, 24.0);
  EXPECT_EQ(boundingBox(*made).high, Vec3(0.5, 2.0, 3.0));
  EXPECT_EQ(boundingBox(*made).low, Vec3(-0.5, -2.0, -3.0));
  EXPECT_EQ(made->triangles.size(), 12u);
}

TEST(Primitives, VerticesOfSpheresLieOnTheSphere) {
  std::size_t triangles = 20;
  for (int subdivisions = 0; subdivisions <= 5; ++subdivisions, triangles *= 4) {
    const auto made = sphereMesh(0.25, subdivisions);
    ASSERT_TRUE(made);
    expectSolid(made, checkMesh(*made).volume);
    EXPECT_EQ(made->triangles.size(), triangles);
    for (const Vec3& p : made->positions) ASSERT_NEAR(glm::length(p), 0.25, 1e-15);
  }
  const Real ball = 4.0 / 3.0 * glm::pi<Real>();
  EXPECT_NEAR(checkMesh(*sphereMesh(1.0)).volume, ball, 0.01 * ball);
}

TEST(Primitives, VerticesOfCapsulesLieOnTheCapsule) {
  for (const Real half : {0.0, 1e-15, 0.3, 2.0})
    for (const int segments : {3, 4, 7, 32, 33}) {
      const auto made = capsuleMesh(0.5, half, segments);
      ASSERT_TRUE(made);
      expectSolid(made, checkMesh(*made).volume);
      for (const Vec3& p : made->positions) {
        const Vec3 onAxis(0.0, 0.0, std::clamp(p.z, -half, half));
        ASSERT_NEAR(glm::distance(p, onAxis), 0.5, 1e-15);
      }
      EXPECT_EQ(boundingBox(*made).high.z, half + 0.5);
      EXPECT_EQ(boundingBox(*made).low.z, -half - 0.5);
    }
  const Real volume = glm::pi<Real>() * (2.0 * 2.0 * 0.25 + 4.0 / 3.0 * 0.125);
  EXPECT_NEAR(checkMesh(*capsuleMesh(0.5, 2.0, 128)).volume, volume, 0.001 * volume);
}

TEST(Primitives, CylindersStandOnPolygons) {
  for (const int segments : {3, 4, 32, 101}) {
    const Real area = 0.5 * segments * 4.0 * std::sin(glm::two_pi<Real>() / segments);
    expectSolid(cylinderMesh(2.0, 0.75, segments), 1.5 * area);
  }
  EXPECT_EQ(boundingBox(*cylinderMesh(2.0, 0.75)).high.z, 0.75);
}

TEST(Primitives, ComeInAllSizesOfAMesh) {
  for (const Real size : {minMeshSize, 1e-6, 1e6, 0.5 * maxMeshSize}) {
    const Real cube = size * size * size;
    expectSolid(boxMesh(Vec3(size)), 8.0 * cube);
    for (const auto& made :
         {sphereMesh(size, 2), capsuleMesh(size, size), cylinderMesh(size, size)}) {
      ASSERT_TRUE(made);
      EXPECT_TRUE(checkTriangles(*made));
      EXPECT_TRUE(checkMesh(*made).solid());
    }
  }
}

TEST(Primitives, RefuseSizesThatAreNone) {
  const auto sentence = [](const Result<TriangleMesh>& made) {
    return made ? std::string("made") : made.error().message;
  };
  constexpr Real nan = std::numeric_limits<Real>::quiet_NaN();
  EXPECT_EQ(sentence(boxMesh({1.0, -2.0, 1.0})),
            "cannot make a box: the half extent along y is -2 m, but must be from 1e-15 to 1e15 m");
  for (const Real bad : {0.0, -1.0, nan, std::numeric_limits<Real>::infinity(), 1e16, 1e-16}) {
    EXPECT_THAT(sentence(boxMesh({bad, 1.0, 1.0})), HasSubstr("half extent along x is"));
    EXPECT_THAT(sentence(boxMesh({1.0, 1.0, bad})), HasSubstr("half extent along z is"));
    EXPECT_THAT(sentence(sphereMesh(bad)), HasSubstr("cannot make a sphere: the radius is"));
    EXPECT_THAT(sentence(capsuleMesh(bad, 1.0)), HasSubstr("cannot make a capsule: the radius is"));
    EXPECT_THAT(sentence(cylinderMesh(bad, 1.0)), HasSubstr("cannot make a cylinder: the radius"));
    EXPECT_THAT(sentence(cylinderMesh(1.0, bad)), HasSubstr("the half height is"));
    EXPECT_EQ(boxMesh(Vec3(bad)).error().code, ErrorCode::Unsupported);
    if (bad != 0.0) {
      EXPECT_THAT(sentence(capsuleMesh(1.0, bad)), HasSubstr("half height is"));
    }
  }
  EXPECT_THAT(sentence(capsuleMesh(1.0, 1e15)), HasSubstr("sum of radius and half height"));
  EXPECT_EQ(sentence(sphereMesh(1.0, 9)),
            "cannot make a sphere: the number of subdivisions must be from 0 to 8");
  EXPECT_THAT(sentence(sphereMesh(1.0, -1)), HasSubstr("from 0 to 8"));
  for (const int segments : {-1, 0, 2, maxRoundSegments + 1}) {
    EXPECT_EQ(sentence(capsuleMesh(1.0, 1.0, segments)),
              "cannot make a capsule: the number of segments must be from 3 to 1024");
    EXPECT_EQ(sentence(cylinderMesh(1.0, 1.0, segments)),
              "cannot make a cylinder: the number of segments must be from 3 to 1024");
  }
}

}  // namespace
}  // namespace nearmiss
