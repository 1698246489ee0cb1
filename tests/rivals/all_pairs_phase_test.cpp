// SPDX-License-Identifier: MIT
/// The step of [H96 Fig. 3]: all children of a colliding pair against all.
#include <gtest/gtest.h>
#include <nearmiss/advanced/narrow_phase.h>
#include <nearmiss/shape.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <set>
#include <utility>
#include <vector>

#include "rivals/forest.h"
#include "support/campaign.h"
#include "support/narrow.h"
#include "support/pairs.h"

namespace nearmiss {
namespace {

using test::cases;
using test::childrenOf;
using test::methods;
using test::Random;
using test::SphereTreePhase;
using test::TwoBodies;

/// Only the published method reports every pair of a level.
class AllPairsPhase : public SphereTreePhase {};
INSTANTIATE_TEST_SUITE_P(All, AllPairsPhase, testing::Values(methods[0]));

/// Pairs of spheres, by their ids.
using PairSet = std::set<std::pair<SphereId, SphereId>>;

/// The colliding pairs that the phase reports, found again by their coordinates.
PairSet reportedPairs(const NarrowPhase& phase, const TwoBodies& bodies, const SphereTree& treeA,
                      const SphereTree& treeB, const PairSet& candidates) {
  std::vector<ContactSpheres> spheres;
  phase.contacts(0, static_cast<std::size_t>(-1), spheres);
  EXPECT_EQ(spheres.size(), phase.result(0).collidingSpheres);
  const auto same = [](const Sphere& a, const Sphere& b) {
    return a.centre == b.centre && a.radius == b.radius;
  };
  const auto inWorld = [](const SphereTree& tree, SphereId id, const BodyState& body) {
    Sphere sphere = tree.sphere(id);
    sphere.centre = transformed(body.pose, sphere.centre);
    return sphere;
  };
  PairSet found;
  for (const auto& [a, b] : candidates) {
    const Sphere sphereA = inWorld(treeA, a, bodies[0]);
    const Sphere sphereB = inWorld(treeB, b, bodies[1]);
    for (const ContactSpheres& s : spheres)
      if (same(s.a, sphereA) && same(s.b, sphereB)) found.emplace(a, b);
  }
  EXPECT_EQ(found.size(), spheres.size()) << "a pair is no child of a colliding pair, or repeated";
  return found;
}

TEST_P(AllPairsPhase, FindsInOneStepWhatAllChildrenAgainstAllChildrenFind) {
  Random random(52);
  int steps = 0;
  for (int i = 0; i < cases(40) && !HasFailure(); ++i) {
    const TwoBodies bodies = randomPair(random);
    const SphereTree &treeA = treeOf(bodies[0]), &treeB = treeOf(bodies[1]);
    const Pose bToA = relativePose(bodies[0].pose, bodies[1].pose);
    const auto overlapOf = [&](SphereId a, SphereId b) {
      Sphere sphereB = treeB.sphere(b);
      sphereB.centre = transformed(bToA, sphereB.centre);
      return overlap(treeA.sphere(a), sphereB);
    };
    const std::array pairs{BodyPair{0, 1}};
    phase_->begin(bodies, pairs);
    PairSet parents;
    if (overlapOf(0, 0) >= 0.0) parents.emplace(0, 0);
    const int spheresEnd = std::max(treeA.levelCount(), treeB.levelCount());
    // Beyond some thousand pairs the comparison by coordinates takes too long
    while (phase_->result(0).canRefine && phase_->result(0).level + 1 < spheresEnd &&
           parents.size() < 200) {
      ASSERT_TRUE(phase_->refine(0, TimeBudget::unlimited()));
      // The radii are rounded and the arithmetic is float: pairs within a hair may go either way
      constexpr Real hair = 1e-4;
      PairSet surely, perhaps;
      for (const auto& [s1, s2] : parents)
        for (const SphereId c1 : childrenOf(treeA, s1))
          for (const SphereId c2 : childrenOf(treeB, s2)) {
            const Real least = std::min({c1 == s1 ? 1.0 : overlapOf(c1, s2),
                                         c2 == s2 ? 1.0 : overlapOf(s1, c2), overlapOf(c1, c2)});
            if (least >= 0.0) surely.emplace(c1, c2);
            if (least >= -hair) perhaps.emplace(c1, c2);
          }
      if (phase_->result(0).verdict != Verdict::Possible) {
        EXPECT_TRUE(surely.empty());
        break;
      }
      parents = reportedPairs(*phase_, bodies, treeA, treeB, perhaps);
      EXPECT_TRUE(std::includes(parents.begin(), parents.end(), surely.begin(), surely.end()));
      ++steps;

      // The deepest pair is the deepest, and the bound is the least of all
      Real deepest = -1.0, bound = 1e9, estimate = 1e9;
      for (const auto& [a, b] : parents) {
        const Real h = treeA.hausdorff(a) + treeB.hausdorff(b);
        deepest = std::max(deepest, overlapOf(a, b));
        bound = std::min(bound, h);
        estimate = std::min(estimate, h - overlapOf(a, b));
      }
      const Refinement known = phase_->result(0);
      EXPECT_NEAR(overlap(known.deepest.a, known.deepest.b), deepest, 1e-5);
      EXPECT_LE(known.separationBound, bound + 1e-4);
      EXPECT_GE(known.deepest.separationBound, known.separationBound - 1e-6);
      EXPECT_NEAR(known.separationEstimate, std::clamp(estimate, 0.0, known.separationBound), 1e-4);
    }
  }
  EXPECT_GT(steps, 60);
}

TEST_P(AllPairsPhase, WritesNoMoreContactsThanAskedFor) {
  Random random(53);
  TwoBodies bodies = randomPair(random);
  bodies[0].shape = bodies[1].shape = ShapeRef::ofRadius(bodies[1].shape.radius(), 0);
  bodies[1].pose.position = bodies[0].pose.position + Vec3(0.3, 0.0, 0.0);
  const std::array pairs{BodyPair{0, 1}};
  phase_->begin(bodies, pairs);
  std::vector<ContactSpheres> spheres(5);
  phase_->contacts(0, 10, spheres);
  EXPECT_EQ(spheres.size(), 1u) << "level 0 is the bounding spheres";
  while (phase_->result(0).level < 3) phase_->refine(0, TimeBudget::unlimited());
  ASSERT_GT(phase_->result(0).collidingSpheres, 100u);
  phase_->contacts(0, 7, spheres);
  EXPECT_EQ(spheres.size(), 7u);
  phase_->contacts(0, 0, spheres);
  EXPECT_TRUE(spheres.empty());
}

}  // namespace
}  // namespace nearmiss
