// SPDX-License-Identifier: MIT
/// Turned triangles: solids come back whatever was turned, and what has no right answer stays.
#include <gtest/gtest.h>
#include <nearmiss/mesh.h>

#include <array>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <utility>

#include "geometry/mesh_check.h"
#include "support/hard_meshes.h"
#include "support/meshes.h"
#include "support/random.h"

namespace nearmiss {
namespace {

void turn(TriangleMesh& mesh, std::size_t t) {
  std::swap(mesh.triangles[t][1], mesh.triangles[t][2]);
}

TEST(RepairWinding, LeavesSolidsAlone) {
  for (const TriangleMesh& mesh : test::variousMeshes()) {
    TriangleMesh repaired = mesh;
    EXPECT_EQ(repairWinding(repaired), 0u);
    EXPECT_EQ(repaired.triangles, mesh.triangles);
  }
}

TEST(RepairWinding, BringsBackSolidsWhateverWasTurned) {
  test::Random random(1);
  int trials = 0;
  for (const TriangleMesh& mesh : test::variousMeshes())
    for (const Real share : {0.01, 0.3, 0.5, 0.7, 1.0}) {
      TriangleMesh broken = mesh;
      std::size_t turned = 0;
      for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
        if (random.chance(share)) {
          turn(broken, t);
          ++turned;
        }
      EXPECT_EQ(repairWinding(broken), turned);
      EXPECT_TRUE(checkMesh(broken).solid());
      EXPECT_DOUBLE_EQ(checkMesh(broken).volume, checkMesh(mesh).volume);
      trials += turned > 0;
    }
  EXPECT_GT(trials, 20);
}

/// Small cubes in a row that face inwards, beside a large one.
TriangleMesh rowFacingInwards(int count) {
  TriangleMesh mesh = test::cube(100.0), small = test::cube(0.5);
  test::flip(small);
  for (int i = 0; i < count; ++i) test::append(mesh, small, {200.0 + 2.0 * i, 0.0, 0.0});
  return mesh;
}

TEST(RepairWinding, LooksAtNoPieceThatBeginsBeyondAnother) {
  // Of each the ray to the right meets all others there
  TriangleMesh row = rowFacingInwards(30);
  EXPECT_EQ(repairedWinding(row, nullptr, 60).triangles, 30u * 12u);
  const SurfacePieces pieces = piecesOf(row);
  const SurfaceBoxes surface(row);
  const PieceWindings windings(row, surface.boxes(), pieces);
  int looked = 0;
  for (std::uint32_t piece = 0; piece < pieces.components.size(); ++piece)
    EXPECT_EQ(windings.ofOthers(piece,
                                [&](std::uint32_t t) {
                                  ++looked;
                                  return row.corners(t);
                                }),
              0);
  EXPECT_LE(looked, 60);
}

TEST(RepairWinding, EndsWhereManyPiecesLieWithinEachOther) {
  TriangleMesh nested = test::cube(100.0);
  for (int i = 1; i < 30; ++i) {
    TriangleMesh shell = test::cube(1.0 * i);
    test::flip(shell);
    test::append(nested, shell);
  }
  TriangleMesh whole = nested, part = nested;
  EXPECT_EQ(repairedWinding(whole).triangles, 14u * 12u);
  EXPECT_TRUE(checkMesh(whole).solid());
  const std::size_t turned = repairedWinding(part, nullptr, 40).triangles;
  EXPECT_GT(turned, 0u);
  EXPECT_LT(turned, 14u * 12u);
}

TEST(RepairWinding, TurnsNoPieceOnceCancelled) {
  TriangleMesh mesh = rowFacingInwards(3);
  std::atomic<bool> cancelled{true};
  EXPECT_EQ(repairedWinding(mesh, &cancelled).triangles, 0u);
  const auto cut = cleanMesh(mesh, 0.0, &cancelled);
  ASSERT_FALSE(cut);
  EXPECT_EQ(cut.error().code, ErrorCode::Cancelled);
  EXPECT_EQ(hashOf(mesh), hashOf(rowFacingInwards(3))) << "after an error it is unchanged";
  cancelled = false;
  EXPECT_EQ(cleanMesh(mesh, 0.0, &cancelled)->turnedTriangles, 3u * 12u);
}

TEST(RepairWinding, TurnsThePieceThatFacesInwards) {
  TriangleMesh mesh = test::cube();
  TriangleMesh other = test::cube(0.5);
  test::flip(other);
  test::append(mesh, other, {5, 0, 0});
  EXPECT_EQ(repairWinding(mesh), 12u);
  EXPECT_TRUE(checkMesh(mesh).solid());
  EXPECT_DOUBLE_EQ(checkMesh(mesh).volume, 9.0);
}

TEST(RepairWinding, KeepsAHollowAndTurnsBothWhereAllIsInsideOut) {
  TriangleMesh hollow = test::cube();
  TriangleMesh inner = test::cube(0.5);
  test::flip(inner);
  test::append(hollow, inner);
  TriangleMesh kept = hollow;
  EXPECT_EQ(repairWinding(kept), 0u);
  TriangleMesh insideOut = hollow;
  test::flip(insideOut);
  EXPECT_EQ(repairWinding(insideOut), 24u);
  EXPECT_EQ(insideOut.triangles, hollow.triangles);
}

/// As one part of a surface over vertices.
TriangleMesh touching(TriangleMesh mesh, const TriangleMesh& other) {
  test::append(mesh, other);
  cleanUnlessCancelled(mesh, 0.0, nullptr);
  return mesh;
}

TEST(RepairWinding, TurnsThePatchThatTouchesALargerOneInAVertex) {
  TriangleMesh small = test::box(Vec3(-1.0), Vec3(0.0));
  test::flip(small);
  TriangleMesh mesh = touching(test::box(Vec3(0.0), Vec3(2.0)), small);
  const MeshReport report = checkMesh(mesh);
  EXPECT_EQ(report.components, 1u);
  EXPECT_EQ(report.misorientedComponents, 1u);
  EXPECT_FALSE(report.solid());
  EXPECT_EQ(repairWinding(mesh), 12u);
  EXPECT_TRUE(checkMesh(mesh).solid());
  EXPECT_DOUBLE_EQ(checkMesh(mesh).volume, 9.0);
  EXPECT_TRUE(Polyhedron(mesh).contains(Vec3(-0.5)));
}

TEST(RepairWinding, KeepsAHollowThatTouchesTheWallInAVertex) {
  const TriangleMesh hollow{{{0, 0, 0}, {1.5, 0.5, 0.5}, {0.5, 1.5, 0.5}, {0.5, 0.5, 1.5}},
                            {{0, 1, 2}, {0, 3, 1}, {0, 2, 3}, {1, 3, 2}}};
  ASSERT_LT(checkMesh(hollow).volume, 0.0);
  TriangleMesh mesh = touching(test::box(Vec3(0.0), Vec3(2.0)), hollow);
  EXPECT_EQ(checkMesh(mesh).components, 1u);
  EXPECT_TRUE(checkMesh(mesh).solid());
  EXPECT_EQ(repairWinding(mesh), 0u);
}

/// Four others mirrored at its corners.
TEST(RepairWinding, LeavesAPatchThatSharesEachVertex) {
  const TriangleMesh middle = test::tetrahedron();
  TriangleMesh mesh = middle;
  for (const Vec3& corner : middle.positions) {
    TriangleMesh mirrored = middle;
    for (Vec3& p : mirrored.positions) p = 2.0 * corner - p;
    test::flip(mirrored);
    mesh = touching(mesh, mirrored);
  }
  EXPECT_EQ(repairWinding(mesh), 0u);
  const MeshReport report = checkMesh(mesh);
  EXPECT_EQ(report.nonManifoldVertices, 4u);
  EXPECT_EQ(report.misorientedComponents, 1u);
}

/// Doubles lose the sign of a volume far below the cube of the length.
TEST(RepairWinding, TellsTheInsideOfRodsFarThinnerThanLong) {
  test::Random random(5);
  for (const Real radius : {1e-8, 1e-9, 1e-10})
    for (int i = 0; i < 40; ++i) {
      SCOPED_TRACE(testing::Message() << "radius " << radius << ", rod " << i);
      const Vec3 along = random.direction();
      const TriangleMesh rod = test::rod(along, 1.0, radius);
      TriangleMesh kept = rod, turned = rod;
      test::flip(turned);
      EXPECT_EQ(repairWinding(kept), 0u);
      EXPECT_EQ(repairWinding(turned), rod.triangles.size());
      EXPECT_EQ(turned.triangles, rod.triangles);
      const MeshReport report = checkMesh(rod);
      EXPECT_TRUE(report.solid());
      const Real area = 0.75 * std::sqrt(3.0) * radius * radius;
      EXPECT_NEAR(report.volume, area, 0.1 * area);
      // What is left of it around a hollow
      TriangleMesh tube = rod, hollow = test::rod(along, 0.99, 0.9 * radius);
      test::flip(hollow);
      test::append(tube, hollow);
      EXPECT_EQ(repairWinding(tube), 0u);
      EXPECT_TRUE(checkMesh(tube).solid());
    }
}

/// A hollow that was wound wrongly cannot be told from a part that lies inside.
TEST(RepairWinding, LeavesWhatFacesOutwardsInsideOfAnother) {
  TriangleMesh mesh = test::cube();
  test::append(mesh, test::cube(0.5));
  EXPECT_EQ(repairWinding(mesh), 0u);
  EXPECT_EQ(checkMesh(mesh).misorientedComponents, 1u);
}

TEST(RepairWinding, WindsOpenSurfacesAlikeByTheMajority) {
  TriangleMesh mesh = test::cube();
  mesh.triangles.pop_back();
  const auto whole = mesh.triangles;
  turn(mesh, 0);
  turn(mesh, 5);
  EXPECT_EQ(repairWinding(mesh), 2u);
  EXPECT_EQ(mesh.triangles, whole);
}

TEST(RepairWinding, LeavesAStripWithOneSide) {
  constexpr std::uint32_t steps = 9;
  TriangleMesh strip;
  for (std::uint32_t i = 0; i < steps; ++i) {
    const Real around = 2.0 * std::numbers::pi * i / steps, half = around / 2.0;
    for (const Real side : {-0.3, 0.3}) {
      const Real radius = 1.0 + side * std::cos(half);
      strip.positions.push_back(
          {radius * std::cos(around), radius * std::sin(around), side * std::sin(half)});
    }
  }
  for (std::uint32_t i = 0; i < steps; ++i) {
    // After one turn the sides are swapped
    const bool last = i + 1 == steps;
    const std::uint32_t a = 2 * i, b = a + 1;
    const std::uint32_t c = last ? 1 : a + 2, d = last ? 0 : a + 3;
    test::addQuad(strip, a, c, d, b);
  }
  const auto given = strip.triangles;
  EXPECT_GT(checkMesh(strip).misorientedEdges, 0u);
  EXPECT_EQ(repairWinding(strip), 0u);
  EXPECT_EQ(strip.triangles, given);
}

}  // namespace
}  // namespace nearmiss
