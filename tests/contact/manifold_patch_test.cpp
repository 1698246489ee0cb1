// SPDX-License-Identifier: MIT
/// Boxes in a stack, a little out of flush and leaning a little: what has to hold them.
#include <gtest/gtest.h>
#include <nearmiss/pair.h>

#include <algorithm>
#include <cmath>

#include "contact/contact_body.h"
#include "support/campaign.h"
#include "support/meshes.h"
#include "support/random.h"
#include "support/shapes.h"

namespace nearmiss {
namespace {

using test::Random;

struct Stack {
  Real deep = 0.0;        ///< metres that the upper box is pressed into the lower one
  Vec3 offset{0.0};       ///< of the upper box
  Quat turn{1, 0, 0, 0};  ///< likewise
};

/// Two unit boxes: the one aside by a hair to a hundredth or by half, leaning by less than it is
/// pressed in.
Stack drawn(Random& random) {
  Stack stack;
  stack.deep = std::pow(10.0, random.between(-5.0, -1.7));
  const Real out = std::pow(10.0, random.between(-8.0, -2.0));
  stack.offset = {out * random.between(-1, 1), out * random.between(-1, 1), 1.0 - stack.deep};
  if (random.chance(0.3)) stack.offset.x += random.chance(0.5) ? 0.5 : -0.5;
  const Real lean = random.chance(0.5) ? 0.2 * stack.deep : 0.0;
  const Real about = random.chance(0.5) ? 0.001 : 0.0;
  stack.turn =
      glm::normalize(Quat(1.0, 0.5 * lean * random.between(-1, 1),
                          0.5 * lean * random.between(-1, 1), 0.5 * about * random.between(-1, 1)));
  return stack;
}

TEST(ManifoldPatch, HoldsAStackThatIsOutOfFlush) {
  const Shape box = test::treelessShape(test::cube(0.5));
  Random random(41);
  for (int i = 0; i < test::cases(400); ++i) {
    SCOPED_TRACE(i);
    const Stack stack = drawn(random);
    const Pose below{random.inCube(10.0), random.rotation()};
    const Pose above{transformed(below, stack.offset), below.rotation * stack.turn};
    for (const bool swapped : {false, true}) {
      const ContactManifold found = swapped ? contactManifold(box, below, box, above)
                                            : contactManifold(box, above, box, below);
      ASSERT_EQ(found.points.size(), 4u);
      const Vec3 up = below.rotation * Vec3(0, 0, swapped ? -1 : 1);
      for (const ManifoldPoint& point : found.points) {
        EXPECT_GT(glm::dot(point.normal, up), 0.95) << "held from the side";
        EXPECT_NEAR(point.depth, stack.deep, 0.6 * stack.deep);
        EXPECT_LT(glm::distance(point.onB - point.onA, point.depth * point.normal), 1e-8);
      }
      // A point at each corner of what lies on each other; the deepest may lie between two
      int held = 0;
      for (const Real x :
           {std::max(-0.5, stack.offset.x - 0.5), std::min(0.5, stack.offset.x + 0.5)})
        for (const Real y : {-0.5, 0.5}) {
          const Vec3 corner = transformed(below, Vec3(x, y, 0.5));
          held += std::ranges::any_of(found.points, [&](const ManifoldPoint& point) {
            return glm::distance(point.onA, corner) < 0.05;
          });
        }
      EXPECT_GE(held, contactKindOf(found.points.front().id) == ContactKind::Edges ? 2 : 4);
    }
    if (testing::Test::HasFailure()) return;
  }
}

/// A box that leans over the rim of a plate: two corners and two edges that cross.
TEST(ManifoldPatch, HoldsABoxOverARimHoweverItLeans) {
  const Shape plate = test::treelessShape(test::box({-3, -3, -1}, {3, 3, 0}));
  const Shape box = test::treelessShape(test::cube(0.5));
  Random random(43);
  for (int i = 0; i < test::cases(200); ++i) {
    SCOPED_TRACE(i);
    const Real deep = std::pow(10.0, random.between(-4.0, -1.7));
    const Quat lean = glm::normalize(
        Quat(1.0, 0.1 * deep * random.between(-1, 1), 0.1 * deep * random.between(-1, 1), 0.0));
    const Pose at{{random.between(2.7, 3.3), random.between(-2.0, 2.0), 0.5 - deep}, lean};
    const ContactManifold found = contactManifold(plate, {}, box, at);
    ASSERT_EQ(found.points.size(), 4u);
    int onRim = 0;
    for (const ManifoldPoint& point : found.points) {
      EXPECT_LT(point.normal.z, -0.95);
      EXPECT_NEAR(point.depth, deep, 0.6 * deep);
      onRim += std::abs(point.onA.x - 3.0) < 0.01;
    }
    EXPECT_EQ(onRim, 2);
    if (testing::Test::HasFailure()) return;
  }
}

}  // namespace
}  // namespace nearmiss
