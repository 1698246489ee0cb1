// SPDX-License-Identifier: MIT
#include "geometry/solid_cells.h"

#include <gtest/gtest.h>
#include <nearmiss/mesh.h>
#include <nearmiss/shape.h>

#include <memory>
#include <vector>

#include "geometry/mesh_check.h"
#include "geometry/polyhedron_pair.h"
#include "support/hard_meshes.h"
#include "support/meshes.h"
#include "support/random.h"
#include "support/shapes.h"

namespace nearmiss {
namespace {

using test::Random;
using Side = SolidCells::Side;

std::vector<Polyhedron> solids() {
  std::vector<TriangleMesh> meshes = test::solidMeshes();
  meshes.push_back(test::slivers(400));
  meshes.push_back(test::torus(60, 30));
  // Far from its own origin, thin, and of many pieces
  meshes.push_back(test::sphere(12, 14, 0.3));
  for (Vec3& p : meshes.back().positions) p += Vec3(40.0, -7.0, 3.0);
  meshes.push_back(test::cube(0.5));
  for (Vec3& p : meshes.back().positions) p.z *= 1e-3;
  meshes.emplace_back();
  for (int i = 0; i < 30; ++i)
    test::append(meshes.back(), test::cube(0.04), Vec3(0.1 * (i % 5), 0.1 * (i / 5), 0.0));
  std::vector<Polyhedron> made;
  for (TriangleMesh& mesh : meshes) made.emplace_back(std::move(mesh));
  return made;
}

/// In the box around the body and a little beyond; every other one near a corner of the surface.
Vec3 drawPoint(Random& random, const Polyhedron& body, int i) {
  const Box& box = body.bounds();
  if (i % 2 == 0) return box.centre() + random.inCube(0.6) * box.extent();
  const auto& positions = body.mesh().positions;
  const auto last = static_cast<int>(positions.size()) - 1;
  return positions[static_cast<std::size_t>(random.whole(0, last))] +
         random.inCube(0.05) * body.radius();
}

TEST(SolidCells, SayOfPointsWhatTheSurfaceSays) {
  Random random(3);
  int inside = 0, outside = 0, unknown = 0;
  for (const Polyhedron& body : solids()) {
    ASSERT_TRUE(body.report().solid());
    const SolidCells cells(body);
    for (int i = 0; i < 4000; ++i) {
      const Vec3 point = drawPoint(random, body, i);
      const Side side = cells.sideOf(point);
      unknown += side == Side::Unknown;
      if (side == Side::Unknown) continue;
      ASSERT_EQ(side == Side::Inside, body.contains(point)) << "point " << i;
      inside += side == Side::Inside;
      outside += side == Side::Outside;
    }
  }
  EXPECT_GT(inside, 4000);
  EXPECT_GT(outside, 10000);
  EXPECT_GT(unknown, 2000) << "near the surface";
}

TEST(SolidCells, KnowASideOnlyFarFromTheSurface) {
  Random random(4);
  int balls = 0, slack = 0;
  for (const Polyhedron& body : solids()) {
    const SolidCells cells(body);
    for (int i = 0; i < 4000; ++i) {
      const Vec3 point = drawPoint(random, body, i);
      const Real reach = random.between(0.0, 0.2) * body.radius();
      const Real distance = body.nearest(point).distance;
      if (cells.sideOf(point, reach) != Side::Unknown) {
        ++balls;
        ASSERT_GT(distance, reach) << "ball " << i;
      }
      // Whatever is allowed for moves neither the point nor the surface across the other
      if (cells.sideOf(point) == Side::Unknown || distance > 1e-2 * body.radius()) continue;
      ++slack;
      ASSERT_FALSE(cells.allowsFor(0.5 * distance)) << "point " << i;
    }
  }
  EXPECT_GT(balls, 5000);
  EXPECT_GT(slack, 20);
}

/// The normals of a hair's sides are all rounding: cells that it runs through have no side still.
TEST(SolidCells, HaveNoSideWhereAHairRunsThrough) {
  Random random(5);
  for (int i = 0; i < 12; ++i) {
    const Vec3 half = 5e8 * (Vec3(1.0) + random.inCube(0.5));
    TriangleMesh mesh;
    for (const Vec3& end : {-half, half})
      for (const Vec3& corner : {Vec3(1, 0, 0), Vec3(0, 2, 0), Vec3(0, 0, 3)})
        mesh.positions.push_back(end + 0x1p-23 * corner);
    mesh.triangles = {{0, 1, 2}, {5, 4, 3}};
    for (std::uint32_t k = 0; k < 3; ++k) {
      const std::uint32_t next = (k + 1) % 3;
      // The two long edges are those of the first corner
      mesh.triangles.push_back({k, next + 3, k + 3});
      mesh.triangles.push_back({next + 3, k, next});
    }
    TriangleMesh ball = test::sphere(30, 40, 1e8);
    for (Vec3& p : ball.positions) p += Vec3(-5e8, 5e8, 5e8);
    test::append(mesh, ball);
    const Polyhedron body(mesh);
    const SolidCells cells(body);
    for (std::uint32_t t = 2; t < 8; ++t)
      for (int k = 0; k <= 400; ++k) {
        const Triangle hair = mesh.corners(t);
        const Vec3 point = hair[0] + k / 400.0 * (hair[1] - hair[0]);
        ASSERT_EQ(cells.sideOf(point), Side::Unknown) << i << ", " << t << ", " << k;
      }
  }
}

/// Every moved triangle about every piece, without a hierarchy.
bool heldByBruteForce(const Polyhedron& a, const Polyhedron& b, const Pose& bToA) {
  const auto within = [](const TriangleMesh& outer, const Pose* moves, const Vec3& point) {
    WindingCount count(point);
    for (std::uint32_t t = 0; t < outer.triangles.size(); ++t)
      count.add(moves ? moved(outer, t, *moves) : outer.corners(t));
    return count.inside();
  };
  for (const SurfaceComponent& piece : b.components())
    if (a.report().solid() &&
        within(a.mesh(), nullptr, transformed(bToA, b.mesh().positions[piece.vertex])))
      return true;
  for (const SurfaceComponent& piece : a.components())
    if (b.report().solid() && within(b.mesh(), &bToA, a.mesh().positions[piece.vertex]))
      return true;
  return false;
}

bool surfacesMeet(const Polyhedron& a, const Polyhedron& b, const Pose& bToA) {
  bool meet = false;
  TrianglePairs(a, b, bToA).forEach([&](std::uint32_t t, const Triangle& other) {
    meet = meet || trianglesMeet(a.mesh().corners(t), other);
  });
  return meet;
}

TEST(SolidCells, LeaveContainmentWhatItIs) {
  Random random(5);
  std::vector<Polyhedron> outer = solids();
  std::vector<Polyhedron> inner;
  for (const Polyhedron& body : outer) {
    SolidCells::prepare(body);
    TriangleMesh mesh = body.mesh();
    for (Vec3& p : mesh.positions) p = (p - body.bounds().centre()) * 0.08;
    inner.emplace_back(std::move(mesh));
  }
  int held = 0, apart = 0;
  for (int i = 0; i < 4000; ++i) {
    const auto pick = [&](const std::vector<Polyhedron>& from) -> const Polyhedron& {
      return from[static_cast<std::size_t>(random.whole(0, static_cast<int>(from.size()) - 1))];
    };
    const Polyhedron &a = pick(outer), &b = pick(inner);
    Pose bToA{drawPoint(random, a, i), random.rotation()};
    const bool swapped = i % 3 == 0;
    if (swapped) {
      const Pose back = inverseOf(bToA);
      if (surfacesMeet(b, a, back)) continue;
      ASSERT_EQ(oneInsideOther(b, a, back), heldByBruteForce(b, a, back)) << "pair " << i;
    }
    if (surfacesMeet(a, b, bToA)) continue;
    const bool is = oneInsideOther(a, b, bToA);
    ASSERT_EQ(is, heldByBruteForce(a, b, bToA)) << "pair " << i;
    held += is;
    apart += !is;
  }
  EXPECT_GT(held, 200);
  EXPECT_GT(apart, 500);
}

TEST(SolidCells, AreMadeWithTheShapeAndNotByQueries) {
  const auto bare = std::make_shared<const Polyhedron>(test::torus(60, 30));
  Pose beside;
  beside.position = Vec3(9.0, 0.0, 0.0);
  ASSERT_FALSE(oneInsideOther(*bare, *bare, beside));
  EXPECT_FALSE(SolidCells::of(*bare).allowsFor(0.0)) << "made in the middle of a query";
  const Shape shape = Shape::of(bare);
  EXPECT_TRUE(SolidCells::of(shape.polyhedron()).allowsFor(0.0));
}

/// Large triangles in a crowd would have to be looked for in most cells: nothing is known then, and
/// it takes no time to find that out.
TEST(SolidCells, KnowNothingOfHeaps) {
  TriangleMesh mesh;
  for (int i = 0; i < 300; ++i) test::append(mesh, test::tetrahedron(), Vec3(1e-4 * i, 0.0, 0.0));
  const Polyhedron body(std::move(mesh));
  const SolidCells cells(body);
  EXPECT_FALSE(cells.allowsFor(0.0));
  EXPECT_EQ(cells.sideOf(Vec3(100.0)), Side::Unknown);
}

}  // namespace
}  // namespace nearmiss
