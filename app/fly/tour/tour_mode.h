// SPDX-License-Identifier: MIT
/// The tour in the window: a flight of its own, while the user's waits.
#pragma once

#include <optional>

#include "fly/mode.h"
#include "fly/tour/tour.h"

namespace nearmiss::app::fly {

class TourMode : public Mode {
 public:
  [[nodiscard]] bool on() const noexcept { return tour_.has_value(); }
  void toggle(FlightContext& context);
  /// All is as it was before, but for what spares ears and eyes. Nothing where it is off.
  void leave(FlightContext& context);
  /// The stop begins again by other trees, unless the user holds it.
  void repeatStop(FlightContext& context);
  /// The user does something with the mouse: the stop stays until it is left.
  void hold() noexcept {
    if (tour_) tour_->hold();
  }

  /// Space goes on; keys that are meant for the user's own flight end the tour first, others hold
  /// the stop.
  bool handle(FlightContext& context, Action action) override;
  /// Advances automatic parts: keys, the eye, the next stop.
  bool advance(FlightContext& context) override;
  /// Takes up a frame that was flown.
  void follow(const Flight& flight, const engine::FrameProfile& profile) noexcept {
    if (tour_) tour_->watch(flight, profile);
  }
  /// On its way from stop to stop.
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
