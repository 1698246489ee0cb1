// SPDX-License-Identifier: MIT
#include <engine/game/score.h>
#include <gtest/gtest.h>

namespace nearmiss::engine {
namespace {

constexpr Real radius = 2.0, limit = NearMisses::nearShare * radius;

NearMiss missAt(Real distance, Real speed = 1.0) { return {1, distance, speed, 0.0}; }

std::int64_t firstPoints(const NearMiss& miss) { return Score().take(miss, radius); }

TEST(Score, GivesMoreForCloserAndFasterPasses) {
  EXPECT_EQ(firstPoints(missAt(limit, 0.0)), Score::minPoints);
  EXPECT_EQ(firstPoints(missAt(0.0, 0.0)), Score::minPoints + Score::maxForCloseness);
  EXPECT_GT(firstPoints(missAt(0.25 * limit)), firstPoints(missAt(0.5 * limit)));
  EXPECT_EQ(firstPoints(missAt(0.0, Score::doublingSpeed)), 2 * firstPoints(missAt(0.0, 0.0)));
}

TEST(Score, MultipliesStreaksUntilAHit) {
  Score score;
  std::int64_t sum = 0;
  for (std::uint32_t n = 1; n <= Score::maxTimes + 3; ++n) {
    EXPECT_EQ(score.times(), std::min(n, Score::maxTimes));
    const std::int64_t points = score.take(missAt(limit, 0.0), radius);
    EXPECT_EQ(points, Score::minPoints * std::min(n, Score::maxTimes));
    sum += points;
  }
  EXPECT_EQ(score.points(), sum);

  EXPECT_EQ(score.take(Hit{}), -Score::hitCost);
  EXPECT_EQ(score.streak(), 0u);
  EXPECT_EQ(score.longestStreak(), Score::maxTimes + 3);
  EXPECT_EQ(score.take(missAt(limit, 0.0), radius), Score::minPoints);
}

TEST(Score, TellsFalseHitsFromHits) {
  Score score;
  Hit falseHit;
  falseHit.gap = 0.03;
  EXPECT_EQ(score.take(falseHit), -Score::falseHitCost);
  (void)score.take(Hit{});
  EXPECT_EQ(score.falseHits().count, 1u);
  EXPECT_EQ(score.hits().count, 1u);
  EXPECT_EQ(score.points(), -Score::falseHitCost - Score::hitCost);
}

}  // namespace
}  // namespace nearmiss::engine
