// SPDX-License-Identifier: MIT
/// Shapes: made from any triangles, put together only from parts that belong together.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nearmiss/advanced/bsp_tree.h>
#include <nearmiss/advanced/mesh_file.h>
#include <nearmiss/advanced/tree_quality.h>
#include <nearmiss/ray.h>
#include <nearmiss/rivals/catalog.h>
#include <nearmiss/rivals/tree_builders.h>
#include <nearmiss/shape.h>

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "spheres/one_sphere_tree.h"
#include "support/hard_meshes.h"
#include "support/meshes.h"

namespace nearmiss {
namespace {

using testing::HasSubstr;

ShapeSettings octreeOf(int levels) {
  ShapeSettings settings;
  settings.treeBuilder = "octree";
  settings.tree = {.levels = levels};
  return settings;
}

TEST(Shape, IsMadeOfLooseTriangles) {
  ShapeSettings settings = octreeOf(2);
  settings.bspTree = true;
  const auto shape = makeShape(test::loose(test::cube()), settings);
  ASSERT_TRUE(shape) << shape.error().message;
  EXPECT_TRUE(shape->solid());
  EXPECT_EQ(shape->cleaning().weldedVertices, 28u);
  EXPECT_EQ(shape->polyhedron().mesh().positions.size(), 8u);
  ASSERT_TRUE(shape->sphereTree());
  EXPECT_EQ(shape->sphereTree()->levelCount(), 3);
  EXPECT_TRUE(shape->bspTree());
  EXPECT_GE(shape->radius(), std::sqrt(3.0));
}

TEST(Shape, SaysOnWhichSideItIsSolid) {
  const auto sideOf = [](const TriangleMesh& mesh) {
    const auto shape = makeShape(mesh, octreeOf(1));
    EXPECT_TRUE(shape);
    return shape->solidSide();
  };
  TriangleMesh room = test::cube(2.0);
  EXPECT_EQ(sideOf(room), SolidSide::AsWound);
  test::flip(room);
  EXPECT_EQ(sideOf(room), SolidSide::Turned);
  // A room with a block in it, and one beside a larger block
  TriangleMesh beside = test::cube(3.0);
  test::append(beside, room, {9.0, 0.0, 0.0});
  EXPECT_EQ(sideOf(beside), SolidSide::Turned);
  // A hollow faces inwards and stays
  TriangleMesh hollow = test::cube(3.0);
  test::append(hollow, room);
  EXPECT_EQ(sideOf(hollow), SolidSide::AsWound);
  test::flip(hollow);
  EXPECT_EQ(sideOf(hollow), SolidSide::Turned);
  // A few triangles of another winding are no room
  TriangleMesh mixed = test::cube();
  std::swap(mixed.triangles[3][1], mixed.triangles[3][2]);
  EXPECT_EQ(sideOf(mixed), SolidSide::AsWound);
  TriangleMesh open = test::cube();
  open.triangles.pop_back();
  EXPECT_EQ(sideOf(open), SolidSide::None);
}

TEST(Shape, KnowsWhatWasDoneToItsTrianglesBefore) {
  TriangleMesh room = test::loose(test::cube());
  test::flip(room);
  ShapeSettings settings = octreeOf(1);
  settings.cleaned = *cleanMesh(room, 0.0);
  const auto shape = makeShape(room, settings);
  ASSERT_TRUE(shape);
  EXPECT_EQ(shape->solidSide(), SolidSide::Turned);
  EXPECT_EQ(shape->cleaning().weldedVertices, 28u);
  EXPECT_EQ(shape->cleaning().turnedTriangles, 12u);
}

TEST(Shape, SaysWhatCouldNotBeRepaired) {
  TriangleMesh mesh = test::cube();
  mesh.triangles.pop_back();
  mesh.triangles.push_back({0, 0, 1});
  const auto shape = makeShape(mesh, octreeOf(1));
  ASSERT_TRUE(shape);
  EXPECT_EQ(shape->cleaning().degenerateTriangles, 1u);
  EXPECT_FALSE(shape->solid());
  EXPECT_EQ(shape->polyhedron().report().boundaryEdges, 3u);
}

TEST(Shape, RefusesWhatIsNoMesh) {
  const auto refusal = [](TriangleMesh mesh, const ShapeSettings& settings = octreeOf(1)) {
    const auto shape = makeShape(std::move(mesh), settings);
    return shape ? "" : shape.error().message;
  };
  EXPECT_EQ(refusal({}), "the mesh has no triangle");
  EXPECT_THAT(refusal({{{0, 0, 0}}, {{0, 1, 2}}}), HasSubstr("names vertex 1"));
  const Real nan = std::numeric_limits<Real>::quiet_NaN();
  EXPECT_THAT(refusal({{{0, 0, 0}, {1, 0, nan}, {0, 1, 0}}, {{0, 1, 2}}}), HasSubstr("z is nan"));
  // Nothing is left of it
  EXPECT_EQ(refusal({{{0, 0, 0}, {1, 0, 0}, {2, 0, 0}}, {{0, 1, 2}}}), "the mesh has no triangle");
  ShapeSettings settings = octreeOf(1);
  settings.weldDistance = -1.0;
  EXPECT_THAT(refusal(test::cube(), settings), HasSubstr("distance for welding is -1"));
  settings = octreeOf(99);
  EXPECT_NE(refusal(test::cube(), settings), "");
  settings.treeBuilder = "oak";
  EXPECT_THAT(refusal(test::cube(), settings), HasSubstr("\"oak\""));
}

/// Two meshes of as many triangles, so that only the mesh distinguishes their trees.
struct Parts {
  std::vector<Shape> bare;
  std::vector<SphereTree> trees;
  std::vector<BspTree> bspTrees;

