// SPDX-License-Identifier: MIT
/// Bounding spheres of any sizes and places: the pairs that meet, against every pair.
#include "broad/sphere_meetings.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "support/campaign.h"
#include "support/random.h"

namespace nearmiss {
namespace {

using test::Random;
using Pairs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

Pairs meetingsOf(SphereMeetings& meetings, const std::vector<BodyState>& bodies, Real margin,
                 std::uint64_t& tests) {
  Pairs pairs;
  meetings.take(bodies, margin);
  tests += meetings.forEachPair([&](std::uint32_t a, std::uint32_t b) {
    EXPECT_LT(a, b);
    pairs.emplace_back(a, b);
  });
  std::ranges::sort(pairs);
  return pairs;
}

TEST(SphereMeetings, AreThoseOfEveryPair) {
  Random random(1);
  SphereMeetings meetings;
  std::uint64_t tests = 0, compared = 0, met = 0;
  for (int round = 0; round < test::cases(60); ++round) {
    SCOPED_TRACE(round);
    const int count = random.anyOf(std::vector{0, 1, 5, 49, 200, 600});
    // Powers of ten that sizes span, and how far away all is
    const Real span = random.anyOf(std::vector{0.0, 1.0, 4.0, 30.0});
    const Real away = random.anyOf(std::vector{0.0, 1e3, 1e9, 1e30});
    const Real room = std::cbrt(Real(count) + 1.0), margin = random.chance(0.5) ? 0.0 : 0.3;
    std::vector<BodyState> bodies(static_cast<std::size_t>(count));
    for (BodyState& body : bodies) {
      const Real radius = 0.7 * std::pow(10.0, -random.between(0.0, span));
      body.shape = ShapeRef::ofRadius(radius);
      body.pose.position = Vec3(away, 0.0, -away) + random.inCube(room);
      if (random.chance(0.01)) body.pose.position *= 1e20;
    }
    const Pairs found = meetingsOf(meetings, bodies, margin, tests);
    EXPECT_EQ(std::ranges::adjacent_find(found), found.end()) << "each once";
    for (std::uint32_t a = 0; a < bodies.size(); ++a)
      for (std::uint32_t b = a + 1; b < bodies.size(); ++b) {
        ++compared;
        const Real gap = glm::distance(bodies[a].pose.position, bodies[b].pose.position) -
                         bodies[a].shape.radius() - bodies[b].shape.radius();
        const bool listed = std::ranges::binary_search(found, std::pair(a, b));
        if (gap <= margin) {
          ASSERT_TRUE(listed);
          ++met;
        }
        // No more than rounding adds
        const Real size = 1.0 + away + glm::length(bodies[a].pose.position) +
                          glm::length(bodies[b].pose.position);
        if (gap > margin + 1e-8 + 1e-11 * size) {
          ASSERT_FALSE(listed);
        }
      }
  }
  EXPECT_GT(met, 1000u);
  EXPECT_LT(tests, compared);
}

TEST(SphereMeetings, CompareFewOfACrowdInARoom) {
  Random random(2);
  std::vector<BodyState> bodies(5000);
  for (BodyState& body : bodies) {
    body.shape = ShapeRef::ofRadius(random.between(0.2, 0.6));
    body.pose.position = random.inCube(17.0);
  }
  bodies[0].shape = ShapeRef::ofRadius(40.0);
  SphereMeetings meetings;
  std::uint64_t tests = 0;
  const Pairs found = meetingsOf(meetings, bodies, 0.01, tests);
  EXPECT_GT(found.size(), 5000u) << "the floor's";
  EXPECT_LT(tests, 60u * bodies.size());
}

}  // namespace
}  // namespace nearmiss
