// SPDX-License-Identifier: MIT
#include "fly/overlay/frame_statistics.h"

#include <algorithm>
#include <cmath>

namespace nearmiss::app::fly {
namespace {

constexpr double smallest = 1e-3;                 // milliseconds
constexpr double binWidth = 0.00995033085316808;  // log(1.01)

}  // namespace

void LogHistogram::add(double ms) noexcept {
  const double place = ms > smallest ? std::log(ms / smallest) / binWidth : 0.0;
  const auto bin = static_cast<std::size_t>(std::clamp(place, 0.0, static_cast<double>(bins - 1)));
  ++counts_[bin];
  ++n_;
}

double LogHistogram::percentile(double percent) const noexcept {
  if (n_ == 0) return 0.0;
  const double exact = std::ceil(percent * static_cast<double>(n_) / 100.0 - 1e-9);
  const auto rank = std::max<std::uint64_t>(1, static_cast<std::uint64_t>(exact));
  std::uint64_t below = 0;
  for (std::size_t bin = 0; bin < counts_.size(); ++bin) {
    below += counts_[bin];
    if (below >= rank) return smallest * std::exp(binWidth * static_cast<double>(bin + 1));
  }
  return smallest * std::exp(binWidth * static_cast<double>(bins));
}

void RunningMoments::add(double value) noexcept {
  ++n_;
  const double before = value - mean_;
  mean_ += before / static_cast<double>(n_);
  squares_ += before * (value - mean_);
  max_ = n_ == 1 ? value : std::max(max_, value);
}

double RunningMoments::sd() const noexcept {
  return n_ < 2 ? 0.0 : std::sqrt(squares_ / static_cast<double>(n_ - 1));
}

void FrameStatistics::add(const engine::FrameProfile& frame) noexcept {
  if (!firstFrame) firstFrame = frame.frame;
  for (std::size_t level = 0; level < collisions.size(); ++level)
    collisions[level] += frame.collisions[level];
  detections += frame.detections;
  detectionsSkipped += frame.detectionsSkipped;
  touchesEnded += frame.touchesEnded;
  responses += frame.responses;
  if (toSkip_ > 0) {
    --toSkip_;
    return;
  }
  ++frames;
  const double own = milliseconds(frame.frameTime - frame.watching);
  frameTime.add(own);
  detection.add(milliseconds(frame.broad + frame.narrow));
  frameTimes.add(own);
  missed += frame.missed;
  exhausted += frame.exhausted;
}

namespace {

using engine::FrameProfile;

/// Sums of the times of a few frames, then their mean.
FrameProfile meanOf(const engine::FrameHistory& history, std::size_t first) {
  FrameProfile mean = history[history.size() - 1];
  const auto n = static_cast<std::int64_t>(history.size() - first);
  // Not the budget: one without limit is the greatest duration there is, and would overflow a sum
  constexpr std::array fields{
      &FrameProfile::predictedRest, &FrameProfile::spent,     &FrameProfile::input,
      &FrameProfile::motion,        &FrameProfile::broad,     &FrameProfile::narrow,
      &FrameProfile::response,      &FrameProfile::render,    &FrameProfile::swap,
      &FrameProfile::slack,         &FrameProfile::frameTime, &FrameProfile::watching,
      &FrameProfile::other};
  for (const auto field : fields) {
    std::chrono::duration<double, std::nano> sum{};
    for (std::size_t i = first; i < history.size(); ++i) sum += history[i].*field;
    mean.*field = std::chrono::duration_cast<FrameProfile::Duration>(sum / n);
  }
  return mean;
}

}  // namespace

ShownNumbers numbersOf(const engine::FrameHistory& history, const FrameStatistics& statistics,
                       std::uint64_t since) {
  ShownNumbers shown;
  const std::size_t n = history.size();
  if (n == 0) return shown;
  const FrameProfile& last = history[n - 1];
  std::size_t first = n - 1;
  while (first > 0 && history[first - 1].frame > since) --first;
  shown.mean = meanOf(history, first);
  shown.last = last;

  // Sums over sums: a frame that had next to no budget would make a mean of ratios explode
  double spent = 0.0, allowed = 0.0;
  std::size_t bounded = 0;
  for (std::size_t i = first; i < n; ++i) {
    if (history[i].budget == FrameProfile::Duration::max()) continue;
    spent += milliseconds(history[i].spent);
    allowed += milliseconds(history[i].budget);
    ++bounded;
  }
  if (bounded > 0) shown.allowed = allowed / static_cast<double>(bounded);
  shown.used = allowed > 0.0 ? spent / allowed : 0.0;

  // Measurements with other methods or trees do not count
  std::size_t from = n > stripFrames ? n - stripFrames : 0;
  while (from < n && !(statistics.firstFrame && history[from].frame >= *statistics.firstFrame))
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
  shown.total = statistics.collisions;
  shown.pace = paceOf(history);
  const LogHistogram& times = statistics.frameTimes;
  shown.p50 = times.percentile(50.0);
  shown.p95 = times.percentile(95.0);
  shown.p99 = times.percentile(99.0);
  shown.p99_9 = times.percentile(99.9);
  return shown;
}

}  // namespace nearmiss::app::fly
