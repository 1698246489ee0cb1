// SPDX-License-Identifier: MIT
/// Divides a frame and finds the next instant that detection must examine.
#pragma once

#include <engine/flight/simulation.h>

#include <cstdint>
#include <optional>

namespace nearmiss::engine {

/// Clamps a requested duration of a frame, or between detections, to 0 to maxFrameSeconds.
[[nodiscard]] Real frameTimeOf(Real seconds) noexcept;

/// Number of strides of a frame. Each stride is shorter than the ships' bounds at its start hold.
/// `shortestPromise`: see Ships::shortestPromise(), seconds.
[[nodiscard]] Real stridesOf(const FrameInput& input, Real shortestPromise) noexcept;

/// The current frame. Fixed detection steps are at `start` + k * `step`.
class FrameCourse {
 public:
  FrameCourse(const FrameInput& input, Real now, Real shortestPromise) noexcept;

  /// Returns the next detection in this frame, if any. `detections`: number of detections so far.
  [[nodiscard]] std::optional<Real> nextDetection(const DetectionDriver& driver, Instants instants,
                                                  std::uint32_t detections) noexcept;
  /// Tolerated rounding error of a time, seconds.
  [[nodiscard]] Real slack() const noexcept { return forgiven * step; }
  /// Number of fixed detection steps from a step at `time` to the end, inclusive.
  [[nodiscard]] std::int64_t detectionsFrom(Real time) const noexcept;

  Real start, end;            ///< simulation seconds
  std::uint32_t steps = 1;    ///< in the frame
  Real step = 0.0;            ///< seconds
  Real stride = 0.0;          ///< predicted at a time, seconds
  bool cancellable = false;   ///< the state before the frame is saved
  std::uint32_t watched = 0;  ///< fixed steps that have passed

 private:
  static constexpr Real forgiven = 1e-9;  ///< steps
  [[nodiscard]] std::optional<Real> nextStep(const DetectionDriver& driver) noexcept;
  [[nodiscard]] std::optional<Real> earliestInstant(const DetectionDriver& driver) const noexcept;

  std::uint32_t looked_ = 0;  ///< fixed steps that were examined or are known to have no contact
};

}  // namespace nearmiss::engine
