// SPDX-License-Identifier: MIT
/// The range of sizes that meshes may have, at both ends and beyond: every builder builds there
/// what it builds of a usual size, and every door refuses what lies outside.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nearmiss/advanced/bsp_tree.h>
#include <nearmiss/advanced/tree_builders.h>
#include <nearmiss/advanced/tree_quality.h>
#include <nearmiss/pair.h>
#include <nearmiss/rivals/tree_builders.h>
#include <nearmiss/shape.h>
#include <nearmiss/spheres.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include "support/build_kind.h"
#include "support/files.h"
#include "support/meshes.h"
#include "support/random.h"
#include "support/untrapped.h"

namespace nearmiss {
namespace {

using testing::HasSubstr;

/// Powers of two just within the range: what they scale is not rounded.
constexpr Real tiny = 0x1p-49, great = 0x1p49;
static_assert(tiny >= minMeshSize && tiny < 2.0 * minMeshSize);
static_assert(great <= maxMeshSize && great > 0.5 * maxMeshSize);

TriangleMesh ring(Real scale) {
  // Its greatest coordinate lies from 1 to 2, as that of every mesh at its usual size
  TriangleMesh mesh = test::torus(10, 6);
  Real greatest = 0.0;
  for (const Vec3& p : mesh.positions)
    for (int axis = 0; axis < 3; ++axis) greatest = std::max(greatest, std::abs(p[axis]));
  const Real usual = std::ldexp(1.0, -std::ilogb(greatest));
  // The largest must be in the range too
  for (Vec3& p : mesh.positions) p *= usual * (scale == great ? 0.5 * scale : scale);
  return mesh;
}

SphereTreeSettings quickTree() {
  SphereTreeSettings settings;
  settings.levels = 2;
  settings.hausdorffTolerance = 0.1;
  settings.nodeBoxRatio = 1.0;
  settings.innerSpheres = 16;
  settings.annealed.schedule.steps = 30;
  settings.medial.surfacePoints = settings.anchored.surfacePoints = 100;
  settings.variational.branching = settings.dag.branching = 3;
  return settings;
}

void expectAllScaled(const SpherePack& a, const SpherePack& b, float by) {
  for (int lane = 0; lane < SpherePack::width; ++lane) {
    ASSERT_EQ(a.r[lane] < 0.0f ? a.r[lane] : a.r[lane] * by, b.r[lane]);
    if (a.r[lane] < 0.0f) continue;
    ASSERT_EQ(a.x[lane] * by, b.x[lane]);
    ASSERT_EQ(a.y[lane] * by, b.y[lane]);
    ASSERT_EQ(a.z[lane] * by, b.z[lane]);
  }
}

void expectAllScaled(const SphereTree& plain, const SphereTree& scaled, Real scale) {
  const auto by = static_cast<float>(scale);
  const SphereTree::Data &a = plain.data(), &b = scaled.data();
  ASSERT_EQ(a.packs.size(), b.packs.size());
  for (std::size_t i = 0; i < a.packs.size(); ++i) expectAllScaled(a.packs[i], b.packs[i], by);
  ASSERT_EQ(a.leafTriangles, b.leafTriangles);
  ASSERT_EQ(a.boxes.boxOf, b.boxes.boxOf);
  for (std::size_t i = 0; i < a.boxes.boxes.size(); ++i)
    for (int axis = 0; axis < 3; ++axis) {
      ASSERT_EQ(a.boxes.boxes[i].half[axis] * by, b.boxes.boxes[i].half[axis]);
      ASSERT_EQ(a.boxes.boxes[i].centre[axis] * by, b.boxes.boxes[i].centre[axis]);
    }
  ASSERT_EQ(a.inner.spheres.size(), b.inner.spheres.size());
  for (std::size_t i = 0; i < a.inner.spheres.size(); ++i) {
    expectAllScaled(a.inner.spheres[i], b.inner.spheres[i], by);
    expectAllScaled(a.inner.bounds[i], b.inner.bounds[i], by);
  }
  for (int level = 0; level < plain.levelCount(); ++level) {
    std::vector<SphereId> ids;
    plain.spheresOf(level, ids);
    for (const SphereId id : ids) {
      ASSERT_EQ(plain.hausdorff(id) * scale, scaled.hausdorff(id));
      ASSERT_EQ(plain.outside(id) * scale, scaled.outside(id));
    }
  }
}

TEST(MeshRange, EveryBuilderBuildsTheSameAtBothEnds) {
  for (const SphereTreeBuilderEntry& builder : sphereTreeBuilderCatalog()) {
    const auto plain = buildSphereTree(builder, Polyhedron(ring(1.0)), quickTree());
    ASSERT_TRUE(plain) << builder.name;
    EXPECT_FALSE(plain->data().boxes.empty() && plain->data().inner.empty()) << builder.name;
    for (const Real end : {tiny, great}) {
      const auto polyhedron = makePolyhedron(ring(end));
      ASSERT_TRUE(polyhedron) << polyhedron.error().message;
      const Real scale = end == great ? 0.5 * end : end;
      const auto built = buildSphereTree(builder, *polyhedron, quickTree());
      ASSERT_TRUE(built) << builder.name << ": " << built.error().message;
      expectAllScaled(*plain, *built, scale);
      const auto checked = checkSphereTree(*built, *polyhedron);
      EXPECT_TRUE(checked.covers && checked.bounds) << builder.name << ": " << checked.complaint;
      // The builder by itself, without additions
      if (end == great) {
        SphereTreeSettings alone = quickTree();
        alone.levels = 1;
        EXPECT_TRUE(builder.build(*polyhedron, alone, nullptr)) << builder.name;
      }
    }
  }
}

TEST(MeshRange, FlatSetsAndPlanesAreBuiltAtBothEnds) {
  const auto plain = fitFlatSet(Polyhedron(ring(1.0)), {.count = 2});
  ASSERT_TRUE(plain);
  for (const Real end : {tiny, great}) {
    const auto polyhedron = makePolyhedron(ring(end));
    ASSERT_TRUE(polyhedron);
    const Real scale = end == great ? 0.5 * end : end;
    const auto spheres = fitFlatSet(*polyhedron, {.count = 2});
    ASSERT_TRUE(spheres);
    ASSERT_EQ(spheres->size(), plain->size());
    for (std::size_t i = 0; i < plain->size(); ++i) {
      EXPECT_EQ((*spheres)[i].centre, (*plain)[i].centre * scale);
      EXPECT_EQ((*spheres)[i].radius, (*plain)[i].radius * scale);
    }
    EXPECT_TRUE(checkFlatSet(*polyhedron, *spheres).covers());
    EXPECT_TRUE(buildBspTree(*polyhedron));
  }
}

/// A coordinate at the lower end in a mesh at the upper: at its usual size it lies below the range.
TEST(MeshRange, TreesAreBuiltOfBothEndsInOneMesh) {
  TriangleMesh mesh = test::cube(0x1p49);
  mesh.positions[0].x = minMagnitude;
  const auto polyhedron = makePolyhedron(mesh);
  ASSERT_TRUE(polyhedron);
  const auto tree = buildOctreeSphereTree(*polyhedron, {.levels = 1, .innerSpheres = 4});
  ASSERT_TRUE(tree) << tree.error().message;
  EXPECT_TRUE(checkSphereTree(*tree, *polyhedron).covers);
}

TEST(MeshRange, ShapesCollideAtBothEndsAsBetweenThem) {
  const nearmiss::test::Untrapped endsOfTheRange;
  ShapeSettings settings;
  settings.tree = quickTree();
  const auto plain = makeShape(ring(1.0), settings);
  ASSERT_TRUE(plain);
  for (const Real end : {tiny, great}) {
    const auto shape = makeShape(ring(end), settings);
    ASSERT_TRUE(shape) << shape.error().message;
    const Real scale = end == great ? 0.5 * end : end;
    test::Random random(3);
    int touching = 0;
    for (int i = 0; i < 200; ++i) {
      const Vec3 at = random.inCube(2.0);
      const Pose pose{at, random.rotation()}, scaled{at * scale, pose.rotation};
      const Refinement expected = collide(*plain, Pose{}, *plain, pose);
      const Refinement found = collide(*shape, Pose{}, *shape, scaled);
      ASSERT_EQ(found.verdict, expected.verdict) << i;
      touching += found.verdict == Verdict::Contact;
    }
    EXPECT_GT(touching, 20);
    EXPECT_LT(touching, 180);
  }
}

TEST(MeshRange, EveryDoorRefusesWhatLiesBeyond) {
  const test::TemporaryFolder folder;
  for (const Real scale : {0x1p-52, 0x1p52, 1e39, 1e59}) {
    TriangleMesh mesh = test::torus(14, 8);
    for (Vec3& p : mesh.positions) p *= scale;
    for (const SphereTreeBuilderEntry& builder : sphereTreeBuilderCatalog()) {
      ShapeSettings settings;
      settings.treeBuilder = builder.name;
      settings.otherBuilder = &builder;
      const auto shape = makeShape(mesh, settings);
      ASSERT_FALSE(shape) << scale;
      EXPECT_EQ(shape.error().code, ErrorCode::BadFormat);
      EXPECT_THAT(shape.error().message, HasSubstr("to 1e15"));
    }
    EXPECT_FALSE(makePolyhedron(mesh));
    TriangleMesh cleaned = mesh;
    EXPECT_FALSE(cleanMesh(cleaned, 0.0));
    // A shape of another program, say; assertions let nobody make one here
    if (test::hasAssertions) continue;
    const auto foreign = Shape::of(Polyhedron(mesh));
    ASSERT_TRUE(writeShape(folder / "foreign.shape", foreign));
    EXPECT_FALSE(readShape(folder / "foreign.shape")) << scale;
  }
}

}  // namespace
}  // namespace nearmiss
