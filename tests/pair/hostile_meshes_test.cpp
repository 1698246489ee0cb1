// SPDX-License-Identifier: MIT
/// Two hostile numbers at once in meshes, spheres and settings: a shape is refused in a sentence,
/// or has finite trees that cover it.
#include <gtest/gtest.h>
#include <nearmiss/advanced/tree_quality.h>
#include <nearmiss/mesh.h>
#include <nearmiss/rivals/tree_builders.h>
#include <nearmiss/shape.h>
#include <nearmiss/spheres.h>

#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "support/hostile_pairs.h"
#include "support/meshes.h"

namespace nearmiss {
namespace {

using test::HostileNumbers;
using test::put;
using test::Told;
using test::toldOf;

void addVertices(HostileNumbers& numbers, std::vector<Vec3>& vertices) {
  for (Vec3& v : vertices)
    for (Real* at : {&v.x, &v.y, &v.z}) numbers.number("vert|coordinate|plane|area|mesh", *at);
}

void tellShape(Told& told, const Shape& shape) {
  put(told.numbers, shape.radius(), shape.polyhedron().report().volume);
  for (const Vec3& p : shape.polyhedron().mesh().positions) put(told.numbers, p);
  if (!(shape.radius() >= 0.0)) told.fault = "a shape without a radius";
  if (!shape.sphereTree()) return;
  const SphereTreeCertificate checked = checkSphereTree(*shape.sphereTree(), shape.polyhedron());
  if (!checked.covers || !checked.bounds) told.fault = checked.complaint;
}

TEST(HostileMeshes, OfShapes) {
  TriangleMesh mesh = test::tetrahedron();
  ShapeSettings settings{.weldDistance = 0.125, .treeBuilder = "octree", .tree = {.levels = 1}};
  HostileNumbers numbers;
  for (Real* at : {&mesh.positions[0].x, &mesh.positions[1].y})
    numbers.number("vert|coordinate|mesh", *at);
  numbers.number("weld", settings.weldDistance)
      .number("tolerance", settings.tree.hausdorffTolerance)
      .number("box", settings.tree.nodeBoxRatio);
  numbers.tryAll([&] { return toldOf(makeShape(mesh, settings), tellShape); });
}

TEST(HostileMeshes, OfTheDefaultBuilder) {
  TriangleMesh mesh = test::tetrahedron();
  ShapeSettings settings{.tree = {.levels = 1}, .usualAdditions = false};
  HostileNumbers numbers;
  numbers.number("tolerance", settings.tree.hausdorffTolerance)
      .number("error bound", settings.tree.variational.errorBound);
  numbers.tryAll([&] { return toldOf(makeShape(mesh, settings), tellShape); });
}

TEST(HostileMeshes, OfEveryBuildersSettings) {
  for (const SphereTreeBuilderEntry& builder : sphereTreeBuilderCatalog()) {
    SphereTreeSettings settings;
    HostileNumbers numbers;
    numbers.number("tolerance", settings.hausdorffTolerance).number("box", settings.nodeBoxRatio);
    for (Real* at : {&settings.annealed.schedule.heat, &settings.annealed.schedule.cooled})
      numbers.number("annealing", *at);
    for (Real* at : {&settings.variational.errorBound, &settings.medial.errorBound,
                     &settings.anchored.errorBound})
      numbers.number("error bound", *at);
    numbers.tryAll([&] {
      const auto sound = checkSettings(builder.name, settings);
      EXPECT_EQ(sound.has_value(), checkSettings(builder, settings).has_value());
      return toldOf(sound, [](Told&, Success) {});
    });
  }
}

TEST(HostileMeshes, OfCleaningHullsAndPolyhedra) {
  TriangleMesh mesh = test::tetrahedron();
  Real weld = 0.125;
  HostileNumbers numbers;
  addVertices(numbers, mesh.positions);
  numbers.number("weld", weld);
  numbers.tryAll([&] {
    TriangleMesh cleaned = mesh;
    const auto done = cleanMesh(cleaned, weld);
    const auto hull = convexHullMesh(mesh.positions);
    const auto made = makePolyhedron(mesh);
    Told told = toldOf(done, [](Told&, const MeshCleaning&) {});
    if (checkTriangles(mesh).has_value() != made.has_value()) told.fault = "two verdicts on a mesh";
    if (made) put(told.numbers, made->radius(), made->report().volume);
    if (hull)
      for (const Vec3& p : hull->positions) put(told.numbers, p);
    return told;
  });
}

TEST(HostileMeshes, OfRefitting) {
  const Shape built =
      *makeShape(test::tetrahedron(), {.treeBuilder = "octree", .tree = {.levels = 1}});
  std::vector<Vec3> moved = built.polyhedron().mesh().positions;
  HostileNumbers numbers;
  addVertices(numbers, moved);
  numbers.tryAll([&] {
    return toldOf(refit(built, moved), [](Told& told, const Refit& made) {
      put(told.numbers, made.growth);
      tellShape(told, made.shape);
    });
  });
}

TEST(HostileMeshes, OfScaling) {
  const Shape built =
      *makeShape(test::tetrahedron(), {.treeBuilder = "octree", .tree = {.levels = 1}});
  Real factor = 1.0;
  HostileNumbers numbers;
  numbers.number("factor", factor);
  numbers.tryAll([&] { return toldOf(scaled(built, factor), tellShape); });
}

/// Spheres of a stranger that are to cover a tetrahedron.
TEST(HostileMeshes, OfSpheresAroundThem) {
  const Polyhedron polyhedron(test::tetrahedron());
  std::array<Sphere, 2> spheres{Sphere{{0.0, 0.0, 0.0}, 1.5}, Sphere{{0.5, 0.0, 0.0}, 1.5}};
  UncoveredSettings settings{.shareTolerance = 0.01, .distanceTolerance = 0.01, .maxPieces = 2000};
  HostileNumbers numbers;
  for (Sphere& ball : spheres)
    numbers.number("sphere", ball.centre.x).number("sphere", ball.radius);
  numbers.number("tolerance", settings.shareTolerance)
      .number("tolerance", settings.distanceTolerance);
  numbers.tryAll([&] {
    return toldOf(measureUncovered(polyhedron, spheres, settings),
                  [](Told& told, const UncoveredSurface& found) {
                    put(told.numbers, found.area, found.shareAtLeast, found.shareAtMost,
                        found.farthestAtLeast, found.farthestAtMost, found.where);
                  });
  });
}

/// Each fit takes long.
TEST(HostileMeshes, OfSpheresToBeginWith) {
  const Polyhedron polyhedron(test::tetrahedron());
  std::array<Sphere, 1> start{Sphere{{0.0, 0.0, 0.0}, 1.8}};
  const FlatSetSettings settings{.count = 1, .start = start, .ownStarts = false};
  int refused = 0;
  for (Real* at : {&start[0].centre.y, &start[0].radius})
    for (const Real value : test::hostileValues) {
      const Real before = std::exchange(*at, value);
      const auto found = fitFlatSet(polyhedron, settings);
      *at = before;
      const bool sound = std::abs(value) <= maxMeshSize && (at != &start[0].radius || value >= 0.0);
      ASSERT_EQ(found.has_value(), sound) << value;
      refused += !sound;
      if (found) {
        EXPECT_TRUE(checkFlatSet(polyhedron, *found).covers()) << value;
      }
    }
  EXPECT_GT(refused, 10);
}

}  // namespace
}  // namespace nearmiss
