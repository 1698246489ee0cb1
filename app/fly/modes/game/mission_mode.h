// SPDX-License-Identifier: MIT
/// Missions in the window: engine::Mission with its marks, its line of text and its end card.
#pragma once

#include <engine/game/ghost_track.h>
#include <engine/game/mission.h>

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "fly/flight/flight.h"
#include "fly/gfx/draw_frame.h"
#include "fly/modes/mode.h"
#include "fly/overlay/views.h"
#include "fly/view/flight_cues.h"

namespace nearmiss::app::fly {

/// Returns an arrow at the edge of `area` towards a place; `nullopt` if that is in view there.
[[nodiscard]] std::optional<EdgeArrow> arrowTo(const Camera& camera, glm::vec2 window,
                                               const Rect& area, const Vec3& place);
/// Draws an arrow at the edge of the scene towards a place that is out of the user's view.
void pointTo(const FlightContext& context, const Ink& ink, glm::vec2 window, const Vec3& place);

/// Returns one sentence that says what to do better next time.
[[nodiscard]] std::string missionAdvice(const engine::Mission& mission);

/// A mission starts with each flight of its scene that somebody flies, and again with a restart.
class MissionMode : public Mode {
 public:
  /// Returns true while a mission is flown.
  [[nodiscard]] bool on() const noexcept {
    return mission_ && mission_->state() == engine::MissionState::Flying;
  }
  /// Returns true from the end of a mission until another flight.
  [[nodiscard]] bool ended() const noexcept { return mission_ && !on(); }
  /// Null without one.
  [[nodiscard]] const engine::Mission* mission() const noexcept {
    return mission_ ? &*mission_ : nullptr;
  }
  /// Loads the scene of the next mission; after the last one the duel, then lamps.
  void next(FlightContext& context);
  /// Call after the flight was replaced or restarted.
  void beginAgain(FlightContext& context);
  /// Processes a frame of the user's flight, after RunMode::follow().
  void follow(FlightContext& context);
  [[nodiscard]] std::span<const engine::Gate> gates() const noexcept {
    return on() ? mission_->gatesLeft() : std::span<const engine::Gate>();
  }
  /// The user's ship as it flew in the fastest slalom of this seed; empty without one. Valid until
  /// the next call.
  [[nodiscard]] std::span<const ShipInstance> ghostShips(const Flight& flight);
  /// What to do next; empty without a mission.
  [[nodiscard]] std::string line() const;

  bool label(FlightContext& context, const Ink& ink, glm::vec2 window,
             std::span<const Ground> grounds) override;
  void describe(FlightContext& context, OverlayView& view) override;

 private:
  void welcome(FlightContext& context);
  void end(FlightContext& context);

  void raceAgainst(const engine::Mission& mission, PageGroup& result);

  std::optional<engine::Mission> mission_;
  engine::GhostTrack track_;                 ///< of this flight
  std::optional<engine::GhostTrack> ghost_;  ///< the fastest one before
  std::vector<ShipInstance> ghostShips_;
  bool flownBack_ = false;  ///< such a flight is not among the best
  std::string title_, line_;
  std::vector<PageGroup> page_;
};

}  // namespace nearmiss::app::fly
