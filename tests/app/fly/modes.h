// SPDX-License-Identifier: MIT
/// A flight of lamps with every mode of the window at hand, without a window.
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>

#include <cstdint>

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
