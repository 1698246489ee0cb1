// SPDX-License-Identifier: MIT
#include <engine/record/records.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include <engine/record/atomic_file.h>

namespace nearmiss::engine {
namespace {

using Json = nlohmann::ordered_json;

double millisecondsOf(FrameProfile::Duration time) {
  return static_cast<double>(time.count()) * 1e-6;
}

Json toJson(const SeriesSummary& s) {
  if (s.n == 0) return {{"n", 0}};
  return {{"n", s.n},         {"mean", s.mean},        {"sd", s.sd},
          {"min", s.min},     {"max", s.max},          {"p50", s.p50},
          {"p90", s.p90},     {"p95", s.p95},          {"p99", s.p99},
          {"p99_9", s.p99_9}, {"low_1pct", s.low1pct}, {"cv", s.cv}};
}

Json definitions() {
  return {
      {"frame_ms", "wall time of a whole frame, in milliseconds, without what only watches"},
      {"detection_ms", "broad and narrow phase together, in milliseconds of wall time"},
      {"render_ms", "drawing, in milliseconds"},
      {"slack_ms", "waiting for the end of the frame, in milliseconds"},
      {"budget_ms", "what detection was allowed, over the frames with a limit"},
      {"overrun_us",
       "microseconds on the budget clock that detection took beyond its budget, at least 0, over "
       "the frames in which the budget ended before all that meet were known to the finest level"},
      {"undisturbed_overrun_us",
       "the same over those of these frames in which no other process took the core while the "
       "simulation advanced, as far as the kernel counts it"},
      {"worst_overrun", "the frame of the greatest overrun: what its detections did"},
      {"n", "number of values"},
      {"mean", "arithmetic mean"},
      {"sd", "sample standard deviation, divisor n - 1"},
      {"p50, p90, p95, p99, p99_9",
       fmt::format(
           "percentile by nearest rank: the smallest value that at least 50, 90, 95, 99, 99.9 % of "
           "all values do not exceed; always of times, never of frame rates; exact for n up to {}, "
           "within {:.1f} % of the value beyond",
           Series::exactUpTo, 100.0 * Series::relativeError)},
      {"low_1pct",
       "mean of the largest 1 % of the values, rounded up to whole values; as exact as "
       "percentiles"},
      {"cv", "coefficient of variation, sd / mean"},
      {"missed_percent", "share of frames that took over 1 % more than their target"},
      {"exhausted_percent",
       "share of frames in which the detection budget ended before all that meet were known to the "
       "finest level"},
      {"stutter_percent",
       fmt::format("share of frames that took more than {} times the mean of the up to {} frames "
                   "before; the first frame never counts",
                   RunSummary::stutterFactor, RunSummary::stutterWindow)},
      {"detections", "calls of the detector"},
      {"detections_skipped",
       "calls that detection at fixed steps would have made and a promise that nothing can touch "
       "made needless"},
      {"pairs_postponed",
       "times that a detection short of time left a pair for later although its bounding spheres "
       "met"},
      {"ships_postponed",
       "times that a detection short of time left a ship's neighbours for later: pairs of it may "
       "have met unknown"},
      {"longest_wait_s", "longest simulation time that one of these waited"},
      {"longest_wait_detections", "most detections in a row that left out one of these"},
      {"collisions_late",
       "collisions that were answered after their pair had waited: they may have begun before"},
      {"most_late_detections", "most detections that had left out such a pair until then"},
      {"collisions_by_level",
       "collisions as they began, by the finest level that detection completed for the pair: "
       "0 bounding spheres, 5 triangles; a pair that touches on is counted once"},
      {"touches_ended", "collisions that came to an end, the pair being found separate"},
      {"touching_at_end", "pairs not separate at the last detection"},
      {"responses", "times that the response threw a pair apart, touches that go on included"},
      {"worst_bound_m",
       "greatest separation bound of an answered collision, in metres; null if one had no bound"},
      {"state_hash",
       "64-bit hash of time and of all ships' poses, velocities and controls at the "
       "end"}};
}

}  // namespace

void RunSummary::add(const FrameProfile& frame) {
  const double ms = millisecondsOf(frame.frameTime - frame.watching);
  const std::size_t before = std::min(stutterWindow, frames_);
  double sum = 0.0;
  for (std::size_t i = 0; i < before; ++i) sum += lastFrames_[i];
  if (before > 0 && ms > stutterFactor * sum / static_cast<double>(before)) ++stutters_;
  lastFrames_[frames_ % stutterWindow] = ms;

  ++frames_;
  frame_.add(ms);
  detection_.add(millisecondsOf(frame.broad + frame.narrow));
  render_.add(millisecondsOf(frame.render));
  slack_.add(millisecondsOf(frame.slack));
  if (frame.budget != FrameProfile::Duration::max()) {
    budget_.add(millisecondsOf(frame.budget));
    if (frame.exhausted) addOverrun(frame);
  }
  missed_ += frame.missed;
  exhausted_ += frame.exhausted;
  detections_ += frame.detections;
  detectionsSkipped_ += frame.detectionsSkipped;
  pairsPostponed_ += frame.pairsPostponed;
  longestWait_ = std::max(longestWait_, frame.longestWait);
  bodiesPostponed_ += frame.bodiesPostponed;
  mostPassedOver_ = std::max(mostPassedOver_, frame.mostPassedOver);
  collisionsLate_ += frame.collisionsLate;
  mostLate_ = std::max(mostLate_, frame.mostLate);
  for (std::size_t level = 0; level < collisions_.size(); ++level)
    collisions_[level] += frame.collisions[level];
  worstBound_ = std::max(worstBound_, frame.worstBound);
  responses_ += frame.responses;
  touchesEnded_ += frame.touchesEnded;
  touching_ = frame.touching;
}

void RunSummary::addOverrun(const FrameProfile& frame) {
  const auto beyond = [](const FrameProfile& f) { return f.spent - f.budget; };
  const double us = 1e3 * std::max(0.0, millisecondsOf(beyond(frame)));
  overrunUs_.add(us);
  if (frame.preemptions == 0) undisturbedUs_.add(us);
  if (!worst_.exhausted || beyond(frame) > beyond(worst_)) worst_ = frame;
}

std::string RunSummary::causeOfWorstOverrun() const {
  if (!worst_.exhausted) return "none";
  const auto us = [](FrameProfile::Duration time) { return 1e3 * millisecondsOf(time); };
  const std::uint32_t rest = worst_.pairsBroad - std::min(worst_.pairsBroad, worst_.pairsForced);
  std::string_view cause = "a level of one pair that was begun in time";
  if (worst_.preemptions > 0)
    cause = "another process took the core";
  else if (worst_.broad > worst_.budget)
    cause = "the broad phase alone took longer";
  else if (rest <= worst_.detections)
    cause = "pairs that might not wait";
  return fmt::format(
      "{:.1f} us of {:.1f} in frame {}: broad phase {:.1f}, narrow phase {:.1f} us, {} detections, "
      "{} pairs, {} of them might not wait, {} postponed, {} preemptions; {}",
      us(worst_.spent), us(worst_.budget), worst_.frame, us(worst_.broad), us(worst_.narrow),
      worst_.detections, worst_.pairsBroad, worst_.pairsForced, worst_.pairsPostponed,
      worst_.preemptions, cause);
}

std::string RunSummary::json(const RecordHead& head, std::uint64_t stateHash) const {
  const auto percent = [&](std::size_t count) {
    return frames_ == 0 ? 0.0 : 100.0 * static_cast<double>(count) / static_cast<double>(frames_);
  };
  Json run;
  for (const auto& [key, value] : head) run[key] = value;
  Json levels;
  for (std::size_t level = 0; level < collisions_.size(); ++level)
    levels[std::to_string(level)] = collisions_[level];
  const Json summary = {{"run", run},
                        {"frames", frames_},
                        {"series",
                         {{"frame_ms", toJson(frame_.summary())},
                          {"detection_ms", toJson(detection_.summary())},
                          {"render_ms", toJson(render_.summary())},
                          {"slack_ms", toJson(slack_.summary())},
                          {"budget_ms", toJson(budget_.summary())},
                          {"overrun_us", toJson(overrunUs())},
                          {"undisturbed_overrun_us", toJson(undisturbedOverrunUs())}}},
                        {"worst_overrun", causeOfWorstOverrun()},
                        {"missed_percent", percent(missed_)},
                        {"exhausted_percent", percent(exhausted_)},
                        {"stutter_percent", percent(stutters_)},
                        {"detections", detections_},
                        {"detections_skipped", detectionsSkipped_},
                        {"pairs_postponed", pairsPostponed_},
                        {"ships_postponed", bodiesPostponed_},
                        {"longest_wait_s", longestWait_},
                        {"longest_wait_detections", mostPassedOver_},
                        {"collisions_late", collisionsLate_},
                        {"most_late_detections", mostLate_},
                        {"collisions_by_level", levels},
                        {"touches_ended", touchesEnded_},
                        {"touching_at_end", touching_},
                        {"responses", responses_},
                        {"worst_bound_m", worstBound_},
                        {"state_hash", fmt::format("0x{:016x}", stateHash)},
                        {"definitions", definitions()}};
  // A name from a command line need not be UTF-8
  return summary.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

Result<Success> RunSummary::write(const std::filesystem::path& file, const RecordHead& head,
                                  std::uint64_t stateHash) const {
  return writeWhole(file, json(head, stateHash));
}

}  // namespace nearmiss::engine
