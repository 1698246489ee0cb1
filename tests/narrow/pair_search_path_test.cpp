// SPDX-License-Identifier: MIT
/// Every set of instructions gives the same bits, and does the same work.
#include <gtest/gtest.h>
#include <nearmiss/advanced/detector.h>

#include <cstdint>
#include <tuple>
#include <utility>
#include <vector>

#include "narrow/searched_shapes.h"
#include "narrow/sphere_tree_narrow_phase.h"
#include "spheres/moved_packs.h"
#include "support/campaign.h"
#include "support/meshes.h"
#include "support/narrow.h"
#include "support/pairs.h"

namespace nearmiss {
namespace {

using test::cases;
using test::Random;
using test::TwoBodies;

TEST(SearchPaths, GiveTheSameBitsAndDoTheSameWork) {
  const Shapes shapes = test::searchedShapes().shapes();
  ASSERT_FALSE(searchPaths().empty());
  EXPECT_EQ(searchPaths().front().name, "baseline");
  const auto baseline = makeSphereTreeNarrowPhase(shapes, searchPaths().front());
  for (const SearchPath& path : searchPaths().subspan(1)) {
    SCOPED_TRACE(path.name);
    const auto other = makeSphereTreeNarrowPhase(shapes, path);
    Random random(91);
    int exact = 0, contacts = 0;
    for (int i = 0; i < cases(2000) && !HasFatalFailure(); ++i) {
      const TwoBodies bodies = test::randomNearMissPair(random, test::searchedShapes().polyhedra);
      const auto expected = test::allLevels(*baseline, bodies);
      const auto found = test::allLevels(*other, bodies);
      ASSERT_EQ(found.size(), expected.size());
      for (std::size_t k = 0; k < found.size(); ++k) test::expectSame(found[k], expected[k]);
      ASSERT_EQ(other->work().boundTests, baseline->work().boundTests);
      ASSERT_EQ(other->work().triangleTests, baseline->work().triangleTests);
      exact += found.back().stage == Stage::Exact;
      contacts += found.back().verdict == Verdict::Contact;
    }
    EXPECT_GT(exact, cases(2000) / 8);
    EXPECT_GT(contacts, cases(2000) / 5);
  }
}

/// The doubles that triangles are moved by are the same for every method.
TEST(SearchPaths, RelatePosesAsEveryMethodDoes) {
  Random random(17);
  for (const SearchPath& path : searchPaths()) {
    SCOPED_TRACE(path.name);
    for (int i = 0; i < 20000; ++i) {
      const Real far = i % 3 == 0 ? 1e9 : 1.0, reach = random.between(0.0, 3.0);
      Pose a{random.inCube(far), random.rotation()}, b{random.inCube(far), random.rotation()};
      if (i % 5 == 0) b = a;
      if (i % 7 == 0) a.rotation = glm::identity<Quat>();
      // As far from unit length as poses may be
      if (i % 11 == 0) b.rotation *= 1.0 + 4e-10;
      const Pose expected = relativePose(a, b);
      const PackMotion motion(expected, reach, 0.0);
      Pose found;
      PackMotion inLanes;
      path.relate(a, b, reach, found, inLanes);
      ASSERT_EQ(found.position, expected.position) << "pose " << i;
      ASSERT_EQ(found.rotation, expected.rotation) << "pose " << i;
      ASSERT_FLOAT_EQ(inLanes.slack, motion.slack) << "pose " << i;
      for (int row = 0; row < 3; ++row) {
        ASSERT_EQ(inLanes.position[row], motion.position[row]) << "pose " << i;
        for (int column = 0; column < 4; ++column)
          ASSERT_EQ(inLanes.rotation[row][column], motion.rotation[row][column]) << "pose " << i;
      }
    }
  }
}

/// Stacks grow in the first detection, and stay as they are.
TEST(SearchStacks, ChangeNoAnswerAndNoWorkByTheirLength) {
  ShapeSettings settings;
  settings.treeBuilder = "dag";
  settings.usualAdditions = false;
  settings.tree.levels = 8;
  settings.tree.dag.branching = 2;
  Shapes shapes;
  for (const std::uint64_t seed : {1, 2}) {
    TriangleMesh mesh = test::torus(40, 16, 1.0, 0.35);
    Random random(seed);
    for (Vec3& p : mesh.positions) p += 0.03 * random.inCube(1.0);
    shapes.add(*makeShape(mesh, settings));
  }
  Random random(5);
  std::vector<BodyState> bodies;
  for (std::uint32_t i = 0; i < 400; ++i) {
    BodyState& body = bodies.emplace_back();
    body.key = i;
    body.shape = shapes.ref(i % 2);
    body.pose = {{10.0 * (i / 2), 0.0, 0.0}, random.rotation()};
    if (i % 2) body.pose.position += random.inCube(1.0);
  }
  const auto answer = [&](Detector& detector, Real time) {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> triangles;
    for (const DetectedPair& pair : detector.detect(bodies, time, TimeBudget::unlimited()).pairs)
      triangles.emplace_back(pair.refinement.triangleA, pair.refinement.triangleB);
    return std::tuple(triangles, detector.last().narrowWork.boundTests,
                      detector.last().narrowWork.triangleTests);
  };
  Detector detector(makeAllPairsBroadPhase(), makeSphereTreeNarrowPhase(shapes));
  const auto first = answer(detector, 0.0);
  EXPECT_GT(std::get<0>(first).size(), 50u);
  EXPECT_EQ(answer(detector, 1.0), first);
}

}  // namespace
}  // namespace nearmiss
