// SPDX-License-Identifier: MIT
#include "fly/overlay/shown_numbers.h"

#include <algorithm>
#include <cmath>

namespace nearmiss::app::fly {
namespace {

using engine::FrameProfile;

constexpr double holdSeconds = 0.25;

/// The percentile, limited to the maximum, because it is the edge of a bin.
std::optional<double> percentileOf(const FrameStatistics& since, double percent) {
  if (since.frames < framesForPercentile(percent)) return std::nullopt;
  return std::min(since.frameTimes.percentile(percent), since.frameTime.max());
}

/// Adds collisions and prediction errors of recent frames with the same methods and trees.
void addRunning(ShownNumbers& shown, const engine::FrameHistory& history) {
  const std::size_t n = history.size();
  std::size_t from = n > stripFrames ? n - stripFrames : 0;
  while (from < n && !(shown.since.firstFrame && history[from].frame >= *shown.since.firstFrame))
    ++from;
  shown.runningFrames = n - from;
  std::array<double, stripFrames> medians;
  std::size_t withCollisions = 0;
  double error = 0.0;
  for (std::size_t i = from; i < n; ++i) {
    const FrameProfile& frame = history[i];
    std::uint32_t collisions = 0;
    for (std::size_t level = 0; level < shown.running.size(); ++level) {
      shown.running[level] += frame.collisions[level];
      collisions += frame.collisions[level];
    }
    if (collisions > 0) {
      shown.runningWorst = std::max(shown.runningWorst, frame.worstBound);
      medians[withCollisions++] = frame.medianBound;
    }
    const auto rest = frame.frameTime - frame.watching - frame.slack - frame.broad - frame.narrow;
    error += std::abs(milliseconds(frame.predictedRest - rest));
  }
  if (withCollisions > 0) {
    const auto middle = medians.begin() + static_cast<std::ptrdiff_t>((withCollisions - 1) / 2);
    std::nth_element(medians.begin(), middle,
                     medians.begin() + static_cast<std::ptrdiff_t>(withCollisions));
    shown.runningMedian = *middle;
  }
  if (n > from) shown.predictionError = error / static_cast<double>(n - from);
}

}  // namespace

std::uint64_t framesForPercentile(double percent) noexcept {
  return static_cast<std::uint64_t>(std::llround(1000.0 / (100.0 - percent)));
}

ShownNumbers numbersOf(const engine::FrameHistory& history, const FrameStatistics& statistics,
                       const ShownInstant& instant) {
  ShownNumbers shown;
  shown.instant = instant;
  shown.since = statistics;
  shown.p50 = percentileOf(statistics, 50.0);
  shown.p95 = percentileOf(statistics, 95.0);
  shown.p99 = percentileOf(statistics, 99.0);
  shown.p99_9 = percentileOf(statistics, 99.9);
  if (history.size() == 0) return shown;
  shown.measured = true;
  const FrameProfile& frame = shown.frame = history[history.size() - 1];
  shown.frameTime = milliseconds(frame.frameTime - frame.watching);
  shown.target = milliseconds(frame.target);
  const double spent = milliseconds(frame.spent);
  shown.detect = instant.countedWork ? milliseconds(frame.broad + frame.narrow) : spent;
  if (frame.budget != FrameProfile::Duration::max()) {
    shown.allowed = milliseconds(frame.budget);
    if (*shown.allowed > 0.0) shown.used = spent / *shown.allowed;
  }
  addRunning(shown, history);
  shown.pace = paceOf(history);
  return shown;
}

void HeldNumbers::update(const Measured& flight,
                         const std::optional<std::array<Measured, 2>>& halves,
                         const ShownInstant& instant, bool isFrozen, double wallSeconds) {
  // Do not hold numbers of an earlier flight
  const bool forgotten = flight_.measured && flight.history->size() == 0;
  const bool otherRule = instant.budget != flight_.instant.budget;
  // Update at once when contacts end, so that counted contacts can be inspected
  const std::size_t n = flight.history->size();
  const bool parted = flight_.frame.touching > 0 && n > 0 && (*flight.history)[n - 1].touching == 0;
  if (!isFrozen && !forgotten && !otherRule && !parted && wallSeconds < next_) return;
  next_ = wallSeconds + holdSeconds;
  flight_ = numbersOf(*flight.history, *flight.statistics, instant);
  for (std::size_t side = 0; halves && side < halves->size(); ++side)
    halves_[side] = numbersOf(*(*halves)[side].history, *(*halves)[side].statistics, instant);
}

}  // namespace nearmiss::app::fly
