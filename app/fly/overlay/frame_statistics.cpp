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

}  // namespace nearmiss::app::fly
