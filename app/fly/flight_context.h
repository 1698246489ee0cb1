// SPDX-License-Identifier: MIT
/// The state that keys, controls, panels and modes act on: one flight, independent of the window.
#pragma once

#include <array>
#include <string>

#include "fly/diagram/ship_diagram.h"
#include "fly/flight/flight_manager.h"
#include "fly/flight/throttle.h"
#include "fly/gfx/renderer.h"
#include "fly/host/input.h"
#include "fly/host/sound/flight_sound.h"
#include "fly/host/window.h"
#include "fly/loop/frame_times.h"
#include "fly/loop/key_script.h"
#include "fly/modes/bench/bench_mode.h"
#include "fly/modes/game/close_passes.h"
#include "fly/modes/game/duel_mode.h"
#include "fly/modes/game/first_minute.h"
#include "fly/modes/game/mission_mode.h"
#include "fly/modes/game/timed_run.h"
#include "fly/modes/hands_mode.h"
#include "fly/modes/own_flight.h"
#include "fly/modes/photo_mode.h"
#include "fly/modes/replay_mode.h"
#include "fly/modes/rewind_mode.h"
#include "fly/modes/split/ghost.h"
#include "fly/modes/split/split_view.h"
#include "fly/modes/tour/tour_mode.h"
#include "fly/modes/tow_mode.h"
#include "fly/overlay/messages.h"
#include "fly/panel/screen_panels.h"
#include "fly/records/flight_records.h"
#include "fly/settings/remembered_settings.h"
#include "fly/view/flight_view.h"
#include "fly/view/pair_inspection.h"

namespace nearmiss::app::fly {

/// All modes of the window.
struct FlightModes {
  RewindMode rewind;
  BenchMode bench;
  TourMode tour;
  ReplayMode replay;
  PhotoMode photo;
  HandsMode hands;
  TowMode tow;
  RunMode run;
  FirstMinute first;
  MissionMode mission;
  DuelMode duel;
  PassReplay passes;
  SplitView split;
  GhostMode ghost;
  OwnFlight own;

  /// In the order of priority; the user's own flight is last.
  [[nodiscard]] std::array<Mode*, 15> all() noexcept {
    return {&rewind, &bench, &passes,  &hands, &tow,   &replay, &tour, &photo,
            &first,  &run,   &mission, &duel,  &split, &ghost,  &own};
  }
  /// Returns true while something is flown for points: a run, a mission or a duel.
  [[nodiscard]] bool countsPoints() const noexcept {
    return run.on() || mission.on() || duel.duel() != nullptr;
  }
  /// Returns true in the scene of a mission or a duel, which has points of its own.
  [[nodiscard]] bool hasGame() const noexcept { return mission.mission() || duel.duel(); }
  /// Returns true from the end of such a game until another flight.
  [[nodiscard]] bool gameEnded() const noexcept { return mission.ended() || duel.ended(); }
};

/// Converts the level cap of a scene to that of the window.
[[nodiscard]] int levelCapOf(const engine::Scene& scene) noexcept;

/// The user's steering.
struct Steering {
  engine::ShipControl control;
  bool stopShip = false;      ///< in the next frame
  bool rewinds = false;       ///< the rewind key is held
  double lastStopKey = -1.0;  ///< wall seconds; time of the last press of the stop key
  bool boosts = false;        ///< the boost is held
  Throttle throttle;
};

/// The parts of the window that a flight uses.
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
  FlightManager flightManager;
  UiState ui;
  FlightModes modes;

  Input input;
  Steering steering;
  FlightView view;
  FlightSound sound;
  PairInspection inspection;
  ShipDiagram diagram;

  ScreenPanels panels;
  Toasts toasts;
  RememberedSettings remembered;
  FrameTimes times;
  FlightRecords records;
  std::optional<KeyScript> script;  ///< empty: only the user gives commands
  Ending ending;

  /// Returns true if a scene is loaded.
  [[nodiscard]] bool hasFlight() const noexcept { return flightManager.flight().has_value(); }
  /// @pre hasFlight()
  [[nodiscard]] Flight& flight() noexcept { return *flightManager.flight(); }
  [[nodiscard]] const Flight& flight() const noexcept { return *flightManager.flight(); }
  /// Returns true if the flight is a replay, which cannot be changed.
  [[nodiscard]] bool replays() const noexcept {
    return hasFlight() && flight().player() != nullptr;
  }

  /// Shows a message that replaces the last one about `topic`.
  void say(std::string topic, std::string text);
  void note(std::string text);
  void warn(std::string text);
  /// Shows the error of a failed result. Returns true if there is one.
  template <class T>
  bool warnIfFailed(const Result<T>& result) {
    if (!result) warn(result.error().message);
    return !result;
  }
  /// Plays a sound unless all sound is off.
  void hear(const OneShot& shot) {
    if (!ui.view.muted) sound.play(shot);
  }
  void stop() noexcept { ending.stopped = true; }
  /// Ends the program. If there is a window, the user reads the error first.
  void fail(const Error& error, ExitCode code = BadModelOrScene);

  /// Reports a change and discards earlier measurements.
  void show(const Change& change);
  /// Restarts the scene. On failure shows a message and returns false.
  bool restart(std::uint64_t seed);
  /// Clears marks, near misses and times of earlier frames.
  void resetMeasurements();

 private:
  void showFlight();
  void beginFirst();
};

}  // namespace nearmiss::app::fly
