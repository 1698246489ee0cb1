// SPDX-License-Identifier: MIT
/// The tour in the window. It has its own flight; the user's is paused.
#pragma once

#include <engine/session/flight_past.h>

#include <memory>
#include <optional>

#include "fly/modes/mode.h"
#include "fly/modes/tour/tour.h"
#include "fly/modes/tour/tour_stage.h"

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
  /// Takes the slider, or orbits.
  bool grab(FlightContext& context, const glm::vec2& at) override;
  bool pull(FlightContext& context, const glm::vec2& by, bool turns) override;
  void letGo(FlightContext&) override { slides_ = false; }
  /// Advances the slider, the eye and the stops.
  bool advance(FlightContext& context) override;
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
  /// Shows what the slider selects.
  void useSlider(FlightContext& context);
  void showMoment(FlightContext& context, std::uint64_t position);
  /// Flies the encounter from its start, again and again.
  void beginRound(FlightContext& context);
  void watchRound(FlightContext& context);

  std::optional<Tour> tour_;
  std::optional<Encounter> encounter_;  ///< found at the first stop, with `trees_`
  std::shared_ptr<const engine::ShapeSet> trees_;
  std::optional<engine::Rewinder> way_;  ///< over the past of the tour's flight, while it is paused
  bool slides_ = false;                  ///< the mouse holds the slider
  int level_ = 0;              ///< of the last detection at a stop with levels; 0: none yet
  std::uint64_t watched_ = 0;  ///< frames flown at the last watchRound()
};

}  // namespace nearmiss::app::fly
