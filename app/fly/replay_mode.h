// SPDX-License-Identifier: MIT
/// A recorded flight, which the user may stop, step through, leap in and fly on from.
#pragma once

#include <cstdint>
#include <optional>

#include "fly/mode.h"

namespace nearmiss::app::fly {

/// On while the flight has a player.
class ReplayMode : public Mode {
 public:
  /// The user flies on from where the replay stands. @pre FlightContext::replays()
  void takeOver(FlightContext& context);
  /// Goes there in the next turn: how many frames have flown.
  void leapTo(std::uint64_t frame) noexcept { wanted_ = frame; }
  /// True, with a word to the user, where a replay flies: nothing changes that.
  static bool refuses(FlightContext& context);

  /// Steps back, takes over, and refuses what would change the flight.
  bool handle(FlightContext& context, Action action) override;
  bool advance(FlightContext& context) override;
  void describe(FlightContext& context, OverlayView& view) override;

 private:
  [[nodiscard]] std::uint64_t target(FlightContext& context);
  void tellEnd(FlightContext& context);

  double due_ = 0.0;  ///< time since the last frame, simulation seconds
  std::optional<std::uint64_t> wanted_;
  bool differenceTold_ = false;
};

}  // namespace nearmiss::app::fly
