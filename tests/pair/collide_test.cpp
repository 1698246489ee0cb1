// SPDX-License-Identifier: MIT
/// One pair: collide() and CollisionQuery against brute force, in one go and by little budgets.
#include <gtest/gtest.h>
#include <nearmiss/advanced/narrow_phase.h>
#include <nearmiss/pair.h>
#include <nearmiss/shape.h>

#include <algorithm>
#include <array>
#include <vector>

#include "support/allocations.h"
#include "support/manual_clock.h"
#include "support/narrow.h"
#include "support/shapes.h"

namespace nearmiss {
namespace {

using test::Random;

const test::ShapeKit& kit() {
  static const test::ShapeKit made({test::torus(12, 6), test::spikyStar(1, 7, 9), test::cube(0.3)},
                                   3);
  return made;
}

/// With all trees, with BSP trees alone, and without any.
std::vector<Shapes> everyKind() {
  return {kit().tables(), test::borrowed(kit().polyhedra, {}, kit().bspTrees),
          test::borrowed(kit().polyhedra)};
}

TEST(Collide, AgreesWithBruteForceWhateverTreesThereAre) {
  const auto reference = makeBruteForceNarrowPhase(test::borrowed(kit().polyhedra));
  for (const Shapes& shapes : everyKind()) {
    Random random(3);
    const auto draw = [&] { return test::randomNearMissPair(random, kit().polyhedra); };
    test::checkPairs(300, 0.2, 0.8, draw, [&](const test::TwoBodies& bodies) {
      const Verdict truth = test::finalVerdict(*reference, bodies);
      const Refinement found = collide(shapes[bodies[0].shape.index()], bodies[0].pose,
                                       shapes[bodies[1].shape.index()], bodies[1].pose);
      EXPECT_EQ(found.verdict, truth);
      EXPECT_FALSE(found.canRefine);
      return truth;
    });
  }
}

TEST(Collide, ComparesShapesWithoutTreesByOneSphere) {
  // Through the hole of each other: spheres meet, surfaces do not
  const Shape bare = Shape::of(Polyhedron(test::torus()));
  CollisionQuery query;
  query.begin(bare, Pose{}, bare, Pose{{0.0, 0.0, 0.9 * bare.radius()}});
  EXPECT_EQ(query.refine().verdict, Verdict::Separate);
  // The surfaces of a thousand triangles each meet: a hundredth of all pairs is compared
  const Shape fine = Shape::of(Polyhedron(test::torus(40, 12)));
  WorkClock clock;
  query.begin(fine, Pose{}, fine, Pose{{0.9, 0.0, 0.1}});
  EXPECT_EQ(query.refine(TimeBudget(clock, std::chrono::hours(1))).verdict, Verdict::Contact);
  const auto triangles = static_cast<std::int64_t>(fine.polyhedron().mesh().triangles.size());
  EXPECT_LT(clock.now(), WorkClock::triangleTestPrice * triangles * triangles / 100);
  EXPECT_GT(clock.now(), Clock::Duration(0));
}

/// Of surfaces that run along each other the spheres meet nearly everywhere: to find that their
/// boxes part all of them would take ten times as long as the triangles.
TEST(Collide, GivesUpSpheresThatPartTooLittle) {
  const auto open = [](Real tube) {
    TriangleMesh mesh = test::torus(80, 40, 0.7, tube);
    mesh.triangles.pop_back();
    return *makeShape(mesh);
  };
  const auto workOf = [](const Shape& a, const Shape& b) {
    WorkClock clock;
    CollisionQuery query;
    query.begin(a, {}, b, {});
    EXPECT_EQ(query.refine(TimeBudget(clock, std::chrono::hours(1))).verdict, Verdict::Separate);
    return clock.now();
  };
  const auto withoutTree = [](const Shape& shape) {
    return Shape::of(Polyhedron(shape.polyhedron().mesh()));
  };
  const Shape outer = open(0.25);
  for (const Real share : {0.8, 0.85, 0.9, 0.92}) {
    const Shape inner = open(0.25 * share);
    EXPECT_LT(workOf(outer, inner),
              workOf(withoutTree(outer), withoutTree(inner)) + std::chrono::microseconds(60));
  }
}

TEST(Collide, EndsWithTheBoundingSpheresWhereTheyAreApart) {
  const Shapes shapes = kit().tables();
  const Shape& a = shapes[0];
  const Shape& b = shapes[2];
  const Real reach = a.radius() + b.radius();
  const Refinement far = collide(a, Pose{}, b, Pose{{1.001 * reach, 0.0, 0.0}});
  EXPECT_EQ(far.verdict, Verdict::Separate);
  EXPECT_EQ(far.stage, Stage::Bounds);
  EXPECT_FALSE(far.canRefine);
  EXPECT_NE(collide(a, Pose{}, b, Pose{{0.98 * reach, 0.0, 0.0}}).stage, Stage::Bounds);
}

/// Level by level the answers are those of the method itself, and going on later from a level is
/// the same as going straight on.
TEST(Collide, StopsAtALevelAndGoesOnFromThere) {
  const Shapes shapes = kit().tables();
  const auto method = makeSphereTreeNarrowPhase(shapes);
  Random random(9);
  CollisionQuery query;
  int stopped = 0, contacts = 0;
  for (int i = 0; i < 300; ++i) {
    const test::TwoBodies bodies = test::randomNearMissPair(random, kit().polyhedra);
    const std::vector<Refinement> levels = test::allLevels(*method, bodies);
    query.begin(shapes[bodies[0].shape.index()], bodies[0].pose, shapes[bodies[1].shape.index()],
                bodies[1].pose);
    if (query.known().stage == Stage::Bounds && !query.known().canRefine) continue;
    EXPECT_EQ(query.refineTo(0).stage, Stage::Bounds);
    for (int level = 1; level < 6; ++level) {
      const Verdict verdict = query.verdictAt(level);
      const Refinement found = query.refineTo(level);
      EXPECT_EQ(verdict, found.verdict);
      const auto at = std::min<std::size_t>(static_cast<std::size_t>(level), levels.size() - 1);
      test::expectSame(found, levels[at]);
      EXPECT_EQ(found.level <= level, true);
      stopped += found.canRefine;
    }
    test::expectSame(query.refine(), levels.back());
    contacts += levels.back().verdict == Verdict::Contact;
  }
  EXPECT_GT(stopped, 100);
  EXPECT_GT(contacts, 50);
}

/// However the time is cut, a bound that is said holds, and the end is the same.
TEST(CollisionQuery, GoesOnWhereTimeRanOut) {
  const Shapes shapes = kit().tables();
  Random random(5);
  int cut = 0;
  CollisionQuery query;
  for (int i = 0; i < 200; ++i) {
    const auto bodies = test::randomNearMissPair(random, kit().polyhedra);
    const Shape& a = shapes[bodies[0].shape.index()];
    const Shape& b = shapes[bodies[1].shape.index()];
    const Refinement whole = collide(a, bodies[0].pose, b, bodies[1].pose);
    const Real apart = distanceBetween(a.polyhedron(), b.polyhedron(),
                                       relativePose(bodies[0].pose, bodies[1].pose));
    query.begin(a, bodies[0].pose, b, bodies[1].pose);
    Refinement known;
    int calls = 0;
    do {
      ManualClock clock(std::chrono::nanoseconds(1));
      known = query.refine(TimeBudget(clock, std::chrono::nanoseconds(random.whole(0, 3))));
      EXPECT_NE(known.stage, Stage::Bounds) << "the first step is always made";
      if (known.verdict != Verdict::Separate) {
        EXPECT_GE(known.separationBound, apart);
      }
      ASSERT_LT(++calls, 1000000);
    } while (known.canRefine);
    cut += calls > 1;
    EXPECT_EQ(known.verdict, whole.verdict);
    EXPECT_EQ(known.level, whole.level);
    EXPECT_EQ(query.known().verdict, whole.verdict);
  }
  EXPECT_GT(cut, 50);
}

TEST(CollisionQuery, AllocatesNothingForTheSameShapesInOtherPoses) {
  const Shapes shapes = kit().tables();
  const Shape& a = shapes[0];
  const Shape& b = shapes[1];
  CollisionQuery query;
  const auto ask = [&](std::uint64_t seed) {
    Random random(seed);
    for (int i = 0; i < 100; ++i) {
      query.begin(a, Pose{}, b, {random.inCube(1.0), random.rotation()});
      query.refine();
    }
  };
  ask(1);
  EXPECT_EQ(test::allocationsIn([&] { ask(1); }), 0u);
}

TEST(CollideDeathTest, PosesThatAreNoneEndWithASentence) {
  const Shapes shapes = kit().tables();
  const Shape& a = shapes[0];
  Pose lost;
  lost.position.x = std::numeric_limits<Real>::quiet_NaN();
  EXPECT_DEATH(static_cast<void>(collide(a, Pose{}, a, lost)),
               "position.x is nan, but must be finite");
}

}  // namespace
}  // namespace nearmiss
