// SPDX-License-Identifier: MIT
/// Shows the drift caused by approximation: flies the same inputs again with unlimited detection
/// time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "fly/flight/flight.h"
#include "fly/gfx/draw_frame.h"
#include "fly/modes/mode.h"
#include "fly/overlay/views.h"

namespace nearmiss::app::fly {

class Ghost {
 public:
  /// Starts from the state of `flight` with its narrow phase. Errors: as Flight::branch().
  static Result<Ghost> begin(const Flight& flight);
  /// Repeats the frame that `flight` has just flown with that input.
  void follow(const Flight& flight, const engine::FrameInput& input);

  /// The exact ships with a visible distance from those of `flight`, unless they are too far apart
  /// to compare; valid until the next call. Includes the user's ship whenever it differs.
  [[nodiscard]] std::span<const ShipInstance> shipsToDraw(const Flight& flight);
  [[nodiscard]] GhostView view() const;
  /// Position of the exact user's ship.
  [[nodiscard]] const Vec3& ownPlace() const noexcept;
  /// Distance between the user's two ships, metres.
  [[nodiscard]] double ownApart() const noexcept { return last_.own; }

 private:
  explicit Ghost(Flight flight) : flight_(std::move(flight)) {}

  Flight flight_;
  GhostApart last_;
  std::vector<GhostApart> course_;  ///< of the last frames; a ring buffer
  std::size_t next_ = 0;            ///< next index in the ring buffer
  std::vector<ShipInstance> ships_;
};

/// The ghost in the window, for the user's flight or the right half of a split view.
class GhostMode : public Mode {
 public:
  [[nodiscard]] bool on() const noexcept { return ghost_.has_value(); }
  void toggle(FlightContext& context);
  void leave() noexcept { ghost_.reset(); }
  /// Restarts from the state of the flight; does nothing if off.
  void beginAgain(FlightContext& context);
  /// Repeats the frame that `flight` has just flown with that input.
  void follow(const Flight& flight, const engine::FrameInput& input) {
    if (ghost_) ghost_->follow(flight, input);
  }
  /// As Ghost::shipsToDraw(); empty if off.
  [[nodiscard]] std::span<const ShipInstance> shipsToDraw(const Flight& flight) {
    return ghost_ ? ghost_->shipsToDraw(flight) : std::span<const ShipInstance>();
  }
  /// Draws the distance between the user's two ships.
  void labelShips(const FlightContext& context, const Ink& ink, glm::vec2 window) const;
  void describe(FlightContext& context, OverlayView& view) override;

 private:
  void begin(FlightContext& context);

  std::optional<Ghost> ghost_;
};

}  // namespace nearmiss::app::fly