  Parts() {
    bare.push_back(Shape::of(Polyhedron(test::cube(0.5))));
    bare.push_back(Shape::of(Polyhedron(test::box({-1, -1, -2}, {1, 1, 2}))));
    for (const Shape& shape : bare) {
      trees.push_back(*buildOctreeSphereTree(shape.polyhedron(), {.levels = 2}));
      bspTrees.push_back(*buildBspTree(shape.polyhedron()));
    }
  }
};

TEST(Shape, TakesOnlyTreesOfItsMesh) {
  const Parts parts;
  EXPECT_TRUE(parts.bare[0].with(parts.trees[0]));
  EXPECT_TRUE(parts.bare[0].with(parts.bspTrees[0]));
  const auto wrong = parts.bare[0].with(parts.trees[1]);
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().code, ErrorCode::Mismatch);
  EXPECT_EQ(wrong.error().message, "cannot use the sphere tree: it was built around another mesh");
  EXPECT_THAT(parts.bare[1].with(parts.bspTrees[0]).error().message,
              HasSubstr("the BSP tree: it was built around"));
}

TEST(Shape, TakesTheTreesOfAShapeOfItsMesh) {
  const Parts parts;
  const Shape spheres = *parts.bare[0].with(parts.trees[0]);
  const Shape planes = *parts.bare[0].with(parts.bspTrees[0]);
  const Shape both = spheres.withTreesOf(planes);
  EXPECT_EQ(both.sphereTree(), spheres.sphereTree());
  EXPECT_EQ(both.bspTree(), planes.bspTree());
  const Shape renewed = both.withTreesOf(*parts.bare[0].with(parts.trees[0]));
  EXPECT_NE(renewed.sphereTree(), spheres.sphereTree());
  EXPECT_EQ(renewed.bspTree(), planes.bspTree());
  EXPECT_FALSE(parts.bare[0].withTreesOf(parts.bare[0]).sphereTree());
}

TEST(ShapeDeathTest, TreesOfAShapeOfAnotherMesh) {
  const Parts parts;
  const Shape other = *parts.bare[1].with(parts.trees[1]);
  EXPECT_DEATH(static_cast<void>(parts.bare[0].withTreesOf(other)), "sharesMeshWith");
}

TEST(Shape, TakesTheTreesOfEveryBuilder) {
  for (const TriangleMesh& mesh : {test::torus(12, 8), test::spikyStar(1, 6, 8)}) {
    const Shape bare = Shape::of(Polyhedron(mesh));
    SphereTreeSettings settings;
    settings.levels = 2;
    for (const SphereTreeBuilderEntry& builder : sphereTreeBuilderCatalog())
      for (const Coverage coverage : {Coverage::Guaranteed, Coverage::Paper}) {
        settings.medial.coverage = coverage;
        settings.medial.surfacePoints = settings.anchored.surfacePoints = 200;
        settings.dropRedundant = coverage == Coverage::Guaranteed;
        const auto made = bare.with(*buildSphereTree(builder, bare.polyhedron(), settings));
        EXPECT_TRUE(made) << builder.name << ": " << made.error().message;
      }
  }
}

/// As many triangles in the same order, elsewhere: only geometry differs.
TEST(Shape, RefusesTreesOfAScaledOrTurnedMesh) {
  const TriangleMesh mesh = test::spikyStar(1, 6, 8);
  const Shape bare = Shape::of(Polyhedron(mesh));
  for (const auto& change : std::vector<std::function<Vec3(Vec3)>>{
           [](Vec3 p) { return 1.5 * p; }, [](Vec3 p) { return Vec3(p.y, p.z, p.x); },
           [](Vec3 p) { return p + Vec3(0.5, 0.0, 0.0); }}) {
    TriangleMesh other = mesh;
    for (Vec3& p : other.positions) p = change(p);
    const Polyhedron wrong(other);
    EXPECT_EQ(bare.with(*buildVariationalSphereTree(wrong, {.levels = 3})).error().code,
              ErrorCode::Mismatch);
    EXPECT_EQ(bare.with(*buildBspTree(wrong)).error().code, ErrorCode::Mismatch);
  }
}

/// What a tree bounds of a solid says nothing of a surface that encloses nothing.
TEST(Shape, RefusesBoundsOfASolidForWhatIsNone) {
  const Parts parts;
  SphereTree::Data data = parts.trees[0].data();
  data.outside.assign(data.packs.size() * SpherePack::width, 0.0f);
  const SphereTree bounding(std::move(data));
  ASSERT_TRUE(bounding.boundsSolid());
  EXPECT_TRUE(parts.bare[0].with(bounding));
  TriangleMesh mesh = parts.bare[0].polyhedron().mesh();
  std::swap(mesh.triangles[0][1], mesh.triangles[0][2]);
  const Shape torn = Shape::of(Polyhedron(mesh));
  ASSERT_FALSE(torn.solid());
  const auto made = torn.with(bounding);
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().code, ErrorCode::Mismatch);
  EXPECT_THAT(made.error().message, HasSubstr("outside of a solid, but the mesh is none"));
  EXPECT_TRUE(torn.with(parts.trees[0]));
}

