// SPDX-License-Identifier: MIT
/// A run for points in the window, and near misses and hits of every flight in words.
#pragma once

#include <string>
#include <vector>

#include "fly/game/timed_run.h"
#include "fly/mode.h"

namespace nearmiss::app {

class RunMode : public Mode {
 public:
  /// Whether a run flies.
  [[nodiscard]] bool on() const noexcept { return run_.running(); }
  void toggle(FlightContext& context);
  /// Nothing where none flies.
  void giveUp(FlightContext& context);
  /// The flight has been restarted: a run that flies or has just ended is flown again.
  void beginAgain(FlightContext& context);
  /// Other frames follow: what was near is forgotten.
  void watchAgain() noexcept { run_.watchAnew(); }
  /// Takes up a frame that was flown; `budget` is what its detection might spend.
  void follow(FlightContext& context, Clock::Duration budget);
  void describe(FlightContext& context, OverlayView& view) override;

 private:
  void begin(FlightContext& context);
  void end(FlightContext& context);

  TimedRun run_;
  std::vector<PageGroup> page_;  ///< of the run that ended last
  std::string title_;
};

}  // namespace nearmiss::app
