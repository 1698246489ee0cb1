// SPDX-License-Identifier: MIT
/// What a run says of hits and near misses, frame by frame, and its page at the end.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <glm/geometric.hpp>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "app/fly/modes.h"
#include "console/text.h"
#include "fly/modes/game/timed_run.h"
#include "fly/overlay/ink.h"

namespace nearmiss::app::fly {
namespace {

/// Frames that a test makes up from the ships of a flight: only the user's and the first are near.
class MadeUpRun : public Modes {
 protected:
  MadeUpRun() {
    const auto flown = context.flight().output().bodies;
    bodies.assign(flown.begin(), flown.begin() + 2);
    for (BodyState& body : bodies) body.pose = {};
    bodies[1].pose.position = {50.0, 0.0, 0.0};
  }
  [[nodiscard]] const Shapes& shapes() const { return context.flight().shapes().collision(); }

  /// A frame at that time, with the collisions added before.
  bool take(Real time, int levelCap = Detector::noLevelCap,
            Clock::Duration budget = std::chrono::microseconds(45)) {
    engine::FrameOutput output;
    output.bodies = bodies;
    output.collisions = collisions;
    output.profile.simTime = time;
    const bool over = run.take(output, 0, shapes(), budget, levelCap, wall);
    collisions.clear();
    return over;
  }
  void collide(Verdict verdict, Stage stage = Stage::Exact, int level = 0, bool canRefine = false) {
    engine::Collision collision;
    collision.a = 0;
    collision.b = 1;
    collision.poseA = bodies[0].pose;
    collision.poseB = bodies[1].pose;
    collision.refinement.verdict = verdict;
    collision.refinement.stage = stage;
    collision.refinement.level = level;
    collision.refinement.canRefine = canRefine;
    collisions.push_back(collision);
  }
  /// The user's ship flies past the other at 1 m/s; returns the number of near misses.
  std::size_t pass(Real& time) {
    const Real both = bodies[0].shape.radius() + bodies[1].shape.radius();
    for (Real gap = both; gap > 0.2 * both; gap -= 0.02 * both) {
      run.forgetNear();
      bodies[1].pose.position = {0.0, gap, 0.0};
      std::size_t ended = 0;
      for (int frame = -120; frame <= 120 && ended == 0; ++frame) {
        bodies[0].pose.position = {frame / 60.0, 0.0, 0.0};
        time += 1.0 / 60.0;
        (void)take(time);
        for (const std::string& event : run.events()) ended += event.starts_with("near miss");
      }
      if (ended > 0) return ended;
    }
    return 0;
  }

