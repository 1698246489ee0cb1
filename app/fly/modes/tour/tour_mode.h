// SPDX-License-Identifier: MIT
/// The tour in the window. It has its own flight; the user's is paused.
#pragma once

#include <optional>

#include "fly/modes/mode.h"
#include "fly/modes/tour/tour.h"

namespace nearmiss::app::fly {

class TourMode : public Mode {
 public:
  [[nodiscard]] bool on() const noexcept { return tour_.has_value(); }
  void toggle(FlightContext& context);
  /// Restores the previous state, except for accessibility settings. Does nothing if off.
  void leave(FlightContext& context);
  /// Restarts the stop with new trees, unless the user holds it.
  void repeatStop(FlightContext& context);
  /// Call on mouse input: the stop stays until the user leaves it.
  void hold() noexcept {
    if (tour_) tour_->hold();
  }

  /// Space continues. Keys for the user's own flight end the tour first; others hold the stop.
  bool handle(FlightContext& context, Action action) override;
  /// Advances automatic keys, the eye and the stops.
  bool advance(FlightContext& context) override;
  /// Processes a frame.
  void follow(const Flight& flight, const engine::FrameProfile& profile) noexcept {
    if (tour_) tour_->watch(flight, profile);
  }
  /// Moves the eye between stops.
  void ease(Camera& camera) const noexcept {
    if (tour_) camera = tour_->eased(camera);
  }
  [[nodiscard]] bool shows(TourFigures figures) const noexcept {
    return tour_ && tour_->stop().figures == figures;
  }
  void describe(FlightContext& context, OverlayView& view) override;

 private:
  void enter(FlightContext& context);
  void beginStop(FlightContext& context);
  void nextStop(FlightContext& context);

  std::optional<Tour> tour_;
};

}  // namespace nearmiss::app::fly
