// SPDX-License-Identifier: MIT
/// Boxes beside spheres: never called apart where they meet, and called apart where a gap is seen.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "hierarchy/sphere_packing.h"
#include "narrow/box_overlap.h"
#include "oracle/boxes.h"
#include "support/campaign.h"
#include "support/random.h"

namespace nearmiss {
namespace {

using test::cases;
using test::Random;

constexpr Real size = 8.0;                         // of both boxes and what is between them
constexpr Real slack = boxSlack * 0x1p-19 * size;  // what the narrow phase would demand

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

/// Two boxes that share a point, or miss it by `gap` along the line to it.
std::array<NodeBox, 2> touching(Random& random, Real gap) {
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

TEST(BoxOverlap, IsNeverDeniedOfBoxesThatMeet) {
  Random random(81);
  const int count = cases(4000);
  int meet = 0, apart = 0;
  for (int i = 0; i < count; ++i) {
    const Real gap = random.between(-1.0, 1.0) * std::ldexp(1.0, -random.whole(2, 40));
    const auto [a, b] = touching(random, gap);
    ASSERT_TRUE(isBoxFor(a, {Vec3(a.centre[0], a.centre[1], a.centre[2]), 2.0}));
    const bool denied = boxesApart(MovedBox(a), MovedBox(b), slack);
    const bool truth = test::boxesMeetExactly(a, b);
    ASSERT_FALSE(truth && denied) << "case " << i;
    meet += truth;
    apart += denied;
  }
  EXPECT_GT(meet, count / 3);
  EXPECT_GT(apart, count / 20);
}

/// What separates by the slack and a little more along a face is seen, whatever the turn.
TEST(BoxOverlap, IsDeniedWhereAGapIsWiderThanTheSlack) {
  Random random(82);
  for (int i = 0; i < cases(3000); ++i) {
    const Quat turn = random.rotation();
    const NodeBox a = boxOf(random.inCube(1.0), turn, randomHalf(random));
    NodeBox b =
        boxOf(Vec3(0.0), random.chance(0.5) ? nearlyParallel(random, turn) : random.rotation(),
              randomHalf(random));
    const int k = random.whole(0, 2);
    const Vec3 axis = MovedBox(a).axis[k];
    Real reach = a.half[k];
    for (int j = 0; j < 3; ++j)
      reach += Real{b.half[j]} * std::abs(glm::dot(axis, MovedBox(b).axis[j]));
    const Vec3 centre = MovedBox(a).centre + axis * (reach + 1.1 * slack + 1e-6);
    for (int j = 0; j < 3; ++j) b.centre[j] = nearestFloat(centre[j]);
    ASSERT_TRUE(boxesApart(MovedBox(a), MovedBox(b), slack)) << "case " << i;
    ASSERT_TRUE(boxesApart(MovedBox(b), MovedBox(a), slack)) << "case " << i;
    ASSERT_FALSE(test::boxesMeetExactly(a, b));
  }
}

/// Whether a face of `a` lies between the boxes.
bool facesPart(const MovedBox& a, const MovedBox& b) {
  for (int k = 0; k < 3; ++k) {
    Real reach = a.half[k];
    for (int j = 0; j < 3; ++j) reach += b.half[j] * std::abs(glm::dot(a.axis[k], b.axis[j]));
    if (std::abs(glm::dot(b.centre - a.centre, a.axis[k])) > reach) return true;
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
    const bool apart = boxesApart(MovedBox(a), MovedBox(b), slack);
    ASSERT_FALSE(apart && test::boxesMeetExactly(a, b));
    denied += apart;
    byEdges +=
        apart && !facesPart(MovedBox(a), MovedBox(b)) && !facesPart(MovedBox(b), MovedBox(a));
  }
  EXPECT_GT(denied, cases(2000) / 10);
  EXPECT_GT(byEdges, cases(2000) / 20);
}

TEST(BoxOverlap, OfASphereIsDeniedOnlyAndAlwaysAcrossAGap) {
  Random random(84);
  for (int i = 0; i < cases(20000); ++i) {
    const MovedBox box(boxOf(random.inCube(1.0), random.rotation(), randomHalf(random)));
    const auto at = [&box](const Vec3& along) {
      Vec3 point = box.centre;
      for (int k = 0; k < 3; ++k) point += along[k] * box.axis[k];
      return point;
    };
    const Vec3 half(box.half[0], box.half[1], box.half[2]);
    // A sphere that reaches a point of the box, wherever its centre is
    const Vec3 shared = at(pointOn(random, half));
    const Vec3 centre = shared + random.direction() * std::ldexp(1.0, -random.whole(0, 30));
    ASSERT_FALSE(boxApart(box, {centre, glm::distance(centre, shared)}, slack)) << "case " << i;

    // And one that ends before a face
    Vec3 beyond = pointOn(random, half);
    const int face = random.whole(0, 2);
    const Real gap = random.between(0.01, 1.0);
    beyond[face] = (random.chance(0.5) ? 1.0 : -1.0) * (half[face] + gap);
    ASSERT_TRUE(boxApart(box, {at(beyond), gap - 1.1 * slack - 1e-6}, slack)) << "case " << i;
  }
}

}  // namespace
}  // namespace nearmiss
