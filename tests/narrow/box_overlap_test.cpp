// SPDX-License-Identifier: MIT
/// Boxes beside spheres: never called apart where they meet, and called apart where a gap is seen.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "oracle/boxes.h"
#include "spheres/box_overlap.h"
#include "spheres/sphere_packing.h"
#include "support/campaign.h"
#include "support/random.h"

namespace nearmiss {
namespace {

using test::cases;
using test::Random;

constexpr float size = 8.0f;                         // of both boxes and what is between them
constexpr float slack = boxSlack * 0x1p-19f * size;  // what the narrow phase would demand

/// A box whose axes are those of `turn`, rounded.
NodeBox boxOf(const Vec3& centre, const Quat& turn, const Vec3& half) {
  NodeBox box;
  for (int k = 0; k < 3; ++k) {
    box.centre[k] = nearestFloat(centre[k]);
    box.half[k] = nearestFloat(half[k]);
    Vec3 unit(0.0);
    unit[k] = 1.0;
    const Vec3 axis = turn * unit;
    for (int i = 0; i < 3; ++i) box.axis[k][i] = nearestFloat(axis[i]);
  }
  return box;
}

/// Some flat, some long, some cubes.
Vec3 randomHalf(Random& random) {
  Vec3 half(random.between(0.05, 1.0), random.between(0.05, 1.0), random.between(0.05, 1.0));
  if (random.chance(0.3)) half.x *= 1e-3;
  if (random.chance(0.1)) half.x = 0.0;
  return half;
}

/// The same rotation, or one that differs from it by very little or by right angles.
Quat nearlyParallel(Random& random, const Quat& turn) {
  Quat other = turn;
  if (random.chance(0.5)) other = other * glm::angleAxis(0.5 * std::numbers::pi, Vec3(1, 0, 0));
  if (random.chance(0.5)) other = other * glm::angleAxis(0.5 * std::numbers::pi, Vec3(0, 0, 1));
  const Real angle = random.chance(0.2) ? 0.0 : std::ldexp(1.0, -random.whole(4, 45));
  return glm::angleAxis(angle, random.direction()) * other;
}

Vec3 pointOn(Random& random, const Vec3& half) {
  // Corners, edges, faces and the inside
  Vec3 at;
  for (int k = 0; k < 3; ++k)
    at[k] = random.chance(0.6) ? (random.chance(0.5) ? half[k] : -half[k])
                               : random.between(-half[k], half[k]);
  return at;
}

/// Two boxes that share a point, or miss it along the line to it by a gap that may be as small as
/// 2^-finest.
std::array<NodeBox, 2> touching(Random& random, int finest) {
  const Real gap = random.between(-1.0, 1.0) * std::ldexp(1.0, -random.whole(2, finest));
  const Quat turnA = random.rotation();
  const Quat turnB = random.chance(0.7) ? nearlyParallel(random, turnA) : random.rotation();
  const Vec3 halfA = randomHalf(random), halfB = randomHalf(random);
  const Vec3 centreA = random.inCube(1.0);
  const Vec3 outward = turnA * pointOn(random, halfA);
  Vec3 inward = turnB * pointOn(random, halfB);
  if (glm::dot(outward, inward) > 0.0) inward = -inward;
  const Real length = glm::length(outward);
  const Vec3 more = length > 0.0 ? outward * (gap / length) : Vec3(0.0);
  return {boxOf(centreA, turnA, halfA), boxOf(centreA + outward + more - inward, turnB, halfB)};
}

/// `meet`: two boxes share a point. `denied`: boxesApart() separates them.
struct Judgement {
  bool meet, denied;
};

/// Calls reference() `count` times, until the first failure: boxes that meet must never be called
/// apart, and there must be enough of both.
void expectNeverDenied(int count, const auto& reference) {
  int meet = 0, apart = 0;
  for (int i = 0; i < count && !testing::Test::HasFailure(); ++i) {
    SCOPED_TRACE(testing::Message() << "case " << i);
    const Judgement judged = reference();
    EXPECT_FALSE(judged.meet && judged.denied);
    meet += judged.meet;
    apart += judged.denied;
  }
  EXPECT_GT(meet, count / 3);
  EXPECT_GT(apart, count / 20);
}

TEST(BoxOverlap, IsNeverDeniedOfBoxesThatMeet) {
  Random random(81);
  expectNeverDenied(cases(4000), [&random]() -> Judgement {
    const auto [a, b] = touching(random, 40);
    EXPECT_TRUE(isBoxFor(a, {a.middle(), 2.0}));
    return {test::boxesMeetExactly(a, b), boxesApart(BoxLanes(a), BoxLanes(b), slack)};
  });
}

/// How far a box reaches from its centre along a unit axis.
Real reach(const NodeBox& box, const Vec3& axis) {
  Real sum = 0.0;
  for (int k = 0; k < 3; ++k) sum += Real{box.half[k]} * std::abs(glm::dot(axis, box.direction(k)));
  return sum;
}

/// A gap slightly above the slack along a face is seen in every rotation.
TEST(BoxOverlap, IsDeniedWhereAGapIsWiderThanTheSlack) {
  Random random(82);
  for (int i = 0; i < cases(3000); ++i) {
    const Quat turn = random.rotation();
    const NodeBox a = boxOf(random.inCube(1.0), turn, randomHalf(random));
    NodeBox b =
        boxOf(Vec3(0.0), random.chance(0.5) ? nearlyParallel(random, turn) : random.rotation(),
              randomHalf(random));
    const int k = random.whole(0, 2);
    const Vec3 axis = a.direction(k);
    const Real apart = a.half[k] + reach(b, axis) + 1.1 * slack + 1e-6;
    const Vec3 centre = a.middle() + axis * apart;
    for (int j = 0; j < 3; ++j) b.centre[j] = nearestFloat(centre[j]);
    ASSERT_TRUE(boxesApart(BoxLanes(a), BoxLanes(b), slack)) << "case " << i;
    ASSERT_TRUE(boxesApart(BoxLanes(b), BoxLanes(a), slack)) << "case " << i;
    ASSERT_FALSE(test::boxesMeetExactly(a, b));
  }
}

/// True if a face of `a` lies between the boxes.
bool facesPart(const NodeBox& a, const NodeBox& b) {
  for (int k = 0; k < 3; ++k) {
    const Vec3 axis = a.direction(k);
    const Real between = std::abs(glm::dot(b.middle() - a.middle(), axis));
    if (between > a.half[k] + reach(b, axis)) return true;
  }
  return false;
}

/// Crossed edges: often no face parts them.
TEST(BoxOverlap, IsDeniedOfCrossedEdges) {
  const Quat aslant = glm::angleAxis(0.25 * std::numbers::pi, Vec3(0, 0, 1)) *
                      glm::angleAxis(std::atan(std::sqrt(0.5)), Vec3(0, 1, 0));
  Random random(83);
  int denied = 0, byEdges = 0;
  for (int i = 0; i < cases(2000); ++i) {
    const NodeBox a = boxOf(Vec3(0.0), aslant, Vec3(0.02, 0.02, 1.0));
    const NodeBox b = boxOf(random.direction() * random.between(0.01, 0.1), random.rotation(),
                            Vec3(0.02, 0.02, 1.0));
    const bool apart = boxesApart(BoxLanes(a), BoxLanes(b), slack);
    ASSERT_FALSE(apart && test::boxesMeetExactly(a, b));
    denied += apart;
    byEdges += apart && !facesPart(a, b) && !facesPart(b, a);
  }
  EXPECT_GT(denied, cases(2000) / 10);
  EXPECT_GT(byEdges, cases(2000) / 20);
}

/// As the narrow phase does it: the second box lies in the frame of its own body, and the rotation
/// into the other's may be a little too long or too short.
TEST(BoxOverlap, IsNeverDeniedOfABoxThatIsMovedOntoAnother) {
  Random random(85);
  expectNeverDenied(cases(400), [&random]() -> Judgement {
    const auto [a, there] = touching(random, 24);
    Pose pose{random.inCube(3.0), random.rotation()};
    const NodeBox b = boxOf(
        glm::conjugate(pose.rotation) * (there.middle() - pose.position),
        glm::conjugate(pose.rotation) *
            glm::quat_cast(glm::dmat3(there.direction(0), there.direction(1), there.direction(2))),
        Vec3(there.half[0], there.half[1], there.half[2]));
    if (random.chance(0.3)) pose.rotation *= 1.0 + random.between(-1e-6, 1e-6);
    // Each body's farthest sphere
    const auto reachOf = [](const NodeBox& box) {
      return glm::length(box.middle()) + glm::length(Vec3(box.half[0], box.half[1], box.half[2]));
    };
    const PackMotion motion(pose, reachOf(a), reachOf(b));
    BoxLanes moved;
    move(motion, BoxLanes(b), moved);
    return {test::boxesMeetExactly(test::ExactBox(a), test::ExactBox(b, pose)),
            boxesApart(BoxLanes(a), moved, boxSlack * motion.slack)};
  });
}

TEST(BoxOverlap, OfASphereIsDeniedOnlyAndAlwaysAcrossAGap) {
  Random random(84);
  for (int i = 0; i < cases(20000); ++i) {
    const NodeBox box = boxOf(random.inCube(1.0), random.rotation(), randomHalf(random));
    const auto at = [&box](const Vec3& along) {
      Vec3 point = box.middle();
      for (int k = 0; k < 3; ++k) point += along[k] * box.direction(k);
      return point;
    };
    const auto apartFrom = [&box](const Vec3& centre, float radius) {
      return boxApart(BoxLanes(box),
                      {static_cast<float>(centre.x), static_cast<float>(centre.y),
                       static_cast<float>(centre.z), radius},
                      slack);
    };
    const Vec3 half(box.half[0], box.half[1], box.half[2]);
    // A sphere that reaches a point of the box, wherever its centre is
    const Vec3 shared = at(pointOn(random, half));
    const Vec3 centre =
        roundedToFloat(shared + random.direction() * std::ldexp(1.0, -random.whole(0, 30)));
    ASSERT_FALSE(apartFrom(centre, floatAtLeast(glm::distance(centre, shared)))) << "case " << i;

    // And one that ends before a face
    Vec3 beyond = pointOn(random, half);
    const int face = random.whole(0, 2);
    const Real gap = random.between(0.01, 1.0);
    beyond[face] = (random.chance(0.5) ? 1.0 : -1.0) * (half[face] + gap);
    ASSERT_TRUE(apartFrom(at(beyond), static_cast<float>(gap - 1.1 * slack - 1e-6)))
        << "case " << i;
  }
}

}  // namespace
}  // namespace nearmiss
