// SPDX-License-Identifier: MIT
/// What a mission shows: its line, its figures, its page at the end, its ghost and its arrow.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <engine/scene/scene.h>

#include <cmath>
#include <glm/geometric.hpp>
#include <map>
#include <string>
#include <vector>

#include "app/fly/drawn_text.h"
#include "app/fly/modes.h"
#include "fly/modes/game/mission_mode.h"

namespace nearmiss::app::fly {
namespace {

using engine::Mission;
using engine::MissionKind;
using engine::MissionState;

const LoadedScene& sceneOf(const std::string& name) {
  static std::map<std::string, LoadedScene> loaded;
  const auto found = loaded.find(name);
  if (found != loaded.end()) return found->second;
  auto scene = engine::readScene(*engine::findScene(name));
  EXPECT_TRUE(scene.has_value());
  scene->clock = engine::ClockKind::Work;
  scene->arena.flown = true;
  return loaded.emplace(name, quickScene(*std::move(scene))).first->second;
}

class ShownMission : public Modes {
 protected:
  void take(const std::string& scene) {
    auto begun = Flight::begin(sceneOf(scene));
    ASSERT_TRUE(begun.has_value());
    context.flightManager.flight().emplace(*std::move(begun));
    mode.beginAgain(context);
    ASSERT_TRUE(mode.on());
  }
  void put(const Vec3& place) {
    context.flight().acts().add({engine::HandAct::Kind::Put, own().key, place, Vec3(0.0)});
    fly();
  }
  void passGate() {
    const engine::Gate gate = mode.gates()[0];
    put(gate.centre - 0.4 * gate.axis);
    put(gate.centre + 0.4 * gate.axis);
  }
  void passAllGates() {
    for (int most = 40; !mode.ended() && most > 0; --most) passGate();
    ASSERT_TRUE(mode.ended());
  }
  /// The page at the end: value by heading and name.
  [[nodiscard]] std::string onPage(std::string_view heading, std::string_view left) {
    const OverlayView view = described();
    if (!view.modes.runEnd) return "no page";
    for (const PageGroup& group : view.modes.runEnd->groups)
      if (group.heading == heading)
        for (const PageRow& row : group.rows)
          if (row.left == left) return row.right;
    return "missing";
  }

