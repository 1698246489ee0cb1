// SPDX-License-Identifier: MIT
#include <engine/game/run_levels.h>
#include <engine/game/score.h>
#include <gtest/gtest.h>
#include <nearmiss/detail/split_mix.h>

namespace nearmiss::engine {
namespace {

constexpr Real radius = 2.0, limit = NearMisses::nearShare * radius;

NearMiss missAt(Real distance, Real speed = Score::plainSpeed) { return {1, distance, speed, 0.0}; }

std::int64_t firstPoints(const NearMiss& miss) { return Score().take(miss, radius); }

TEST(Score, GivesMoreForCloserAndFasterPasses) {
  EXPECT_EQ(firstPoints(missAt(limit)), Score::minPoints);
  EXPECT_EQ(firstPoints(missAt(0.0)), Score::minPoints + Score::maxForCloseness);
  EXPECT_GT(firstPoints(missAt(0.25 * limit)), firstPoints(missAt(0.5 * limit)));
  EXPECT_EQ(firstPoints(missAt(0.0, 2.0 * Score::plainSpeed)), 2 * firstPoints(missAt(0.0)));
}

TEST(Score, MultipliesStreaksUntilAHit) {
  Score score;
  std::int64_t sum = 0;
  for (std::uint32_t n = 1; n <= Score::maxTimes + 3; ++n) {
    EXPECT_EQ(score.times(), std::min(n, Score::maxTimes));
    const std::int64_t points = score.take(missAt(limit), radius);
    EXPECT_EQ(points, Score::minPoints * std::min(n, Score::maxTimes));
    sum += points;
  }
  EXPECT_EQ(score.points(), sum);

  EXPECT_EQ(score.take(Hit{}), -Score::hitCost);
  EXPECT_EQ(score.streak(), 0u);
  EXPECT_EQ(score.longestStreak(), Score::maxTimes + 3);
  EXPECT_EQ(score.take(missAt(limit), radius), Score::minPoints);
}

TEST(Score, GivesAShipThatStandsStillNothing) {
  Score score;
  EXPECT_EQ(score.take(missAt(0.0, 0.0), radius), 0);
  EXPECT_EQ(score.take(missAt(0.0, 0.003), radius), 0);
  EXPECT_EQ(score.streak(), 0u);
  EXPECT_EQ(score.nearMisses().count, 0u);
}

TEST(Score, TellsFalseHitsFromHits) {
  Score score;
  while (score.points() < Score::hitCost + Score::falseHitCost)
    (void)score.take(missAt(0.0), radius);
  const std::int64_t earned = score.points();
  Hit falseHit;
  falseHit.gap = 0.03;
  EXPECT_EQ(score.take(falseHit), -Score::falseHitCost);
  (void)score.take(Hit{});
  EXPECT_EQ(score.falseHits().count, 1u);
  EXPECT_EQ(score.hits().count, 1u);
  EXPECT_EQ(score.points(), earned - Score::falseHitCost - Score::hitCost);
}

/// Random events in random order: what was earned and lost adds up.
TEST(Score, IsNeverBelowZero) {
  SplitMix random(5);
  std::size_t spared = 0;
  for (int game = 0; game < 300; ++game) {
    Score score;
    std::int64_t sum = 0;
    for (int event = 0; event < 40; ++event) {
      Hit hit;
      hit.gap = random.bits() % 2 ? 0.02 : 0.0;
      const bool passes = random.bits() % 3 == 0;
      const std::int64_t points =
          passes ? score.take(missAt(random.between(0.0, limit), random.between(0.0, 9.0)), radius)
                 : score.take(hit);
      sum += points;
      spared += !passes && -points < Score::falseHitCost;
      ASSERT_GE(score.points(), 0);
      ASSERT_EQ(score.points(), sum);
    }
  }
  EXPECT_GT(spared, 1000u);
}

TEST(RunLevels, ComeInOrderAndAskForMoreAndMore) {
  for (std::size_t won = 0; won < runGoals.size(); ++won) {
    EXPECT_EQ(levelAfter(won).number, won + 1);
    EXPECT_EQ(levelAfter(won).goal, runGoals[won]);
    if (won > 0) {
      EXPECT_LT(runGoals[won - 1], runGoals[won]);
    }
  }
  EXPECT_EQ(levelAfter(1000).number, runGoals.size()) << "the last one stays";
}

}  // namespace
}  // namespace nearmiss::engine
