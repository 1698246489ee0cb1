// SPDX-License-Identifier: MIT
/// Boxes and prisms whose faces lie on each other: their points carry them vertically, and keep
/// their ids while the bodies rest.
#include <gtest/gtest.h>
#include <nearmiss/pair.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <set>
#include <sstream>
#include <string>

#include "contact/manifold_strata.h"
#include "support/campaign.h"
#include "support/random.h"

namespace nearmiss {
namespace {

using test::ManifoldCase;
using test::Random;

/// A body that stands with a flat face on the top of another, both upright.
struct FlushStack {
  ManifoldCase of;
  Real offset = 0.0;  ///< the gap between both faces; negative: the overlap
};

Real topOf(const Shape& shape, const Quat& turn, Real side) {
  Real most = -1e9;
  for (const Vec3& p : shape.polyhedron().mesh().positions)
    most = std::max(most, side * (turn * p).z);
  return most;
}

/// @param aligned sides are parallel, or nearly so
FlushStack drawStack(Random& random, bool aligned) {
  const auto& shapes = test::stratumShapes();
  FlushStack drawn;
  // Those that are flat below and above: cube, brick, gear, plate
  constexpr std::array<std::size_t, 6> flat{0, 0, 0, 1, 4, 5};
  drawn.of.a = &shapes.flat[random.anyOf(flat)];
  drawn.of.b = &shapes.flat[random.anyOf(flat)];
  const Real angle = aligned ? 0.5 * std::numbers::pi * random.whole(0, 3) +
                                   (random.chance(0.5) ? test::smallGap(random) : 0.0)
                             : random.between(-3.0, 3.0);
  const Quat turn = glm::angleAxis(angle, Vec3(0, 0, 1));
  const Real far = random.chance(0.5) ? 0.25 : std::abs(test::smallGap(random));
  drawn.offset = 0.9 * test::smallGap(random);
  drawn.of.poseB = {{random.between(-far, far), random.between(-far, far),
                     topOf(drawn.of.a->shape, glm::identity<Quat>(), 1.0) +
                         topOf(drawn.of.b->shape, turn, -1.0) + drawn.offset},
                    turn};
  return drawn;
}

Real steepest(const ContactManifold& manifold, const Vec3& up) {
  Real least = 1.0;
  for (const ManifoldPoint& point : manifold.points)
    least = std::min(least, glm::dot(point.normal, up));
  return least;
}

/// The cosine up to which a point is not sideways: beside a rim, with a gap, a vertex is matched
/// with the rim, in whose cone the normal leans a little.
constexpr Real upright = 0.95;

TEST(ManifoldRest, ACubeOnACubeHasFourVerticalPoints) {
  const Shape cube = test::treelessShape(test::cube(0.5));
  for (const Real margin : {0.0, 0.01}) {
    const ContactManifold found =
        contactManifold(cube, {}, cube, {{1e-4, 0, 0.9995}, glm::identity<Quat>()}, {margin, 4});
    ASSERT_EQ(found.points.size(), 4u) << "margin " << margin;
    for (const ManifoldPoint& point : found.points) {
      EXPECT_NEAR(point.normal.z, -1.0, 1e-9);
      EXPECT_NEAR(point.depth, 0.0005, 1e-9);
      EXPECT_GT(std::abs(point.onA.x) + std::abs(point.onA.y), 0.99) << "at the corners";
    }
  }
}

TEST(ManifoldRest, NoPointIsSidewaysWhileFlushFacesCarry) {
  int faults = 0, carried = 0;
  const int cases = test::cases(400);
  for (int i = 0; i < cases; ++i) {
    Random random = test::randomOf(31, i);
    const FlushStack stack = drawStack(random, random.chance(0.5));
    constexpr std::array<std::size_t, 4> counts{4, 8, 16, 1000};
    const std::size_t points = random.anyOf(counts);
    const Real margin = random.chance(0.5) ? 0.01 : 0.0;
    const ContactManifold found = contactManifold(
        stack.of.a->shape, stack.of.poseA, stack.of.b->shape, stack.of.poseB, {margin, points});
    // Within rounding of the margin either is right
    if (std::abs(stack.offset - margin) < 1e-8) continue;
    if (stack.offset > margin) {
      EXPECT_TRUE(found.points.empty()) << stack.of << " offset " << stack.offset;
      continue;
    }
    ++carried;
    const Real least = steepest(found, {0, 0, -1});
    const bool wide = found.points.size() >= 3;
    if ((least < upright || !wide) && faults++ < 5)
      ADD_FAILURE() << "case " << i << ": " << stack.of << " offset " << stack.offset << " margin "
                    << margin << " of at most " << points << " points: " << found.points.size()
                    << " points, least cosine with the vertical " << least;
  }
  EXPECT_EQ(faults, 0);
  EXPECT_GT(carried, cases / 2);
}

TEST(ManifoldRest, IdsStayWhileFlushBoxesJitter) {
  int faults = 0;
  std::ostringstream first5;
  const int cases = test::cases(100);
  for (int i = 0; i < cases; ++i) {
    Random random = test::randomOf(32, i);
    const FlushStack stack = drawStack(random, random.chance(0.5));
    ManifoldQuery query;
    std::set<std::uint64_t> first;
    // Less than what a vertex may lie beside a rim
    const Real size = std::pow(10.0, random.between(-9.0, -6.3));
    // A gap of nearly the margin is crossed by jitter, and so is none at all without a margin
    const Real margin = stack.offset < -1e-5 && random.chance(0.5) ? 0.0 : 0.01;
    for (int step = 0; step < 20; ++step) {
      ManifoldCase of = stack.of;
      if (step > 0) {
        of.poseB.position += size * random.unit() * random.direction();
        of.poseB.rotation = glm::normalize(
            glm::angleAxis(size * random.unit(), random.direction()) * of.poseB.rotation);
      }
      query.begin(of.a->shape, of.poseA, of.b->shape, of.poseB, {margin, 4});
      const ContactManifold& found = query.refine();
      std::set<std::uint64_t> ids;
      for (const ManifoldPoint& point : found.points) ids.insert(point.id);
      if (step == 0) first = ids;
      const Real least = steepest(found, {0, 0, -1});
      if (ids == first && ids.size() == 4 && least > upright) continue;
      if (faults++ < 5)
        first5 << "case " << i << " step " << step << ": " << of << " offset " << stack.offset
               << " margin " << margin << " jitter " << size << ": " << ids.size() << " ids, "
               << (ids == first ? "the same" : "others") << ", least cosine with the vertical "
               << least << "\n";
      break;
    }
  }
  // Where jitter crosses from gap to overlap, features may change
  EXPECT_LE(faults, cases / 50) << first5.str();
}

}  // namespace
}  // namespace nearmiss
