// SPDX-License-Identifier: MIT
/// A replay that the user can stop, step through, seek in and continue.
#pragma once

#include <cstdint>
#include <optional>

#include "fly/modes/mode.h"

namespace nearmiss::app::fly {

/// On while the flight has a player.
class ReplayMode : public Mode {
 public:
  /// Lets the user fly on from the current position.
  /// @pre FlightContext::replays()
  void endReplay(FlightContext& context);
  /// Seeks to that number of frames in the next turn.
  void jumpTo(std::uint64_t frame) noexcept { wanted_ = frame; }
  /// Returns true and shows a message if a replay is running, which cannot be changed.
  static bool refuses(FlightContext& context);

  /// Handles single steps and takeover; refuses keys that would change the flight.
  bool handle(FlightContext& context, Action action) override;
  bool advance(FlightContext& context) override;
  void describe(FlightContext& context, OverlayView& view) override;

 private:
  [[nodiscard]] std::uint64_t target(FlightContext& context);
  void reportEnd(FlightContext& context);

  double due_ = 0.0;  ///< simulation time since the last frame [s]
  std::optional<std::uint64_t> wanted_;
  bool differenceTold_ = false;
};

}  // namespace nearmiss::app::fly
