// SPDX-License-Identifier: MIT
/// Flying backwards in the window: states, points and recordings are those of where one flies on.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "app/fly/modes.h"
#include "fly/flight_context.h"

namespace nearmiss::app::fly {
namespace {

/// The flight of the window: its session is recorded, and its past is kept.
class Rewinding : public Modes {
 protected:
  Rewinding() : before_(std::filesystem::current_path()) {
    // Recordings go to the working folder
    std::filesystem::current_path(folder.path());
    takeOffRecorded(lamps());
  }
  ~Rewinding() override { std::filesystem::current_path(before_); }

  void flyAndNote(int frames) {
    for (int i = 0; i < frames; ++i) {
      fly();
      states.push_back(state());
      const auto run = described().modes.run;
      points.push_back(run ? run->points : 0);
      streaks.push_back(run ? run->streak : 0);
    }
  }
  /// Rewinds by this many frames and lets go, without flying another.
  void flyBack(int frames) {
    context.steering.rewinds = true;
    fly(frames);
    context.steering.rewinds = false;
    EXPECT_FALSE(context.modes.rewind.advance(context));
    EXPECT_FALSE(context.modes.rewind.on());
    states.resize(states.size() - static_cast<std::size_t>(frames));
    points.resize(states.size());
    streaks.resize(states.size());
  }
  [[nodiscard]] static std::vector<std::filesystem::path> sessions() {
    std::vector<std::filesystem::path> found;
    for (const auto& entry : std::filesystem::directory_iterator("."))
      if (entry.path().extension() == ".session") found.push_back(entry.path());
    std::ranges::sort(found);
    return found;
  }
  /// The states of a recorded session, frame by frame.
  static std::vector<std::uint64_t> replayed(const std::filesystem::path& file) {
    auto player = playerOf(file, lamps().shapes);
    EXPECT_TRUE(player.has_value());
    std::vector<std::uint64_t> states;
    while (!(*player)->atEnd()) {
      EXPECT_TRUE((*player)->step());
      states.push_back(engine::stateHash((*player)->simulation().world().ships()));
    }
    EXPECT_FALSE((*player)->difference());
    return states;
  }
  [[nodiscard]] bool said(std::string_view words) const { return context.toasts.contains(words); }

  std::vector<std::uint64_t> states;  ///< after each frame
  std::vector<std::int64_t> points;
  std::vector<std::uint32_t> streaks;

