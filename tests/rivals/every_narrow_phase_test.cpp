// SPDX-License-Identifier: MIT
/// One property over every narrow phase of the catalogue: what brute force finds is never missed,
/// the last step is exact, and the steps before it only get better.
#include <gtest/gtest.h>
#include <nearmiss/advanced/predicates.h>
#include <nearmiss/mesh.h>
#include <nearmiss/rivals/catalog.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <ostream>
#include <string>
#include <vector>

#include "support/allocations.h"
#include "support/borrowed.h"
#include "support/campaign.h"
#include "support/manual_clock.h"
#include "support/narrow.h"
#include "support/shapes.h"
#include "support/test_name.h"

namespace nearmiss {

/// For names of tests and messages.
static void PrintTo(const NarrowPhaseEntry& entry, std::ostream* out) { *out << entry.name; }

namespace {

using test::cases;
using test::Random;
using test::TwoBodies;

/// Built once for all tests of this program.
const test::ShapeKit& shapes() {
  static const test::ShapeKit kit(test::solidAndOpenMeshes(), 3);
  return kit;
}

class EveryNarrowPhase : public testing::TestWithParam<NarrowPhaseEntry> {
 protected:
  std::vector<Refinement> levelsOf(const TwoBodies& bodies) {
    return test::allLevels(*tried_, bodies);
  }
  Verdict judged(const TwoBodies& bodies) { return test::finalVerdict(*reference_, bodies); }

  /// Everything that must hold of one pair, whatever its pose. Returns the verdict.
  Verdict check(const TwoBodies& bodies) {
    const auto levels = levelsOf(bodies);
    const Verdict reference = judged(bodies);
    const Refinement& last = levels.back();
    EXPECT_EQ(last.verdict, reference);
    EXPECT_EQ(levels.size() > 2,
              GetParam().interruptible &&
                  (last.level > 1 || (last.level == 1 && last.stage == Stage::Exact)));

    for (std::size_t i = 0; i < levels.size(); ++i) {
      const Refinement& level = levels[i];
      EXPECT_TRUE(level.conservative);
      EXPECT_EQ(level.canRefine, i + 1 < levels.size());
      EXPECT_EQ(level.verdict == Verdict::Possible, level.canRefine) << "a final verdict is last";
      EXPECT_FALSE(reference == Verdict::Contact && level.verdict == Verdict::Separate) << i;
      EXPECT_TRUE(level.verdict != Verdict::Possible || level.collidingSpheres > 0);
      EXPECT_LE(level.separationEstimate, level.separationBound);
      EXPECT_GE(level.separationEstimate, 0.0);
      if (i == 0) continue;
      EXPECT_TRUE(level.level == levels[i - 1].level + 1 || level.stage == Stage::Exact);
      EXPECT_NE(level.stage, Stage::Bounds);
      EXPECT_NE(levels[i - 1].stage, Stage::Exact);
      if (level.verdict == Verdict::Separate) continue;
      EXPECT_LE(level.separationBound, levels[i - 1].separationBound) << "level " << i;
    }
    checkWitness(bodies, last);
    return reference;
  }

  /// check() of `count` drawn pairs, of which such shares are contacts.
  void checkPairs(int count, double least, double most, const auto& draw) {
    test::checkPairs(cases(count), least, most, draw,
                     [this](const TwoBodies& bodies) { return check(bodies); });
  }

  void checkWitness(const TwoBodies& bodies, const Refinement& last) {
    if (last.verdict != Verdict::Contact) return;
    EXPECT_EQ(last.separationBound, 0.0);
    EXPECT_EQ(last.triangleA == Refinement::noTriangle, last.triangleB == Refinement::noTriangle);
    if (last.triangleA == Refinement::noTriangle) return;
    const auto& meshA = shapes().polyhedra[bodies[0].shape.index()].mesh();
    const auto& meshB = shapes().polyhedra[bodies[1].shape.index()].mesh();
    const Pose bToA = relativePose(bodies[0].pose, bodies[1].pose);
    Triangle moved = meshB.corners(last.triangleB);
    for (Vec3& corner : moved) corner = transformed(bToA, corner);
    EXPECT_TRUE(trianglesMeet(meshA.corners(last.triangleA), moved));
  }

