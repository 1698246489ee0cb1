// SPDX-License-Identifier: MIT
#include <engine/base/atomic_file.h>
#include <engine/record/record_writers.h>
#include <engine/record/series.h>

#include <fmt/format.h>
#include <nearmiss/advanced/fallbacks.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

namespace nearmiss::engine {
namespace {

/// Rank, from 1, of the smallest value that is at least as large as this share of n values.
std::uint64_t nearestRank(std::uint64_t n, double perMille) {
  const double rank = std::ceil(perMille * static_cast<double>(n) / 1000.0);
  return std::clamp<std::uint64_t>(static_cast<std::uint64_t>(rank), 1, n);
}

/// Key of a value's bin: sign, exponent and leading bits; ordered like the values.
std::int64_t classOf(double value) noexcept {
  constexpr int dropped = 52 - 10;
  const auto magnitude =
      static_cast<std::int64_t>(std::bit_cast<std::uint64_t>(std::abs(value)) >> dropped);
  return std::signbit(value) ? -magnitude : magnitude;
}

}  // namespace

SeriesSummary summarise(std::span<const double> values) {
  SeriesSummary s;
  s.n = values.size();
  if (s.n == 0) return s;
  std::vector<double> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());

  // Sum in sorted order, so that the order of frames does not change the last digits
  const auto n = static_cast<double>(s.n);
  double sum = 0.0, squares = 0.0;
  for (const double value : sorted) sum += value;
  s.mean = sum / n;
  for (const double value : sorted) squares += (value - s.mean) * (value - s.mean);
  s.sd = s.n > 1 ? std::sqrt(squares / (n - 1.0)) : 0.0;
  s.cv = s.mean != 0.0 ? s.sd / s.mean : 0.0;

  s.min = sorted.front();
  s.max = sorted.back();
  const auto at = [&](double perMille) { return sorted[nearestRank(s.n, perMille) - 1]; };
  s.p50 = at(500.0);
  s.p90 = at(900.0);
  s.p95 = at(950.0);
  s.p99 = at(990.0);
  s.p99_9 = at(999.0);
  const std::size_t slowest = (s.n + 99) / 100;
  double slow = 0.0;
  for (std::size_t i = s.n - slowest; i < s.n; ++i) slow += sorted[i];
  s.low1pct = slow / static_cast<double>(slowest);
  return s;
}

void Series::add(double value) {
  min_ = n_ == 0 ? value : std::min(min_, value);
  max_ = n_ == 0 ? value : std::max(max_, value);
  // Welford's algorithm: sums of squares would lose digits in a long, uniform run
  ++n_;
  const double before = value - mean_;
  mean_ += before / static_cast<double>(n_);
  squares_ += before * (value - mean_);

  if (n_ <= exactUpTo) {
    values_.push_back(value);
    return;
  }
  for (const double kept : values_) count(kept);
  if (values_.capacity() > 0) values_ = {};
  count(value);
}

void Series::count(double value) {
  Class& its = classes_[classOf(value)];
  ++its.count;
  its.sum += value;
}

SeriesSummary Series::summary() const {
  return n_ <= exactUpTo ? summarise(values_) : summaryOfClasses();
}

SeriesSummary Series::summaryOfClasses() const {
  SeriesSummary s;
  s.n = n_;
  s.mean = mean_;
  s.sd = std::sqrt(squares_ / static_cast<double>(n_ - 1));
  s.cv = s.mean != 0.0 ? s.sd / s.mean : 0.0;
  s.min = min_;
  s.max = max_;

  // The mean of the bin that contains the rank approximates the value
  const std::array ranks{nearestRank(n_, 500.0), nearestRank(n_, 900.0), nearestRank(n_, 950.0),
                         nearestRank(n_, 990.0), nearestRank(n_, 999.0)};
  const std::array<double*, 5> wanted{&s.p50, &s.p90, &s.p95, &s.p99, &s.p99_9};
  std::size_t next = 0;
  std::uint64_t below = 0;
  for (const auto& [key, each] : classes_) {
    below += each.count;
    for (; next < ranks.size() && ranks[next] <= below; ++next)
      *wanted[next] = std::clamp(each.sum / static_cast<double>(each.count), min_, max_);
  }

  const std::uint64_t slowest = (n_ + 99) / 100;
  std::uint64_t left = slowest;
  double slow = 0.0;
  for (auto each = classes_.rbegin(); left > 0 && each != classes_.rend(); ++each) {
    const std::uint64_t taken = std::min(left, each->second.count);
    slow += each->second.sum / static_cast<double>(each->second.count) * static_cast<double>(taken);
    left -= taken;
  }
  s.low1pct = slow / static_cast<double>(slowest);
  return s;
}

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

