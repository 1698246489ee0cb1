// SPDX-License-Identifier: MIT
/// A flight of lamps with every mode of the window at hand, without a window.
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "app/fly/quick_lamps.h"
#include "fly/command/actions.h"
#include "fly/flight_context.h"
#include "support/files.h"

namespace nearmiss::app::fly {

class Modes : public testing::Test {
 protected:
  Modes() {
    ::setenv("XDG_DATA_HOME", folder.path().c_str(), 1);
    auto begun = Flight::begin(lamps());
    EXPECT_TRUE(begun.has_value());
    context.flightManager.flight().emplace(*std::move(begun));
    context.ui.detection.budget.kind = BudgetKind::Unlimited;
  }
  ~Modes() override { ::unsetenv("XDG_DATA_HOME"); }

  static const LoadedScene& lamps() {
    static const LoadedScene loaded = quickLamps(10);
    return loaded;
  }
  /// Begins a flight that the window's session records.
  void takeOffRecorded(const LoadedScene& scene) {
    engine::SessionWriter* own = &context.flightManager.session();
    auto begun =
        Flight::begin(scene, nullptr, {own, [](engine::SessionWriter*) { /* not ours */ }});
    EXPECT_TRUE(begun.has_value());
    context.flightManager.flight().emplace(*std::move(begun));
  }
  /// Turns of the loop.
  void fly(int turns = 1) {
    for (int turn = 0; turn < turns; ++turn) {
      context.times.advanced = false;
      for (Mode* mode : context.modes.all())
        if (mode->advance(context)) break;
    }
  }
  [[nodiscard]] std::uint64_t state() const {
    return engine::stateHash(context.flight().world().ships());
  }
  [[nodiscard]] Real time() const { return context.flight().world().time(); }
  [[nodiscard]] const BodyState& body(std::size_t index) const {
    return context.flight().output().bodies[index];
  }
  [[nodiscard]] const BodyState& own() const {
    return body(context.flight().simulation().userIndex());
  }
  [[nodiscard]] glm::vec2 pixelOf(const Vec3& place) const {
    glm::vec2 at;
    EXPECT_TRUE(
        project(context.view.camera, context.screen.width, context.screen.height, place, at));
    return at;
  }
  /// Flies a whole run for points.
  /// @param exponent  of the speed; longer frames end it sooner
  void flyRun(int exponent = 0) {
    apply(context, Action::Run);
    ASSERT_TRUE(context.modes.run.on());
    // Passes enough ships to earn points
    context.steering.control = {0.6, 0.0, 0.6, 0.0};
    for (int turn = 0; turn < 60 * 95 && context.modes.run.on(); ++turn) {
      context.ui.pace.speedExponent = exponent;
      fly();
    }
    ASSERT_TRUE(context.ui.pages.runEnd);
  }
  /// The flight so far, to be replayed with the shapes of this flight.
  auto savedSession() {
    const auto file = folder / "flight.session";
    EXPECT_TRUE(context.flightManager.session().saveCopy(file));
    return playerOf(file, context.flight().sharedShapes());
  }
  /// Flies the recorded flight again; `states` are those after each of its frames.
  void expectReplayed(const std::vector<std::uint64_t>& states) {
    auto player = savedSession();
    ASSERT_TRUE(player.has_value());
    for (const std::uint64_t expected : states) {
      ASSERT_TRUE((*player)->step());
      ASSERT_EQ(engine::stateHash((*player)->simulation().world().ships()), expected);
    }
    EXPECT_TRUE((*player)->atEnd());
    EXPECT_FALSE((*player)->difference());
  }
  /// Goes back over the flight; `states` as above.
  void expectRewound(const std::vector<std::uint64_t>& states) {
    auto way = engine::Rewinder::begin(*context.flight().past(), context.flight().simulation());
    ASSERT_TRUE(way);
    for (std::size_t to = states.size(); to > 0; to -= std::min<std::size_t>(to, 7)) {
      ASSERT_TRUE(way->goTo(to));
      ASSERT_EQ(engine::stateHash(way->simulation().world().ships()), states[to - 1]) << to;
    }
  }
  [[nodiscard]] OverlayView described() {
    OverlayView view;
    view.ui = &context.ui;
    for (Mode* mode : context.modes.all()) mode->describe(context, view);
    return view;
  }

  test::TemporaryFolder folder;
  Options options;
  FlightContext context{options, {}};
};

}  // namespace nearmiss::app::fly
