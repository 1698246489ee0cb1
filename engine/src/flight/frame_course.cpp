// SPDX-License-Identifier: MIT
#include "flight/frame_course.h"

#include <algorithm>
#include <cmath>

namespace nearmiss::engine {
namespace {

/// Number of equal detection steps in a frame of `dt`, none longer than `detectStep`.
std::uint32_t detectionCount(Real dt, Real detectStep) noexcept {
  // The factor tolerates rounding of the quotient; the maximum handles absurd values
  constexpr Real most = 1000.0;
  if (!(dt > 0.0) || !(detectStep > 0.0)) return 1;
  const Real count = std::ceil(dt / detectStep * (1.0 - 1e-12));
  return static_cast<std::uint32_t>(std::clamp(count, 1.0, most));
}

}  // namespace

Real frameTimeOf(Real seconds) noexcept {
  return std::isfinite(seconds) ? std::clamp(seconds, 0.0, maxFrameSeconds) : 0.0;
}

Real stridesOf(const FrameInput& input, Real shortestPromise) noexcept {
  return std::clamp(std::ceil(frameTimeOf(input.dt) / (0.5 * shortestPromise)), 1.0, 1e6);
}

FrameCourse::FrameCourse(const FrameInput& input, Real now, Real shortestPromise) noexcept
    : start(now), end(now) {
  const Real length = frameTimeOf(input.dt), strides = stridesOf(input, shortestPromise);
  steps = detectionCount(length, input.detectStep);
  step = length / steps;
  stride = length / strides;
  for (Real done = 0.0; done < strides; done += 1.0) end += stride;
}

std::int64_t FrameCourse::detectionsFrom(Real time) const noexcept {
  const Real after = step > 0.0 ? (end - time) / step : 0.0;
  return 1 + static_cast<std::int64_t>(after + forgiven);
}

std::optional<Real> FrameCourse::nextDetection(const DetectionDriver& driver, Instants instants,
                                               std::uint32_t detections) noexcept {
  // Without motion there is only one instant
  if (step == 0.0) return detections == 0 ? std::optional(end) : std::nullopt;
  return instants == Instants::Steps ? nextStep(driver) : earliestInstant(driver);
}

/// Finds the next fixed step at which something may touch. Touches of at least one step cannot be
/// missed, and nothing touches before noContactBefore.
std::optional<Real> FrameCourse::nextStep(const DetectionDriver& driver) noexcept {
  while (looked_ < steps) {
    ++looked_;
    const Real due = looked_ == steps ? end : start + looked_ * step;
    if (!(due < driver.noContactBefore())) return due;
  }
  return std::nullopt;
}

std::optional<Real> FrameCourse::earliestInstant(const DetectionDriver& driver) const noexcept {
  const Real next = std::max(driver.next(step), start);
  if (next < end - slack()) return next;
  if (driver.noContactBefore() > end) return std::nullopt;
  // Anything that may touch in this frame is examined by its end, so the displayed state was
  // examined
  if (driver.detected() < end - slack()) return end;
  return std::nullopt;
}

}  // namespace nearmiss::engine
