// SPDX-License-Identifier: MIT
/// The drift that approximation causes: the same flight once more, from the same inputs, with
/// unlimited time for detection.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "fly/flight.h"
#include "fly/gfx/draw_frame.h"
#include "fly/mode.h"
#include "fly/overlay/views.h"

namespace nearmiss::app::fly {

class Ghost {
 public:
  /// From where `flight` stands, by its narrow phase. Errors: as Flight::branch().
  static Result<Ghost> begin(const Flight& flight);
  /// Flies the frame that `flight` has just flown of that input.
  void follow(const Flight& flight, const engine::FrameInput& input);

  /// The exact ships that differ from those of `flight` by a visible distance, but not so far that
  /// the two have nothing in common; valid until the next call. The user's own whenever it differs.
  [[nodiscard]] std::span<const ShipInstance> shipsBeside(const Flight& flight);
  [[nodiscard]] GhostView view() const;
  /// Place of the user's ship.
  [[nodiscard]] const Vec3& ownPlace() const noexcept;
  /// Between the user's two ships, metres.
  [[nodiscard]] double ownApart() const noexcept { return last_.own; }

 private:
  explicit Ghost(Flight flight) : flight_(std::move(flight)) {}

  Flight flight_;
  GhostApart last_;
  std::vector<GhostApart> course_;  ///< of the last frames, a ring
  std::size_t next_ = 0;            ///< of the ring
  std::vector<ShipInstance> ships_;
};

/// The ghost in the window, beside the user's flight or the right half of a split view.
class GhostMode : public Mode {
 public:
  [[nodiscard]] bool on() const noexcept { return ghost_.has_value(); }
  void toggle(FlightContext& context);
  void leave() noexcept { ghost_.reset(); }
  /// From where the flight stands; nothing where it is off.
  void beginAgain(FlightContext& context);
  /// Flies the frame that `flight` has just flown of that input.
  void follow(const Flight& flight, const engine::FrameInput& input) {
    if (ghost_) ghost_->follow(flight, input);
  }
  /// As Ghost::shipsBeside(); none where it is off.
  [[nodiscard]] std::span<const ShipInstance> shipsBeside(const Flight& flight) {
    return ghost_ ? ghost_->shipsBeside(flight) : std::span<const ShipInstance>();
  }
  /// Says how far the user's two ships are apart.
  void labelShips(const FlightContext& context, const Ink& ink, glm::vec2 window) const;
  void describe(FlightContext& context, OverlayView& view) override;

 private:
  void begin(FlightContext& context);

  std::optional<Ghost> ghost_;
};

}  // namespace nearmiss::app::fly
