// SPDX-License-Identifier: MIT
/// Hierarchies of volumes level by level: bounds above the truth, verdicts of brute force.
#include <gtest/gtest.h>
#include <nearmiss/mesh.h>
#include <nearmiss/rivals/narrow_phases.h>
#include <nearmiss/time_budget.h>

#include <array>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <numbers>
#include <string>
#include <vector>

#include "oracle/distance.h"
#include "rivals/bounding_volumes.h"
#include "rivals/region_tree.h"
#include "rivals/swept_volumes.h"
#include "rivals/volume_tree.h"
#include "support/campaign.h"
#include "support/hard_meshes.h"
#include "support/manual_clock.h"
#include "support/narrow.h"
#include "support/pairs.h"
#include "support/shapes.h"

namespace nearmiss {
namespace {

using test::cases;
using test::Random;
using test::TwoBodies;

const std::vector<Polyhedron>& polyhedra() {
  static const std::vector<Polyhedron> all = [] {
    std::vector<Polyhedron> made;
    for (TriangleMesh& mesh : test::solidAndOpenMeshes()) made.emplace_back(std::move(mesh));
    return made;
  }();
  return all;
}

class EveryVolumeTree : public testing::TestWithParam<VolumeKind> {
 protected:
  std::unique_ptr<NarrowPhase> phase_ =
      makeVolumeTreeNarrowPhase(test::borrowed(polyhedra()), GetParam());
  std::unique_ptr<NarrowPhase> truth_ = makeBruteForceNarrowPhase(test::borrowed(polyhedra()));
};

TEST_P(EveryVolumeTree, BoundsAreAboveTheDistanceAndAnswersThoseOfBruteForce) {
  Random random(static_cast<std::uint64_t>(GetParam()) + 1);
  int touching = 0, apart = 0, possible = 0;
  for (int i = 0; i < cases(400); ++i) {
    const TwoBodies bodies = i % 3 == 0 ? test::grazingPair(random, polyhedra(), *truth_, 10, 30)
                                        : test::randomNearMissPair(random, polyhedra());
    const Verdict expected = test::finalVerdict(*truth_, bodies);
    const auto levels = test::allLevels(*phase_, bodies);
    EXPECT_EQ(levels.back().verdict, expected) << i;
    ++(expected == Verdict::Contact ? touching : apart);
    const Polyhedron& a = polyhedra()[bodies[0].shape.index()];
    const Polyhedron& b = polyhedra()[bodies[1].shape.index()];
    const Real distance = distanceBetween(a, b, relativePose(bodies[0].pose, bodies[1].pose));
    for (std::size_t l = 1; l < levels.size(); ++l) {
      EXPECT_TRUE(levels[l].conservative);
      if (levels[l].verdict != Verdict::Possible) continue;
      ++possible;
      EXPECT_EQ(levels[l].level, static_cast<int>(l));
      EXPECT_GE(levels[l].separationBound, distance * (1.0 - 1e-9)) << i << " " << l;
      EXPECT_LE(levels[l].separationBound, levels[l - 1].separationBound);
    }
  }
  EXPECT_GT(touching, cases(60));
  EXPECT_GT(apart, cases(60));
  EXPECT_GT(possible, cases(200));
}

std::string nameOf(const testing::TestParamInfo<VolumeKind>& info) {
  constexpr std::array names{"Ball",         "AlignedBox",   "TurnedBox",      "Slabs",
                             "SweptPoint",   "SweptSegment", "SweptRectangle", "Hull",
                             "HullFeatures", "Region",       "HullBox"};
  return names[static_cast<std::size_t>(info.param)];
}
INSTANTIATE_TEST_SUITE_P(, EveryVolumeTree,
                         testing::Values(VolumeKind::Ball, VolumeKind::AlignedBox,
                                         VolumeKind::TurnedBox, VolumeKind::Slabs,
                                         VolumeKind::SweptPoint, VolumeKind::SweptSegment,
                                         VolumeKind::SweptRectangle, VolumeKind::Hull,
                                         VolumeKind::HullFeatures, VolumeKind::Region,
                                         VolumeKind::HullBox),
                         nameOf);

/// More depths than levels have: each level is as coarse as it should be, the last goes to the end.
TEST(VolumeTreePhase, StopsAtItsDepthsAndGoesOnToTheTriangles) {
  std::vector<Polyhedron> large;
  large.emplace_back(test::sphere(190, 190));
  ASSERT_GT(large[0].mesh().triangles.size(), std::size_t{1} << 16);
  const auto phase = makeVolumeTreeNarrowPhase(test::borrowed(large), VolumeKind::TurnedBox);
  TwoBodies bodies{test::bodyOf(0, 0, large[0], Pose{}), test::bodyOf(1, 0, large[0], Pose{})};
  bodies[1].pose.position = Vec3(1.93, 0.2, 0.1);
  const auto levels = test::allLevels(*phase, bodies);
  ASSERT_EQ(levels.size(), 6u);
  EXPECT_EQ(levels.back().verdict, Verdict::Contact);
  EXPECT_NE(levels.back().triangleA, Refinement::noTriangle);
  for (std::size_t l = 1; l < 5; ++l) {
    // Eight times as many volumes have a third to a half of the size
    const Real coarse = levels[l].deepest.a.radius, finer = levels[l + 1].deepest.a.radius;
    EXPECT_GT(coarse, 0.9 * std::pow(0.3, static_cast<Real>(l)));
    EXPECT_TRUE(l == 4 || finer < 0.8 * coarse) << l;
  }
  bodies[1].pose.position = Vec3(2.001, 0.0, 0.0);
  EXPECT_EQ(test::finalVerdict(*phase, bodies), Verdict::Separate);
}

/// Flat triangles around one middle, which no box parts, in an ellipse of these half axes.
TriangleMesh wheel(int count, Real x, Real y) {
  TriangleMesh mesh;
  for (int i = 0; i < count; ++i) {
    const auto first = static_cast<std::uint32_t>(mesh.positions.size());
    for (int corner = 0; corner < 3; ++corner) {
      const Real angle = 2.0 * std::numbers::pi * (corner + Real(i) / count) / 3.0;
      mesh.positions.push_back({x * std::cos(angle), y * std::sin(angle), 0.0});
    }
    mesh.triangles.push_back({first, first + 1, first + 2});
  }
  return mesh;
}

/// One stands upright in a corner of the other's box. The time is over before it begins.
TEST(VolumeTreePhase, HearsTheBudgetInALeafOfManyTriangles) {
  std::vector<Polyhedron> wheels;
  wheels.emplace_back(wheel(100, 2.0, 1.0));
  wheels.emplace_back(wheel(80, 0.1, 0.05));
  TwoBodies bodies{test::bodyOf(0, 0, wheels[0], Pose{}), test::bodyOf(1, 1, wheels[1], Pose{})};
  bodies[1].pose.position = Vec3(1.7, 0.85, 0.0);
  bodies[1].pose.rotation = glm::angleAxis(0.5 * std::numbers::pi, Vec3(1.0, 0.0, 0.0));
  const std::vector<BodyPair> pair{{0, 1}};
  for (const VolumeKind kind : {VolumeKind::HullBox, VolumeKind::Region, VolumeKind::Ball}) {
    const auto phase = makeVolumeTreeNarrowPhase(test::borrowed(wheels), kind);
    ManualClock clock(std::chrono::nanoseconds(1));
    const TimeBudget none(clock, std::chrono::nanoseconds(0));
    phase->begin(bodies, pair);
    int interruptions = 0;
    while (phase->result(0).canRefine) {
      const WorkCount before = phase->work();
      interruptions += !phase->refine(0, none);
      ASSERT_LT(phase->work().boundTests - before.boundTests, 3000u);
    }
    EXPECT_EQ(phase->result(0).verdict, Verdict::Separate);
    EXPECT_GE(interruptions, kind == VolumeKind::HullBox ? 7 : 0);
  }
}

TEST(VolumeTree, HoldsTheTrianglesBelowEveryNode) {
  for (const Polyhedron& polyhedron : polyhedra()) {
    const VolumeTree<SlabVolume> tree(polyhedron.mesh());
    for (std::uint32_t node = 0; node < tree.boxes.nodes.size(); ++node) {
      const Box& box = tree.boxes.nodes[node].box;
      const SlabVolume& volume = tree.volume(node);
      EXPECT_EQ(Vec3(volume.low[0], volume.low[1], volume.low[2]), box.low);
      EXPECT_EQ(Vec3(volume.high[0], volume.high[1], volume.high[2]), box.high);
      EXPECT_GT(tree.reach(node), 0.0);
      EXPECT_LE(tree.reach(node), 2.0 * volume.enclosing().radius * (1.0 + 1e-9));
    }
  }
}

/// Volumes are made as they are asked for, the deeper ones; in whatever order that is, they are the
/// same, and a query looks at few of many.
TEST(VolumeTree, MakesVolumesWhenFirstAskedFor) {
  const TriangleMesh mesh = test::torus(80, 40);
  const VolumeTree<TurnedBoxVolume> forwards(mesh), backwards(mesh);
  const auto nodes = static_cast<std::uint32_t>(forwards.boxes.nodes.size());
  EXPECT_EQ(forwards.made(), 63u) << "six depths at once";
  ASSERT_GT(nodes, 1000u);
  for (std::uint32_t node = 0; node < nodes; ++node) {
    (void)forwards.volume(node);
    (void)backwards.reach(nodes - 1 - node);
  }
  EXPECT_EQ(forwards.made(), nodes);
  for (std::uint32_t node = 0; node < nodes; ++node) {
    ASSERT_EQ(forwards.reach(node), backwards.reach(node));
    ASSERT_EQ(forwards.volume(node).enclosing().centre, backwards.volume(node).enclosing().centre);
    ASSERT_EQ(forwards.volume(node).enclosing().radius, backwards.volume(node).enclosing().radius);
  }
}

/// A phase that has seen many pairs answers as one that has seen none.
TEST(VolumeTreePhase, AnswersAlikeWhateverItHasSeen) {
  std::vector<Polyhedron> shapes;
  shapes.emplace_back(test::torus(24, 12));
  shapes.emplace_back(test::spikyStar(3, 10, 12));
  const Shapes tables = test::borrowed(shapes);
  Random random(12);
  std::vector<TwoBodies> pairs;
  for (int i = 0; i < 60; ++i) pairs.push_back(test::randomNearMissPair(random, shapes));
  for (int kind = 0; kind <= static_cast<int>(VolumeKind::HullBox); ++kind) {
    const auto old = makeVolumeTreeNarrowPhase(tables, static_cast<VolumeKind>(kind));
    for (const TwoBodies& pair : pairs) (void)test::allLevels(*old, pair);
    for (std::size_t i = 5; i < pairs.size(); i += 13) {
      const auto fresh = makeVolumeTreeNarrowPhase(tables, static_cast<VolumeKind>(kind));
      const auto seen = test::allLevels(*old, pairs[i]), unseen = test::allLevels(*fresh, pairs[i]);
      ASSERT_EQ(seen.size(), unseen.size());
      for (std::size_t l = 0; l < seen.size(); ++l) test::expectSame(seen[l], unseen[l]);
    }
  }
}

/// Every part of the surface lies in a leaf that lists its triangle.
TEST(RegionTree, PartsSpaceWithoutLosingSurface) {
  Random random(9);
  for (const TriangleMesh& mesh :
       {test::comb(), test::spikyStar(3, 14, 18), test::heap(200), test::openTorus()}) {
    const RegionTree tree(mesh);
    std::size_t leaves = 0, deep = 0;
    for (std::uint32_t node = 0; node < tree.boxes.nodes.size(); ++node) {
      leaves += tree.leaf(node);
      deep += tree.leaf(node) && tree.boxes.nodes[node].count <= 2;
    }
    EXPECT_GT(leaves, mesh.triangles.size() / 16);
    EXPECT_LE(tree.boxes.order.size(), 24 * mesh.triangles.size());
    for (int i = 0; i < cases(500); ++i) {
      const auto t = static_cast<std::uint32_t>(random.bits() % mesh.triangles.size());
      const auto corners = mesh.corners(t);
      Real u = random.unit(), v = random.unit();
      if (u + v > 1.0) {
        u = 1.0 - u;
        v = 1.0 - v;
      }
      const Vec3 p = corners[0] + u * (corners[1] - corners[0]) + v * (corners[2] - corners[0]);
      bool found = false;
      tree.boxes.anyOf([&](const Box& box) { return box.contains(p); },
                       [&](std::uint32_t listed) { return found = listed == t; });
      ASSERT_TRUE(found) << i;
      // No point of a region is farther from the surface in it than it says
      const auto node = static_cast<std::uint32_t>(random.bits() % tree.boxes.nodes.size());
      const Box& box = tree.boxes.nodes[node].box;
      const Vec3 q = box.low + Vec3(random.unit(), random.unit(), random.unit()) * box.extent();
      Real nearest = std::numeric_limits<Real>::infinity();
      for (std::size_t k = 0; k < mesh.triangles.size(); ++k)
        nearest = std::min(nearest, test::pointToTriangle(q, mesh.corners(k)));
      ASSERT_LE(nearest, tree.reach(node));
    }
    EXPECT_GT(deep, 0u);
  }
}

}  // namespace
}  // namespace nearmiss
