// SPDX-License-Identifier: MIT
/// Proofs of contact by inner spheres: never wrong, often early, and nothing else is changed.
#include <gtest/gtest.h>
#include <nearmiss/advanced/narrow_phase.h>
#include <nearmiss/advanced/tree_builders.h>
#include <nearmiss/rivals/narrow_phases.h>
#include <nearmiss/rivals/tree_builders.h>
#include <nearmiss/shape.h>

#include <array>
#include <utility>
#include <vector>

#include "narrow/compared_trees.h"
#include "support/allocations.h"
#include "support/borrowed.h"
#include "support/campaign.h"
#include "support/manual_clock.h"
#include "support/narrow.h"
#include "support/pairs.h"
#include "support/shapes.h"

namespace nearmiss {
namespace {

using test::cases;
using test::Random;
using test::TwoBodies;

/// Solids of all kinds with and without inner spheres, and an open surface.
test::ComparedTrees filledShapes() {
  test::ComparedTrees trees;
  std::vector<TriangleMesh> meshes = test::solidMeshes();
  meshes.push_back(test::openTorus());
  for (TriangleMesh& mesh : meshes) {
    const Polyhedron& polyhedron = trees.polyhedra.emplace_back(std::move(mesh));
    SphereTreeSettings settings{.levels = 3, .hausdorffTolerance = 0.5};
    const SphereTreeBuilderEntry& octree = *findSphereTreeBuilder("octree");
    trees.plain.push_back(*buildSphereTree(octree, polyhedron, settings));
    settings.innerSpheres = 150;
    trees.special.push_back(*buildSphereTree(octree, polyhedron, settings));
  }
  return trees;
}

const test::ComparedTrees& shapes() {
  static const test::ComparedTrees all = filledShapes();
  return all;
}

class InnerContact : public test::ComparedPhases {
 protected:
  InnerContact() : ComparedPhases(shapes()) {}
  static TwoBodies randomPair(Random& random) {
    return test::randomNearMissPair(random, shapes().polyhedra, 0.0);
  }
};

TEST_F(InnerContact, IsProvenOnlyWhereSolidsMeetAndOftenBeforeTheTriangles) {
  Random random(71);
  const int count = cases(1200);
  int contacts = 0, proven = 0;
  std::array<int, 6> atLevel{};
  for (int i = 0; i < count; ++i) {
    const TwoBodies bodies =
        i % 4 == 0 ? test::exactPair(random, shapes().polyhedra) : randomPair(random);
    const auto levels = test::allLevels(*special_, bodies);
    const Verdict verdict = test::finalVerdict(*reference_, bodies);
    const Refinement& last = levels.back();
    ASSERT_EQ(last.verdict, verdict) << "pose " << i;
    contacts += verdict == Verdict::Contact;
    if (!last.byInnerSpheres) continue;
    ++proven;
    ++atLevel[static_cast<std::size_t>(last.level)];
    ASSERT_EQ(last.verdict, Verdict::Contact);
    ASSERT_FALSE(last.canRefine);
    ASSERT_EQ(last.separationBound, 0.0);
    ASSERT_EQ(last.triangleA, Refinement::noTriangle);
    ASSERT_GT(overlap(last.deepest.a, last.deepest.b), 0.0);
  }
  EXPECT_GT(contacts, count / 3);
  EXPECT_GT(proven, contacts / 2);
  EXPECT_GT(atLevel[1], proven / 10);
  EXPECT_GT(atLevel[2], proven / 10);
  EXPECT_GT(atLevel[3], 3);
}

TEST_F(InnerContact, ChangesNothingUntilItIsProven) {
  Random random(72);
  int proven = 0;
  for (int i = 0; i < cases(300); ++i) {
    const TwoBodies bodies = randomPair(random);
    const auto with = test::allLevels(*special_, bodies);
    const auto without = test::allLevels(*plain_, bodies);
    const bool early = with.back().byInnerSpheres;
    proven += early;
    ASSERT_EQ(with.back().verdict, without.back().verdict);
    ASSERT_LE(with.size(), without.size());
    // Spheres inside prove, they do not steer: the contact is shown by those around the surfaces
    const Refinement& surface = early ? without[with.size() - 2] : without.back();
    ASSERT_EQ(with.back().deepest.a.centre, surface.deepest.a.centre);
    ASSERT_EQ(with.back().deepest.b.centre, surface.deepest.b.centre);
    ASSERT_EQ(with.back().deepest.a.radius, surface.deepest.a.radius);
    for (std::size_t k = 0; k + early < with.size(); ++k) {
      ASSERT_EQ(with[k].level, without[k].level);
      ASSERT_EQ(with[k].verdict, without[k].verdict);
      ASSERT_EQ(with[k].collidingSpheres, without[k].collidingSpheres);
      ASSERT_EQ(with[k].separationBound, without[k].separationBound);
      ASSERT_EQ(with[k].triangleA, without[k].triangleA);
      ASSERT_EQ(with[k].deepest.a.centre, without[k].deepest.a.centre);
    }
  }
  EXPECT_GT(proven, 50);
}

/// The pairs of a level are those of trees without inner spheres, also where these prove contact.
TEST_F(InnerContact, LeavesThePairsOfALevelAsTheyAre) {
  const auto with = makeSphereTreeNarrowPhase(test::borrowed(shapes().polyhedra, shapes().special));
  const auto without =
      makeSphereTreeNarrowPhase(test::borrowed(shapes().polyhedra, shapes().plain));
  const std::array pairs{BodyPair{0, 1}};
  constexpr std::size_t most = 100;
  std::vector<ContactSpheres> found, expected;
  Random random(74);
  int looked = 0, several = 0;
  for (int i = 0; i < cases(60); ++i) {
    const TwoBodies bodies = randomPair(random);
    with->begin(bodies, pairs);
    without->begin(bodies, pairs);
    while (with->result(0).canRefine) {
      with->refine(0, TimeBudget::unlimited());
      without->refine(0, TimeBudget::unlimited());
      if (with->result(0).verdict != Verdict::Possible) break;
      with->contacts(0, most, found);
      without->contacts(0, most, expected);
      ++looked;
      several += expected.size() > 1;
      ASSERT_EQ(found.size(), expected.size()) << i << ", level " << with->result(0).level;
      for (std::size_t k = 0; k < found.size(); ++k) {
        ASSERT_EQ(found[k].a.centre, expected[k].a.centre);
        ASSERT_EQ(found[k].b.centre, expected[k].b.centre);
        ASSERT_GT(overlap(found[k].a, found[k].b), -1e-4);
      }
    }
  }
  EXPECT_GT(looked, cases(60));
  EXPECT_GT(several, looked / 3);
}

/// A hair apart, or a hair into each other: the hair is far thinner than the doubt in a pose.
TEST_F(InnerContact, IsNotProvenOfBodiesThatGraze) {
  // Balls and boxes touch where their inner spheres do
  std::vector<Polyhedron> polyhedra;
  std::vector<SphereTree> trees;
  for (TriangleMesh mesh : {test::cube(), test::sphere(7, 9), test::torus(12, 6)}) {
    polyhedra.emplace_back(std::move(mesh));
    trees.push_back(*buildSphereTree(*findSphereTreeBuilder("octree"), polyhedra.back(),
                                     {.levels = 2, .hausdorffTolerance = 0.5, .innerSpheres = 64}));
  }
  const auto proving = makeSphereTreeAllNarrowPhase(test::borrowed(polyhedra, trees));
  const auto reference = makeBruteForceNarrowPhase(test::borrowed(polyhedra));
  Random random(73);
  int apart = 0, near = 0;
  for (int i = 0; i < cases(200); ++i) {
    TwoBodies bodies;
    if (i % 2 == 0) {
      bodies = test::grazingPair(random, polyhedra, *reference, 20, 45);
    } else {
      // Face to face with a gap of less than one unit of single precision, or the opposite
      const Pose pose{random.inCube(50.0), random.rotation()};
      const Real gap = std::ldexp(random.between(-1.0, 1.0), -random.whole(20, 40));
      bodies = {test::bodyOf(1, 0, polyhedra[0], pose),
                test::bodyOf(2, 0, polyhedra[0],
                             {transformed(pose, {2.0 + gap, 0.0, 0.0}), pose.rotation})};
      ++near;
    }
    const auto levels = test::allLevels(*proving, bodies);
    const Verdict verdict = test::finalVerdict(*reference, bodies);
    ASSERT_EQ(levels.back().verdict, verdict) << "pose " << i;
    apart += verdict == Verdict::Separate;
  }
  EXPECT_GT(apart, cases(200) / 5);
  EXPECT_GT(near, 0);
}

/// Poses that are no pure rotations move the surface itself elsewhere: the proof must allow for it.
TEST_F(InnerContact, AllowsForQuaternionsThatAreNotOfUnitLength) {
  Random random(74);
  int proven = 0;
  for (int i = 0; i < cases(300); ++i) {
    TwoBodies bodies = randomPair(random);
    for (BodyState& body : bodies) body.pose.rotation *= 1.0 + random.between(-1e-6, 1e-6);
    const auto levels = test::allLevels(*special_, bodies);
    ASSERT_EQ(levels.back().verdict, test::finalVerdict(*reference_, bodies)) << "pose " << i;
    proven += levels.back().byInnerSpheres;
  }
  EXPECT_GT(proven, 50);
}

TEST_F(InnerContact, IsFoundInTheSamePlaceWhenTimeRunsOutInBetween) {
  Random random(75);
  std::vector<BodyState> bodies;
  std::vector<BodyPair> pairs;
  std::vector<Refinement> expected;
  for (std::uint32_t i = 0; i < 40; ++i) {
    const TwoBodies two = randomPair(random);
    bodies.insert(bodies.end(), two.begin(), two.end());
    pairs.push_back({2 * i, 2 * i + 1});
    expected.push_back(test::allLevels(*special_, two).back());
  }
  ManualClock clock(Clock::Duration{1});
  special_->begin(bodies, pairs);
  int cuts = 0, proven = 0;
  for (bool open = true; open;) {
    open = false;
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      if (!special_->result(i).canRefine) continue;
      open = true;
      const WorkCount before = special_->work();
      cuts += !special_->refine(i, TimeBudget(clock, Clock::Duration{1}));
      EXPECT_LT(special_->work().boundTests - before.boundTests, 3000u);
    }
  }
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const Refinement known = special_->result(i);
    EXPECT_EQ(known.verdict, expected[i].verdict);
    EXPECT_EQ(known.level, expected[i].level);
    EXPECT_EQ(known.byInnerSpheres, expected[i].byInnerSpheres);
    EXPECT_EQ(known.deepest.a.centre, expected[i].deepest.a.centre);
    proven += known.byInnerSpheres;
  }
  EXPECT_GT(cuts, 5);
  EXPECT_GT(proven, 8);
}

TEST_F(InnerContact, AllocatesNothingOnceItHasSeenAll) {
  Random random(76);
  std::vector<TwoBodies> poses;
  for (int i = 0; i < 100; ++i) poses.push_back(randomPair(random));
  int proven = 0;
  const auto refineAll = [&] {
    const std::array pairs{BodyPair{0, 1}};
    for (const TwoBodies& bodies : poses) {
      special_->begin(bodies, pairs);
      while (special_->result(0).canRefine) special_->refine(0, TimeBudget::unlimited());
      proven += special_->result(0).byInnerSpheres;
    }
  };
  refineAll();
  EXPECT_EQ(test::allocationsIn(refineAll), 0u);
  EXPECT_GT(proven, 40);
}

}  // namespace
}  // namespace nearmiss
