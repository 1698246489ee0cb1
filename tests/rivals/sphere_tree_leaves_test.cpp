// SPDX-License-Identifier: MIT
/// Leaves of sphere trees: all that collide are compared, down to the last triangle.
#include <gtest/gtest.h>
#include <nearmiss/advanced/narrow_phase.h>
#include <nearmiss/rivals/narrow_phases.h>
#include <nearmiss/shape.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "support/borrowed.h"
#include "support/campaign.h"
#include "support/narrow.h"
#include "support/random.h"

namespace nearmiss {
namespace {

using test::cases;
using test::Random;
using test::TwoBodies;

/// A tree of a root and eight leaves, made by hand.
SphereTree handmade(const Sphere& root, const std::array<Sphere, 8>& leaves,
                    std::uint32_t trianglesPerLeaf) {
  SphereTree::Data data;
  data.packs.resize(2);
  data.links.resize(2);
  for (int lane = 0; lane < SpherePack::width; ++lane) {
    data.packs[0].r[lane] = -1.0f;
    for (SphereLinks& links : data.links) links.childPack[lane] = SphereLinks::none;
  }
  const auto put = [&data](std::size_t pack, std::size_t lane, const Sphere& sphere) {
    data.packs[pack].x[lane] = static_cast<float>(sphere.centre.x);
    data.packs[pack].y[lane] = static_cast<float>(sphere.centre.y);
    data.packs[pack].z[lane] = static_cast<float>(sphere.centre.z);
    data.packs[pack].r[lane] = static_cast<float>(sphere.radius);
    data.links[pack].hausdorff[lane] = static_cast<float>(2.0 * sphere.radius);
  };
  put(0, 0, root);
  data.links[0].childPack[0] = 1;
  for (std::size_t lane = 0; lane < 8; ++lane) put(1, lane, leaves[lane]);
  data.levelBegin = {0, 1, 2};
  data.triangleBegin.assign(8 + 1, 0);
  for (std::uint32_t leaf = 1; leaf <= 8; ++leaf)
    data.triangleBegin.push_back(leaf * trianglesPerLeaf);
  for (std::uint32_t t = 0; t < 8 * trianglesPerLeaf; ++t) data.leafTriangles.push_back(t);
  return SphereTree(std::move(data));
}

/// Small triangles far apart, each in one leaf only, and leaves so large that all pairs of them
/// collide, some deeply and some hardly: whichever two triangles meet, their leaves must be found.
TEST(SphereTreeLeaves, AreAllComparedDownToTheLastTriangle) {
  Random random(59);
  int tried = 0;
  for (const std::uint32_t perLeaf : {1u, 60u}) {
    TriangleMesh mesh;
    for (std::uint32_t t = 0; t < 8 * perLeaf; ++t) {
      const Vec3 at = 10.0 * random.inCube(1.0);
      for (std::uint32_t corner = 0; corner < 3; ++corner)
        mesh.positions.push_back(at + 0.01 * random.direction());
      mesh.triangles.push_back({3 * t, 3 * t + 1, 3 * t + 2});
    }
    std::array<Sphere, 8> leaves;
    for (Sphere& leaf : leaves) leaf = {random.inCube(2.0), random.between(25.0, 60.0)};
    const std::vector<SphereTree> trees{handmade({Vec3(0.0), 70.0}, leaves, perLeaf)};
    ASSERT_EQ(SphereTree::validate(trees[0].data(), 8 * perLeaf), nullptr);
    std::vector<Polyhedron> polyhedra;
    polyhedra.emplace_back(mesh);
    const auto all = makeSphereTreeAllNarrowPhase(test::borrowed(polyhedra, trees));
    const auto first = makeSphereTreeNarrowPhase(test::borrowed(polyhedra, trees));
    const auto reference = makeBruteForceNarrowPhase(test::borrowed(polyhedra));
    for (std::uint32_t i = 0; i < 64; ++i) {
      // Bring one triangle of the first leaf named by i upon one of the second
      const auto a = i / 8 * perLeaf +
                     static_cast<std::uint32_t>(random.whole(0, static_cast<int>(perLeaf) - 1));
      const auto b = i % 8 * perLeaf +
                     static_cast<std::uint32_t>(random.whole(0, static_cast<int>(perLeaf) - 1));
      const auto middle = [&mesh](std::uint32_t t) {
        const auto corners = mesh.corners(t);
        return (corners[0] + corners[1] + corners[2]) / 3.0;
      };
      const Vec3 by = middle(a) - middle(b);
      const TwoBodies bodies{test::bodyOf(1, 0, polyhedra[0], {}),
                             test::bodyOf(2, 0, polyhedra[0], {by, {1, 0, 0, 0}})};
      if (test::finalVerdict(*reference, bodies) != Verdict::Contact) continue;
      ++tried;
      ASSERT_EQ(test::finalVerdict(*all, bodies), Verdict::Contact) << "leaves " << i;
      ASSERT_EQ(test::finalVerdict(*first, bodies), Verdict::Contact) << "leaves " << i;
    }
  }
  EXPECT_GT(tried, 100);
}

/// The tips of two triangles cross by a billionth, where the spheres around them only just touch,
/// and where a rotation that is not of unit length stretches one beyond its sphere.
TEST(SphereTreeLeaves, AreNotLostByRounding) {
  Random random(60);
  std::vector<Polyhedron> polyhedra;
  polyhedra.emplace_back(TriangleMesh{{{1, 0, 0}, {-0.5, 0.5, 0}, {-0.5, -0.5, 0}}, {{0, 1, 2}}});
  polyhedra.emplace_back(TriangleMesh{{{1, 0, 0}, {-0.5, 0, 0.5}, {-0.5, 0, -0.5}}, {{0, 1, 2}}});
  std::array<Sphere, 8> leaves;
  leaves.fill({Vec3(-0.75, 0, 0), 0.0});
  leaves[0] = {Vec3(0.0), 1.0};
  SphereTree::Data data = handmade({Vec3(0.0), 1.0}, leaves, 0).data();
  for (std::size_t id = 9; id < data.triangleBegin.size(); ++id) data.triangleBegin[id] = 1;
  data.leafTriangles = {0};
  ASSERT_EQ(SphereTree::validate(data, 1), nullptr);
  const std::vector<SphereTree> trees{SphereTree(data), SphereTree(data)};
  const auto all = makeSphereTreeAllNarrowPhase(test::borrowed(polyhedra, trees));
  const auto first = makeSphereTreeNarrowPhase(test::borrowed(polyhedra, trees));
  const auto reference = makeBruteForceNarrowPhase(test::borrowed(polyhedra));
  const int count = cases(400);
  int contacts = 0;
  for (int i = 0; i < count; ++i) {
    const Real off = i % 2 == 0 ? 0.0 : 1e-4 * random.unit();
    const Pose poseA{random.inCube(3.0), random.rotation()};
    // Half a turn about a random axis across the line of the tips
    const Real angle = random.between(0.0, 1.5);
    const Quat turn = Quat(0.0, 0.0, std::sin(angle), std::cos(angle)) * (1.0 + off);
    const Vec3 tip = turn * Vec3(1, 0, 0);
    const Pose poseB{transformed(poseA, Vec3(1.0 - 1e-9, 0, 0) - tip), poseA.rotation * turn};
    const TwoBodies bodies{test::bodyOf(1, 0, polyhedra[0], poseA),
                           test::bodyOf(2, 1, polyhedra[1], poseB)};
    if (test::finalVerdict(*reference, bodies) != Verdict::Contact) continue;
    ++contacts;
    ASSERT_EQ(test::finalVerdict(*all, bodies), Verdict::Contact) << "pose " << i;
    ASSERT_EQ(test::finalVerdict(*first, bodies), Verdict::Contact) << "pose " << i;
  }
  EXPECT_GT(contacts, count / 2);
}

}  // namespace
}  // namespace nearmiss
