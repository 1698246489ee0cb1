// SPDX-License-Identifier: MIT
/// A duel in the window, for its tests.
#pragma once

#include <engine/game/duel.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "app/fly/modes.h"
#include "fly/modes/game/duel_mode.h"

namespace nearmiss::app::fly {

/// The scene of duels in the window, from its start.
class DuelFlight : public Modes {
 protected:
  using Duel = engine::Duel;
  using DuelState = engine::DuelState;
  using Kind = engine::HandAct::Kind;

  static const LoadedScene& duelScene() {
    static const LoadedScene loaded = flownScene(std::string(Duel::scene), true);
    return loaded;
  }
  DuelFlight() {
    takeOffRecorded(duelScene());
    context.times.turnSeconds = 1.0 / 60.0;
    mode().beginAgain(context);
  }
  [[nodiscard]] DuelMode& mode() noexcept { return context.modes.duel; }
  [[nodiscard]] const Duel& duel() const { return *context.modes.duel.duel(); }
  [[nodiscard]] static Vec3 noseOf(const BodyState& ship) {
    return ship.pose.rotation * Vec3(0.0, 0.0, -1.0);
  }
  /// Puts a body at rest with the next frame.
  void put(std::size_t index, const Vec3& place) {
    engine::HandAct act;
    act.ship = body(index).key;
    act.position = place;
    context.flight().acts().add(act);
  }
  /// Acts of the last frame by the second ship.
  [[nodiscard]] std::vector<engine::HandAct> actsOf(Kind kind) const {
    std::vector<engine::HandAct> found;
    for (const engine::HandAct& act : context.flight().acts().last())
      if (act.kind == kind && act.ship == body(Duel::rival).key) found.push_back(act);
    return found;
  }
  void warmUp() { fly(static_cast<int>(60.0 * Duel::warmUp) + 1); }
  /// Repeats the flight so far from its session.
  void expectReplayed() {
    auto player = savedSession();
    ASSERT_TRUE(player.has_value()) << player.error().message;
    while (!(*player)->atEnd()) ASSERT_TRUE((*player)->step());
    EXPECT_FALSE((*player)->difference());
    EXPECT_EQ(engine::stateHash((*player)->simulation().world().ships()), state());
  }
};

}  // namespace nearmiss::app::fly
