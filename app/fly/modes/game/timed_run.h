// SPDX-License-Identifier: MIT
/// A scored run of fixed length; also describes near misses and hits of any flight.
#pragma once

#include <engine/flight/near_misses.h>
#include <engine/game/best_runs.h>
#include <engine/game/run_levels.h>
#include <engine/game/score.h>
#include <engine/session/session_player.h>

#include <chrono>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fly/flight/flight.h"
#include "fly/modes/game/floating_points.h"
#include "fly/modes/mode.h"
#include "fly/overlay/views.h"

namespace nearmiss::app::fly {

class TimedRun {
 public:
  static constexpr Real length = 90.0;  ///< simulation seconds: a pause stops the clock

  /// Starts the score after a restart of the flight.
  void begin();
  void giveUp() noexcept { running_ = false; }
  /// Resets near misses before another flight, or another part of it.
  void forgetNear() noexcept { nearMisses_.clear(); }

  /// Processes a frame; `budget` and `levelCap` are the limits of its detection. Returns whether it
  /// was the last frame of the run. Passes more than `wall` metres from the centre earn nothing.
  bool take(const engine::FrameOutput& output, std::size_t user, const Shapes& shapes,
            Clock::Duration budget, int levelCap, Real wall);
  bool take(const Flight& flight, Clock::Duration budget, int levelCap) {
    return take(flight.output(), flight.simulation().userIndex(), flight.shapes().collision(),
                budget, levelCap, wallOf(flight));
  }
  /// Distance of the wall from the centre, metres; infinite if the scene has none.
  [[nodiscard]] static Real wallOf(const Flight& flight) noexcept;
  [[nodiscard]] bool running() const noexcept { return running_; }

  /// Events of the last frame, as sentences: with points in a run, otherwise near misses and false
  /// hits only.
  [[nodiscard]] std::span<const std::string> events() const noexcept { return events_; }
  /// Points of the last frame and the place where they were earned or lost; only in a run.
  struct Earned {
    std::int64_t points = 0;
    Vec3 place{0.0};  ///< world
  };
  [[nodiscard]] std::span<const Earned> earned() const noexcept { return earned_; }
  /// Near misses that count and hits of the last frame.
  [[nodiscard]] std::span<const engine::NearMiss> passes() const noexcept {
    return atWall_ ? std::span<const engine::NearMiss>() : nearMisses_.ended();
  }
  [[nodiscard]] std::span<const engine::Hit> hits() const noexcept { return hits_.now(); }
  /// Points of the run, or outside of runs those since forgetFree().
  [[nodiscard]] std::int64_t points() const noexcept {
    return running_ ? score_.points() : free_.points();
  }
  void forgetFree() noexcept {
    free_ = {};
    passStreak_ = 0;
    minBudget_ = Clock::Duration::max();
    maxBudget_ = {};
  }
  /// Valid until the next frame.
  [[nodiscard]] RunView view() const noexcept;
  /// Result of the current or last run, without date and session.
  [[nodiscard]] engine::BestRun result(const engine::Scene& scene) const;
  [[nodiscard]] const engine::Score& score() const noexcept { return score_; }
  /// Near misses since the last hit, in a run or not.
  [[nodiscard]] std::uint32_t passStreak() const noexcept { return passStreak_; }

  /// Restores `past`, an earlier copy of this run.
  void flyBack(const TimedRun& past);
  /// Number of rewinds.
  [[nodiscard]] std::uint32_t timesBack() const noexcept { return timesBack_; }

 private:
  /// `nothing`: why it may count for no points.
  void showEvent(std::string what, std::int64_t points, std::string_view nothing,
                 const Vec3& place);

