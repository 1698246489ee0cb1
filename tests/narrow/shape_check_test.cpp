// SPDX-License-Identifier: MIT
/// Tables of shapes that no method can work with are refused by name.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nearmiss/shape_check.h>
#include <nearmiss/sphere_tree_builder.h>

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "support/meshes.h"

namespace nearmiss {
namespace {

using testing::HasSubstr;

/// Two shapes of as many triangles, so that only the mesh tells their trees apart.
struct Tables {
  std::vector<Polyhedron> polyhedra;
  std::vector<SphereTree> trees;
  std::vector<BspTree> bspTrees;

  Tables() {
    polyhedra.emplace_back(test::cube(0.5));
    polyhedra.emplace_back(test::box({-1, -1, -2}, {1, 1, 2}));
    for (const Polyhedron& polyhedron : polyhedra) {
      trees.push_back(*buildOctreeSphereTree(polyhedron, {.levels = 2}));
      bspTrees.push_back(*buildBspTree(polyhedron));
    }
  }
  [[nodiscard]] ShapeTables all() const { return {polyhedra, trees, bspTrees}; }
};

std::string refusalOf(const ShapeTables& shapes) {
  const auto checked = checkShapes(shapes);
  if (!checked) return checked.error().message;
  for (const NarrowPhaseEntry& entry : narrowPhaseCatalog())
    EXPECT_TRUE(makeChecked(entry, *checked)) << entry.name;
  return "";
}

TEST(ShapeCheck, AcceptsWhatIsSound) {
  const Tables tables;
  EXPECT_EQ(refusalOf(tables.all()), "");
  EXPECT_TRUE(checkShapes({}));
  EXPECT_TRUE(checkShapes({tables.polyhedra, {}, {}}));
}

TEST(ShapeCheck, RefusesTreesOfAnotherMesh) {
  Tables tables;
  std::swap(tables.trees[0], tables.trees[1]);
  const auto checked = checkShapes(tables.all());
  ASSERT_FALSE(checked);
  EXPECT_EQ(checked.error().code, ErrorCode::Mismatch);
  EXPECT_EQ(refusalOf(tables.all()),
            "cannot use the sphere tree of shape 0: it was built around another mesh");
  std::swap(tables.trees[0], tables.trees[1]);
  std::swap(tables.bspTrees[0], tables.bspTrees[1]);
  EXPECT_THAT(refusalOf(tables.all()), HasSubstr("the BSP tree of shape 0: it was built around"));
}

TEST(ShapeCheck, EveryBuildersTreesFitTheirMesh) {
  Tables tables;
  tables.polyhedra.clear();
  tables.polyhedra.emplace_back(test::torus(12, 8));
  tables.polyhedra.emplace_back(test::spikyStar(1, 6, 8));
  SphereTreeSettings settings;
  settings.levels = 2;
  for (const SphereTreeBuilderEntry& builder : sphereTreeBuilderCatalog())
    for (const Coverage coverage : {Coverage::Guaranteed, Coverage::Paper}) {
      settings.coverage = coverage;
      settings.dropRedundant = coverage == Coverage::Guaranteed;
      tables.trees.clear();
      for (const Polyhedron& polyhedron : tables.polyhedra)
        tables.trees.push_back(*buildSphereTree(builder, polyhedron, settings));
      const auto checked = checkShapes({tables.polyhedra, tables.trees, {}});
      EXPECT_TRUE(checked) << builder.name << ": " << checked.error().message;
    }
}

/// As many triangles in the same order, elsewhere: only geometry tells.
TEST(ShapeCheck, RefusesTreesOfAScaledOrTurnedMesh) {
  Tables tables;
  const TriangleMesh mesh = test::spikyStar(1, 6, 8);
  for (const auto& change : std::vector<std::function<Vec3(Vec3)>>{
           [](Vec3 p) { return 1.5 * p; }, [](Vec3 p) { return Vec3(p.y, p.z, p.x); },
           [](Vec3 p) { return p + Vec3(0.5, 0.0, 0.0); }}) {
    TriangleMesh other = mesh;
    for (Vec3& p : other.positions) p = change(p);
    tables.polyhedra.clear();
    tables.polyhedra.emplace_back(mesh);
    const Polyhedron wrong(other);
    tables.trees = {*buildVariationalSphereTree(wrong, {.levels = 3})};
    tables.bspTrees = {*buildBspTree(wrong)};
    EXPECT_EQ(checkShapes({tables.polyhedra, tables.trees, {}}).error().code, ErrorCode::Mismatch);
    EXPECT_EQ(checkShapes({tables.polyhedra, {}, tables.bspTrees}).error().code,
              ErrorCode::Mismatch);
  }
}

TEST(ShapeCheck, RefusesTooFewAndEmptyAndBrokenTrees) {
  Tables tables;
  tables.trees.pop_back();
  EXPECT_EQ(refusalOf(tables.all()),
            "cannot use the shapes: there are 2 of them, but 1 sphere trees");
  tables.trees.emplace_back();
  EXPECT_EQ(refusalOf(tables.all()), "cannot use the sphere tree of shape 1: it has no sphere");
  tables = Tables();
  tables.bspTrees[1] = BspTree();
  EXPECT_EQ(refusalOf(tables.all()), "cannot use the BSP tree of shape 1: it has no node");
  tables = Tables();
  SphereTree::Data data = tables.trees[0].data();
  data.leafTriangles.back() = 12;
  tables.trees[0] = SphereTree(std::move(data));
  EXPECT_THAT(refusalOf(tables.all()),
              HasSubstr("sphere tree of shape 0: a leaf names a triangle that the mesh does not"));
}

TEST(ShapeCheck, LooksAtSingleTreesAlike) {
  const Tables tables;
  EXPECT_TRUE(checkTree(tables.trees[0], tables.polyhedra[0]));
  EXPECT_TRUE(checkTree(tables.bspTrees[0], tables.polyhedra[0]));
  const auto sphere = checkTree(tables.trees[0], tables.polyhedra[1]);
  const auto bsp = checkTree(tables.bspTrees[0], tables.polyhedra[1]);
  ASSERT_FALSE(sphere || bsp);
  EXPECT_EQ(sphere.error().code, ErrorCode::Mismatch);
  EXPECT_EQ(sphere.error().message, "cannot use the sphere tree: it was built around another mesh");
  EXPECT_EQ(bsp.error().message, "cannot use the BSP tree: it was built around another mesh");
  EXPECT_EQ(checkTree(SphereTree(), tables.polyhedra[0]).error().message,
            "cannot use the sphere tree: it has no sphere");
}

TEST(ShapeCheck, MethodsAskForTheirTrees) {
  const Tables tables;
  const auto checked = checkShapes({tables.polyhedra, {}, {}});
  ASSERT_TRUE(checked);
  const CheckedShapes& bare = *checked;
  EXPECT_TRUE(makeChecked(*findNarrowPhase("brute-force"), bare));
  EXPECT_EQ(makeChecked(*findNarrowPhase("sphere-tree"), bare).error().message,
            "the method \"sphere-tree\" expects sphere trees, and the shapes have none");
  EXPECT_EQ(makeChecked(*findNarrowPhase("bsp"), bare).error().message,
            "the method \"bsp\" expects BSP trees, and the shapes have none");
}

TEST(SettingsCheck, BuildersRefuseChoicesThatThereAreNot) {
  const Polyhedron polyhedron(test::cube());
  for (const SphereTreeBuilderEntry& builder : sphereTreeBuilderCatalog()) {
    SphereTreeSettings plain;
    plain.levels = 1;
    ASSERT_TRUE(builder.build(polyhedron, plain, nullptr)) << builder.name;
    const auto refuse = [&](const char* what, const auto& spoil) {
      SphereTreeSettings settings = plain;
      spoil(settings);
      const auto tree = builder.build(polyhedron, settings, nullptr);
      ASSERT_FALSE(tree) << builder.name << ", " << what;
      EXPECT_EQ(tree.error().code, ErrorCode::Unsupported);
      EXPECT_THAT(tree.error().message, HasSubstr(std::string(what) + " that there"));
    };
    refuse("coverage", [](auto& s) { s.coverage = static_cast<Coverage>(99); });
    refuse("guarantee", [](auto& s) { s.guarantee = static_cast<CoverageGuarantee>(7); });
    refuse("objective", [](auto& s) { s.objective = static_cast<SphereObjective>(4); });
    refuse("seeds", [](auto& s) { s.seeds = static_cast<SphereSeeds>(255); });
    refuse("adjacency", [](auto& s) { s.adjacency = static_cast<MedialAdjacency>(2); });
  }
  const SphereTreeBuilderEntry none{};
  EXPECT_EQ(buildSphereTree(none, polyhedron).error().code, ErrorCode::Unsupported);
}

TEST(SettingsCheck, BspTreesTakeAtLeastOneOfEach) {
  const Polyhedron polyhedron(test::cube());
  for (const BspSettings& settings :
       {BspSettings{0, 1u << 24}, {-5, 1u << 24}, {65537, 1u << 24}, {16, 0}}) {
    const auto tree = buildBspTree(polyhedron, settings);
    ASSERT_FALSE(tree);
    EXPECT_EQ(tree.error().code, ErrorCode::Unsupported);
    EXPECT_THAT(tree.error().message, HasSubstr("1 to 65536 candidates"));
  }
  EXPECT_TRUE(buildBspTree(polyhedron, {1, 1u << 24}));
}

}  // namespace
}  // namespace nearmiss
