// SPDX-License-Identifier: MIT
/// Misuse ends with a sentence, in every build.
#include <gtest/gtest.h>
#include <nearmiss/advanced/broad_phase.h>
#include <nearmiss/advanced/detector.h>
#include <nearmiss/advanced/narrow_phase.h>
#include <nearmiss/shape.h>

#include <vector>

#include "support/borrowed.h"
#include "support/meshes.h"

namespace nearmiss {
namespace {

TEST(MisuseDeathTest, BodiesWithoutAShape) {
  Shapes shapes;
  shapes.add(Shape::of(Polyhedron(test::tetrahedron())));
  for (const auto make : {makeAllPairsBroadPhase, makeSpaceTimeGridBroadPhase}) {
    Detector detector(make(), makeBruteForceNarrowPhase(shapes));
    std::vector<BodyState> bodies(2);
    bodies[1].key = 1;
    EXPECT_DEATH(detector.detect(bodies, 0.0, TimeBudget::unlimited()),
                 "body 0 .key 0.: shape.radius is .*nan, but must be that of a shape");
  }
}

TEST(MisuseDeathTest, ARadiusBelowThatOfTheShape) {
  Shapes shapes;
  const ShapeRef shape = shapes.add(Shape::of(Polyhedron(test::cube())));
  Detector detector(makeAllPairsBroadPhase(), makeBruteForceNarrowPhase(shapes));
  std::vector<BodyState> bodies(1);
  bodies[0].shape = ShapeRef::ofRadius(0.5 * shape.radius(), shape.index());
  EXPECT_DEATH(detector.detect(bodies, 0.0, TimeBudget::unlimited()), "at least that of its shape");
  bodies[0].shape = shape;
  EXPECT_TRUE(detector.detect(bodies, 0.0, TimeBudget::unlimited()).complete);
}

TEST(MisuseDeathTest, EmptyMeshes) { EXPECT_DEATH(Polyhedron(TriangleMesh{}), "triangles.empty"); }

TEST(MisuseDeathTest, ResultsThatNobodyLookedAt) {
  const auto shape = makeShape(TriangleMesh{});
  ASSERT_FALSE(shape);
  EXPECT_DEATH(static_cast<void>((*shape).radius()), "the mesh has no triangle");
  EXPECT_DEATH(static_cast<void>(shape->radius()), "the mesh has no triangle");
  const Result<int> fine = 3;
  EXPECT_DEATH(static_cast<void>(fine.error()), "expected !has_value");
}

TEST(MisuseDeathTest, MethodsWithoutTheirTrees) {
  Shapes bare;
  bare.add(Shape::of(Polyhedron(test::cube())));
  EXPECT_DEATH(static_cast<void>(makeSphereTreeNarrowPhase(bare)), "sphereTree");
  EXPECT_DEATH(static_cast<void>(makeBspNarrowPhase(bare)), "bspTree");
}

/// A closed cube of triangles that share no vertices, around a small one: welded, it is a solid.
TEST(Misuse, LooseTrianglesHoldWhatIsInside) {
  ShapeSettings settings;
  settings.tree.levels = 2;
  const auto large = makeShape(test::loose(test::cube()), settings),
             small = makeShape(test::cube(0.1), settings);
  ASSERT_TRUE(large && small);
  Shapes shapes;
  std::vector<BodyState> bodies(2);
  bodies[0].shape = shapes.add(*large);
  bodies[1].shape = shapes.add(*small);
  bodies[1].key = 1;
  Detector detector(makeSpaceTimeBroadPhase(), makeSphereTreeNarrowPhase(shapes));
  const Detection& found = detector.detect(bodies, 0.0, TimeBudget::unlimited());
  ASSERT_EQ(found.pairs.size(), 1u);
  EXPECT_EQ(found.pairs[0].refinement.verdict, Verdict::Contact);
}

}  // namespace
}  // namespace nearmiss
