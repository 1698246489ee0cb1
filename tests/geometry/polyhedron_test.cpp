// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <nearmiss/mesh.h>

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "oracle/distance.h"
#include "oracle/solid.h"
#include "support/campaign.h"
#include "support/meshes.h"
#include "support/pairs.h"

namespace nearmiss {
namespace {

using test::Random;

TriangleMesh moved(TriangleMesh mesh, const Pose& pose) {
  for (Vec3& p : mesh.positions) p = transformed(pose, p);
  return mesh;
}

/// A box with a box-shaped cavity.
TriangleMesh hollowBox(Real outer, Real inner) {
  TriangleMesh mesh = test::cube(outer);
  TriangleMesh cavity = test::cube(inner);
  test::flip(cavity);
  test::append(mesh, cavity);
  return mesh;
}

/// Points where a ray might go astray: anywhere, and in line with or on vertices, edges and faces.
Vec3 awkwardPoint(Random& random, const TriangleMesh& mesh) {
  const auto vertex = [&] {
    return mesh.positions[static_cast<std::size_t>(
        random.whole(0, static_cast<int>(mesh.positions.size()) - 1))];
  };
  const auto triangle = [&] {
    return mesh.corners(
        static_cast<std::size_t>(random.whole(0, static_cast<int>(mesh.triangles.size()) - 1)));
  };
  switch (random.whole(0, 5)) {
    case 0:
      return {random.between(-1, 1), vertex().y, vertex().z};
    case 1:
      return {vertex().x, vertex().y, random.between(-1, 1)};
    case 2: {
      Vec3 p = vertex();
      p.x += random.between(-1, 1);
      return p;
    }
    case 3: {
      const auto t = triangle();
      return 0.5 * t[0] + 0.25 * t[1] + 0.25 * t[2] + random.direction() * 1e-12;
    }
    case 4: {
      const auto t = triangle();
      return 0.5 * (t[0] + t[1]);
    }
    default:
      return random.inCube(1.0);
  }
}

TEST(Contains, AgreesWithIntegerRays) {
  Random random(1);
  int inside = 0, all = 0;
  std::vector<TriangleMesh> meshes = test::variousMeshes();
  meshes.push_back(hollowBox(1.0, 0.75));
  for (const TriangleMesh& mesh : meshes) {
    const TriangleMesh exact = test::snapped(mesh);
    const Polyhedron polyhedron(exact);
    ASSERT_TRUE(polyhedron.report().solid());
    for (int i = 0; i < test::cases(250); ++i, ++all) {
      const Vec3 p = test::snapped(awkwardPoint(random, exact));
      const bool expected = test::containsByRays(exact, p);
      ASSERT_EQ(polyhedron.contains(p), expected) << p.x << " " << p.y << " " << p.z;
      inside += expected;
    }
  }
  EXPECT_GT(inside, all / 5);
  EXPECT_LT(inside, all * 4 / 5);
}

TEST(Contains, HoldsItsOwnVerticesEdgesAndFaces) {
  const TriangleMesh mesh = test::comb();
  const Polyhedron comb(mesh);
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    const auto c = mesh.corners(t);
    EXPECT_TRUE(comb.contains(c[0]));
    EXPECT_TRUE(comb.contains(0.5 * (c[0] + c[1])));
    EXPECT_TRUE(comb.contains(0.5 * c[0] + 0.25 * c[1] + 0.25 * c[2]));
  }
}

TEST(Contains, IsFalseForWhatIsNoSolid) {
  TriangleMesh open = test::cube();
  open.triangles.pop_back();
  EXPECT_FALSE(Polyhedron(open).contains({0, 0, 0}));
  TriangleMesh insideOut = test::cube();
  test::flip(insideOut);
  EXPECT_FALSE(Polyhedron(insideOut).contains({0, 0, 0}));
}

TEST(Nearest, AgreesWithAllTriangles) {
  Random random(2);
  for (const TriangleMesh& mesh : test::variousMeshes()) {
    const Polyhedron polyhedron(mesh);
    for (int i = 0; i < test::cases(200); ++i) {
      Vec3 p = random.inCube(i % 10 == 0 ? 100.0 : 1.5);
      if (i % 7 == 0) p = mesh.positions[i % mesh.positions.size()];
      Real least = std::numeric_limits<Real>::infinity();
      for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
        least = std::min(least, test::pointToTriangle(p, mesh.corners(t)));
      const SurfacePoint nearest = polyhedron.nearest(p);
      ASSERT_NEAR(nearest.distance, least, 1e-12 * (1 + least));
      ASSERT_NEAR(glm::distance(nearest.position, p), least, 1e-12 * (1 + least));
      ASSERT_LT(test::pointToTriangle(nearest.position, mesh.corners(nearest.triangle)), 1e-12);
    }
  }
}

TEST(Nearest, StopsAtWhatIsNearEnough) {
  Random random(3);
  const Polyhedron polyhedron(test::spikyStar(4, 20, 30));
  int stoppedEarly = 0;
  for (int i = 0; i < 500; ++i) {
    const Vec3 p = random.inCube(1.2);
    const Real enough = random.between(0.0, 0.5);
    const SurfacePoint quick = polyhedron.nearest(p, enough);
    const SurfacePoint full = polyhedron.nearest(p);
    ASSERT_GE(quick.distance, full.distance);
    ASSERT_TRUE(quick.distance <= enough || quick.distance == full.distance);
    stoppedEarly += quick.distance > full.distance;
  }
  EXPECT_GT(stoppedEarly, 50);
}

TEST(Nearest, TakesTriangleThatIsNearlyALine) {
  const Polyhedron sliver(TriangleMesh{{{0, 0, 0}, {1, 0, 0}, {0.5, 1e-17, 0}}, {{0, 1, 2}}});
  EXPECT_NEAR(sliver.nearest({0.3, 0, 2}).distance, 2.0, 1e-12);
  EXPECT_NEAR(sliver.nearest({2, 0, 0}).distance, 1.0, 1e-12);
  EXPECT_NEAR(sliver.nearest({0.25, -3, 0}).distance, 3.0, 1e-12);
}

TEST(ForEachTriangleIn, VisitsExactlyTheBoxesThatMeet) {
  Random random(4);
  const Polyhedron polyhedron(test::torus());
  for (int i = 0; i < 200; ++i) {
    Box box;
    box.include(random.inCube(1.0));
    box.include(box.low + 0.5 * (random.inCube(1.0) + Vec3(1.0)));
    std::set<std::uint32_t> visited, expected;
    polyhedron.forEachTriangleIn(box, [&](std::uint32_t t) { visited.insert(t); });
    for (std::uint32_t t = 0; t < polyhedron.mesh().triangles.size(); ++t) {
      Box of;
      for (const Vec3& p : polyhedron.mesh().corners(t)) of.include(p);
      if (overlap(box, of)) expected.insert(t);
    }
    ASSERT_EQ(visited, expected);
  }
}

TEST(OneInsideOther, KnowsNestedSolids) {
  const Polyhedron large(test::cube(2.0)), small(test::cube(0.5));
  EXPECT_TRUE(oneInsideOther(large, small, {}));
  EXPECT_TRUE(oneInsideOther(small, large, {}));
  EXPECT_FALSE(oneInsideOther(large, small, {{4, 0, 0}, glm::identity<Quat>()}));
  EXPECT_FALSE(oneInsideOther(small, large, {{4, 0, 0}, glm::identity<Quat>()}));
}

/// On the way from frame to frame and back two of them stretch a body by 4e-9: here by more than a
/// ray keeps from a ring of vertices.
TEST(OneInsideOther, TakesRotationsOffUnitLength) {
  TriangleMesh rod;
  for (const Real y : {-10.0, -9.0, 10.0})
    for (const auto& [x, z] : {std::pair{-1.0, -1.0}, {-1.0, 1.0}, {1.0, 1.0}, {1.0, -1.0}})
      rod.positions.emplace_back(x, y, z);
  for (std::uint32_t ring = 0; ring < 2; ++ring)
    for (std::uint32_t i = 0; i < 4; ++i) {
      const std::uint32_t p = 4 * ring + i, q = 4 * ring + (i + 1) % 4;
      test::addQuad(rod, p, q, q + 4, p + 4);
    }
  test::addQuad(rod, 3, 2, 1, 0);
  test::addQuad(rod, 8, 9, 10, 11);
  TriangleMesh speck = test::tetrahedron();
  speck.positions = {{0, 0, 0}, {0.02, 0, 0}, {0, 0.02, 0}, {0, 0, 0.02}};
  if (checkMesh(speck).volume < 0.0) test::flip(speck);
  const Polyhedron outer(rod), inner(speck);
  ASSERT_TRUE(outer.report().solid() && inner.report().solid());
  const Real k = 1.0 + 4.9e-10;
  const Pose upsideDown{{0.0, 0.0, 0.0}, Quat(0.0, k, 0.0, 0.0)};
  const Pose within{{0.95, 9.0, 0.3}, Quat(k, 0.0, 0.0, 0.0)};
  EXPECT_TRUE(oneInsideOther(inner, outer, relativePose(within, upsideDown)));
  EXPECT_TRUE(oneInsideOther(outer, inner, relativePose(upsideDown, within)));
}

TEST(OneInsideOther, KnowsCavitiesFromWalls) {
  const Polyhedron hollow(hollowBox(4.0, 2.0));
  ASSERT_TRUE(hollow.report().solid());
  EXPECT_EQ(hollow.components().size(), 2u);
  const Polyhedron small(test::cube(0.5));
  EXPECT_FALSE(oneInsideOther(hollow, small, {}));
  EXPECT_FALSE(oneInsideOther(small, hollow, {}));
  const Pose intoWall{{3, 0, 0}, glm::identity<Quat>()};
  EXPECT_TRUE(oneInsideOther(hollow, small, intoWall));
  EXPECT_TRUE(oneInsideOther(small, hollow, {{-3, 0, 0}, glm::identity<Quat>()}));
  // A shell inside the wall, around the cavity: more volume than the wall has
  const Polyhedron shell(hollowBox(3.75, 2.25));
  EXPECT_TRUE(oneInsideOther(hollow, shell, {}));
  EXPECT_TRUE(oneInsideOther(shell, hollow, {}));
}

/// Of pieces in a cloud, beside, around and within a torus: as asking each of them.
TEST(OneInsideOther, OfManyPiecesIsThatOfAnyOfThem) {
  Random random(6);
  const Polyhedron torus(test::torus());
  const auto clear = [&torus](const Vec3& at) { return torus.nearest(at).distance > 0.04; };
  int within = 0;
  for (int i = 0; i < test::cases(200); ++i) {
    // Few lie within: mostly the centre of the cloud is in the hole, or beside
    TriangleMesh cloud;
    const Vec3 centre = random.inCube(0.6);
    const Quat turn = random.rotation();
    const Vec3 by = random.inCube(3.0);
    const Pose pose{by, turn};
    bool expected = false;
    const int count = random.whole(2, 60);
    const Real spread = random.between(0.05, 0.5);
    for (int k = 0; k < count; ++k) {
      const Vec3 at = centre + random.inCube(spread);
      if (!clear(at)) continue;
      expected = expected || torus.contains(at);
      // The frame of the cloud is not that of the torus
      const Vec3 own = glm::conjugate(turn) * (at - by);
      const auto first = static_cast<std::uint32_t>(cloud.positions.size());
      for (const Vec3& corner : {Vec3(0.0), Vec3(0.02, 0, 0), Vec3(0, 0.02, 0)})
        cloud.positions.push_back(own + corner);
      cloud.triangles.push_back({first, first + 1, first + 2});
    }
    if (cloud.triangles.empty()) continue;
    const Polyhedron pieces(cloud);
    ASSERT_EQ(oneInsideOther(torus, pieces, pose), expected) << "cloud " << i;
    const Pose back{glm::conjugate(turn) * -by, glm::conjugate(turn)};
    ASSERT_EQ(oneInsideOther(pieces, torus, back), expected) << "cloud " << i;
    within += expected;
  }
  EXPECT_GT(within, test::cases(200) / 10);
  EXPECT_LT(within, test::cases(200) * 9 / 10);
}

TEST(OneInsideOther, LooksAtEveryPiece) {
  TriangleMesh scattered = test::cube(0.25);
  test::append(scattered, test::cube(0.25), {10, 0, 0});
  const Polyhedron pieces(scattered), large(test::cube());
  for (const Real x : {0.0, -10.0}) {
    EXPECT_TRUE(oneInsideOther(large, pieces, {{x, 0, 0}, glm::identity<Quat>()}));
    EXPECT_TRUE(oneInsideOther(pieces, large, {{-x, 0, 0}, glm::identity<Quat>()}));
  }
  EXPECT_FALSE(oneInsideOther(large, pieces, {{-5, 0, 0}, glm::identity<Quat>()}));
}

TEST(OneInsideOther, AsksOnlyTheHolderToBeASolid) {
  TriangleMesh open = test::cube(2.0);
  open.triangles.pop_back();
  TriangleMesh sheet{{{0, 0, 0}, {0.1, 0, 0}, {0, 0.1, 0}}, {{0, 1, 2}}};
  EXPECT_FALSE(oneInsideOther(Polyhedron(open), Polyhedron(test::cube(0.5)), {}));
  EXPECT_TRUE(oneInsideOther(Polyhedron(test::cube()), Polyhedron(sheet), {}));
}

TEST(OneInsideOther, AgreesWithIntegerRaysWhenTurned) {
  Random random(5);
  const Polyhedron star(test::snapped(test::spikyStar(7)));
  const Polyhedron tiny(test::snapped(test::sphere(4, 5, 0.05)));
  int inside = 0, apart = 0;
  for (int i = 0; i < test::cases(800); ++i) {
    const Pose pose = test::randomPose(random, 0.8);
    const bool exchanged = i % 2 == 0;
    const Polyhedron& a = exchanged ? tiny : star;
    const Polyhedron& b = exchanged ? star : tiny;
    const TriangleMesh movedB = moved(b.mesh(), pose);
    bool meet = false;
    for (std::size_t s = 0; s < a.mesh().triangles.size(); ++s)
      for (std::size_t t = 0; t < movedB.triangles.size() && !meet; ++t)
        meet = trianglesMeet(a.mesh().corners(s), movedB.corners(t));
    if (meet) continue;
    const TriangleMesh& outer = exchanged ? movedB : a.mesh();
    const TriangleMesh& inner = exchanged ? a.mesh() : movedB;
    const bool expected =
        test::containsByRays(test::snapped(outer), test::snapped(inner.positions[0]));
    ASSERT_EQ(oneInsideOther(a, b, pose), expected) << i;
    ++(expected ? inside : apart);
  }
  EXPECT_GT(inside, 50);
  EXPECT_GT(apart, 50);
}

TEST(DistanceBetween, AgreesWithAllPairsOfTriangles) {
  Random random(6);
  std::vector<Polyhedron> shapes;
  shapes.emplace_back(test::cube());
  shapes.emplace_back(test::torus(10, 6));
  shapes.emplace_back(test::spikyStar(3, 6, 8));
  shapes.emplace_back(test::comb(3));
  int meeting = 0;
  const int count = test::cases(120);
  for (int i = 0; i < count; ++i) {
    const auto pair = test::randomNearMissPair(random, shapes, 0.3);
    const Polyhedron& a = shapes[pair[0].shape.index()];
    const Polyhedron& b = shapes[pair[1].shape.index()];
    const Pose bToA = relativePose(pair[0].pose, pair[1].pose);
    const TriangleMesh movedB = moved(b.mesh(), bToA);
    Real least = std::numeric_limits<Real>::infinity();
    bool meet = oneInsideOther(a, b, bToA);
    for (std::size_t s = 0; s < a.mesh().triangles.size() && !meet; ++s)
      for (std::size_t t = 0; t < movedB.triangles.size() && !meet; ++t) {
        meet = trianglesMeet(a.mesh().corners(s), movedB.corners(t));
        least = std::min(least, test::triangleToTriangle(a.mesh().corners(s), movedB.corners(t)));
      }
    const Real distance = distanceBetween(a, b, bToA);
    if (meet) {
      ASSERT_EQ(distance, 0.0) << i;
    } else {
      ASSERT_NEAR(distance, least, 1e-11) << i;
      ASSERT_GT(distance, 0.0) << i;
    }
    meeting += meet;
  }
  EXPECT_GT(meeting, count / 5);
  EXPECT_LT(meeting, count * 4 / 5);
}

TEST(DistanceBetween, KnowsClosedForms) {
  const Polyhedron cube(test::cube());
  const auto at = [](Real x, Real y, Real z) { return Pose{{x, y, z}, glm::identity<Quat>()}; };
  EXPECT_DOUBLE_EQ(distanceBetween(cube, cube, at(5, 0, 0)), 3.0);
  EXPECT_DOUBLE_EQ(distanceBetween(cube, cube, at(5, 6, 0)), 5.0);
  EXPECT_DOUBLE_EQ(distanceBetween(cube, cube, at(3, 4, 4)), 3.0);
  EXPECT_EQ(distanceBetween(cube, cube, at(2, 0, 0)), 0.0);
  EXPECT_EQ(distanceBetween(cube, Polyhedron(test::cube(0.25)), {}), 0.0);
  EXPECT_NEAR(distanceBetween(Polyhedron(hollowBox(4, 2)), Polyhedron(test::cube(0.5)), {}), 1.5,
              1e-12);
}

}  // namespace
}  // namespace nearmiss
