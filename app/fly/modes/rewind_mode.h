// SPDX-License-Identifier: MIT
/// Rewinds the last minute; the user can fly on from any frame.
#pragma once

#include <engine/session/flight_past.h>

#include <cstdint>
#include <optional>
#include <string>

#include "fly/modes/mode.h"

namespace nearmiss::app::fly {

/// Active while the key is held (Steering::rewinds). The flight continues from the frame at which
/// the key is released.
class RewindMode : public Mode {
 public:
  [[nodiscard]] bool on() const noexcept { return way_.has_value(); }
  /// Call before another flight: drops the history of this one.
  void forget() noexcept { way_.reset(); }

  /// Ignores keys for the flight, which would act on its end.
  bool handle(FlightContext& context, Action action) override;
  bool advance(FlightContext& context) override;
  void describe(FlightContext& context, OverlayView& view) override;

 private:
  bool begin(FlightContext& context);
  void flyBack(FlightContext& context);
  void flyOn(FlightContext& context);
  /// Simulation time / real time while the key is held.
  [[nodiscard]] double backSpeed(const FlightContext& context) const noexcept;

  std::optional<engine::Rewinder> way_;
  bool refused_ = false;  ///< since the key was pressed
  bool endTold_ = false;  ///< since the key was pressed: the end of the history was reported
  double held_ = 0.0;     ///< time for which the key was held, wall seconds
  double due_ = 0.0;      ///< pending, simulation seconds
  double back_ = 0.0;     ///< total, simulation seconds
};

}  // namespace nearmiss::app::fly
