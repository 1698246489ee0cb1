// SPDX-License-Identifier: MIT
/// Inner spheres of surfaces that are no solids: where two of them meet the surfaces meet, unless
/// one lies within the other.
#include <gtest/gtest.h>
#include <nearmiss/advanced/narrow_phase.h>
#include <nearmiss/advanced/tree_builders.h>
#include <nearmiss/advanced/tree_quality.h>
#include <nearmiss/rivals/narrow_phases.h>
#include <nearmiss/rivals/tree_builders.h>
#include <nearmiss/shape.h>

#include <memory>
#include <vector>

#include "narrow/compared_trees.h"
#include "support/campaign.h"
#include "support/flawed_meshes.h"
#include "support/narrow.h"
#include "support/shapes.h"

namespace nearmiss {
namespace {

using test::Random;
using test::TwoBodies;

TriangleMesh scaled(TriangleMesh mesh, Real factor) {
  for (Vec3& p : mesh.positions) p *= factor;
  return mesh;
}

/// Two closed parts that cross.
TriangleMesh crossedBalls() { return test::twoOf(test::sphere(8, 10), {0.9, 0.2, 0.1}); }

/// A large ball whose skin is crossed by a small one: all else can lie inside it.
TriangleMesh hollowBall() {
  TriangleMesh mesh = test::sphere(10, 12, 2.0);
  test::append(mesh, test::sphere(4, 6, 0.3), {2.0, 0, 0});
  return mesh;
}

/// A ball in the hollow of a thick shell: one solid of three components.
TriangleMesh ballInShell() {
  TriangleMesh mesh = test::sphere(10, 12, 4.0);
  test::append(mesh, test::insideOut(test::sphere(8, 10, 3.5)));
  test::append(mesh, test::sphere(6, 8, 0.4));
  return mesh;
}

std::vector<TriangleMesh> surfaces() {
  TriangleMesh openAndClosed = crossedBalls();
  test::append(openAndClosed, test::openTorus(), {0, 0, 0.8});
  return {crossedBalls(), scaled(crossedBalls(), 0.1),
          // A tube thicker than its ring is wide
          test::torus(16, 10, 0.4, 0.6), test::insideOut(test::sphere(8, 10)), hollowBall(),
          ballInShell(), test::spikyStar(3, 8, 10), openAndClosed};
}
constexpr std::size_t solids[] = {5, 6};

const test::ComparedTrees& componentShapes() {
  static const test::ComparedTrees all = [] {
    test::ComparedTrees trees;
    for (TriangleMesh& mesh : surfaces()) {
      const Polyhedron& polyhedron = trees.polyhedra.emplace_back(std::move(mesh));
      SphereTreeSettings settings{.levels = 2, .hausdorffTolerance = 0.5};
      trees.plain.push_back(*buildOctreeSphereTree(polyhedron, settings));
      settings.innerSpheres = 100;
      trees.special.push_back(
          *buildSphereTree(*findSphereTreeBuilder("octree"), polyhedron, settings));
    }
    return trees;
  }();
  return all;
}

TEST(InnerComponents, AreFilledWhereverASurfaceIsClosed) {
  for (std::size_t i = 0; i < componentShapes().polyhedra.size(); ++i) {
    const bool solid = i == solids[0] || i == solids[1];
    ASSERT_EQ(componentShapes().polyhedra[i].report().solid(), solid) << i;
    const SphereTree& tree = componentShapes().special[i];
    EXPECT_GT(tree.data().inner.spheresOf(tree.data().inner.levelCount() - 1).size(), 10u) << i;
    EXPECT_EQ(checkSphereTree(tree, componentShapes().polyhedra[i]).brokenInner, 0u) << i;
  }
}

TEST(InnerComponents, AreCertifiedByNobodyOnceTheyReachOut) {
  for (const std::size_t i : {std::size_t{0}, std::size_t{2}, std::size_t{4}}) {
    SphereTree::Data data = componentShapes().special[i].data();
    data.inner.spheres[0].r[0] *= 1.01f;
    EXPECT_EQ(checkSphereTree(SphereTree(data), componentShapes().polyhedra[i]).brokenInner, 1u)
        << i;
    data.inner.spheres[0].x[0] += 9.0f;
    EXPECT_EQ(checkSphereTree(SphereTree(data), componentShapes().polyhedra[i]).brokenInner, 1u)
        << i;
  }
}

/// True if a sphere inside one meets one inside the other.
bool innerSpheresMeet(const TwoBodies& bodies) {
  const auto spheresOf = [&](const BodyState& body) {
    const InnerSpheres& inner = componentShapes().special[body.shape.index()].data().inner;
    std::vector<Sphere> spheres = inner.spheresOf(inner.levelCount() - 1);
    for (Sphere& sphere : spheres) sphere.centre = transformed(body.pose, sphere.centre);
    return spheres;
  };
  const auto ofB = spheresOf(bodies[1]);
  for (const Sphere& a : spheresOf(bodies[0]))
    for (const Sphere& b : ofB)
      if (overlap(a, b) > 0.0) return true;
  return false;
}

class InnerComponents : public testing::TestWithParam<bool> {
 protected:
  std::unique_ptr<NarrowPhase> tried_ = [] {
    const Shapes all = test::borrowed(componentShapes().polyhedra, componentShapes().special);
    return GetParam() ? makeSphereTreeNarrowPhase(all) : makeSphereTreeAllNarrowPhase(all);
  }();
  std::unique_ptr<NarrowPhase> reference_ =
      makeBruteForceNarrowPhase(test::borrowed(componentShapes().polyhedra));
};
INSTANTIATE_TEST_SUITE_P(FirstWitnessAndAll, InnerComponents, testing::Bool());

TEST_P(InnerComponents, ProveContactsAndNothingElse) {
  Random random(81);
  const int count = test::cases(4000);
  int contacts = 0, proven = 0, nested = 0;
  for (int i = 0; i < count; ++i) {
    // Often almost concentric, so that one lies within the other
    const Real closest = 0.0;
    TwoBodies bodies = test::randomNearMissPair(random, componentShapes().polyhedra, closest);
    if (i % 2 == 0) bodies[1].pose.position = bodies[0].pose.position + random.inCube(0.3);
    const Verdict truth = test::finalVerdict(*reference_, bodies);
    const Refinement last = test::allLevels(*tried_, bodies).back();
    ASSERT_EQ(last.verdict, truth)
        << "pose " << i << ", shapes " << static_cast<int>(bodies[0].shape.index()) << " and "
        << static_cast<int>(bodies[1].shape.index());
    contacts += truth == Verdict::Contact;
    proven += last.byInnerSpheres && !(bodies[0].shape.index() == bodies[1].shape.index());
    nested += truth == Verdict::Separate && innerSpheresMeet(bodies);
  }
  EXPECT_GT(contacts, count / 4);
  EXPECT_GT(proven, contacts / 8);
  EXPECT_GT(nested, count / 50);
}

}  // namespace
}  // namespace nearmiss
