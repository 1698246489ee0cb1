// SPDX-License-Identifier: MIT
/// A table of one bucket, or few: every cell collides with every other, and the pairs are the same.
#include <gtest/gtest.h>
#include <nearmiss/rivals/broad_phases.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "support/random.h"

namespace nearmiss {
namespace {

TEST(SpatialHash, IsRightUnderForcedCollisions) {
  std::size_t hits = 0, asked = 0;
  for (const std::uint32_t buckets : {1u, 2u, 7u, 64u}) {
    const auto tried = makeSpatialHashBroadPhase(buckets);
    const auto reference = makeAllPairsBroadPhase();
    std::vector<BodyPair> found, expected;
    for (std::uint64_t seed = 1; seed <= 50; ++seed) {
      test::Random random(seed);
      // Clusters around points far apart, on both sides of the origin
      const Vec3 places[] = {Vec3(0.0), Vec3(-1e7, 3e6, -2e9), Vec3(1e12, -1e12, 1e3)};
      std::vector<BodyState> bodies(60);
      for (BodyState& body : bodies) {
        body.pose.position = places[random.whole(0, 2)] + random.inCube(3.0);
        body.shape = ShapeRef::ofRadius(random.between(0.0, random.chance(0.05) ? 20.0 : 0.7));
      }
      tried->findPairs(bodies, 0.0, found);
      reference->findPairs(bodies, 0.0, expected);
      ASSERT_EQ(found, expected) << buckets << " buckets, seed " << seed;
      hits += found.size();
      asked += bodies.size() * (bodies.size() - 1) / 2;
    }
  }
  EXPECT_GT(hits, asked / 500);
  EXPECT_LT(hits, asked / 3);
}

}  // namespace
}  // namespace nearmiss