/// As far off as after seven printed digits, where a search takes planes for the faces.
TEST(Shape, RefusesPlanesBesideTheFaces) {
  const Shape given = Shape::of(Polyhedron(test::cube(1.0)));
  const BspTree planes = *buildBspTree(given.polyhedron());
  for (const Real off : {1e-9, 5e-7}) {
    EXPECT_EQ(
        Shape::of(Polyhedron(test::box(Vec3(-1.0), Vec3(1.0 + off)))).with(planes).error().code,
        ErrorCode::Mismatch);
    // One corner, so that one of the two triangles of each side stays on its plane
    for (std::size_t corner = 0; corner < 8; ++corner) {
      TriangleMesh mesh = given.polyhedron().mesh();
      mesh.positions[corner] *= 1.0 + off;
      EXPECT_FALSE(Shape::of(Polyhedron(mesh)).with(planes)) << off << ", corner " << corner;
    }
  }
  EXPECT_TRUE(Shape::of(Polyhedron(test::box(Vec3(-1.0), Vec3(1.0 + 1e-14)))).with(planes));
}

TEST(Shape, RefusesEmptyAndBrokenTrees) {
  const Parts parts;
  const Shape& bare = parts.bare[0];
  EXPECT_EQ(bare.with(SphereTree()).error().message,
            "cannot use the sphere tree: it has no sphere");
  EXPECT_EQ(bare.with(BspTree()).error().message, "cannot use the BSP tree: it has no node");
  EXPECT_EQ(bare.with(std::shared_ptr<const BspTree>()).error().code, ErrorCode::Unsupported);
  SphereTree::Data data = parts.trees[0].data();
  data.leafTriangles.back() = 12;
  EXPECT_THAT(bare.with(SphereTree(std::move(data))).error().message,
              HasSubstr("a leaf names a triangle that the mesh does not"));
}

TEST(Shape, RefusesATreeWhoseUpperSpheresDoNotHoldTheSurfaceBelow) {
  const Parts parts;
  const Shape& bare = parts.bare[0];
  const SphereTree tree = *buildOctreeSphereTree(bare.polyhedron(), {.levels = 3});
  const SphereTree::Data& data = tree.data();
  const SphereId middle = data.levelBegin[1] * SpherePack::width;
  for (const SphereId id : {SphereId{0}, middle}) {
    SphereTree::Data changed = data;
    changed.packs[id / SpherePack::width].r[id % SpherePack::width] *= 0.6f;
    EXPECT_EQ(bare.with(SphereTree(changed)).error().message,
              "cannot use the sphere tree: a sphere or its box does not hold the surface below it");
    // Levels as a whole promise less
    changed.coverage = Coverage::Paper;
    EXPECT_TRUE(bare.with(SphereTree(changed)));
  }
  EXPECT_TRUE(bare.with(tree));
}

