// SPDX-License-Identifier: MIT
/// Coherence between frames: bodies in steady motion, with it and without, and by brute force.
#include <gtest/gtest.h>
#include <nearmiss/advanced/detector.h>
#include <nearmiss/advanced/narrow_phase.h>
#include <nearmiss/rivals/narrow_phases.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/gtc/quaternion.hpp>
#include <memory>
#include <vector>

#include "geometry/polyhedron_pair.h"
#include "narrow/near_triangles.h"
#include "narrow/searched_shapes.h"
#include "support/assemblies.h"
#include "support/campaign.h"
#include "support/narrow.h"
#include "support/pairs.h"

namespace nearmiss {
namespace {

using test::cases;
using test::Random;
using test::TwoBodies;

/// A pair and how it moves in a frame: the second body, in steps of a share of its radius.
struct Motion {
  TwoBodies bodies;
  Vec3 step;
  Quat turn;

  void advance() {
    bodies[1].pose.position += step;
    bodies[1].pose.rotation = glm::normalize(turn * bodies[1].pose.rotation);
  }
};

Motion coherentMotion(Random& random, const TwoBodies& start, Real share, Real radius) {
  const Real angle = share * random.unit();
  const Vec3 axis = random.direction();
  return {start, share * radius * random.unit() * random.direction(), glm::angleAxis(angle, axis)};
}

const TriangleMesh& meshOf(const BodyState& body, std::span<const Polyhedron> shapes) {
  return shapes[body.shape.index()].mesh();
}

struct Totals {
  int frames = 0, contacts = 0, exact = 0;
  std::uint64_t with = 0, without = 0;  ///< work, in tests of bounds
};

std::uint64_t costOf(const WorkCount& work) { return work.boundTests + 50 * work.triangleTests; }

/// Flights of two phases over the same frames, whose answers must be the same at every level.
void compareFlights(NarrowPhase& with, NarrowPhase& without, NarrowPhase& reference,
                    std::span<const Polyhedron> shapes, Real share, int flights, Totals& totals) {
  Random random(7);
  for (int i = 0; i < flights && !testing::Test::HasFailure(); ++i) {
    SCOPED_TRACE(testing::Message() << "flight " << i);
    const TwoBodies start = test::grazingPair(random, shapes, reference, 3, 9);
    Motion motion = coherentMotion(random, start, share, shapes[start[1].shape.index()].radius());
    for (int frame = 0; frame < 24 && !testing::Test::HasFailure(); ++frame, motion.advance()) {
      const auto own = test::allLevels(with, motion.bodies);
      const std::uint64_t ownCost = costOf(with.work());
      const auto others = test::allLevels(without, motion.bodies);
      ASSERT_EQ(own.size(), others.size());
      for (std::size_t level = 0; level < own.size(); ++level)
        test::expectSameFigures(own[level], others[level]);
      ASSERT_EQ(own.back().verdict, test::finalVerdict(reference, motion.bodies));
      if (own.back().triangleA != Refinement::noTriangle) {
        const Pose bToA = relativePose(motion.bodies[0].pose, motion.bodies[1].pose);
        ASSERT_TRUE(
            trianglesMeet(meshOf(motion.bodies[0], shapes).corners(own.back().triangleA),
                          moved(meshOf(motion.bodies[1], shapes), own.back().triangleB, bToA)));
      }
      ++totals.frames;
      totals.contacts += own.back().verdict == Verdict::Contact;
      if (own.back().stage != Stage::Exact || own.back().verdict != Verdict::Separate) continue;
      ++totals.exact;
      totals.with += ownCost;
      totals.without += costOf(without.work());
    }
  }
}

TEST(Coherence, ChangesNoAnswerOfSphereTrees) {
  const Shapes shapes = test::searchedShapes().shapes();
  const auto with = makeSphereTreeNarrowPhase(shapes), without = makeSphereTreeNarrowPhase(shapes);
  const auto reference = makeBruteForceNarrowPhase(shapes);
  with->setCoherence(true);
  Totals all;
  for (const Real share : {0.001, 0.01, 0.03, 0.1})
    compareFlights(*with, *without, *reference, test::searchedShapes().polyhedra, share, cases(60),
                   all);
  EXPECT_GT(all.contacts, all.frames / 10);
  EXPECT_GT(all.exact, all.frames / 10);
  // Passages that end soon may cost a little more
  EXPECT_LT(10 * all.with, 11 * all.without);
}

/// Two bodies that slide along each other slowly, a hair apart: most of the comparison of their
/// triangles is spared.
TEST(Coherence, SparesSlowBodiesTheirTriangles) {
  test::SearchedShapes parts;
  const test::Assembly assembly = test::nutAndBolt(0.02);
  parts.add(assembly.a, "octree", {.levels = 2});
  parts.add(assembly.b, "octree", {.levels = 2});
  const Shapes shapes = parts.shapes();
  const auto with = makeSphereTreeNarrowPhase(shapes), without = makeSphereTreeNarrowPhase(shapes);
  with->setCoherence(true);
  TwoBodies bodies{test::bodyOf(0, 0, parts.polyhedra[0], {}),
                   test::bodyOf(1, 1, parts.polyhedra[1], assembly.assembled)};
  std::uint64_t own = 0, others = 0;
  for (int frame = 0; frame < 200; ++frame) {
    bodies[1].pose.position.z += frame / 10 % 2 == 0 ? 1e-6 : -1e-6;
    const auto kept = test::allLevels(*with, bodies), fresh = test::allLevels(*without, bodies);
    ASSERT_EQ(kept.back().verdict, Verdict::Separate);
    test::expectSame(kept.back(), fresh.back());
    own += costOf(with->work());
    others += costOf(without->work());
  }
  EXPECT_LT(4 * own, 3 * others) << own << " and " << others;
}

TEST(Coherence, ChangesNoAnswerOfClosestFeatures) {
  const Shapes shapes = test::searchedShapes().shapes();
  const auto with = makeVolumeTreeNarrowPhase(shapes, VolumeKind::HullFeatures),
             without = makeVolumeTreeNarrowPhase(shapes, VolumeKind::HullFeatures);
  const auto reference = makeBruteForceNarrowPhase(shapes);
  with->setCoherence(true);
  for (const Real share : {0.001, 0.03, 0.1}) {
    Totals totals;
    compareFlights(*with, *without, *reference, test::searchedShapes().polyhedra, share, cases(20),
                   totals);
    EXPECT_GT(totals.contacts, totals.frames / 10);
    EXPECT_LT(totals.contacts, totals.frames);
  }
}

/// Under the same keys: another shape, a place far away, and back.
TEST(Coherence, TellsBodiesThatWereExchanged) {
  const Shapes shapes = test::searchedShapes().shapes();
  const auto& polyhedra = test::searchedShapes().polyhedra;
  const auto with = makeSphereTreeNarrowPhase(shapes);
  const auto reference = makeBruteForceNarrowPhase(shapes);
  with->setCoherence(true);
  Random random(11);
  std::vector<Motion> motions;
  for (int i = 0; i < 12; ++i)
    motions.push_back(
        coherentMotion(random, test::grazingPair(random, polyhedra, *reference, 3, 8), 0.004, 1.0));
  int contacts = 0, frames = 0;
  for (; frames < cases(300); ++frames) {
    Motion& motion = motions[static_cast<std::size_t>(random.whole(0, frames % 40 < 20 ? 11 : 1))];
    motion.advance();
    const Verdict truth = test::finalVerdict(*reference, motion.bodies);
    ASSERT_EQ(test::finalVerdict(*with, motion.bodies), truth) << "frame " << frames;
    contacts += truth == Verdict::Contact;
    // Back before it is far away
    if (frames % 30 == 29)
      for (Motion& each : motions) each.step = -each.step;
  }
  EXPECT_GT(contacts, frames / 20);
  EXPECT_LT(contacts, frames - frames / 20);
}

/// A body of the same key and place that becomes larger touches what the smaller one did not.
TEST(Coherence, TellsShapesOfOneBodyApart) {
  test::SearchedShapes sizes;
  const SphereTreeSettings settings{.levels = 2};
  for (const Real radius : {1.0, 0.5, 0.52})
    sizes.add(test::sphere(24, 32, radius), "octree", settings);
  const Shapes shapes = sizes.shapes();
  const auto phase = makeSphereTreeNarrowPhase(shapes);
  phase->setCoherence(true);
  TwoBodies bodies{
      test::bodyOf(0, 0, sizes.polyhedra[0], {}),
      test::bodyOf(1, 1, sizes.polyhedra[1], {Vec3(1.505, 0.0, 0.0), Quat(1, 0, 0, 0)})};
  for (int frame = 0; frame < 6; ++frame) {
    bodies[1].pose.position.y += 0.001;
    ASSERT_EQ(test::finalVerdict(*phase, bodies), Verdict::Separate);
  }
  bodies[1].shape = shapes.ref(2);
  EXPECT_EQ(test::finalVerdict(*phase, bodies), Verdict::Contact);
}

/// A small body that goes to and fro within a large one, near its surface: no surfaces meet, and
/// the answer is contact, proven by spheres inside or, without them, by the triangles.
TEST(Coherence, KnowsThatOneHoldsTheOther) {
  for (const std::size_t inner : {200u, 0u}) {
    test::SearchedShapes held;
    held.add(test::sphere(24, 32, 1.0), "octree", {.levels = 2, .innerSpheres = inner});
    held.add(test::sphere(12, 16, 0.15), "octree", {.levels = 2, .innerSpheres = inner});
    const Shapes shapes = held.shapes();
    const auto with = makeSphereTreeNarrowPhase(shapes),
               without = makeSphereTreeNarrowPhase(shapes);
    with->setCoherence(true);
    Random random(23);
    for (int i = 0; i < cases(40); ++i) {
      TwoBodies bodies{test::bodyOf(0, 0, held.polyhedra[0], {}),
                       test::bodyOf(1, 1, held.polyhedra[1], {Vec3(0.0), random.rotation()})};
      const Vec3 outward = random.direction();
      for (int frame = 0; frame < 30; ++frame) {
        bodies[1].pose.position = (0.78 + 0.001 * frame) * outward;
        const auto own = test::allLevels(*with, bodies), others = test::allLevels(*without, bodies);
        ASSERT_EQ(own.size(), others.size());
        test::expectSameFigures(own.back(), others.back());
        ASSERT_EQ(own.back().verdict, Verdict::Contact);
        ASSERT_EQ(own.back().byInnerSpheres, inner > 0);
      }
    }
  }
}

/// Against samples of the motion itself.
TEST(Coherence, BoundsTheMotionOfEveryPoint) {
  Random random(5);
  Real tightest = 0.0;
  for (int i = 0; i < cases(20000); ++i) {
    const Real size = std::pow(10.0, random.between(-3.0, 3.0));
    const Pose from{size * random.unit() * random.direction(), random.rotation()};
    Pose to{from.position + size * std::pow(10.0, random.between(-6.0, 0.0)) * random.direction(),
            glm::normalize(
                glm::angleAxis(std::pow(10.0, random.between(-6.0, 0.5)), random.direction()) *
                from.rotation)};
    if (random.chance(0.5)) to.rotation = -to.rotation;
    const Real bound = movedAtMost(from, to, size);
    for (int k = 0; k < 20; ++k) {
      const Vec3 point = size * random.direction();
      const Real moved = glm::distance(transformed(from, point), transformed(to, point));
      ASSERT_LE(moved, bound + 1e-12 * size);
      tightest = std::max(tightest, moved / bound);
    }
  }
  EXPECT_GT(tightest, 0.95);
}

/// Through a detector, under a budget of work too: the same pairs, and with time for all the same
/// answers.
TEST(Coherence, ChangesNoDetection) {
  const Shapes shapes = test::searchedShapes().shapes();
  const auto& polyhedra = test::searchedShapes().polyhedra;
  Detector with(makeAllPairsBroadPhase(), makeSphereTreeNarrowPhase(shapes));
  Detector without(makeAllPairsBroadPhase(), makeSphereTreeNarrowPhase(shapes));
  with.setCoherence(true);
  const auto reference = makeBruteForceNarrowPhase(shapes);
  Random random(3);
  std::vector<BodyState> bodies;
  std::vector<Vec3> steps;
  for (std::uint32_t i = 0; i < 6; ++i) {
    const TwoBodies two = test::grazingPair(random, polyhedra, *reference, 3, 8);
    for (BodyState body : two) {
      body.key = static_cast<std::uint32_t>(bodies.size());
      body.pose.position += Vec3(0.7 * i, 0.0, 0.0);
      bodies.push_back(body);
      steps.push_back(0.002 * random.direction());
    }
  }
  std::size_t looked = 0;
  for (int frame = 0; frame < 100; ++frame) {
    const auto& own = with.detect(bodies, frame, TimeBudget::unlimited());
    const auto& others = without.detect(bodies, frame, TimeBudget::unlimited());
    ASSERT_EQ(own.pairs.size(), others.pairs.size());
    for (std::size_t i = 0; i < own.pairs.size(); ++i) {
      ASSERT_EQ(own.pairs[i].bodies, others.pairs[i].bodies);
      test::expectSameFigures(own.pairs[i].refinement, others.pairs[i].refinement);
    }
    looked += own.pairs.size();
    for (std::size_t i = 0; i < bodies.size(); ++i)
      bodies[i].pose.position += frame / 25 % 2 == 0 ? steps[i] : -steps[i];
  }
  EXPECT_GT(looked, 500u);
}

}  // namespace
}  // namespace nearmiss
