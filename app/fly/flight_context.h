// SPDX-License-Identifier: MIT
/// All that keys, controls, panels and modes act on: one flight in the window, without the window.
#pragma once

#include <string>

#include "fly/changeover.h"
#include "fly/diagram/ship_diagram.h"
#include "fly/flight_modes.h"
#include "fly/flight_records.h"
#include "fly/frame_times.h"
#include "fly/gfx/renderer.h"
#include "fly/host/impact_sound.h"
#include "fly/host/input.h"
#include "fly/host/window.h"
#include "fly/overlay/messages.h"
#include "fly/remembered_settings.h"
#include "fly/screen_panels.h"
#include "fly/view/flight_view.h"
#include "fly/view/pair_inspection.h"

namespace nearmiss::app::fly {

/// The level cap of a scene as the window keeps it.
[[nodiscard]] int levelCapOf(const engine::Scene& scene) noexcept;

/// How the user steers.
struct Steering {
  engine::ShipControl control;
  bool stopShip = false;      ///< in the next frame
  bool fliesBack = false;     ///< the key for that is held
  double lastStopKey = -1.0;  ///< wall seconds
  bool steered = false;       ///< the user has thrust since the start
  double warnedAt = -1.0;     ///< wall seconds of the last tone before a hit
};

/// The window, as far as a flight is concerned.
struct Screen {
  Window* window = nullptr;        ///< null without one
  int width = 1280, height = 720;  ///< pixels
  bool vsync = false;
  DriverInfo driver;
};

/// How the loop ends.
struct Ending {
  bool stopped = false;
  int exitCode = Ok;
  std::string failure;  ///< shown until the user has read it; empty: none
};

struct FlightContext {
  FlightContext(const Options& options, Screen screen, SettingsMemory memory = {});
  FlightContext(const FlightContext&) = delete;
  FlightContext& operator=(const FlightContext&) = delete;

  Options options;
  Screen screen;
  Changeover changeover;
  UiState ui;
  FlightModes modes;

  Input input;
  Steering steering;
  FlightView view;
  ImpactSound sound;
  PairInspection inspection;
  ShipDiagram diagram;

  ScreenPanels panels;
  Toasts toasts;
  RememberedSettings remembered;
  FrameTimes times;
  FlightRecords records;
  Ending ending;

  /// True if a scene is loaded.
  [[nodiscard]] bool flies() const noexcept { return changeover.flight().has_value(); }
  /// @pre flies()
  [[nodiscard]] Flight& flight() noexcept { return *changeover.flight(); }
  [[nodiscard]] const Flight& flight() const noexcept { return *changeover.flight(); }
  /// True if what flies was recorded, so that nothing changes it.
  [[nodiscard]] bool replays() const noexcept { return flies() && flight().player() != nullptr; }

  /// A word to the user, in place of the last one about `topic`.
  void say(std::string topic, std::string text);
  void note(std::string text);
  void warn(std::string text);
  void stop() noexcept { ending.stopped = true; }
  /// Ends the program, after the user has read why if there is one.
  void fail(const Error& error, ExitCode code = BadModelOrScene);

  /// Tells what has changed, and forgets what was measured before.
  void show(const Change& change);
  /// False, with a word to the user, where it could not.
  bool restart(std::uint64_t seed);
  /// Marks, near misses and times belong to frames that are no longer followed.
  void resetMeasurements();

 private:
  void showFlight();
  void beginFirst();
};

}  // namespace nearmiss::app::fly
