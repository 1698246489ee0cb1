// SPDX-License-Identifier: MIT
/// A run for points of fixed length, and the near misses and hits of any flight, in words.
#pragma once

#include <engine/flight/near_misses.h>
#include <engine/game/best_runs.h>
#include <engine/game/run_levels.h>
#include <engine/game/score.h>

#include <chrono>
#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <vector>

#include "fly/flight.h"
#include "fly/game/floating_points.h"
#include "fly/mode.h"
#include "fly/overlay/views.h"

namespace nearmiss::app::fly {

class TimedRun {
 public:
  static constexpr Real length = 90.0;  ///< simulation seconds: a pause stops the clock

  /// The flight has been restarted, and what follows counts.
  void begin();
  void giveUp() noexcept { running_ = false; }
  /// Another flight follows, or another part of it: what was near is forgotten.
  void forgetNear() noexcept { nearMisses_.clear(); }

  /// Takes up the frame that was flown; `budget` is what detection might spend, `levelCap` how deep
  /// it might go. Returns whether that was the last of the run.
  bool take(const engine::FrameOutput& output, std::size_t user, const Shapes& shapes,
            Clock::Duration budget, int levelCap);
  bool take(const Flight& flight, Clock::Duration budget, int levelCap) {
    return take(flight.output(), flight.simulation().userIndex(), flight.shapes().collision(),
                budget, levelCap);
  }
  [[nodiscard]] bool running() const noexcept { return running_; }

  /// Events of the last frame, in sentences; with points in a run, else near misses and false hits
  /// only.
  [[nodiscard]] std::span<const std::string> events() const noexcept { return events_; }
  /// Points of the last frame, and where they were earned or lost; in a run alone.
  struct Earned {
    std::int64_t points = 0;
    Vec3 place{0.0};  ///< world
  };
  [[nodiscard]] std::span<const Earned> earned() const noexcept { return earned_; }
  /// Valid until the next frame.
  [[nodiscard]] RunView view() const noexcept;
  /// The run that flies or flew last; without date and session.
  [[nodiscard]] engine::BestRun result(const engine::Scene& scene) const;
  [[nodiscard]] const engine::Score& score() const noexcept { return score_; }

  /// It goes on from `past`, a copy of an earlier time of this run.
  void flyBack(const TimedRun& past);
  /// How often it was.
  [[nodiscard]] std::uint32_t timesBack() const noexcept { return timesBack_; }

 private:
  void tell(std::string what, std::int64_t points, const Vec3& place);

  engine::NearMisses nearMisses_;
  engine::Hits hits_;
  engine::Score score_;
  bool running_ = false;
  Real flown_ = 0.0;  ///< simulation seconds of the run
  Clock::Duration minBudget_{}, maxBudget_{};
  std::vector<std::string> events_;
  std::vector<Earned> earned_;
  std::string lastEvent_;
  std::uint32_t timesBack_ = 0;
};

/// How a run ended, and the best runs, as a page; `rank` is its place among them, from 0.
[[nodiscard]] std::vector<PageGroup> runPage(const engine::Score& score, const engine::BestRun& run,
                                             const engine::BestRuns& best,
                                             std::optional<std::size_t> rank);

/// A run for points in the window; it tells near misses and hits of every other flight as well.
class RunMode : public Mode {
 public:
  /// True if a run flies.
  [[nodiscard]] bool on() const noexcept { return run_.running(); }
  void toggle(FlightContext& context);
  /// Nothing where none flies.
  void giveUp(FlightContext& context);
  /// The flight has been restarted: a run that flies or has just ended is flown again.
  void beginAgain(FlightContext& context);
  /// Other frames follow: what was near is forgotten.
  void forgetNear() noexcept { run_.forgetNear(); }
  /// Flight::past() begins again from nothing: nobody flies back to what was before.
  void forgetPast() noexcept { marks_.clear(); }
  /// Takes up a frame that was flown; `budget` is what its detection might spend.
  void follow(FlightContext& context, Clock::Duration budget);
  /// The flight is about to go on from where `way` stands: points and what is near are those of
  /// there.
  void flyBack(const FlightContext& context, engine::Rewinder& way);
  /// Points, where they were earned.
  bool label(FlightContext& context, const Ink& ink, glm::vec2 window,
             std::span<const Ground> grounds) override;
  void describe(FlightContext& context, OverlayView& view) override;

 private:
  /// As it was before a frame.
  struct Mark {
    std::uint64_t frame = 0;  ///< of Flight::past()
    TimedRun run;
  };
  void begin(FlightContext& context);
  void end(FlightContext& context);
  void keepMark(const engine::FlightPast& past);

  TimedRun run_;
  std::deque<Mark> marks_;  ///< where the stretches of the flight's past begin
  engine::RunLevel level_;
  std::string scene_;      ///< of the level
  std::int64_t best_ = 0;  ///< points of this scene, in the table and since
  FloatingPoints floating_;
  std::vector<PageGroup> page_;  ///< of the run that ended last
  std::string title_;
};

}  // namespace nearmiss::app::fly
