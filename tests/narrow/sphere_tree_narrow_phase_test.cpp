// SPDX-License-Identifier: MIT
/// The search for one colliding pair of spheres: what it finds is one, and what it says holds.
#include <gtest/gtest.h>
#include <nearmiss/advanced/narrow_phase.h>
#include <nearmiss/advanced/predicates.h>
#include <nearmiss/mesh.h>
#include <nearmiss/rivals/narrow_phases.h>
#include <nearmiss/shape.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "narrow/searched_shapes.h"
#include "support/campaign.h"
#include "support/narrow.h"
#include "support/pairs.h"

namespace nearmiss {
namespace {

using test::cases;
using test::Random;
using test::TwoBodies;

const std::vector<Polyhedron>& polyhedra() { return test::searchedShapes().polyhedra; }
const SphereTree& treeOf(const BodyState& body) {
  return test::searchedShapes().trees[body.shape.index()];
}

class SphereTreeNarrowPhase : public testing::Test {
 protected:
  std::unique_ptr<NarrowPhase> phase_ = makeSphereTreeNarrowPhase(test::searchedShapes().shapes());
  std::unique_ptr<NarrowPhase> reference_ =
      makeBruteForceNarrowPhase(test::borrowed(test::searchedShapes().polyhedra));
};

/// True if a sphere in world space is one of `level` or deeper, or a leaf above it.
bool isOfLevel(const BodyState& body, const Sphere& found, int level) {
  const SphereTree& tree = treeOf(body);
  std::vector<SphereId> spheres;
  for (int l = std::min(level, tree.levelCount() - 1); l < tree.levelCount(); ++l) {
    tree.spheresOf(l, spheres);
    for (const SphereId id : spheres) {
      Sphere sphere = tree.sphere(id);
      sphere.centre = transformed(body.pose, sphere.centre);
      if (sphere.centre == found.centre && sphere.radius == found.radius) return true;
    }
  }
  return false;
}

TEST_F(SphereTreeNarrowPhase, IsAPairOfItsLevelThatMeetsAndBoundsTheDistance) {
  Random random(93);
  int witnesses = 0, near = 0;
  for (int i = 0; i < cases(150); ++i) {
    const TwoBodies bodies = test::randomNearMissPair(random, polyhedra());
    const Real truth =
        distanceBetween(polyhedra()[bodies[0].shape.index()], polyhedra()[bodies[1].shape.index()],
                        relativePose(bodies[0].pose, bodies[1].pose));
    for (const Refinement& known : test::allLevels(*phase_, bodies)) {
      ASSERT_GE(known.separationBound, truth * (1.0 - 1e-9)) << "pair " << i;
      if (known.verdict == Verdict::Separate) {
        ASSERT_GT(truth, 0.0) << "pair " << i;
      }
      if (known.verdict != Verdict::Possible || known.stage != Stage::Spheres) continue;
      ++witnesses;
      near += truth > 0.0;
      ASSERT_GT(overlap(known.deepest.a, known.deepest.b), -1e-4);
      ASSERT_TRUE(isOfLevel(bodies[0], known.deepest.a, known.level)) << "pair " << i;
      ASSERT_TRUE(isOfLevel(bodies[1], known.deepest.b, known.level)) << "pair " << i;
    }
  }
  EXPECT_GT(witnesses, cases(150) / 2);
  EXPECT_GT(near, cases(150) / 20);
}

/// Where no two spheres of a level or below meet at all, it must have found that. (Those below may
/// reach out of those above, and show by themselves that the level does not part the bodies.)
TEST_F(SphereTreeNarrowPhase, SaysSeparateWhereNoSpheresOfItsLevelMeet) {
  Random random(94);
  int apart = 0;
  for (int i = 0; i < cases(300); ++i) {
    const TwoBodies bodies = test::randomNearMissPair(random, polyhedra(), 0.6);
    const Pose bToA = relativePose(bodies[0].pose, bodies[1].pose);
    for (const Refinement& known : test::allLevels(*phase_, bodies)) {
      if (known.stage != Stage::Spheres || known.verdict != Verdict::Possible) continue;
      const auto spheresFrom = [&known](const SphereTree& tree) {
        std::vector<Sphere> spheres;
        std::vector<SphereId> ids;
        for (int l = std::min(known.level, tree.levelCount() - 1); l < tree.levelCount(); ++l) {
          tree.spheresOf(l, ids);
          for (const SphereId id : ids) spheres.push_back(tree.sphere(id));
        }
        return spheres;
      };
      const std::vector<Sphere> inA = spheresFrom(treeOf(bodies[0]));
      Real deepest = -std::numeric_limits<Real>::infinity();
      for (Sphere sphere : spheresFrom(treeOf(bodies[1]))) {
        sphere.centre = transformed(bToA, sphere.centre);
        for (const Sphere& other : inA) deepest = std::max(deepest, overlap(other, sphere));
      }
      ASSERT_GT(deepest, -1e-4) << "pair " << i << ", level " << known.level;
    }
    apart +=
        phase_->result(0).verdict == Verdict::Separate && phase_->result(0).stage == Stage::Spheres;
  }
  EXPECT_GT(apart, cases(300) / 10);
}

/// Solids are nearer to each other than their surfaces where these lie deep inside.
TEST_F(SphereTreeNarrowPhase, BoundsSolidsMoreTightlyThanTheirSurfaces) {
  const auto list = makeSphereTreeAllNarrowPhase(test::searchedShapes().shapes());
  const auto sheet = static_cast<std::uint32_t>(
      std::ranges::find_if_not(polyhedra(),
                               [](const Polyhedron& p) { return p.report().solid(); }) -
      polyhedra().begin());
  Random random(99);
  int solids = 0, sheets = 0, tighter = 0;
  for (int i = 0; i < cases(300); ++i) {
    TwoBodies bodies = test::randomNearMissPair(random, polyhedra());
    if (i % 10 == 0)
      for (BodyState& body : bodies)
        body = test::bodyOf(body.key, sheet, polyhedra()[sheet], body.pose);
    const bool solid = treeOf(bodies[0]).boundsSolid() || treeOf(bodies[1]).boundsSolid();
    for (const Refinement& known : test::allLevels(*phase_, bodies)) {
      if (known.verdict != Verdict::Possible || known.stage != Stage::Spheres) continue;
      ASSERT_EQ(known.betweenSolids, solid) << "pair " << i;
      solids += solid;
      sheets += !solid;
      if (!solid || known.level > 1) continue;
      const auto all = test::allLevels(*list, bodies);
      tighter += all.size() > 2 && known.separationBound < 0.8 * all[1].separationBound;
    }
  }
  EXPECT_GT(sheets, 0);
  EXPECT_GT(solids, cases(300) / 3);
  EXPECT_GT(tighter, cases(300) / 10);
}

TEST_F(SphereTreeNarrowPhase, ProvesContactByInnerSpheresOnlyWhereSolidsMeet) {
  Random random(95);
  int proven = 0;
  for (int i = 0; i < cases(1000); ++i) {
    const TwoBodies bodies = test::randomNearMissPair(random, polyhedra(), 0.0);
    const Refinement last = test::allLevels(*phase_, bodies).back();
    ASSERT_EQ(last.verdict, test::finalVerdict(*reference_, bodies)) << "pair " << i;
    proven += last.byInnerSpheres;
  }
  EXPECT_GT(proven, cases(1000) / 20);
}

TEST_F(SphereTreeNarrowPhase, AgreesWithBruteForceWhereBodiesGraze) {
  Random random(96);
  test::expectAgreement(
      cases(400), 0.2, 0.8,
      [&] { return test::grazingPair(random, polyhedra(), *reference_, 15, 45); }, *phase_,
      *reference_);
}

TEST_F(SphereTreeNarrowPhase, FindsThatABodyTouchesItself) {
  for (std::uint32_t i = 0; i < polyhedra().size(); ++i) {
    const Pose pose{{1e7, -1e7, 3.0}, {1, 0, 0, 0}};
    const TwoBodies bodies{test::bodyOf(1, i, polyhedra()[i], pose),
                           test::bodyOf(2, i, polyhedra()[i], pose)};
    EXPECT_EQ(test::finalVerdict(*phase_, bodies), Verdict::Contact) << "shape " << i;
  }
}

/// A small body is found wherever it is on, in or beside a large one.
TEST(FirstWitnessOfUnequalBodies, AgreesWithBruteForce) {
  for (const Real scale : {0.3, 0.03, 1e-3, 1e-6, 1e-9}) {
    SCOPED_TRACE(scale);
    test::SearchedShapes shapes;
    shapes.add(test::spikyStar(1, 7, 9), "variational", {.levels = 3});
    TriangleMesh small = test::torus(12, 6);
    for (Vec3& position : small.positions) position *= scale;
    shapes.add(std::move(small), "octree", {.levels = 3});
    const auto phase = makeSphereTreeNarrowPhase(shapes.shapes());
    const auto reference = makeBruteForceNarrowPhase(test::borrowed(shapes.polyhedra));
    Random random(97);
    const TriangleMesh& large = shapes.polyhedra[0].mesh();
    int contacts = 0;
    for (int i = 0; i < cases(200); ++i) {
      // The small one about as far from the surface of the large one as it reaches
      const auto t =
          static_cast<std::size_t>(random.whole(0, static_cast<int>(large.triangles.size()) - 1));
      const Triangle corners = large.corners(t);
      const Vec3 beside = (corners[0] + corners[1] + corners[2]) / 3.0 +
                          random.direction() * scale * random.between(0.0, 3.0);
      const TwoBodies bodies{test::bodyOf(1, 0, shapes.polyhedra[0], {}),
                             test::bodyOf(2, 1, shapes.polyhedra[1], {beside, random.rotation()})};
      const Verdict verdict = test::finalVerdict(*reference, bodies);
      ASSERT_EQ(test::finalVerdict(*phase, bodies), verdict) << "pose " << i;
      contacts += verdict == Verdict::Contact;
    }
    EXPECT_GT(contacts, cases(200) / 10);
    EXPECT_LT(contacts, cases(200) * 9 / 10);
  }
}

/// One sphere around everything: the least that a tree can be.
SphereTree oneSphere(const Polyhedron& polyhedron) {
  SphereTree::Data data = buildOctreeSphereTree(polyhedron, {.levels = 1})->data();
  data.packs.resize(1);
  data.links.resize(1);
  data.links[0].childPack[0] = SphereLinks::none;
  data.levelBegin = {0, 1};
  data.leafTriangles.clear();
  for (std::uint32_t t = 0; t < polyhedron.mesh().triangles.size(); ++t)
    data.leafTriangles.push_back(t);
  data.triangleBegin.assign(SpherePack::width + 1,
                            static_cast<std::uint32_t>(data.leafTriangles.size()));
  data.triangleBegin[0] = 0;
  return SphereTree(std::move(data));
}

TEST(FirstWitnessOfOddTrees, AgreesWithBruteForceWhateverTheirDepthAndBranching) {
  test::SearchedShapes shapes;
  shapes.polyhedra.emplace_back(test::torus(12, 6));
  shapes.trees.push_back(oneSphere(shapes.polyhedra.back()));
  shapes.polyhedra.emplace_back(test::tetrahedron());
  shapes.trees.push_back(oneSphere(shapes.polyhedra.back()));
  shapes.add(test::spikyStar(2, 9, 12), "variational",
             {.levels = 2, .variational = {.branching = 3}});
  shapes.add(test::torus(16, 8), "octree", {.levels = 5});
  shapes.add(test::openTorus(), "dag", {.levels = 3, .dag = {.branching = 3}});
  // Some spheres have more children than a pack holds
  shapes.add(test::spikyStar(4, 9, 12), "variational",
             {.levels = 2, .variational = {.adaptive = true}});
  shapes.add({.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, .triangles = {{0, 1, 2}}}, "octree",
             {.levels = 1});
  for (std::size_t i = 0; i < shapes.trees.size(); ++i)
    ASSERT_EQ(SphereTree::validate(
                  shapes.trees[i].data(),
                  static_cast<std::uint32_t>(shapes.polyhedra[i].mesh().triangles.size())),
              nullptr);
  const auto phase = makeSphereTreeNarrowPhase(shapes.shapes());
  const auto reference = makeBruteForceNarrowPhase(test::borrowed(shapes.polyhedra));
  Random random(100);
  test::expectAgreement(
      cases(1500), 0.2, 0.8,
      [&] { return test::randomNearMissPair(random, shapes.polyhedra, 0.3); }, *phase, *reference);
}

/// The normals of edges whose squares lose digits in float prune nothing.
TEST(FirstWitnessOfSlivers, AgreesWithBruteForce) {
  Random random(98);
  int contacts = 0;
  for (int i = 0; i < cases(400); ++i) {
    const Real edge = std::pow(10.0, random.between(-24.0, -20.0));
    test::SearchedShapes shapes;
    shapes.add({.positions = {{0, 0, 0}, {edge, 0, 0}, {0, 0.5, 0}}, .triangles = {{0, 1, 2}}},
               "octree", {.levels = 1});
    shapes.add({.positions = {{0, 0, 0}, {-0.1, -0.2, -0.1}, {0.12, -0.2, -0.1}, {0, -0.2, 0.14}},
                .triangles = {{0, 2, 1}, {0, 3, 2}, {0, 1, 3}, {1, 2, 3}}},
               "octree", {.levels = 1});
    const auto phase = makeSphereTreeNarrowPhase(shapes.shapes());
    const auto reference = makeBruteForceNarrowPhase(test::borrowed(shapes.polyhedra));
    // Its tip reaches a little over the short edge
    const Real over = random.between(0.0, 0.02);
    const Vec3 at{random.between(-0.5, 0.5) * over, over, random.between(-0.5, 0.5) * over};
    const TwoBodies bodies{test::bodyOf(1, 0, shapes.polyhedra[0], {}),
                           test::bodyOf(2, 1, shapes.polyhedra[1], {at, {1, 0, 0, 0}})};
    const Verdict verdict = test::finalVerdict(*reference, bodies);
    ASSERT_EQ(test::finalVerdict(*phase, bodies), verdict) << "edge " << edge << ", pose " << i;
    ASSERT_EQ(test::finalVerdict(*phase, {bodies[1], bodies[0]}), verdict) << "edge " << edge;
    contacts += verdict == Verdict::Contact;
  }
  EXPECT_GT(contacts, cases(400) / 5);
  EXPECT_LT(contacts, cases(400) * 19 / 20);
}

/// A torus, and small triangles close about it; one more lies within it if `inside`.
test::SearchedShapes torusInACloud(bool inside) {
  Random random(8);
  const Polyhedron torus(test::torus());
  TriangleMesh cloud;
  const auto add = [&cloud](const Vec3& at) {
    test::append(cloud, {{{0, 0, 0}, {0.01, 0, 0}, {0, 0.01, 0}}, {{0, 1, 2}}}, at);
  };
  while (cloud.triangles.size() < 300) {
    const Vec3 at = random.inCube(1.0);
    const Real away = torus.nearest(at).distance;
    if (away > 0.03 && away < 0.06 && !torus.contains(at)) add(at);
  }
  if (inside) add({0.7, 0.0, 0.0});
  test::SearchedShapes made;
  made.add(test::torus(), "octree", {.levels = 2, .hausdorffTolerance = 0.5});
  made.add(std::move(cloud), "octree", {.levels = 2, .hausdorffTolerance = 0.5});
  return made;
}

/// However often time runs out while they are looked for.
TEST(SphereTreePieces, AreFoundInsideBitByBit) {
  for (const bool inside : {false, true})
    for (const bool coherent : {false, true}) {
      SCOPED_TRACE(testing::Message() << inside << coherent);
      const test::SearchedShapes shapes = torusInACloud(inside);
      const auto phase = makeSphereTreeNarrowPhase(shapes.shapes());
      phase->setCoherence(coherent);
      const TwoBodies bodies{test::bodyOf(1, 0, shapes.polyhedra[0], {}),
                             test::bodyOf(2, 1, shapes.polyhedra[1], {})};
      const std::array pairs{BodyPair{0, 1}};
      WorkClock clock;
      for (int frame = 0; frame < 6; ++frame) {
        phase->begin(bodies, pairs);
        int calls = 0;
        std::uint64_t most = 0;
        while (phase->result(0).canRefine) {
          const std::uint64_t before = phase->work().boundTests;
          phase->refine(0, TimeBudget(clock, {}));
          most = std::max(most, phase->work().boundTests - before);
          ASSERT_LT(++calls, 10000);
        }
        ASSERT_EQ(phase->result(0).verdict, inside ? Verdict::Contact : Verdict::Separate);
        EXPECT_LT(most, 6000u);
        // Half of that to look for surfaces that meet
        EXPECT_GT(calls, 30);
      }
    }
}

}  // namespace
}  // namespace nearmiss