 private:
  std::filesystem::path before_;
};

/// A kept run shows its seconds and points again, wherever one jumps in it.
TEST_F(Rewinding, ShowsPointsAndSecondsInTheReplayOfARun) {
  apply(context, Action::Run);
  context.steering.control.thrust = 1.0;
  std::vector<double> left;
  for (int i = 0; i < 400; ++i) {
    flyAndNote(1);
    left.push_back(described().modes.run->left);
  }
  EXPECT_NE(points.back(), 0) << "a run in which nothing happens shows nothing";
  const std::filesystem::path kept = engine::bestRunsFolder() / "kept.session";
  std::filesystem::create_directories(kept.parent_path());
  ASSERT_TRUE(context.flightManager.session().saveCopy(kept));
  std::filesystem::copy_file(kept, "elsewhere.session");
  for (const std::filesystem::path& file : {kept, std::filesystem::path("elsewhere.session")}) {
    auto player = playerOf(file, lamps().shapes);
    ASSERT_TRUE(player.has_value());
    context.show(context.flightManager.replay(*std::move(player)));
    context.ui.pace.paused = true;
    for (const std::uint64_t to : {1u, 100u, 300u, 299u, 40u, 400u, 1u}) {
      context.modes.replay.jumpTo(to);
      fly();
      const auto run = described().modes.run;
      ASSERT_EQ(run.has_value(), file == kept) << "other sessions are no runs";
      if (!run) continue;
      EXPECT_EQ(run->points, points[to - 1]) << to;
      EXPECT_EQ(run->streak, streaks[to - 1]) << to;
      EXPECT_DOUBLE_EQ(run->left, left[to - 1]) << to;
    }
    EXPECT_FALSE(context.modes.run.on()) << "nobody flies it";
    EXPECT_FALSE(context.ui.pages.runEnd);
  }
}

TEST_F(Rewinding, KeepsTotalsAndShowsHowFarItIs) {
  flyAndNote(40);
  context.times.statistics.frames = 40;
  context.times.statistics.responses = 7;
  context.steering.rewinds = true;
  fly(10);
  const OverlayView view = described();
  EXPECT_GT(view.modes.flownBack.value_or(0.0), 0.0);
  EXPECT_FALSE(view.modes.backSpeed) << "one frame a turn has no speed";
  context.steering.rewinds = false;
  fly();
  EXPECT_TRUE(said("s were undone; the flight continues at"));
  EXPECT_EQ(context.times.statistics.frames, 40u);
  EXPECT_EQ(context.times.statistics.responses, 7u);
}

TEST_F(Rewinding, GoesBackWhileTheKeyIsHeldAndOnFromThere) {
  flyAndNote(200);
  context.steering.rewinds = true;
  for (int back = 1; back <= 150; ++back) {
    fly();
    ASSERT_TRUE(context.modes.rewind.on());
    EXPECT_FALSE(context.times.advanced) << "nothing is measured";
    ASSERT_EQ(state(), states[states.size() - 1 - static_cast<std::size_t>(back)]) << back;
  }
  EXPECT_NEAR(*described().modes.flownBack, 150.0 / 60.0, 1e-6);
  EXPECT_EQ(context.flight().output().detection, nullptr);
  context.steering.rewinds = false;
  fly();
  EXPECT_FALSE(described().modes.flownBack.has_value());
  // Without a limit the same happens again
  EXPECT_EQ(state(), states[50]);
  fly(149);
  EXPECT_EQ(state(), states.back());
}

TEST_F(Rewinding, GoesBackBeyondWhereItWentOnBefore) {
  flyAndNote(100);
  flyBack(50);
  flyAndNote(10);
  flyBack(30);
  ASSERT_EQ(states.size(), 30u);
  EXPECT_EQ(state(), states.back());
}

TEST_F(Rewinding, TakesPointsAndNearMissesBack) {
  apply(context, Action::Run);
  SplitMix random(6);
  std::size_t changed = 0;
  for (int round = 0; round < 30; ++round) {
    context.steering.control = {1.0, 0.3, random.between(-1.0, 1.0), 0.0};
    flyAndNote(120 + static_cast<int>(random.bits() % 60));
    const std::int64_t before = points.back();
    flyBack(1 + static_cast<int>(random.bits() % 100));
    const auto run = described().modes.run;
    ASSERT_TRUE(run.has_value());
    EXPECT_EQ(state(), states.back());
    EXPECT_EQ(run->points, points.back());
    EXPECT_EQ(run->streak, streaks.back());
    EXPECT_NEAR(run->left, TimedRun::length - time(), 1e-6);
    changed += before != points.back();
  }
  EXPECT_GT(changed, 1u) << "points must have been at stake";
}

/// The same passes are counted as in a flight that never went back.
TEST_F(Rewinding, ForgetsNoPassThatWasUnderWay) {
  apply(context, Action::Run);
  context.steering.control = {1.0, 0.3, 0.6, 0.0};
  flyAndNote(1500);
  const std::vector<std::int64_t> straight = points;
  ASSERT_NE(straight.back(), 0);
  apply(context, Action::Restart);
  states.clear();
  points.clear();
  streaks.clear();
  SplitMix random(8);
  while (states.size() < 1500) {
    flyAndNote(std::min(90, 1500 - static_cast<int>(states.size())));
    if (states.size() < 1500) flyBack(1 + static_cast<int>(random.bits() % 40));
  }
  EXPECT_EQ(points, straight);
}

TEST_F(Rewinding, OfARunIsToldAndKeepsItFromTheBest) {
  apply(context, Action::Run);
  flyAndNote(60);
  flyBack(20);
  for (int frame = 0; frame < 20000 && context.modes.run.on(); ++frame) fly();
  EXPECT_TRUE(context.ui.pages.runEnd);
  EXPECT_TRUE(engine::readBestRuns(engine::bestRunsFolder())->runs.empty());
  EXPECT_TRUE(said("flown back 1 time"));
  // It is over, and stays so
  context.ui.pages.runEnd = false;
  context.steering.rewinds = true;
  fly();
  EXPECT_FALSE(context.modes.rewind.on());
  EXPECT_TRUE(said("nothing earlier to rewind to"));
}

TEST_F(Rewinding, OfARecordedFlightKeepsTheFileAndGoesOnInAnother) {
  flyAndNote(90);
  toggleSession(context);
  ASSERT_TRUE(context.flightManager.session().writing());
  flyAndNote(100);
  const std::vector<std::uint64_t> first = states;
  flyBack(75);
  EXPECT_TRUE(context.flightManager.session().writing());
  context.steering.control.yaw = 1.0;
  flyAndNote(50);
  toggleSession(context);
  const auto files = sessions();
  ASSERT_EQ(files.size(), 2u);
  // Whichever has the earlier name
  const std::vector<std::uint64_t> one = replayed(files[0]), other = replayed(files[1]);
  EXPECT_TRUE((one == first && other == states) || (one == states && other == first));
  EXPECT_EQ(first.size(), 190u);
  EXPECT_EQ(states.size(), 165u);
}

TEST_F(Rewinding, IsRefusedInASentence) {
  context.steering.rewinds = true;
  const auto refused = [&](std::string_view words) {
    const std::uint64_t before = state();
    context.toasts.clear();
    (void)context.modes.rewind.advance(context);
    EXPECT_TRUE(said(words)) << words;
    EXPECT_FALSE(context.modes.rewind.on());
    EXPECT_EQ(state(), before);
    // Once while the key is held
    context.toasts.clear();
    (void)context.modes.rewind.advance(context);
    EXPECT_TRUE(context.toasts.empty());
    context.steering.rewinds = false;
    (void)context.modes.rewind.advance(context);
    context.steering.rewinds = true;
  };
  refused("nothing earlier to rewind to");
  context.steering.rewinds = false;
  fly(30);
  context.steering.rewinds = true;
  apply(context, Action::SplitView);
  refused("a split view cannot be rewound");
  apply(context, Action::SplitView);
  apply(context, Action::Tour);
  refused("a tour cannot be rewound");
  apply(context, Action::Tour);
  apply(context, Action::Bench);
  refused("leaves the bench");
  apply(context, Action::Bench);
  (void)context.modes.rewind.advance(context);
  EXPECT_TRUE(context.modes.rewind.on());
}

TEST_F(Rewinding, EndsWhereTheRecordBegins) {
  flyAndNote(40);
  context.steering.rewinds = true;
  fly(60);
  EXPECT_TRUE(said("this is the earliest stored moment, 1 s back"));
  EXPECT_EQ(time(), 0.0);
  context.steering.rewinds = false;
  fly();
  EXPECT_EQ(state(), states[0]);
  // And it was recorded from its start
  toggleSession(context);
  toggleSession(context);
  EXPECT_EQ(replayed(sessions().front()), std::vector{states[0]});
}

/// A run is not told of the frames of a split view, nor of what its past forgets meanwhile.
TEST_F(Rewinding, FollowsAFlightThatWasFlownInASplitView) {
  const auto past = [&]() -> engine::FlightPast& { return *context.flight().past(); };
  past() = engine::FlightPast(1.2);
  ASSERT_TRUE(context.flight().setMethod(Method::SphereTree));
  flyAndNote(10);
  apply(context, Action::SplitView);
  for (int turn = 0; turn < 2000 && past().begin() == 0; ++turn) {
    const std::uint64_t before = past().end();
    fly();
    if (past().end() > before) states.push_back(state());
  }
  ASSERT_GT(past().begin(), 0u);
  ASSERT_EQ(past().end(), states.size());
  context.ui.pace.paused = true;
  apply(context, Action::SplitView);
  points.resize(states.size());
  streaks.resize(states.size());
  flyBack(5);
  EXPECT_EQ(past().end(), states.size());
  EXPECT_EQ(state(), states.back());
}

TEST_F(Rewinding, ThatFailsGoesOnFromWhereItCame) {
  // The first frames cannot be flown again
  context.flight().past()->setDetector([]() -> std::unique_ptr<Detector> { return nullptr; });
  flyAndNote(5);
  ASSERT_TRUE(context.flight().setMethod(Method::SphereTree));
  flyAndNote(10);
  context.steering.rewinds = true;
  fly(12);
  EXPECT_FALSE(context.modes.rewind.on());
  EXPECT_TRUE(said("nothing earlier to rewind to"));
  context.steering.rewinds = false;
  // Session and past are of what is seen: five frames, and those that were flown since
  const std::uint64_t kept = context.flight().past()->end();
  EXPECT_LT(kept, 15u);
  EXPECT_EQ(context.flightManager.session().framesKept(), kept);
  fly(5);
  toggleSession(context);
  toggleSession(context);
  ASSERT_EQ(sessions().size(), 1u);
  EXPECT_EQ(replayed(sessions().front()).back(), state());
}

TEST_F(Rewinding, GivesWayToARestartAndToOtherKeys) {
  flyAndNote(100);
  context.steering.rewinds = true;
  fly(30);
  apply(context, Action::Restart);
  EXPECT_FALSE(context.modes.rewind.on());
  EXPECT_EQ(time(), 0.0);
  fly(3);
  EXPECT_TRUE(said("nothing earlier"));
  context.steering.rewinds = false;
  flyAndNote(100);
  context.steering.rewinds = true;
  fly(30);
  apply(context, Action::ExactGhost);
  EXPECT_TRUE(context.modes.ghost.on());
  EXPECT_FALSE(context.modes.rewind.on());
  // Paused it goes back as well, and stays paused
  context.ui.pace.paused = true;
  fly(10);
  const std::uint64_t there = state();
  context.steering.rewinds = false;
  fly(5);
  EXPECT_EQ(state(), there);
}

}  // namespace
}  // namespace nearmiss::app::fly
