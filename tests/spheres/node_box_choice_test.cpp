// SPDX-License-Identifier: MIT
/// Boxes beside the spheres of finished trees: that they hold what they answer for, and fit.
#include <gtest/gtest.h>
#include <nearmiss/advanced/tree_builders.h>
#include <nearmiss/advanced/tree_quality.h>
#include <nearmiss/rivals/tree_builders.h>

#include <string>
#include <vector>

#include "spheres/node_boxes.h"
#include "support/builders.h"
#include "support/campaign.h"
#include "support/certified.h"
#include "support/meshes.h"
#include "support/random.h"
#include "support/same_tree.h"
#include "support/shapes.h"
#include "support/triangle_points.h"

namespace nearmiss {
namespace {

using test::Random;

SphereTree treeWithBoxes(const Polyhedron& polyhedron, std::string_view builder, Real ratio,
                         int workers = 1) {
  const auto tree = buildSphereTree(*findSphereTreeBuilder(builder), polyhedron,
                                    {.levels = test::fewLevels(builder),
                                     .hausdorffTolerance = 0.3,
                                     .nodeBoxRatio = ratio,
                                     .workers = workers});
  EXPECT_TRUE(tree) << tree.error().message;
  return *tree;
}

/// True if some chain of spheres and boxes from `id` down to a leaf holds the point.
bool heldBelow(const SphereTree& tree, SphereId id, const Vec3& point) {
  const Sphere sphere = tree.sphere(id);
  if (glm::distance(point, sphere.centre) > sphere.radius * (1.0 + 1e-12)) return false;
  const NodeBox* box = tree.data().boxes.find(id);
  if (box && box->excess(point) > 1e-12 * sphere.radius) return false;
  const std::uint32_t packs = tree.childPackCount(id);
  if (packs == 0) return true;
  const std::uint32_t first =
      tree.data().links[id / SpherePack::width].childPack[id % SpherePack::width];
  for (SphereId child = first * SpherePack::width; child < (first + packs) * SpherePack::width;
       ++child)
    if (tree.data().packs[child / SpherePack::width].r[child % SpherePack::width] >= 0.0f &&
        heldBelow(tree, child, point))
      return true;
  return false;
}

class EveryNodeBox : public testing::TestWithParam<std::string_view> {};
INSTANTIATE_TEST_SUITE_P(NodeBoxChoice, EveryNodeBox,
                         testing::Values("octree", "variational", "dag"),
                         [](const auto& builder) { return std::string(builder.param); });

TEST_P(EveryNodeBox, HoldsEveryPointOfTheSurfaceInAChain) {
  Random random(91);
  std::size_t boxes = 0;
  for (const TriangleMesh& mesh : test::solidAndOpenMeshes()) {
    const Polyhedron polyhedron(mesh);
    const SphereTree tree = treeWithBoxes(polyhedron, GetParam(), 0.5);
    test::expectCertified(tree, polyhedron);
    boxes += tree.data().boxes.boxes.size();
    for (int i = 0; i < test::cases(300); ++i) {
      const std::size_t t = random.bits() % mesh.triangles.size();
      ASSERT_TRUE(heldBelow(tree, 0, test::pointOn(random, mesh.corners(t))));
    }
  }
  EXPECT_GT(boxes, 300u);
}

TEST_P(EveryNodeBox, IsTheSameForAnyNumberOfWorkers) {
  const Polyhedron torus(test::torus(10, 6));
  EXPECT_TRUE(test::same(treeWithBoxes(torus, GetParam(), 1.0).data(),
                         treeWithBoxes(torus, GetParam(), 1.0, 3).data()));
}

TEST_P(EveryNodeBox, IsNotCertifiedOnceABoxIsTooSmall) {
  const Polyhedron comb(test::comb());
  const SphereTree tree = treeWithBoxes(comb, GetParam(), 0.5);
  Random random(92);
  int found = 0;
  const int count = test::cases(30);
  for (int i = 0; i < count; ++i) {
    SphereTree::Data data = tree.data();
    NodeBox& box = data.boxes.boxes[random.bits() % data.boxes.boxes.size()];
    box.half[2] *= 0.3f;
    box.half[1] *= 0.3f;
    found += !checkSphereTree(SphereTree(data), comb).covers;
  }
  // Neighbours cover some of it
  EXPECT_GT(found, count / 3);
}

TEST(NodeBoxChoice, HaveFewerBoxesTheMoreIsAskedOfThem) {
  const Polyhedron plate(test::box(Vec3(-1.0, -1.0, -0.01), Vec3(1.0, 1.0, 0.01)));
  std::size_t before = 1u << 30;
  for (const Real ratio : {0.5, 2.0, 8.0, 1000.0}) {
    const std::size_t boxes = treeWithBoxes(plate, "variational", ratio).data().boxes.boxes.size();
    EXPECT_LE(boxes, before);
    before = boxes;
  }
  EXPECT_EQ(before, 0u);
  // Where the plate is all that a sphere holds, its box is a slab
  int slabs = 0;
  const SphereTree tree = treeWithBoxes(plate, "variational", 4.0);
  for (const NodeBox& box : tree.data().boxes.boxes)
    slabs += box.half[0] <= 0.0101f && box.half[0] < 0.3f * box.half[1];
  EXPECT_GT(slabs, 8);
}

/// Boxes are as large as their centres are rounded, and balls may happen not to be.
TEST(NodeBoxChoice, LeaveOutWhatRoundingMakesTooLarge) {
  test::Random random(12);
  TriangleMesh specks;
  for (std::uint32_t i = 0; i < 100; ++i) {
    const Vec3 at = random.inCube(1.0);
    for (const Vec3& more : {Vec3(0.0), Vec3(1e-12, 0, 0), Vec3(0, 1e-12, 0)})
      specks.positions.push_back(at + more);
    specks.triangles.push_back({3 * i, 3 * i + 1, 3 * i + 2});
  }
  const SphereTreeBuilderEntry& builder = *findCoreSphereTreeBuilder("variational");
  const auto tree =
      buildSphereTree(builder, Polyhedron(specks), {.levels = 2, .nodeBoxRatio = 1.0});
  ASSERT_TRUE(tree);
  EXPECT_EQ(SphereTree::validate(tree->data(), 100), nullptr);
}

TEST(NodeBoxChoice, AreRefusedWithAReason) {
  const Polyhedron cube(test::cube());
  const auto refused = [&cube](const SphereTreeSettings& settings, ErrorCode code,
                               BuildProgress* progress = nullptr) {
    const auto tree = buildSphereTree(*findSphereTreeBuilder("octree"), cube, settings, progress);
    ASSERT_FALSE(tree);
    EXPECT_EQ(tree.error().code, code) << tree.error().message;
  };
  refused({.levels = 1, .nodeBoxRatio = -1.0}, ErrorCode::Unsupported);
  refused({.levels = 1, .nodeBoxRatio = 1e6}, ErrorCode::Unsupported);
  BuildProgress cancelled;
  cancelled.cancelled = true;
  refused({.levels = 1, .nodeBoxRatio = 1.0}, ErrorCode::Cancelled, &cancelled);
  if (const auto* medial = findSphereTreeBuilder("medial")) {
    const auto tree =
        buildSphereTree(*medial, cube,
                        {.levels = 1,
                         .nodeBoxRatio = 1.0,
                         .medial = {.coverage = Coverage::Paper, .surfacePoints = 100}});
    ASSERT_FALSE(tree);
    EXPECT_NE(tree.error().message.find("guaranteed"), std::string::npos) << tree.error().message;
  }
}

TEST(NodeBoxChoice, AreRefusedWhereTheirStructureIsBroken) {
  const Polyhedron torus(test::torus(8, 5));
  const SphereTree::Data good = treeWithBoxes(torus, "variational", 0.5).data();
  const auto triangles = static_cast<std::uint32_t>(torus.mesh().triangles.size());
  const auto fault = [&](const auto& damage) {
    SphereTree::Data bad = good;
    damage(bad.boxes);
    return SphereTree::validate(bad, triangles);
  };
  ASSERT_EQ(SphereTree::validate(good, triangles), nullptr);
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const std::uint32_t first = good.boxes.boxOf[8] == NodeBoxes::none ? 9 : 8;
  EXPECT_TRUE(fault([&](NodeBoxes& bad) { bad.boxes[bad.boxOf[first]].half[0] = nan; }));
  EXPECT_TRUE(fault([&](NodeBoxes& bad) { bad.boxes[bad.boxOf[first]].half[0] = -1.0f; }));
  EXPECT_TRUE(fault([&](NodeBoxes& bad) { bad.boxes[bad.boxOf[first]].half[2] = 100.0f; }));
  EXPECT_TRUE(fault([&](NodeBoxes& bad) { bad.boxes[bad.boxOf[first]].centre[1] = 100.0f; }));
  EXPECT_TRUE(fault([&](NodeBoxes& bad) { bad.boxes[bad.boxOf[first]].axis[0][0] += 0.001f; }));
  EXPECT_TRUE(fault([&](NodeBoxes& bad) { bad.boxes[bad.boxOf[first]].axis[1][2] = nan; }));
  EXPECT_TRUE(fault([&](NodeBoxes& bad) { bad.boxOf[first] = 1u << 20; }));
  EXPECT_TRUE(fault([](NodeBoxes& bad) { bad.boxOf[1] = 0; }));
  EXPECT_TRUE(fault([](NodeBoxes& bad) { bad.boxOf.pop_back(); }));
  EXPECT_TRUE(fault([](NodeBoxes& bad) { bad.boxes.clear(); }));
}

/// Flat, long, turned at random: the box finds the shape again.
TEST(BoxFitting, FindsATurnedBoxAgain) {
  Random random(93);
  for (int i = 0; i < test::cases(60); ++i) {
    const Vec3 half(random.between(0.0, 0.05), random.between(0.1, 0.5), random.between(0.6, 1.0));
    const TriangleMesh mesh = test::box(-half, half);
    const Quat turn = random.rotation();
    const Vec3 by = random.inCube(10.0);
    std::vector<Triangle> pieces;
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
      Triangle corners = mesh.corners(t);
      for (Vec3& corner : corners) corner = turn * corner + by;
      pieces.push_back(corners);
    }
    const NodeBox box = fitBox(pieces, 1e-9);
    for (int k = 0; k < 3; ++k) EXPECT_NEAR(box.half[k], half[k], 0.02);
    for (const Triangle& piece : pieces)
      for (const Vec3& corner : piece) ASSERT_LE(box.excess(corner), -0.9e-9);
  }
}

/// The thinnest side of a plate is found however the plate lies: the axes that are tried turn
/// along.
TEST(BoxFitting, LiesFlatOnTurnedPlates) {
  Random random(94);
  for (int i = 0; i < test::cases(60); ++i) {
    std::vector<Triangle> pieces;
    const Quat turn = random.rotation();
    for (int k = random.whole(3, 20); k > 0; --k)
      for (Vec3& p : pieces.emplace_back()) p = turn * (random.inCube(1.0) * Vec3(1.0, 0.3, 1e-4));
    const NodeBox box = fitBox(pieces, 1e-9);
    EXPECT_LT(box.half[0], 1e-3);
    EXPECT_GT(box.half[2], 0.1);
  }
}

}  // namespace
}  // namespace nearmiss