TEST(Shape, RefusesInnerSpheresThatAreNotInside) {
  const Parts parts;
  const Shape& bare = parts.bare[0];
  SphereTree::Data data = parts.trees[0].data();
  data.inner = *buildInnerSpheres(bare.polyhedron(), 4);
  ASSERT_FALSE(data.inner.empty());
  const auto with = [&](const InnerSpheres& inner) {
    SphereTree::Data changed = data;
    changed.inner = inner;
    const auto made = bare.with(SphereTree(std::move(changed)));
    return made ? std::string() : made.error().message;
  };
  EXPECT_EQ(with(data.inner), "");
  // In any unit, rounded too
  for (const Real factor : {1e-9, 0.3, 1e9}) {
    const auto usual = bare.with(SphereTree(data));
    ASSERT_TRUE(usual);
    const auto other = scaled(*usual, factor);
    ASSERT_TRUE(other) << other.error().message;
    EXPECT_FALSE(other->sphereTree()->data().inner.empty()) << factor;
  }
  const std::string refusal = "cannot use the sphere tree: an inner sphere is not inside";
  InnerSpheres larger = data.inner, outside = data.inner;
  larger.spheres[0].r[0] *= 1.01f;
  EXPECT_EQ(with(larger), refusal);
  outside.spheres[0].x[0] += 100.0f;
  EXPECT_EQ(with(outside), refusal);
}

TEST(Shapes, NameWhatTheyHold) {
  const Parts parts;
  Shapes shapes;
  const ShapeRef first = shapes.add(parts.bare[0]), second = shapes.add(parts.bare[1]);
  EXPECT_EQ(shapes.size(), 2u);
  EXPECT_NE(first, second);
  EXPECT_EQ(first.radius(), parts.bare[0].radius());
  EXPECT_EQ(second.radius(), parts.bare[1].radius());
  EXPECT_TRUE(shapes[second.index()].sharesMeshWith(parts.bare[1]));
  EXPECT_TRUE(std::isnan(ShapeRef().radius()));
}

TEST(Shapes, MethodsAskForTheirTrees) {
  Shapes bare;
  bare.add(Parts().bare[0]);
  EXPECT_TRUE(makeNarrowPhase(*findNarrowPhase("brute-force"), bare));
  EXPECT_EQ(makeNarrowPhase(*findNarrowPhase("sphere-tree"), bare).error().message,
            "the method \"sphere-tree\" expects sphere trees, and a shape has none");
  EXPECT_EQ(makeNarrowPhase(*findNarrowPhase("bsp"), bare).error().message,
            "the method \"bsp\" expects BSP trees, and a shape has none");
}

/// A builder by its entry is the builder of its name.
TEST(Shape, OfAnotherBuilderHasNoMoreThanByItsName) {
  ShapeSettings byEntry;
  byEntry.tree = {.levels = 2};
  byEntry.otherBuilder = findCoreSphereTreeBuilder("octree");
  ASSERT_TRUE(byEntry.otherBuilder);
  const auto shape = makeShape(test::sphere(8, 10), byEntry);
  ASSERT_TRUE(shape);
  EXPECT_TRUE(shape->sphereTree()->data().inner.empty());
  EXPECT_EQ(shape->treeOrigin().settingsHash,
            makeShape(test::sphere(8, 10), octreeOf(2))->treeOrigin().settingsHash);
  byEntry.otherBuilder = findCoreSphereTreeBuilder(defaultSphereTreeBuilder);
  byEntry.treeBuilder = "octree";
  const auto usual = makeShape(test::sphere(8, 10), byEntry);
  ASSERT_TRUE(usual);
  EXPECT_FALSE(usual->sphereTree()->data().inner.empty());
}

/// While its mesh is checked, before there is a builder that could hear it.
TEST(Shape, HearsACancellationWithoutATree) {
  ShapeSettings bare;
  bare.quality = TreeQuality::None;
  BuildProgress progress;
  ASSERT_TRUE(makeShape(test::heap(50), bare, &progress));
  progress.cancelled = true;
  const auto shape = makeShape(test::heap(50), bare, &progress);
  ASSERT_FALSE(shape);
  EXPECT_EQ(shape.error().code, ErrorCode::Cancelled);
}