  std::vector<BodyState> bodies;
  std::vector<engine::Collision> collisions;
  TimedRun run;
  Real wall = std::numeric_limits<Real>::infinity();
};

TEST_F(MadeUpRun, SaysWhatEndedAFalseHit) {
  struct Case {
    Stage stage;
    int level, cap;
    bool canRefine;
    const char* words;
  };
  for (const Case& each :
       {Case{Stage::Bounds, 0, 0, true, "the level cap ended at the bounding spheres"},
        Case{Stage::Bounds, 0, 3, true, "the budget ended at the bounding spheres"},
        Case{Stage::Spheres, 2, 2, true, "the level cap ended at level 2"},
        Case{Stage::Spheres, 3, 2, true, "the level cap ended at level 3"},
        Case{Stage::Spheres, 1, 2, true, "the budget ended at level 1"},
        Case{Stage::Spheres, 4, 2, false, "the method ended at level 4"}}) {
    collide(Verdict::Possible, each.stage, each.level, each.canRefine);
    (void)take(0.1, each.cap);
    ASSERT_EQ(run.events().size(), 1u);
    ASSERT_EQ(run.hits().size(), 1u);
    EXPECT_EQ(run.events()[0],
              fmt::format("false hit: {}, the gap was {}", each.words, gapText(run.hits()[0].gap)));
  }
}

TEST_F(MadeUpRun, TellsTrueHitsOnlyInARun) {
  collide(Verdict::Contact);
  (void)take(0.1);
  EXPECT_TRUE(run.events().empty());
  EXPECT_EQ(run.hits().size(), 1u);
  run.begin();
  collide(Verdict::Contact);
  (void)take(0.1);
  ASSERT_EQ(run.events().size(), 1u);
  EXPECT_EQ(run.events()[0], "hit: nothing to lose");
  EXPECT_EQ(run.view().event, run.events()[0]);
  EXPECT_TRUE(run.earned().empty());
  (void)take(0.2);
  EXPECT_TRUE(run.events().empty());
  EXPECT_EQ(run.view().event, "hit: nothing to lose") << "it is the last one";
  run.begin();
  EXPECT_TRUE(run.view().event.empty());
}

TEST_F(MadeUpRun, CountsPassesAndLosesTheStreakByAHit) {
  run.begin();
  Real time = 0.0;
  ASSERT_EQ(pass(time), 1u);
  const std::int64_t points = run.points();
  ASSERT_GT(points, 0);
  ASSERT_EQ(run.passes().size(), 1u);
  EXPECT_EQ(run.events()[0],
            fmt::format("near miss: {}: {:+}", gapText(run.passes()[0].distance), points));
  ASSERT_EQ(run.earned().size(), 1u);
  EXPECT_EQ(run.earned()[0].points, points);
  EXPECT_EQ(run.passStreak(), 1u);
  EXPECT_EQ(run.view().streak, 1u);
  EXPECT_EQ(run.view().times, 2u);
  EXPECT_EQ(run.view().points, points);
  ASSERT_EQ(pass(time), 1u);
  EXPECT_EQ(run.passStreak(), 2u);
  EXPECT_GT(run.points(), 2 * points - 2) << "the second counts twice";
  const std::int64_t all = run.points();
  bodies[1].pose.position = {50.0, 0.0, 0.0};
  collide(Verdict::Contact);
  (void)take(time += 0.1);
  EXPECT_EQ(run.passStreak(), 0u);
  EXPECT_EQ(run.view().streak, 0u);
  EXPECT_EQ(run.events()[0], fmt::format("hit: {:+}", run.points() - all));
  EXPECT_EQ(run.earned()[0].points, run.points() - all);
  // The result has both
  const engine::BestRun result = run.result(context.flight().scene());
  EXPECT_EQ(result.nearMisses, 2u);
  EXPECT_EQ(result.hits, 1u);
  EXPECT_EQ(result.longestStreak, 2u);
  EXPECT_EQ(result.scene, context.flight().scene().name);
  EXPECT_EQ(result.seed, context.flight().scene().seed);
}

/// Points float between the surfaces, nearer to the smaller ship's centre.
TEST_F(MadeUpRun, EarnsPointsBetweenTheSurfaces) {
  run.begin();
  Real time = 0.0;
  ASSERT_EQ(pass(time), 1u);
  for (const auto& [own, other] : {std::pair{1.0, 3.0}, std::pair{2.0, 2.0}, std::pair{0.0, 0.0}}) {
    bodies[0].shape = ShapeRef::ofRadius(own);
    bodies[1].shape = ShapeRef::ofRadius(other);
    bodies[0].pose.position = {10.0, 0.0, 0.0};
    bodies[1].pose.position = {50.0, 8.0, 0.0};
    TimedRun copy = run;
    copy.forgetNear();
    engine::FrameOutput output;
    collide(Verdict::Contact);
    output.bodies = bodies;
    output.collisions = collisions;
    output.profile.simTime = time + 0.1;
    (void)copy.take(output, 0, shapes(), {}, 0, wall);
    collisions.clear();
    ASSERT_EQ(copy.earned().size(), 1u);
    const Real share = own + other > 0.0 ? own / (own + other) : 0.5;
    EXPECT_NEAR(glm::distance(copy.earned()[0].place, Vec3(10.0 + 40.0 * share, 8.0 * share, 0.0)),
                0.0, 1e-9);
  }
}

TEST_F(MadeUpRun, PaysNothingAtTheWallOrAtRest) {
  run.begin();
  Real time = 0.0;
  wall = 0.0;
  ASSERT_GE(pass(time), 1u);
  EXPECT_TRUE(run.events()[0].ends_with(": no points at the wall or at rest")) << run.events()[0];
  EXPECT_TRUE(run.passes().empty());
  EXPECT_EQ(run.points(), 0);
  EXPECT_TRUE(run.earned().empty());
  // Just inside of it they count
  wall = 2.1;
  ASSERT_EQ(pass(time), 1u);
  EXPECT_GT(run.points(), 0);
  EXPECT_FALSE(run.passes().empty());
}

/// Outside of runs points are counted, too, for the player's face, without being told.
TEST_F(MadeUpRun, CountsPointsOfAFreeFlightApart) {
  Real time = 0.0;
  ASSERT_EQ(pass(time), 1u);
  EXPECT_EQ(run.events()[0], "near miss: " + gapText(run.passes()[0].distance));
  const std::int64_t free = run.points();
  EXPECT_GT(free, 0);
  EXPECT_TRUE(run.view().event.empty());
  EXPECT_TRUE(run.earned().empty());
  EXPECT_EQ(run.score().points(), 0);
  run.begin();
  EXPECT_EQ(run.points(), 0);
  run.giveUp();
  EXPECT_EQ(run.points(), free);
  EXPECT_EQ(run.passStreak(), 1u);
  run.forgetFree();
  EXPECT_EQ(run.points(), 0);
  EXPECT_EQ(run.passStreak(), 0u);
}

TEST_F(MadeUpRun, EndsAtItsLengthAndKeepsItsBudgets) {
  run.begin();
  EXPECT_FALSE(take(TimedRun::length - 3e-6, 0, std::chrono::microseconds(30)));
  EXPECT_TRUE(run.running());
  EXPECT_NEAR(run.view().left, 3e-6, 1e-12);
  EXPECT_TRUE(take(TimedRun::length - 5e-7, 0, std::chrono::microseconds(70)));
  EXPECT_FALSE(run.running());
  EXPECT_FALSE(take(TimedRun::length + 1.0)) << "it ends once";
  const engine::BestRun result = run.result(context.flight().scene());
  EXPECT_EQ(result.minBudget, std::chrono::microseconds(30));
  EXPECT_EQ(result.maxBudget, std::chrono::microseconds(70));
  TimedRun later;
  later.begin();
  std::swap(run, later);
  (void)take(TimedRun::length + 5.0);
  EXPECT_EQ(run.view().left, 0.0) << "never below none";
  // A new run has its own
  run.begin();
  (void)take(0.1, 0, std::chrono::microseconds(50));
  EXPECT_EQ(run.result(context.flight().scene()).minBudget, std::chrono::microseconds(50));
  EXPECT_EQ(run.result(context.flight().scene()).maxBudget, std::chrono::microseconds(50));
  EXPECT_NEAR(run.view().left, TimedRun::length - 0.1, 1e-12);
  run.giveUp();
  run.begin();
  EXPECT_EQ(run.view().left, TimedRun::length);
  // As has a free flight
  run.giveUp();
  run.forgetFree();
  (void)take(0.2, 0, std::chrono::microseconds(60));
  EXPECT_EQ(run.result(context.flight().scene()).minBudget, std::chrono::microseconds(60));
}

TEST_F(MadeUpRun, CountsHowOftenItWasFlownBack) {
  run.begin();
  const TimedRun past = run;
  EXPECT_EQ(run.timesBack(), 0u);
  run.flyBack(past);
  run.flyBack(past);
  EXPECT_EQ(run.timesBack(), 2u);
  EXPECT_TRUE(run.running());
  run.giveUp();
  run.flyBack(past);
  EXPECT_FALSE(run.running()) << "a run that was ended stays ended";
  TimedRun free;
  run.begin();
  EXPECT_EQ(run.timesBack(), 0u);
  run.flyBack(free);
  EXPECT_FALSE(run.running()) << "before the run there was none";
}

engine::Score scoreOf(int passes, int hits, int falseHits, Real ownSpeed = 0.8) {
  engine::Score score;
  for (int i = 0; i < passes; ++i) (void)score.take(engine::NearMiss{1, 0.01, ownSpeed, 0.0}, 1.0);
  engine::Hit hit;
  for (int i = 0; i < hits; ++i) (void)score.take(hit);
  hit.gap = 0.1;
  for (int i = 0; i < falseHits; ++i) (void)score.take(hit);
  return score;
}

TEST(RunAdvice, IsAboutWhatCostMost) {
  EXPECT_NE(runAdvice(scoreOf(0, 0, 0)).find("full thrust"), std::string::npos);
  EXPECT_NE(runAdvice(scoreOf(0, 2, 2)).find("full thrust"), std::string::npos);
  const engine::Score lossy = scoreOf(4, 1, 1);
  const std::int64_t lost = -(lossy.hits().points + lossy.falseHits().points);
  ASSERT_EQ(lost, engine::Score::hitCost + engine::Score::falseHitCost);
  EXPECT_EQ(runAdvice(lossy), fmt::format("Turn aside earlier: 2 hits cost {} points.", lost));
  EXPECT_EQ(runAdvice(scoreOf(4, 1, 0)),
            fmt::format("Turn aside earlier: 1 hit cost {} points.", engine::Score::hitCost));
  // Less than a quarter of what the passes earned
  const engine::Score good = scoreOf(30, 0, 2);
  ASSERT_LT(4 * 2 * engine::Score::falseHitCost, good.nearMisses().points);
  EXPECT_NE(runAdvice(good).find("2 false hits came from too little of it"), std::string::npos);
  EXPECT_NE(runAdvice(good).find("Give detection more time"), std::string::npos);
  EXPECT_NE(runAdvice(scoreOf(7, 0, 0)).find("8 passes without a hit multiply points by 8"),
            std::string::npos);
  EXPECT_NE(runAdvice(scoreOf(8, 0, 0)).find("Closer:"), std::string::npos);
  // A true hit among many passes costs little
  EXPECT_EQ(runAdvice(scoreOf(60, 1, 0)).find("false"), std::string::npos);
}

TEST(RunPage, HasTheScoreTheAdviceAndTheBestRuns) {
  const engine::Score score = scoreOf(3, 1, 2);
  engine::BestRun run;
  setScore(run, score);
  EXPECT_EQ(run.points, score.points());
  EXPECT_EQ(run.nearMisses, 3u);
  EXPECT_EQ(run.hits, 1u);
  EXPECT_EQ(run.falseHits, 2u);
  EXPECT_EQ(run.longestStreak, 3u);
  run.minBudget = std::chrono::microseconds(40);
  run.maxBudget = std::chrono::microseconds(90);
  run.scene = "lamps";
  engine::BestRuns best;
  engine::BestRun other = run;
  other.scene = "escape";
  other.points = 999;
  best.runs = {other, run, other};
  const auto page = runPage(score, run, best, 1);
  ASSERT_EQ(page.size(), 3u);
  EXPECT_EQ(page[0].heading, "What earned it");
  const auto line = [](const engine::ScoreLine& of) {
    return fmt::format("{:+} for {}", of.points, of.count);
  };
  const std::vector<PageRow> earned{
      {"near misses", line(score.nearMisses())}, {"hits", line(score.hits())},
      {"false hits", line(score.falseHits())},   {"longest streak", "3"},
      {"min budget", budgetText(run.minBudget)}, {"max budget", budgetText(run.maxBudget)}};
  ASSERT_EQ(page[0].rows.size(), earned.size());
  for (std::size_t i = 0; i < earned.size(); ++i) {
    EXPECT_EQ(page[0].rows[i].left, earned[i].left);
    EXPECT_EQ(page[0].rows[i].right, earned[i].right);
  }
  EXPECT_EQ(page[1].heading, "Next time");
  EXPECT_EQ(page[1].rows[0].right, runAdvice(score));
  EXPECT_EQ(page[2].heading, "Best runs");
  ASSERT_EQ(page[2].rows.size(), 3u);
  EXPECT_EQ(page[2].rows[0].left, "1. 999 points");
  EXPECT_EQ(page[2].rows[1].left, fmt::format("2. {} points", run.points));
  EXPECT_EQ(page[2].rows[1].right, runText(run) + ", this run");
  EXPECT_EQ(page[2].rows[2].right, runText(other));
  // Of one scene only, numbered within it
  const PageGroup escape = bestRunsGroup(best, 2, "escape");
  ASSERT_EQ(escape.rows.size(), 2u);
  EXPECT_EQ(escape.rows[1].left, "2. 999 points");
  EXPECT_TRUE(escape.rows[1].right.ends_with(", this run"));
  EXPECT_FALSE(escape.rows[0].right.ends_with(", this run"));
  for (const PageRow& row : bestRunsGroup(best, {}).rows)
    EXPECT_FALSE(row.right.ends_with(", this run"));
  const PageGroup none = bestRunsGroup(best, {}, "station");
  ASSERT_EQ(none.rows.size(), 1u);
  EXPECT_EQ(none.rows[0].right, "none yet");
}

}  // namespace
}  // namespace nearmiss::app::fly