/// Counts of the process, which is one run.
Json fallbackCounts() {
  Json counts;
  for (const FallbackEntry& entry : fallbackCatalog())
    counts[std::string(entry.name)] = fallbacks(entry.kind);
  return counts;
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
      {"responses_by_level",
       "pairs handed to the response, by the same levels: a pair that touches on is counted at "
       "every detection, as the papers count collisions"},
      {"touches_ended", "collisions that came to an end, the pair being found separate"},
      {"touching_at_end",
       "pairs whose touch went on at the end: it ends 0.25 s of simulation after they parted"},
      {"responses", "times that the response threw a pair apart, touches that go on included"},
      {"worst_bound_m",
       "greatest separation bound of an answered collision, in metres; null if one had no bound"},
      {"fallbacks",
       "times that a method gave way to a simpler one since the program began, by kind"},
      {"state_hash",
       "64-bit hash of time and of all ships' poses, velocities and controls at the "
       "end"}};
}

}  // namespace

void RunSummary::add(const FrameProfile& frame) {
  const double ms = millisecondsOf(frame.frameTime - frame.watching);
  const std::size_t before = std::min(stutterWindow, frames_.all);
  double sum = 0.0;
  for (std::size_t i = 0; i < before; ++i) sum += lastFrames_[i];
  if (before > 0 && ms > stutterFactor * sum / static_cast<double>(before)) ++frames_.stutters;
  lastFrames_[frames_.all % stutterWindow] = ms;

  ++frames_.all;
  frame_.add(ms);
  detection_.add(millisecondsOf(frame.broad + frame.narrow));
  render_.add(millisecondsOf(frame.render));
  slack_.add(millisecondsOf(frame.slack));
  if (frame.budget != FrameProfile::Duration::max()) {
    budget_.add(millisecondsOf(frame.budget));
    if (frame.exhausted) addOverrun(frame);
  }
  frames_.missed += frame.missed;
  frames_.exhausted += frame.exhausted;
  calls_.made += frame.detections;
  calls_.skipped += frame.detectionsSkipped;
  waits_.pairs += frame.pairsPostponed;
  waits_.longest = std::max(waits_.longest, frame.longestWait);
  waits_.bodies += frame.bodiesPostponed;
  waits_.maxPassedOver = std::max(waits_.maxPassedOver, frame.maxPassedOver);
  waits_.collisionsLate += frame.collisionsLate;
  waits_.maxLate = std::max(waits_.maxLate, frame.maxLate);
  for (std::size_t level = 0; level < touches_.begun.size(); ++level) {
    touches_.begun[level] += frame.collisions[level];
    touches_.responded[level] += frame.responded[level];
  }
  touches_.worstBound = std::max(touches_.worstBound, frame.worstBound);
  touches_.responses += frame.responses;
  touches_.ended += frame.touchesEnded;
  touches_.now = frame.touching;
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
    return frames_.all == 0 ? 0.0
                            : 100.0 * static_cast<double>(count) / static_cast<double>(frames_.all);
  };
  Json run;
  for (const auto& [key, value] : head) run[key] = value;
  const auto byLevel = [](const std::array<std::uint64_t, FrameProfile::levels>& counts) {
    Json levels;
    for (std::size_t level = 0; level < counts.size(); ++level)
      levels[std::to_string(level)] = counts[level];
    return levels;
  };
  const Json summary = {{"run", run},
                        {"frames", frames_.all},
                        {"series",
                         {{"frame_ms", toJson(frame_.summary())},
                          {"detection_ms", toJson(detection_.summary())},
                          {"render_ms", toJson(render_.summary())},
                          {"slack_ms", toJson(slack_.summary())},
                          {"budget_ms", toJson(budget_.summary())},
                          {"overrun_us", toJson(overrunUs())},
                          {"undisturbed_overrun_us", toJson(undisturbedOverrunUs())}}},
                        {"worst_overrun", causeOfWorstOverrun()},
                        {"missed_percent", percent(frames_.missed)},
                        {"exhausted_percent", percent(frames_.exhausted)},
                        {"stutter_percent", percent(frames_.stutters)},
                        {"detections", calls_.made},
                        {"detections_skipped", calls_.skipped},
                        {"pairs_postponed", waits_.pairs},
                        {"ships_postponed", waits_.bodies},
                        {"longest_wait_s", waits_.longest},
                        {"longest_wait_detections", waits_.maxPassedOver},
                        {"collisions_late", waits_.collisionsLate},
                        {"most_late_detections", waits_.maxLate},
                        {"collisions_by_level", byLevel(touches_.begun)},
                        {"responses_by_level", byLevel(touches_.responded)},
                        {"touches_ended", touches_.ended},
                        {"touching_at_end", touches_.now},
                        {"responses", touches_.responses},
                        {"worst_bound_m", touches_.worstBound},
                        {"fallbacks", fallbackCounts()},
                        {"state_hash", fmt::format("0x{:016x}", stateHash)},
                        {"definitions", definitions()}};
  // A name from a command line may not be UTF-8
  return summary.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

Result<Success> RunSummary::write(const std::filesystem::path& file, const RecordHead& head,
                                  std::uint64_t stateHash) const {
  return writeWhole(file, json(head, stateHash));
}

}  // namespace nearmiss::engine
