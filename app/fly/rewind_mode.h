// SPDX-License-Identifier: MIT
/// Flying backwards through the last minute, to fly on from anywhere in it.
#pragma once

#include <engine/session/flight_past.h>

#include <cstdint>
#include <optional>
#include <string>

#include "fly/mode.h"

namespace nearmiss::app::fly {

/// On while its key is held (Steering::fliesBack); the user flies on where it is let go.
class RewindMode : public Mode {
 public:
  [[nodiscard]] bool on() const noexcept { return way_.has_value(); }
  /// Another flight follows: there is no way back over this one.
  void forget() noexcept { way_.reset(); }

  /// Keys for the flight are for the one that goes on.
  bool handle(FlightContext& context, Action action) override;
  bool advance(FlightContext& context) override;
  void describe(FlightContext& context, OverlayView& view) override;

 private:
  bool begin(FlightContext& context);
  void flyBack(FlightContext& context);
  void flyOn(FlightContext& context);

  std::optional<engine::Rewinder> way_;
  bool refused_ = false;  ///< since the key went down
  bool endTold_ = false;  ///< the same: that no more is kept
  double held_ = 0.0;     ///< wall seconds
  double due_ = 0.0;      ///< simulation seconds to go back
  double back_ = 0.0;     ///< simulation seconds gone back
};

}  // namespace nearmiss::app::fly