/// As the Python module has it.
TEST(Shape, OfTightQualityHasBoxesAndSpheresInside) {
  const auto usual =
      makeShape(test::sphere(8, 10), {.quality = TreeQuality::Tight, .tree = {.levels = 2}});
  ASSERT_TRUE(usual);
  const SphereTree::Data& data = usual->sphereTree()->data();
  EXPECT_FALSE(data.inner.empty());
  EXPECT_EQ(
      usual->treeOrigin().settingsHash,
      hashOf(defaultSphereTreeBuilder,
             {.levels = 2, .nodeBoxRatio = usualNodeBoxRatio, .innerSpheres = usualInnerSpheres}));
  const auto asked = makeShape(test::sphere(8, 10), {.quality = TreeQuality::Tight,
                                                     .tree = {.levels = 2, .innerSpheres = 3}});
  ASSERT_TRUE(asked);
  EXPECT_EQ(asked->treeOrigin().settingsHash,
            hashOf(defaultSphereTreeBuilder,
                   {.levels = 2, .nodeBoxRatio = usualNodeBoxRatio, .innerSpheres = 3}));
  for (const ShapeSettings& settings : {ShapeSettings{.treeBuilder = defaultSphereTreeBuilder,
                                       .tree = {.levels = 2},
                                       .usualAdditions = false},
                                        octreeOf(2)}) {
    const auto plain = makeShape(test::sphere(8, 10), settings);
    ASSERT_TRUE(plain);
    EXPECT_TRUE(plain->sphereTree()->data().inner.empty());
    EXPECT_TRUE(plain->sphereTree()->data().boxes.empty());
    EXPECT_EQ(plain->treeOrigin().settingsHash, hashOf(settings.treeBuilder, settings.tree));
  }
}

TEST(Shape, IsFastUnlessToldOtherwise) {
  const auto fast = makeShape(test::sphere(16, 20));
  ASSERT_TRUE(fast);
  EXPECT_EQ(fast->treeOrigin().builder, fastSphereTreeBuilder);
  EXPECT_FALSE(fast->sphereTree()->data().boxes.empty());
  EXPECT_FALSE(fast->sphereTree()->data().inner.empty());
  EXPECT_TRUE(checkSphereTree(*fast->sphereTree(), fast->polyhedron()).covers);
  EXPECT_TRUE(checkSphereTree(*fast->sphereTree(), fast->polyhedron()).bounds);
  const auto none = makeShape(test::sphere(16, 20), {.quality = TreeQuality::None});
  ASSERT_TRUE(none);
  EXPECT_EQ(none->sphereTree(), nullptr);
}

TEST(Shape, TightensWhatIsInUse) {
  const auto fast = makeShape(test::sphere(16, 20));
  ASSERT_TRUE(fast);
  const auto tight = fast->tightened({.levels = 2});
  ASSERT_TRUE(tight);
  EXPECT_TRUE(tight->sharesMeshWith(*fast));
  EXPECT_EQ(tight->treeOrigin().builder, defaultSphereTreeBuilder);
  EXPECT_EQ(tight->treeOrigin().settingsHash,
            makeShape(test::sphere(16, 20), {.quality = TreeQuality::Tight, .tree = {.levels = 2}})
                ->treeOrigin()
                .settingsHash);
  EXPECT_EQ(fast->treeOrigin().builder, fastSphereTreeBuilder);
  EXPECT_EQ(fast->tightened({.levels = 99}).error().code, ErrorCode::Unsupported);
  BuildProgress progress;
  progress.cancelled = true;
  EXPECT_EQ(fast->tightened({}, &progress).error().code, ErrorCode::Cancelled);
}

TEST(OneSphere, IsMadeOncePerMeshAndHoldsIt) {
  for (const TriangleMesh& mesh : test::variousMeshes()) {
    const Shape bare = Shape::of(Polyhedron(mesh)), copy = bare;
    const Shape made = withOneSphere(bare);
    ASSERT_NE(made.sphereTree(), nullptr);
    EXPECT_TRUE(checkTree(*made.sphereTree(), bare.polyhedron()));
    EXPECT_EQ(withOneSphere(copy).sphereTree(), made.sphereTree());
    EXPECT_EQ(withOneSphere(made).sphereTree(), made.sphereTree());
    EXPECT_EQ(bare.sphereTree(), nullptr);
  }
}

}  // namespace
}  // namespace nearmiss
