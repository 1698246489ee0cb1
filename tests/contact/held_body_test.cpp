// SPDX-License-Identifier: MIT
/// Ways out of a body that holds another: sought in short steps, and charged.
#include <gtest/gtest.h>
#include <nearmiss/mesh.h>
#include <nearmiss/pair.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <utility>

#include "geometry/contact_normal.h"
#include "support/meshes.h"
#include "support/shapes.h"

namespace nearmiss {
namespace {

const Pose aside{{0.3, 0.2, 0.1}, {0.5, 0.5, 0.5, 0.5}};

TEST(HeldBody, LooksAtAFewVerticesAtOnce) {
  const Polyhedron room(test::cube()), ball(test::sphere(60, 80, 0.4));
  const std::uint64_t vertices = ball.mesh().positions.size();
  ContactSearch search;
  search.begin(room, ball, aside, std::size_t{1} << 15);
  std::uint64_t all = 0, most = 0;
  while (!search.ended()) {
    std::uint64_t tests = 0;
    search.step(tests);
    most = std::max(most, tests);
    all += tests;
  }
  EXPECT_LE(most, 1024u);
  EXPECT_GE(all, vertices);
  ASSERT_TRUE(search.found());
  EXPECT_GT(std::abs(search.found()->x), 0.99) << "the nearest wall";
}

TEST(HeldBody, IsFoundAlikeHoweverOftenTimeRunsOut) {
  const auto shapeOf = [](TriangleMesh mesh) { return Shape::of(Polyhedron(std::move(mesh))); };
  const Shape room = shapeOf(test::cube()), ball = shapeOf(test::sphere(14, 18, 0.4));
  const PenetrationBounds whole = penetration(room, {}, ball, aside, TimeBudget::unlimited());
  PenetrationQuery query;
  query.begin(room, {}, ball, aside);
  WorkClock clock;
  PenetrationBounds some;
  while (some.canRefine) {
    const auto before = clock.now();
    some = query.refine(TimeBudget(clock, {}));
    ASSERT_LT(clock.now() - before, std::chrono::microseconds(200));
    ASSERT_LE(some.lower, whole.upper);
    ASSERT_GE(some.upper, whole.lower);
  }
  EXPECT_EQ(some.upper, whole.upper);
  EXPECT_EQ(some.lower, whole.lower);
  EXPECT_EQ(some.direction, whole.direction);
}

}  // namespace
}  // namespace nearmiss
