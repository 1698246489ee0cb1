// SPDX-License-Identifier: MIT
/// Isothetic cubes that random forces move, as the broad phases were measured on [H93,
/// "Performance"].
#pragma once

#include <nearmiss/body_state.h>
#include <nearmiss/detail/split_mix.h>
#include <nearmiss/math.h>

#include <cstdint>
#include <span>
#include <vector>

namespace nearmiss::app {

/// The forces come in sets, one after the other. While one lasts, half a second to two, every cube
/// has a bound on its acceleration and a force within it that swings about; the states have the
/// bound and the end of the set, and nothing of what comes then. Cubes do not turn. Those that
/// leave their space are driven back.
class CubeFlight {
 public:
  /// The first two cubes meet at about `firstMeeting` seconds.
  CubeFlight(std::uint64_t seed, int count, Real firstMeeting);

  /// Integrates by second-order Runge-Kutta, a step to the end of each set of forces.
  void advance(Real dt);

  /// shape.radius() is of the sphere around the cube.
  [[nodiscard]] std::span<const BodyState> bodies() const noexcept { return bodies_; }
  [[nodiscard]] Real time() const noexcept { return time_; }
  /// When the present set of forces ends.
  [[nodiscard]] Real setEnd() const noexcept { return setEnd_; }

 private:
  /// steady + swing * sin(rate * t + phase), m/s^2
  struct Force {
    Vec3 steady{0.0}, swing{0.0};
    Real rate = 0.0, phase = 0.0;
  };

  void drawForces();
  void step(Real dt);

  SplitMix random_;
  std::vector<BodyState> bodies_;
  std::vector<Force> forces_;
  Real halfRange_ = 0.0, time_ = 0.0, setEnd_ = 0.0;
};

/// Whether the cubes of two bodies touch.
[[nodiscard]] bool cubesMeet(const BodyState& a, const BodyState& b) noexcept;

}  // namespace nearmiss::app
