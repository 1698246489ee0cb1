// SPDX-License-Identifier: MIT
/// Hulls at several levels of detail, beside the walk over the full ones.
#include <gtest/gtest.h>

#include <algorithm>
#include <glm/geometric.hpp>
#include <glm/gtc/quaternion.hpp>
#include <limits>
#include <vector>

#include "geometry/convex_points.h"
#include "geometry/detail_hulls.h"
#include "geometry/gjk.h"
#include "geometry/lin_canny.h"
#include "support/campaign.h"

namespace nearmiss {
namespace {

using test::Random;

constexpr Real never = std::numeric_limits<Real>::infinity();

struct Detailed {
  ConvexPolytope full;
  DetailHulls detail;
  explicit Detailed(const std::vector<Vec3>& points) : full(convexHull(points)), detail(full) {}
  [[nodiscard]] DetailedPolytope view() const { return {full, detail.levels()}; }
};

Detailed roundish(Random& random, int corners) {
  std::vector<Vec3> points = test::spherePoints(random, corners);
  const Vec3 size(random.between(0.2, 1.0), random.between(0.2, 1.0), 1.0);
  for (Vec3& p : points) p *= size;
  return Detailed(points);
}

TEST(DetailHulls, LieWithinAndLeaveOutNoMoreThanTheySay) {
  Random random(1);
  int levels = 0, useful = 0;
  for (int i = 0; i < test::cases(30); ++i) {
    const Detailed shape = roundish(random, random.whole(20, 1200));
    const ConvexPolytope* finer = &shape.full;
    for (const DetailHulls::Level& level : shape.detail.levels()) {
      ++levels;
      EXPECT_LE(2 * level.shape.vertices().size(), finer->vertices().size());
      ASSERT_EQ(level.finer.size(), level.shape.vertices().size());
      for (std::size_t v = 0; v < level.finer.size(); ++v)
        EXPECT_EQ(finer->vertices()[level.finer[v]], level.shape.vertices()[v]);
      for (const Vec3& corner : shape.full.vertices()) {
        const ConvexPolytope point(ConvexHull{{corner}, {}});
        const auto apart = gjkDistance(ConvexPair(level.shape, point, glm::dmat3(1.0), Vec3(0.0)));
        ASSERT_LE(apart.lower, level.excess);
      }
      useful += level.excess < 0.5;
      finer = &level.shape;
    }
    if (shape.full.vertices().size() < 60) {
      EXPECT_TRUE(shape.detail.levels().empty());
    }
  }
  EXPECT_GT(levels, 25);
  EXPECT_GT(useful, levels / 2);
}

/// The distance is that of the full polytopes, whatever the levels; with `enough` it ends earlier,
/// and what it says holds.
TEST(DetailHulls, GiveTheDistanceOfTheFullPolytopes) {
  Random random(2);
  int meet = 0, early = 0, count = 0;
  long steps = 0, plainSteps = 0;
  for (int i = 0; i < test::cases(300); ++i) {
    const Detailed a = roundish(random, random.whole(10, 800));
    const Detailed b = random.chance(0.3) ? Detailed(test::convexPoints(random, i))
                                          : roundish(random, random.whole(10, 800));
    for (int k = 0; k < 10; ++k, ++count) {
      const glm::dmat3 axes = glm::mat3_cast(random.rotation());
      Vec3 position = random.direction() * random.between(0.0, 2.6);
      const ConvexPair pair(a.full, b.full, axes, position);
      if (k % 3 == 0) {
        // A hair apart, or a hair into each other
        const ConvexDistance apart = gjkDistance(pair);
        if (!apart.meet)
          position -= (1.0 + random.between(-1e-9, 1e-9)) * (apart.pointB - apart.pointA);
      }
      const ConvexPair placed(a.full, b.full, axes, position);
      ClosestFeatures features = featuresTowards(placed);
      const ConvexDistance plain = linCannyDistance(placed, features);
      ClosestFeatures kept;
      const ConvexDistance found =
          detailedDistance(a.view(), b.view(), axes, position, never, kept);
      plainSteps += plain.steps;
      steps += found.steps;
      const Real doubt = 1e-9 * plain.upper + 1e-12;
      if (plain.meet || plain.upper < 1e-8) {
        ASSERT_LE(found.lower, 1e-8);
        ++meet;
      } else {
        ASSERT_FALSE(found.meet);
        ASSERT_NEAR(found.upper, plain.upper, doubt);
        ASSERT_NEAR(found.lower, plain.lower, doubt);
      }
      const Real enough = random.unit();
      const ConvexDistance ended =
          detailedDistance(a.view(), b.view(), axes, position, enough, features);
      ASSERT_LE(ended.lower, plain.upper + doubt);
      if (!plain.meet && plain.lower > enough + 1e-6) {
        ASSERT_GT(ended.lower, enough);
      }
      early += ended.lower > enough && ended.lower < plain.lower - 1e-6;
    }
  }
  EXPECT_GT(meet, count / 20);
  EXPECT_GT(early, count / 50);
  RecordProperty("steps", std::to_string(steps));
  RecordProperty("plain_steps", std::to_string(plainSteps));
}

/// A descent by hand: each level begins at the corner, found by where it is, at which the coarser
/// one ended. Starting elsewhere would take other steps.
TEST(DetailHulls, BeginWhereTheCoarserLevelEnded) {
  Random random(3);
  int compared = 0;
  long steps = 0, fromAnywhere = 0;
  for (int i = 0; i < test::cases(60); ++i) {
    const Detailed a = roundish(random, 800), b = roundish(random, 800);
    const auto levelsA = a.detail.levels(), levelsB = b.detail.levels();
    if (levelsA.empty() || levelsA.size() != levelsB.size()) continue;
    const auto shapeOf = [](const Detailed& of, std::size_t level) -> const ConvexPolytope& {
      return level == 0 ? of.full : of.detail.levels()[level - 1].shape;
    };
    const auto sameCorner = [&](const Detailed& of, std::size_t level,
                                const ConvexFeature& feature) -> ConvexFeature {
      const ConvexPolytope& coarse = shapeOf(of, level);
      const auto fine = shapeOf(of, level - 1).vertices();
      const auto at = std::ranges::find(fine, coarse.vertices()[cornerOf(coarse, feature)]);
      return {ConvexFeature::Kind::Vertex, static_cast<std::uint32_t>(at - fine.begin())};
    };
    for (int k = 0; k < 10; ++k) {
      const glm::dmat3 axes = glm::mat3_cast(random.rotation());
      const Vec3 position = random.direction() * random.between(2.1, 4.0);
      ClosestFeatures features;
      int byHand = 0, restarted = 0;
      for (std::size_t level = levelsA.size() + 1; level-- > 0;) {
        const ConvexPair pair(shapeOf(a, level), shapeOf(b, level), axes, position);
        if (level == levelsA.size()) features = featuresTowards(pair);
        ClosestFeatures first;
        restarted += linCannyDistance(pair, first).steps;
        byHand += linCannyDistance(pair, features).steps;
        if (level > 0)
          features = {sameCorner(a, level, features.a), sameCorner(b, level, features.b)};
      }
      ++compared;
      steps += byHand;
      fromAnywhere += restarted;
      ASSERT_EQ(detailedDistance(a.view(), b.view(), axes, position, never, features).steps,
                byHand);
    }
  }
  EXPECT_GT(compared, 200 * test::campaignFactor());
  EXPECT_LT(steps, fromAnywhere);
}

}  // namespace
}  // namespace nearmiss