  std::unique_ptr<NarrowPhase> tried_ = GetParam().make(shapes().tables());
  std::unique_ptr<NarrowPhase> reference_ =
      makeBruteForceNarrowPhase(test::borrowed(shapes().polyhedra));
};

TEST_P(EveryNarrowPhase, NeverMissesWhatBruteForceFinds) {
  Random random(31);
  checkPairs(1500, 0.1, 0.9, [&] { return test::randomNearMissPair(random, shapes().polyhedra); });
}

TEST_P(EveryNarrowPhase, NeverMissesWhatTouchesByAHair) {
  Random random(32);
  checkPairs(60, 1.0 / 6.0, 5.0 / 6.0,
             [&] { return test::grazingPair(random, shapes().polyhedra, *reference_, 20, 52); });
}

TEST_P(EveryNarrowPhase, NeverMissesWhatTouchesExactly) {
  Random random(33);
  checkPairs(1500, 0.1, 0.9, [&] { return test::exactPair(random, shapes().polyhedra); });
}

/// One body deep inside the bounds of the other: contained, in a hollow, or interleaved.
TEST_P(EveryNarrowPhase, NeverMissesOneSolidInsideTheOther) {
  Random random(34);
  checkPairs(600, 0.2, 0.9, [&]() -> TwoBodies {
    constexpr std::array<std::uint32_t, 3> small{8, 9, 10};
    auto large = static_cast<std::uint32_t>(random.whole(0, 8));
    auto inner = small[static_cast<std::size_t>(random.whole(0, 2))];
    if (random.chance(0.5)) std::swap(large, inner);
    const Pose pose = test::randomPose(random, 10.0);
    const Pose other{pose.position + 0.6 * random.inCube(1.0), random.rotation()};
    return {test::bodyOf(1, large, shapes().polyhedra[large], pose),
            test::bodyOf(2, inner, shapes().polyhedra[inner], other)};
  });
}

TEST_P(EveryNarrowPhase, BoundsTheTrueDistanceAtEachLevel) {
  Random random(35);
  int bounded = 0;
  for (int i = 0; i < cases(150) && !HasFailure(); ++i) {
    SCOPED_TRACE(i);
    const auto bodies = test::randomNearMissPair(random, shapes().polyhedra);
    const auto levels = levelsOf(bodies);
    const Real truth = distanceBetween(shapes().polyhedra[bodies[0].shape.index()],
                                       shapes().polyhedra[bodies[1].shape.index()],
                                       relativePose(bodies[0].pose, bodies[1].pose));
    for (const Refinement& level : levels) {
      if (level.verdict == Verdict::Separate) {
        EXPECT_GT(truth, 0.0);
        continue;
      }
      EXPECT_LE(truth, level.separationBound);
      bounded += std::isfinite(level.separationBound);
    }
  }
  EXPECT_GT(bounded, 30);
}

/// True if exact rotations leave all of its digits.
bool onLattice(const Polyhedron& polyhedron) {
  return std::ranges::all_of(polyhedron.mesh().positions, [](const Vec3& p) {
    const Vec3 scaled = 0x1p20 * p;
    return scaled == glm::round(scaled);
  });
}

/// Exact poses of shapes on a lattice are so in either order: the coordinates are the same numbers.
/// Others round differently in the two orders, which decides where they touch in a point.
TEST_P(EveryNarrowPhase, GivesTheSameVerdictOfSwappedBodies) {
  Random random(36);
  std::vector<bool> exact;
  for (const Polyhedron& polyhedron : shapes().polyhedra) exact.push_back(onLattice(polyhedron));
  int same = 0, apart = 0;
  for (int i = 0; i < cases(300); ++i) {
    const bool posedExactly = i % 2 == 0;
    const auto bodies = posedExactly ? test::exactPair(random, shapes().polyhedra)
                                     : test::randomNearMissPair(random, shapes().polyhedra);
    const Verdict verdict = levelsOf(bodies).back().verdict;
    const Verdict swapped = levelsOf({bodies[1], bodies[0]}).back().verdict;
    const bool lattice =
        posedExactly && exact[bodies[0].shape.index()] && exact[bodies[1].shape.index()];
    if (lattice) {
      ASSERT_EQ(swapped, verdict) << "pose " << i;
      ++same;
    }
    apart += swapped != verdict;
  }
  EXPECT_GT(same, cases(300) / 50);
  EXPECT_LE(apart, cases(300) / 300);
}

/// Wherever the budget cuts, what is known is the last completed level, and the end is the same.
TEST_P(EveryNarrowPhase, LosesNothingWhenItIsCutShort) {
  Random random(37);
  int cuts = 0;
  for (int i = 0; i < cases(240); ++i) {
    const auto bodies = test::randomNearMissPair(random, shapes().polyhedra);
    const auto expected = levelsOf(bodies);
    const std::array pairs{BodyPair{0, 1}};
    ManualClock clock(Clock::Duration{1});
    tried_->begin(bodies, pairs);
    std::size_t reached = 0;
    for (int calls = 0; tried_->result(0).canRefine; ++calls) {
      ASSERT_LT(calls, 1000000);
      const bool completed = tried_->refine(0, TimeBudget(clock, Clock::Duration{1}));
      reached += completed;
      cuts += !completed;
      ASSERT_LT(reached, expected.size());
      test::expectSame(tried_->result(0), expected[reached]);
    }
    ASSERT_EQ(reached + 1, expected.size());
  }
  EXPECT_EQ(cuts > 30, GetParam().interruptible);
}

/// Pairs refined in turn are answered as if each were alone.
TEST_P(EveryNarrowPhase, KeepsPairsApart) {
  Random random(38);
  std::vector<BodyState> bodies;
  std::vector<BodyPair> pairs;
  std::vector<Verdict> expected;
  for (std::uint32_t i = 0; i < 30; ++i) {
    const auto two = test::randomNearMissPair(random, shapes().polyhedra);
    bodies.insert(bodies.end(), two.begin(), two.end());
    pairs.push_back({2 * i, 2 * i + 1});
    expected.push_back(levelsOf(two).back().verdict);
  }
  tried_->begin(bodies, pairs);
  bool any = true;
  while (any) {
    any = false;
    for (std::size_t i = pairs.size(); i-- > 0;)
      if (tried_->result(i).canRefine) any |= tried_->refine(i, TimeBudget::unlimited());
  }
  for (std::size_t i = 0; i < pairs.size(); ++i) EXPECT_EQ(tried_->result(i).verdict, expected[i]);
}

TEST_P(EveryNarrowPhase, ShowsSpheresThatHoldTheContact) {
  Random random(39);
  std::vector<ContactSpheres> contacts;
  int shown = 0;
  for (int i = 0; i < cases(60); ++i) {
    const auto bodies = test::randomNearMissPair(random, shapes().polyhedra);
    const std::array pairs{BodyPair{0, 1}};
    tried_->begin(bodies, pairs);
    for (;;) {
      const Refinement known = tried_->result(0);
      tried_->contacts(0, 7, contacts);
      if (known.verdict == Verdict::Separate) {
        EXPECT_TRUE(contacts.empty());
      } else {
        ASSERT_FALSE(contacts.empty());
        ASSERT_LE(contacts.size(), 7u);
        ++shown;
        // In world space, and near the bodies they belong to
        for (const ContactSpheres& c : contacts) {
          EXPECT_GE(overlap(c.a, c.b), -1e-5);
          EXPECT_LE(glm::distance(c.a.centre, bodies[0].pose.position),
                    2.0 * bodies[0].shape.radius());
          EXPECT_LE(glm::distance(c.b.centre, bodies[1].pose.position),
                    2.0 * bodies[1].shape.radius());
        }
      }
      if (!known.canRefine) break;
      tried_->refine(0, TimeBudget::unlimited());
    }
  }
  EXPECT_GT(shown, 60);
}

TEST_P(EveryNarrowPhase, AllocatesNothingInTheSteadyState) {
  Random random(40);
  std::vector<BodyState> bodies;
  std::vector<BodyPair> pairs;
  for (std::uint32_t i = 0; i < 40; ++i) {
    const auto two = test::randomNearMissPair(random, shapes().polyhedra);
    bodies.insert(bodies.end(), two.begin(), two.end());
    pairs.push_back({2 * i, 2 * i + 1});
  }
  std::vector<ContactSpheres> contacts;
  int found = 0;
  const auto frame = [&] {
    tried_->begin(bodies, pairs);
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      while (tried_->result(i).canRefine) tried_->refine(i, TimeBudget::unlimited());
      tried_->contacts(i, 4, contacts);
      found += tried_->result(i).verdict == Verdict::Contact;
    }
  };
  EXPECT_GT(test::allocationsIn(frame), 0u);
  EXPECT_EQ(test::allocationsIn(frame), 0u);
  EXPECT_EQ(test::allocationsIn(frame), 0u);
  EXPECT_GT(found, 10);
}

TEST(NarrowPhaseCatalog, NamesAreUniqueAndFound) {
  for (const NarrowPhaseEntry& entry : narrowPhaseCatalog()) {
    EXPECT_EQ(findNarrowPhase(entry.name), &entry);
    EXPECT_EQ(entry.make(shapes().tables())->name(), entry.name);
    EXPECT_FALSE(entry.summary.empty());
  }
  EXPECT_EQ(findNarrowPhase("no such phase"), nullptr);
}

INSTANTIATE_TEST_SUITE_P(Catalog, EveryNarrowPhase, testing::ValuesIn(narrowPhaseCatalog()),
                         [](const auto& entry) { return test::testName(entry.param.name); });

}  // namespace
}  // namespace nearmiss