  MissionMode& mode = context.modes.mission;
};

TEST_F(ShownMission, SaysInOneLineWhatToDo) {
  EXPECT_TRUE(mode.line().empty());
  take("slalom");
  fly(30);
  const auto left = [&] {
    return fmt::format("{:.0f} s and {} hits left", mode.mission()->left(),
                       mode.mission()->rules().hull - mode.mission()->hits());
  };
  EXPECT_EQ(mode.line(), fmt::format("Fly through ring 1 of 10: {}.", left()));
  passGate();
  EXPECT_EQ(mode.line(), fmt::format("Fly through ring 2 of 10: {}.", left()));
  take("escape");
  EXPECT_EQ(mode.line(), fmt::format("Escape the hunters: {}.", left()));
  take("station");
  EXPECT_EQ(mode.line(),
            fmt::format("Touch the station inside its bay, slower than 0.5 m/s: {}.", left()));
}

TEST_F(ShownMission, ShowsItsFiguresInThePanelOfRuns) {
  EXPECT_FALSE(described().modes.run.has_value());
  take("slalom");
  fly(10);
  passGate();
  OverlayView view = described();
  ASSERT_TRUE(view.modes.run.has_value());
  EXPECT_EQ(view.modes.run->left, mode.mission()->left());
  EXPECT_LT(view.modes.run->left, mode.mission()->rules().seconds);
  EXPECT_EQ(view.modes.run->points, mode.mission()->points());
  EXPECT_GE(view.modes.run->points, Mission::gatePoints);
  EXPECT_EQ(view.modes.run->streak, mode.mission()->score().streak());
  EXPECT_EQ(view.modes.run->times, mode.mission()->score().times());
  const std::string_view event = context.modes.run.recentEvent(context.times.wallSeconds());
  EXPECT_EQ(view.modes.run->event, event.empty() ? mode.line() : std::string(event));
  EXPECT_EQ(view.modes.run->level.number, 0u) << "it has no levels";
  EXPECT_FALSE(view.modes.runEnd.has_value());
  passAllGates();
  view = described();
  EXPECT_FALSE(view.modes.run.has_value());
  EXPECT_TRUE(view.modes.runEnd.has_value());
  context.ui.pages.runEnd = false;
  EXPECT_FALSE(described().modes.runEnd.has_value());
}

TEST_F(ShownMission, EndsWithAPageOfItsResult) {
  take("slalom");
  context.ui.pages.scroll = 5.0f;
  passAllGates();
  const Mission& mission = *mode.mission();
  EXPECT_EQ(described().modes.runEnd->title,
            fmt::format("Mission slalom: won, {} points", mission.points()));
  EXPECT_EQ(onPage("Result", "time"), fmt::format("{:.1f} s", mission.flown()));
  EXPECT_EQ(onPage("Result", "gates"), "10 of 10");
  EXPECT_EQ(onPage("Result", "hits"), fmt::format("{}", mission.hits()));
  EXPECT_EQ(onPage("Result", "near misses"), fmt::format("{}", mission.score().nearMisses().count));
  EXPECT_EQ(onPage("Result", "your ghost"), "missing") << "the first flight has none";
  EXPECT_EQ(onPage("Next time", ""), missionAdvice(mission));
  EXPECT_NE(onPage("Best runs", fmt::format("1. {} points", mission.points())), "missing");
  const auto& groups = described().modes.runEnd->groups;
  EXPECT_EQ(groups[groups.size() - 1].heading, "Closest passes");
  EXPECT_EQ(context.ui.pages.scroll, 0.0f);
  EXPECT_EQ(context.flight().past() ? context.flight().past()->begin() : 0,
            context.flight().past() ? context.flight().past()->end() : 0);
  const auto best = engine::readBestRuns(engine::bestRunsFolder());
  ASSERT_EQ(best->runs.size(), 1u);
  EXPECT_EQ(best->runs[0].points, mission.points());
  EXPECT_EQ(best->runs[0].nearMisses, mission.score().nearMisses().count);
  // A restart closes it
  EXPECT_TRUE(context.restart(context.flight().scene().seed));
  EXPECT_FALSE(context.ui.pages.runEnd || context.ui.pace.paused);
}

TEST_F(ShownMission, HasNoGatesOnThePageOfAnother) {
  take("station");
  const auto hull = mode.mission()->rules().hull;
  const Pose station = context.flight().output().bodies[engine::Bay::station].pose;
  // Bumps into the station from the outside
  for (int frame = 0; frame < 4000 && mode.on(); ++frame) {
    context.flight().acts().add({engine::HandAct::Kind::Put, own().key,
                                 transformed(station, Vec3(frame % 40 < 20 ? 3.0 : 20.0, 0.0, 0.0)),
                                 station.rotation * Vec3(-2.0, 0.0, 0.0)});
    fly();
  }
  ASSERT_TRUE(mode.ended());
  ASSERT_EQ(mode.mission()->state(), MissionState::Broken);
  EXPECT_EQ(described().modes.runEnd->title,
            fmt::format("Mission station: too many hits, {} points", mode.mission()->points()));
  EXPECT_EQ(onPage("Result", "gates"), "missing");
  EXPECT_EQ(onPage("Result", "hits"), fmt::format("{}", hull));
}

/// The ghost flies the fastest way so far; a slower one does not replace it.
TEST_F(ShownMission, RacesAgainstTheFastestFlightOfItsSeed) {
  take("slalom");
  const std::uint64_t seed = context.flight().scene().seed;
  const auto flyIn = [&](int waiting) {
    fly(waiting);
    passAllGates();
    const double seconds = mode.mission()->flown();
    const std::string ghost = onPage("Result", "your ghost");
    EXPECT_TRUE(context.restart(seed));
    return std::pair(seconds, ghost);
  };
  const auto [first, none] = flyIn(60);
  EXPECT_EQ(none, "missing");
  // The ghost is drawn as the ship, where it was
  fly(10);
  const auto ships = mode.ghostShips(context.flight());
  ASSERT_EQ(ships.size(), static_cast<std::size_t>(linkCount(own())));
  EXPECT_EQ(ships[0].shape, own().shape.index());
  EXPECT_LT(glm::distance(ships[0].pose.position, own().pose.position), 1e-3)
      << "nobody has steered yet";
  EXPECT_EQ(ships[0].outline, 1.0f);
  const auto [second, behind] = flyIn(120);
  EXPECT_EQ(behind, fmt::format("{:.1f} s ahead of you", second - first));
  const auto [third, ahead] = flyIn(10);
  EXPECT_EQ(ahead, fmt::format("{:.1f} s behind you", first - third));
  const auto [fourth, last] = flyIn(40);
  EXPECT_EQ(last, fmt::format("{:.1f} s ahead of you", fourth - third))
      << "the third flight is the ghost now";
  // A flight of another scene has none
  fly(5);
  EXPECT_FALSE(mode.ghostShips(context.flight()).empty());
  take("escape");
  fly(5);
  EXPECT_TRUE(mode.ghostShips(context.flight()).empty());
}

/// A flight that was flown back counts for nothing.
TEST_F(ShownMission, KeepsNoResultOfAFlightThatWasFlownBack) {
  takeOffRecorded(sceneOf("slalom"));
  mode.beginAgain(context);
  fly(60);
  context.steering.rewinds = true;
  fly(20);
  context.steering.rewinds = false;
  fly(5);
  passAllGates();
  EXPECT_TRUE(context.toasts.contains("flown back: the mission is not among the best runs"));
  EXPECT_TRUE(engine::readBestRuns(engine::bestRunsFolder())->runs.empty());
  EXPECT_TRUE(context.restart(context.flight().scene().seed));
  fly(5);
  EXPECT_TRUE(mode.ghostShips(context.flight()).empty());
  // The next flight counts again
  passAllGates();
  EXPECT_EQ(engine::readBestRuns(engine::bestRunsFolder())->runs.size(), 1u);
}

TEST_F(ShownMission, BelongsToAUserWhoFliesAlone) {
  take("slalom");
  // In another scene there is none
  context.flightManager.flight().emplace(*Flight::begin(lamps()));
  mode.beginAgain(context);
  EXPECT_EQ(mode.mission(), nullptr);
  EXPECT_TRUE(mode.gates().empty());
  EXPECT_FALSE(mode.ended());
  EXPECT_TRUE(mode.ghostShips(context.flight()).empty());
}

/// An arrow leads to the next ring while it is out of view, and only then.
TEST_F(ShownMission, PointsToWhatIsOutOfView) {
  const DrawnText text(1280.0f, 720.0f, 1.0f);
  const auto arrows = [&] {
    ImGui::GetBackgroundDrawList()->_ResetForNewFrame();
    ImGui::GetBackgroundDrawList()->PushClipRectFullScreen();
    ImGui::GetBackgroundDrawList()->PushTextureID(ImGui::GetIO().Fonts->TexID);
    EXPECT_FALSE(mode.label(context, Ink(), {1280.0f, 720.0f}, {}));
    return text.shapes(palette::own);
  };
  EXPECT_TRUE(arrows().empty()) << "without a mission";
  take("slalom");
  OverlayView view = described();
  view.frames.history = &context.times.history;
  view.frames.numbers = &context.panels.numbers.flight();
  (void)context.panels.overlay.place(view);
  const Rect scene = context.panels.overlay.sceneArea();
  const Vec3 goal = *mode.mission()->goal();
  Camera& camera = context.view.camera;
  camera.pose = {goal + Vec3(0.0, 0.0, 20.0), glm::identity<Quat>()};
  EXPECT_TRUE(arrows().empty()) << "it is seen";
  // Far to the right, above, to the left and below
  for (const Vec3& aside :
       {Vec3(-60.0, 0.0, 0.0), Vec3(0.0, -60.0, 0.0), Vec3(60.0, 0.0, 0.0), Vec3(0.0, 60.0, 0.0)}) {
    camera.pose.position = goal + Vec3(0.0, 0.0, 20.0) + aside;
    const auto drawn = arrows();
    ASSERT_FALSE(drawn.empty());
    const Rect& arrow = drawn.front();
    const float x = arrow.x + 0.5f * arrow.width, y = arrow.y + 0.5f * arrow.height;
    const float edge = 4.0f * textSize();
    EXPECT_EQ(x > scene.right() - edge, aside.x < 0.0);
    EXPECT_EQ(x<scene.x + edge, aside.x> 0.0);
    EXPECT_EQ(y < scene.y + edge, aside.y < 0.0);
    EXPECT_EQ(y > scene.bottom() - edge, aside.y > 0.0);
    EXPECT_GE(arrow.x, scene.x);
    EXPECT_LE(arrow.right(), scene.right());
  }
  ASSERT_FALSE(arrows().empty());
  context.ui.view.overlay = OverlayMode::Off;
  EXPECT_TRUE(arrows().empty());
}

TEST_F(ShownMission, GoesToTheNextOne) {
  context.ui.pages.runEnd = context.ui.pace.paused = true;
  mode.next(context);
  EXPECT_FALSE(context.ui.pages.runEnd || context.ui.pace.paused);
}

/// Advice is about what went wrong.
class Advised : public testing::Test {
 protected:
  std::string after(MissionKind kind, Real time, std::vector<engine::Hit> hits = {},
                    std::vector<engine::NearMiss> passes = {}) {
    for (const engine::MissionRules& rules : engine::missions)
      if (rules.kind == kind) mission.begin(rules, bodies, 0);
    return at(time, std::move(hits), std::move(passes));
  }
  std::string at(Real time, std::vector<engine::Hit> hits = {},
                 std::vector<engine::NearMiss> passes = {}) {
    engine::FrameOutput output;
    output.bodies = bodies;
    output.profile.simTime = time;
    (void)mission.take(output, 0, passes, hits);
    return missionAdvice(mission);
  }
  [[nodiscard]] static bool says(const std::string& advice, std::string_view words) {
    return advice.find(words) != std::string::npos;
  }

