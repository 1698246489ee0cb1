// SPDX-License-Identifier: MIT
/// Solid BSP trees: what their leaves say, how many faces they cut, and what is refused.
#include <gtest/gtest.h>
#include <nearmiss/advanced/bsp_tree.h>
#include <nearmiss/advanced/polyhedron.h>
#include <nearmiss/shape.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "support/campaign.h"
#include "support/meshes.h"
#include "support/random.h"
#include "support/triangle_points.h"

namespace nearmiss {
namespace {

using test::cases;
using test::Random;

std::vector<Polyhedron> variousPolyhedra() {
  std::vector<Polyhedron> polyhedra;
  for (TriangleMesh& mesh : test::variousMeshes()) polyhedra.emplace_back(std::move(mesh));
  return polyhedra;
}

BspTree treeOf(const Polyhedron& polyhedron, const BspSettings& settings = {}) {
  auto built = buildBspTree(polyhedron, settings);
  EXPECT_TRUE(built.has_value());
  return built ? *std::move(built) : BspTree();
}

/// How much of the line p + t x, t in [low, high], lies in leaves inside.
Real lengthInside(const BspTree& tree, std::uint32_t at, const Vec3& p, Real low, Real high) {
  if (at == BspNode::out) return 0.0;
  if (at == BspNode::in) return high - low;
  const BspNode& node = tree.nodes()[at];
  const Real start = node.offset - glm::dot(node.normal, p);
  const Real slope = node.normal.x;
  if (slope == 0.0) return lengthInside(tree, start < 0.0 ? node.front : node.back, p, low, high);
  const Real cut = std::clamp(start / slope, low, high);
  const auto [before, after] =
      slope > 0.0 ? std::pair(node.back, node.front) : std::pair(node.front, node.back);
  Real length = 0.0;
  if (cut > low) length += lengthInside(tree, before, p, low, cut);
  if (cut < high) length += lengthInside(tree, after, p, cut, high);
  return length;
}

TEST(BspTree, LeavesAgreeWithTheSolid) {
  for (const Polyhedron& polyhedron : variousPolyhedra()) {
    const BspTree tree = treeOf(polyhedron);
    ASSERT_TRUE(tree.solid());
    ASSERT_EQ(BspTree::validate(tree.data(),
                                static_cast<std::uint32_t>(polyhedron.mesh().triangles.size())),
              nullptr);
    Random random(11);
    const Box& box = polyhedron.bounds();
    const int count = cases(2000);
    int within = 0;
    for (int i = 0; i < count; ++i) {
      Vec3 point = box.centre() + 0.55 * random.inCube(1.0) * box.extent();
      // Every other point a hair off the surface
      if (i % 2 == 0) {
        const auto t = static_cast<std::size_t>(
            random.whole(0, static_cast<int>(polyhedron.mesh().triangles.size()) - 1));
        point = test::pointOn(random, polyhedron.mesh().corners(t)) + 1e-6 * random.direction();
      }
      const bool expected = polyhedron.contains(point);
      within += expected;
      ASSERT_EQ(tree.inside(point), expected) << "point " << i;
    }
    EXPECT_GT(within, count / 20);
    EXPECT_LT(within, count * 19 / 20);
  }
}

TEST(BspTree, LeavesInsideHaveTheVolumeOfTheSolid) {
  for (const Polyhedron& polyhedron : variousPolyhedra()) {
    const BspTree tree = treeOf(polyhedron);
    const Box& box = polyhedron.bounds();
    const Vec3 size = box.extent();
    constexpr int lines = 120;
    Real sum = 0.0;
    for (int i = 0; i < lines; ++i)
      for (int j = 0; j < lines; ++j)
        sum += lengthInside(
            tree, 0,
            {0.0, box.low.y + (i + 0.5) / lines * size.y, box.low.z + (j + 0.5) / lines * size.z},
            box.low.x - 1.0, box.high.x + 1.0);
    const Real volume = sum * size.y * size.z / (lines * lines);
    EXPECT_NEAR(volume, polyhedron.report().volume, 0.01 * polyhedron.report().volume);
  }
}

TEST(BspTree, EveryTriangleLiesOnThePlaneOfEachNodeThatNamesIt) {
  for (const Polyhedron& polyhedron : variousPolyhedra()) {
    const BspTree tree = treeOf(polyhedron);
    std::vector<bool> named(polyhedron.mesh().triangles.size(), false);
    for (const BspNode& node : tree.nodes()) {
      ASSERT_LT(node.facesBegin, node.facesEnd) << "a plane is always that of a face";
      for (std::uint32_t f = node.facesBegin; f < node.facesEnd; ++f) {
        const std::uint32_t face = tree.data().faces[f];
        named[face] = true;
        for (const Vec3& corner : polyhedron.mesh().corners(face))
          ASSERT_NEAR(glm::dot(node.normal, corner), node.offset, 1e-9);
      }
    }
    EXPECT_EQ(std::count(named.begin(), named.end(), false), 0);
  }
}

TEST(BspTree, TriesOfSeveralPlanesSaveCuts) {
  double naive = 0.0;
  double chosen = 0.0;
  for (const Polyhedron& polyhedron : variousPolyhedra()) {
    const auto triangles = static_cast<double>(polyhedron.mesh().triangles.size());
    naive +=
        static_cast<double>(treeOf(polyhedron, {.candidates = 1}).data().faces.size()) / triangles;
    const BspTree tree = treeOf(polyhedron);
    chosen += static_cast<double>(tree.data().faces.size()) / triangles;
  }
  EXPECT_LT(chosen, 0.8 * naive);
}

TEST(BspTree, NeedsNoCutForWhatIsConvex) {
  for (TriangleMesh mesh : {test::cube(), test::tetrahedron(), test::sphere()}) {
    const auto triangles = mesh.triangles.size();
    EXPECT_EQ(treeOf(Polyhedron(std::move(mesh))).data().faces.size(), triangles);
  }
  EXPECT_EQ(treeOf(Polyhedron(test::cube())).nodes().size(), 6u);
}

TEST(BspTree, IsTheSameEveryTime) {
  const Polyhedron polyhedron(test::spikyStar(3));
  const BspTree first = treeOf(polyhedron);
  const BspTree second = treeOf(polyhedron);
  ASSERT_EQ(first.nodes().size(), second.nodes().size());
  EXPECT_EQ(std::memcmp(first.nodes().data(), second.nodes().data(), first.nodes().size_bytes()),
            0);
  EXPECT_EQ(first.data().faces, second.data().faces);
}

TEST(BspTree, OfAnOpenMeshIsNotSolidAndKeepsEveryFace) {
  TriangleMesh mesh = test::torus();
  mesh.triangles.resize(mesh.triangles.size() / 2);
  ASSERT_TRUE(cleanMesh(mesh, 0.0));
  const Polyhedron polyhedron(std::move(mesh));
  const BspTree tree = treeOf(polyhedron);
  EXPECT_FALSE(tree.solid());
  auto faces = tree.data().faces;
  std::sort(faces.begin(), faces.end());
  faces.erase(std::unique(faces.begin(), faces.end()), faces.end());
  EXPECT_EQ(faces.size(), polyhedron.mesh().triangles.size());
}

/// The corners of a needle determine no plane: here one lies along an edge of a tetrahedron, as
/// thin as rounding makes it.
TEST(BspTree, BearsNeedles) {
  Random random(12);
  int solids = 0;
  for (int round = 0; round < 40; ++round) {
    const Vec3 p = random.inCube(1.0);
    const Vec3 q = p + random.direction();
    const Vec3 r = p + random.direction();
    Vec3 s = p + random.direction();
    const Real sense = glm::dot(glm::cross(q - p, r - p), s - p);
    if (std::abs(sense) < 0.1) continue;
    if (sense > 0.0) s = 2.0 * p - s;
    const Vec3 between = p + random.unit() * (q - p);
    TriangleMesh mesh{{p, q, r, s, between},
                      {{0, 4, 2}, {4, 1, 2}, {0, 1, 4}, {0, 3, 1}, {1, 3, 2}, {0, 2, 3}}};
    if (cleanMesh(mesh, 0.0)->degenerateTriangles > 0) continue;
    const Polyhedron polyhedron(mesh);
    const BspTree tree = treeOf(polyhedron);
    if (polyhedron.report().solid()) {
      ++solids;
      for (int i = 0; i < 500; ++i) {
        const Vec3 point = p + random.inCube(1.0);
        ASSERT_EQ(tree.inside(point), polyhedron.contains(point));
      }
    }

    // The needle alone bounds nothing: it must be kept, near the plane that names it
    TriangleMesh alone{{p, q, between}, {{0, 1, 2}}};
    const BspTree openTree = treeOf(Polyhedron(alone));
    EXPECT_FALSE(openTree.solid());
    ASSERT_EQ(openTree.nodes().size(), 1u);
    EXPECT_EQ(openTree.data().faces.size(), 1u);
    const BspNode& root = openTree.nodes()[0];
    for (const Vec3& corner : alone.positions)
      ASSERT_NEAR(glm::dot(root.normal, corner), root.offset, 1e-12);
  }
  EXPECT_GT(solids, 10);
}

/// A hundredth of a millimetre wide on a metre: the products of its long edges lose the normal.
TEST(BspTree, KnowsThePlaneOfAThinTriangle) {
  Random random(13);
  for (int i = 0; i < 100; ++i) {
    const Quat turn = random.rotation();
    TriangleMesh mesh{{{-0.8, 0, 0}, {0.8, random.between(1e-8, 1e-4), 0}, {0.8, 0, 0}},
                      {{0, 1, 2}}};
    for (Vec3& p : mesh.positions) p = turn * (p + Vec3(0.1));
    const BspTree tree = treeOf(Polyhedron(mesh));
    for (const Vec3& corner : mesh.positions)
      ASSERT_NEAR(glm::dot(tree.nodes()[0].normal, corner), tree.nodes()[0].offset, 1e-12);
  }
}

TEST(BspTree, ReportsProgressAndCanBeCancelled) {
  const Polyhedron polyhedron(test::spikyStar(4));
  BuildProgress progress;
  ASSERT_TRUE(buildBspTree(polyhedron, {}, &progress).has_value());
  EXPECT_EQ(progress.stage, BuildStage::Structure);
  EXPECT_NEAR(progress.fraction, 1.0f, 1e-3f);

  progress.cancelled = true;
  const auto cancelled = buildBspTree(polyhedron, {}, &progress);
  ASSERT_FALSE(cancelled.has_value());
  EXPECT_EQ(cancelled.error().code, ErrorCode::Cancelled);
}

TEST(BspTree, GivesUpWhenTheSurfaceFallsToPieces) {
  const Polyhedron polyhedron(test::spikyStar(5));
  const auto most = static_cast<std::uint32_t>(polyhedron.mesh().triangles.size());
  const auto refused = buildBspTree(polyhedron, {.maxFragments = most});
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().code, ErrorCode::TooLarge);
  EXPECT_NE(refused.error().message.find(std::to_string(most)), std::string::npos);
}

TEST(BspTree, SettingsHaveFingerprints) {
  EXPECT_EQ(hashOf(BspSettings{}), hashOf(BspSettings{}));
  EXPECT_NE(hashOf(BspSettings{}), hashOf(BspSettings{.candidates = 17}));
  EXPECT_NE(hashOf(BspSettings{}), hashOf(BspSettings{.maxFragments = 5}));
}

TEST(BspTree, HoldsNothingBeforeItIsBuilt) { EXPECT_FALSE(BspTree().inside(Vec3(0.0))); }

/// Whoever believes such leaves finds two cubes apart that cross each other.
TEST(BspTree, RefusesLeavesThatCallTheInsideOutside) {
  for (Polyhedron& polyhedron : variousPolyhedra()) {
    const BspTree tree = treeOf(polyhedron);
    const Shape bare = Shape::of(std::move(polyhedron));
    EXPECT_TRUE(bare.with(tree));
    BspTree::Data data = tree.data();
    for (BspNode& node : data.nodes)
      for (std::uint32_t* child : {&node.front, &node.back})
        if (*child == BspNode::in) *child = BspNode::out;
    const auto made = bare.with(BspTree(std::move(data)));
    ASSERT_FALSE(made);
    EXPECT_EQ(made.error().code, ErrorCode::Mismatch);
    EXPECT_EQ(made.error().message, "cannot use the BSP tree: it calls outside what is inside");
  }
}

/// Faces that lie on each other within rounding, or are as thin, leave leaves that mean nothing.
TEST(BspTree, OfFoilsSlitsAndNeedlesIsTakenUp) {
  Random random(13);
  for (int i = 0; i < cases(60); ++i) {
    const Real thin = std::pow(10.0, random.between(-15.0, -4.0));
    TriangleMesh mesh = test::cube(1.0);
    TriangleMesh slit = test::box({-0.5, -0.5, 0.0}, {0.5, 0.5, thin});
    if (i % 3 == 0) test::flip(slit);
    test::append(mesh, slit, i % 3 == 0 ? Vec3(0.0) : Vec3(3.0, 0.0, 0.25));
    test::append(mesh, test::cube(0.25), Vec3(0.0, 2.0, 0.35));
    if (i % 3 == 2) test::append(mesh, test::cube(0.5), Vec3(0.0, 0.0, 1.5 + thin));
    const Quat turn = i % 2 == 0 ? Quat(1.0, 0.0, 0.0, 0.0) : random.rotation();
    for (Vec3& p : mesh.positions) p = turn * p;
    ASSERT_TRUE(cleanMesh(mesh, 0.0));
    const Shape bare = Shape::of(Polyhedron(std::move(mesh)));
    const auto made = bare.with(treeOf(bare.polyhedron(), {.candidates = 1 + i % 20}));
    EXPECT_TRUE(made) << i << ": " << made.error().message;
  }
}

/// Every fault that a file could bring, one at a time.
TEST(BspTree, RefusesWhatIsNoTree) {
  const BspTree::Data good = treeOf(Polyhedron(test::cube())).data();
  ASSERT_EQ(BspTree::validate(good, 12), nullptr);
  const auto faultOf = [&good](const auto& spoil) {
    BspTree::Data data = good;
    spoil(data);
    const char* fault = BspTree::validate(data, 12);
    return std::string(fault ? fault : "none");
  };
  using Data = BspTree::Data;
  constexpr Real nan = std::numeric_limits<Real>::quiet_NaN();
  EXPECT_EQ(faultOf([](Data& d) { d.nodes.clear(); }), "it has no node");
  EXPECT_EQ(faultOf([](Data& d) { d.nodes[2].front = 6; }), "a child is out of range");
  EXPECT_EQ(faultOf([](Data& d) { d.nodes[2].front = 2; }), "a child stands before its parent");
  EXPECT_EQ(faultOf([](Data& d) { d.nodes[2].front = 0; }), "a child stands before its parent");
  EXPECT_EQ(faultOf([](Data& d) { d.nodes[0].front = d.nodes[0].back; }), "a node has two parents");
  EXPECT_EQ(faultOf([](Data& d) { d.nodes[0].back = BspNode::in; }), "a node has no parent");
  EXPECT_EQ(faultOf([](Data& d) { d.nodes[3].normal *= 2.0; }), "a normal is not of unit length");
  EXPECT_EQ(faultOf([](Data& d) { d.nodes[3].normal.x = nan; }), "a normal is not of unit length");
  EXPECT_EQ(faultOf([](Data& d) { d.nodes[3].offset = nan; }), "an offset is not finite");
  EXPECT_EQ(faultOf([](Data& d) { d.nodes[5].facesEnd = 13; }),
            "the faces of a node are out of range");
  EXPECT_EQ(faultOf([](Data& d) { d.nodes[1].facesBegin = 1; }),
            "the faces of a node are out of range");
  EXPECT_EQ(faultOf([](Data& d) { d.faces.push_back(0); }), "a face belongs to no node");
  EXPECT_EQ(faultOf([](Data& d) { d.faces[7] = 12; }), "a face is no triangle of the mesh");
}

}  // namespace
}  // namespace nearmiss