  engine::NearMisses nearMisses_;
  engine::Hits hits_;
  engine::Score score_, free_;  ///< of the run, and of the flight outside of runs
  bool running_ = false, atWall_ = false;
  Real flown_ = 0.0;  ///< simulation seconds of the run
  Clock::Duration minBudget_ = Clock::Duration::max(), maxBudget_{};
  std::vector<std::string> events_;
  std::vector<Earned> earned_;
  std::string lastEvent_;
  std::uint32_t timesBack_ = 0, passStreak_ = 0;
};

/// Returns a page with the result of a run and the best runs; `rank` is its place among them, from
/// 0.
[[nodiscard]] std::vector<PageGroup> runPage(const engine::Score& score, const engine::BestRun& run,
                                             const engine::BestRuns& best,
                                             std::optional<std::size_t> rank);

/// Returns one sentence that says what to do better next time.
[[nodiscard]] std::string runAdvice(const engine::Score& score);
/// Returns the best runs of a scene, or of all scenes if it is empty; `rank` as for runPage().
[[nodiscard]] PageGroup bestRunsGroup(const engine::BestRuns& best, std::optional<std::size_t> rank,
                                      std::string_view scene = {});
/// Sets the points and counts of a run.
void setScore(engine::BestRun& run, const engine::Score& score) noexcept;
/// Dates a finished run and adds it to the best runs, with its session. Reports failures.
engine::StoredRun keepRun(FlightContext& context, engine::BestRun& run);

/// The scored run in the window. Also reports near misses and hits of other flights.
class RunMode : public Mode {
 public:
  /// Returns true during a run of the user.
  [[nodiscard]] bool on() const noexcept { return run_.running() && !replaysRun_; }
  /// Call before the first frame of a replay: if it is that of a kept run, its points and its time
  /// are shown.
  void beginReplay(const engine::SessionPlayer& player);
  void endReplay() noexcept;
  /// Call before a replay jumps to `frame`. Returns the frame after which every frame must be
  /// followed so that the points are those of `frame`.
  [[nodiscard]] std::uint64_t replayFrom(std::uint64_t frame);
  void toggle(FlightContext& context);
  /// Ends the run; does nothing without one.
  void giveUp(FlightContext& context);
  /// Call after a restart of the flight: restarts a run that is in progress or has just ended.
  void beginAgain(FlightContext& context);
  /// See TimedRun::passStreak().
  [[nodiscard]] std::uint32_t passStreak() const noexcept { return run_.passStreak(); }
  /// Resets near misses before other frames.
  void forgetNear() noexcept { run_.forgetNear(); }
  /// Call when the flight begins again: no rewinding to earlier frames, and no points.
  void forgetPast() noexcept {
    marks_.clear();
    run_.forgetFree();
    recentEvent_.clear();
  }
  /// Near misses and hits of the last frame.
  [[nodiscard]] std::span<const engine::NearMiss> passes() const noexcept { return run_.passes(); }
  [[nodiscard]] std::span<const engine::Hit> hits() const noexcept { return run_.hits(); }
  [[nodiscard]] std::int64_t points() const noexcept { return run_.points(); }
  /// Scene and budgets of the flight since its start.
  [[nodiscard]] engine::BestRun result(const FlightContext& context) const;
  /// Returns the last event while it is recent; otherwise empty.
  [[nodiscard]] std::string_view recentEvent(double wallSeconds) const noexcept;
  /// What to do next in a run.
  [[nodiscard]] std::string line() const;
  /// Processes a frame; `budget` is the limit of its detection. `shown`: its points appear in the
  /// picture and are heard.
  void follow(FlightContext& context, Clock::Duration budget, bool shown = true);
  /// Call before the flight continues from the position of `way`: restores points and near misses
  /// of that position.
  void flyBack(const FlightContext& context, engine::Rewinder& way);
  /// Draws points at the place where they were earned.
  bool label(FlightContext& context, const Ink& ink, glm::vec2 window,
             std::span<const Ground> grounds) override;
  void describe(FlightContext& context, OverlayView& view) override;

 private:
  /// The run as it was before a frame.
  struct Mark {
    std::uint64_t frame = 0;  ///< position in Flight::past()
    TimedRun run;
  };
  void begin(FlightContext& context);
  void end(FlightContext& context);
  void saveMark(const engine::FlightPast& past);
  void saveReplayMark(const engine::SessionPlayer& player);

  TimedRun run_;
  std::deque<Mark> marks_;  ///< at the start of each stretch of the flight's past, or of a replay
  bool replaysRun_ = false;
  engine::RunLevel level_;
  std::map<std::string, std::size_t> won_;  ///< levels won since the start, by scene
  std::string recentEvent_;                 ///< the last event
  double recentEventAt_ = -1e9;             ///< wall seconds
  FloatingPoints floating_;
  std::vector<PageGroup> page_;  ///< result of the last run
  std::string title_;
};

}  // namespace nearmiss::app::fly