  std::vector<BodyState> bodies = std::vector<BodyState>(2);
  Mission mission;
};

TEST_F(Advised, OfDocking) {
  EXPECT_TRUE(says(after(MissionKind::Docking, 200.0), "open end of the bay"));
  // Too fast: it says how fast
  bodies[0].pose.position = {0.0, 0.0, 0.0};
  (void)after(MissionKind::Docking, 0.0);
  bodies[0].pose.position = {0.0, 0.0, 1.0};
  (void)at(1.0);
  engine::Hit touch;
  touch.ship = engine::Bay::station;
  EXPECT_EQ(at(2.0, {touch}),
            "Brake before you touch: you touched at 1.0 m/s, 0.5 m/s is the limit.");
  // At rest it has won: there is time left
  (void)after(MissionKind::Docking, 1.0);
  (void)at(2.0);
  const std::string won = at(3.0, {touch});
  ASSERT_EQ(mission.state(), MissionState::Won);
  EXPECT_FALSE(says(won, "bay"));
  EXPECT_FALSE(says(won, "Brake"));
  EXPECT_TRUE(says(won, "Pass closer"));
}

TEST_F(Advised, OfTheOthers) {
  const engine::Hit hit;
  EXPECT_TRUE(says(after(MissionKind::Escape, 1.0, std::vector<engine::Hit>(6)), "hunters"));
  EXPECT_FALSE(says(after(MissionKind::Slalom, 1.0, std::vector<engine::Hit>(6)), "hunters"));
  EXPECT_TRUE(says(after(MissionKind::Escape, 60.0, {hit}), "Turn earlier before the rocks"));
  EXPECT_TRUE(says(after(MissionKind::Slalom, 120.0), "Keep the thrust on through the rings"));
  EXPECT_TRUE(says(after(MissionKind::Escape, 60.0), "Pass closer to the others"));
  bodies[0].shape = ShapeRef::ofRadius(1.0);
  const engine::NearMiss pass{1, 0.01, 0.8, 0.5};
  EXPECT_TRUE(says(after(MissionKind::Escape, 60.0, {}, {pass}), "every second left"));
  // What hits have cost
  (void)after(MissionKind::Slalom, 1.0, {}, {pass, pass, pass, pass});
  const std::int64_t before = mission.score().points();
  std::string advice = at(2.0, {hit});
  EXPECT_TRUE(says(advice, fmt::format("a hit cost {} points", before - mission.score().points())))
      << advice;
  engine::Hit falseHit;
  falseHit.gap = 0.1;
  advice = at(3.0, {falseHit});
  EXPECT_TRUE(says(advice, fmt::format("2 hits cost {} points", before - mission.score().points())))
      << advice;
}

}  // namespace
}  // namespace nearmiss::app::fly
