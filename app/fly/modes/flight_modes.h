// SPDX-License-Identifier: MIT
/// All modes of the window.
#pragma once

#include <array>

#include "fly/modes/bench/bench_mode.h"
#include "fly/modes/game/timed_run.h"
#include "fly/modes/hands_mode.h"
#include "fly/modes/own_flight.h"
#include "fly/modes/photo_mode.h"
#include "fly/modes/replay_mode.h"
#include "fly/modes/rewind_mode.h"
#include "fly/modes/split/ghost.h"
#include "fly/modes/split/split_view.h"
#include "fly/modes/tour/tour_mode.h"

namespace nearmiss::app::fly {

struct FlightModes {
  RewindMode rewind;
  BenchMode bench;
  TourMode tour;
  ReplayMode replay;
  PhotoMode photo;
  HandsMode hands;
  RunMode run;
  SplitView split;
  GhostMode ghost;
  OwnFlight own;

  /// In the order of priority; the user's own flight is last.
  [[nodiscard]] std::array<Mode*, 10> all() noexcept {
    return {&rewind, &bench, &hands, &replay, &tour, &photo, &run, &split, &ghost, &own};
  }
};

}  // namespace nearmiss::app::fly
