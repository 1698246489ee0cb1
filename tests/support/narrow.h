// SPDX-License-Identifier: MIT
/// Pairs through narrow phases, what is expected of their verdicts, and poses that are exact in
/// every digit.
#pragma once

#include <gtest/gtest.h>
#include <nearmiss/advanced/narrow_phase.h>

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "support/pairs.h"
#include "support/random.h"

namespace nearmiss::test {

using TwoBodies = std::array<BodyState, 2>;

/// The result of the narrow phase for the two bodies after each of its steps, level 0 first.
inline std::vector<Refinement> allLevels(NarrowPhase& phase, const TwoBodies& bodies) {
  const std::array pairs{BodyPair{0, 1}};
  phase.begin(bodies, pairs);
  std::vector<Refinement> levels{phase.result(0)};
  const auto agrees = [&] {
    const Refinement& known = levels.back();
    return phase.mayRefine(0, known.level + 1) == known.canRefine &&
           !phase.mayRefine(0, known.level);
  };
  EXPECT_TRUE(agrees());
  while (levels.back().canRefine) {
    phase.refine(0, TimeBudget::unlimited());
    levels.push_back(phase.result(0));
    EXPECT_TRUE(agrees());
  }
  return levels;
}

/// Every figure of two answers to the same question, to the last bit, but for the triangles that
/// are named of several that meet.
inline void expectSameFigures(const Refinement& p, const Refinement& q) {
  ASSERT_EQ(p.verdict, q.verdict);
  ASSERT_EQ(p.stage, q.stage);
  ASSERT_EQ(p.level, q.level);
  ASSERT_EQ(p.canRefine, q.canRefine);
  ASSERT_EQ(p.collidingSpheres, q.collidingSpheres);
  ASSERT_EQ(p.separationBound, q.separationBound);
  ASSERT_EQ(p.separationEstimate, q.separationEstimate);
  ASSERT_EQ(p.deepest.a.centre, q.deepest.a.centre);
  ASSERT_EQ(p.deepest.b.centre, q.deepest.b.centre);
  ASSERT_EQ(p.byInnerSpheres, q.byInnerSpheres);
}

/// The same, and those triangles.
inline void expectSame(const Refinement& p, const Refinement& q) {
  expectSameFigures(p, q);
  ASSERT_EQ(p.triangleA, q.triangleA);
  ASSERT_EQ(p.triangleB, q.triangleB);
}

inline Verdict finalVerdict(NarrowPhase& phase, const TwoBodies& bodies) {
  return allLevels(phase, bodies).back().verdict;
}

/// Two bodies a hair apart or a hair into each other, by the verdict of `reference`: between
/// 2^-least and 2^-most of how far apart they could be.
inline TwoBodies grazingPair(Random& random, std::span<const Polyhedron> shapes,
                             NarrowPhase& reference, int least, int most) {
  const auto meet = [&reference](const BodyState& a, const BodyState& b) {
    return finalVerdict(reference, {a, b}) == Verdict::Contact;
  };
  return randomGrazingPair(random, shapes, meet, random.whole(least, most));
}

/// Calls `check(bodies)`, which returns the true verdict, of `count` pairs that `draw()` makes,
/// until the first failure. At least `least` and less than `most` of them must be contacts, as
/// shares of all, or the test had nothing to get wrong.
inline void checkPairs(int count, double least, double most, const auto& draw, const auto& check) {
  int contacts = 0;
  for (int i = 0; i < count && !testing::Test::HasFailure(); ++i) {
    SCOPED_TRACE(testing::Message() << "pair " << i);
    contacts += check(draw()) == Verdict::Contact;
  }
  EXPECT_GT(contacts, least * count);
  EXPECT_LT(contacts, most * count);
}

/// checkPairs() of one thing: the tried phase must end with the reference's verdict.
inline void expectAgreement(int count, double least, double most, const auto& draw,
                            NarrowPhase& tried, NarrowPhase& reference) {
  checkPairs(count, least, most, draw, [&](const TwoBodies& bodies) {
    const Verdict truth = finalVerdict(reference, bodies);
    EXPECT_EQ(finalVerdict(tried, bodies), truth);
    return truth;
  });
}

/// How often phases found what the reference finds, over all of them and all pairs.
struct Comparison {
  int contacts = 0;  ///< by the reference, each pair once
  int missed = 0, invented = 0;
};

/// The final verdicts of the tried phases on pairs of which is known whether they touch.
[[nodiscard]] inline Comparison compared(std::span<const std::unique_ptr<NarrowPhase>> tried,
                                         std::span<const TwoBodies> pairs,
                                         const std::vector<bool>& touch) {
  Comparison comparison;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    comparison.contacts += touch[i];
    for (const auto& phase : tried) {
      const bool found = finalVerdict(*phase, pairs[i]) == Verdict::Contact;
      comparison.missed += touch[i] && !found;
      comparison.invented += found && !touch[i];
    }
  }
  return comparison;
}

/// The same beside the reference, over `count` pairs that `draw(i)` makes.
[[nodiscard]] inline Comparison compared(std::span<const std::unique_ptr<NarrowPhase>> tried,
                                         NarrowPhase& reference, int count, const auto& draw) {
  std::vector<TwoBodies> pairs;
  std::vector<bool> touch;
  for (int i = 0; i < count; ++i) {
    pairs.push_back(draw(i));
    touch.push_back(finalVerdict(reference, pairs.back()) == Verdict::Contact);
  }
  return compared(tried, pairs, touch);
}

/// One of the twelve rotations that map the lattice onto itself and have a quaternion without
/// rounding.
inline Quat exactRotation(Random& random) {
  const auto sign = [&random] { return random.chance(0.5) ? 0.5 : -0.5; };
  const int which = random.whole(0, 11);
  if (which == 0) return {1, 0, 0, 0};
  if (which == 1) return {0, 1, 0, 0};
  if (which == 2) return {0, 0, 1, 0};
  if (which == 3) return {0, 0, 0, 1};
  const double w = sign(), x = sign(), y = sign(), z = sign();
  return {w, x, y, z};
}

/// Two bodies at multiples of 1/8 that lie close, turned exactly: with shapes on the same lattice
/// every touch is exact, face on face, edge on edge, corner on corner.
inline TwoBodies exactPair(Random& random, std::span<const Polyhedron> shapes) {
  const auto last = static_cast<int>(shapes.size()) - 1;
  const auto a = static_cast<std::uint32_t>(random.whole(0, last));
  const auto b = static_cast<std::uint32_t>(random.whole(0, last));
  const Pose poseA{random.onLattice(64), exactRotation(random)};
  const Vec3 between = random.chance(0.5) ? random.onLattice(2) : 0.125 * random.onLattice(16);
  return {bodyOf(1, a, shapes[a], poseA),
          bodyOf(2, b, shapes[b], {poseA.position + between, exactRotation(random)})};
}

}  // namespace nearmiss::test
