// SPDX-License-Identifier: MIT
/// Duels in the window: engine::Duel with its second player, its views and its end card.
#pragma once

#include <engine/game/duel.h>

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "fly/modes/game/duel_view.h"
#include "fly/modes/game/second_player.h"
#include "fly/modes/mode.h"
#include "fly/overlay/views.h"
#include "fly/view/impacts.h"

namespace nearmiss::app::fly {

/// A duel starts with each flight of its scene that somebody flies, and again with a restart. A
/// controller steers the second ship; without one the computer does, and there is one view only.
class DuelMode : public Mode {
 public:
  /// Returns true until the duel is decided.
  [[nodiscard]] bool on() const noexcept {
    return duel_ && duel_->state() == engine::DuelState::Flying;
  }
  /// Returns true from the end of a duel until another flight.
  [[nodiscard]] bool ended() const noexcept { return duel_ && !on(); }
  /// Null without one. After its end both ships can still be flown.
  [[nodiscard]] const engine::Duel* duel() const noexcept { return duel_ ? &*duel_ : nullptr; }
  /// Returns true if the shown flight is a duel. Then a controller belongs to the second player.
  [[nodiscard]] bool shown(const FlightContext& context) const noexcept;
  /// Returns true if the picture has two halves.
  [[nodiscard]] bool splits(const FlightContext& context) const noexcept;
  [[nodiscard]] const SecondPlayer& secondPlayer() const noexcept { return second_; }
  /// The view of the second ship.
  [[nodiscard]] FlightView& secondView() noexcept { return view_.second(); }

  /// Call after the flight was replaced or restarted.
  void beginAgain(FlightContext& context);
  /// Adds the acts of the second ship for the next frame, of `dt` simulation seconds. Call before
  /// the flight advances.
  void steer(FlightContext& context, double dt);
  /// Processes a frame of the user's flight.
  void follow(FlightContext& context);
  /// Returns true if the user may shoot now, and starts to reload. Without a duel, returns true.
  [[nodiscard]] bool takeShot() noexcept;
  /// Records that the user throws the body with that key.
  void noteThrow(std::uint32_t body);
  /// Keys of bodies that cannot be towed: both ships and all shots. Valid until the next call.
  [[nodiscard]] std::span<const std::uint32_t> notTowed(const Flight& flight);
  /// Lets the second player feel a hit of the second ship.
  void shake(FlightContext& context, const Impact& impact, double strength);
  /// What to do next; empty without a duel.
  [[nodiscard]] std::string line(const FlightContext& context) const;
  /// Returns the part of `area` below the score if there is one view; otherwise `area`.
  [[nodiscard]] Rect below(const FlightContext& context, const Rect& area) const;
  /// As FlightView::addShipAreas(), with the score; in two views for both halves.
  void addShipAreas(const FlightContext& context, glm::vec2 window, std::vector<Rect>& out) const;

  /// In two views nothing is picked.
  bool grab(FlightContext& context, const glm::vec2& at) override;
  /// Looks for a controller and its buttons for the view.
  bool advance(FlightContext& context) override;
  bool draw(FlightContext& context, Canvas& canvas) override;
  bool label(FlightContext& context, const Ink& ink, glm::vec2 window,
             std::span<const Ground> grounds) override;
  void describe(FlightContext& context, OverlayView& view) override;

 private:
  [[nodiscard]] DuelNames names() const noexcept { return {"Player 1", second_.name()}; }
  [[nodiscard]] DuelFacts facts(const FlightContext& context) const;
  [[nodiscard]] std::string event(const FlightContext& context) const;
  void sayWhoFlies(FlightContext& context) const;
  void end(FlightContext& context);

  std::optional<engine::Duel> duel_;
  SecondPlayer second_;
  DuelView view_;
  bool twoPeople_ = false;  ///< at some time of the duel
  bool flownBack_ = false;  ///< such a flight is not among the best
  bool shot_ = false;       ///< the user shoots in the next frame
  std::array<std::uint32_t, 2 + engine::Shots::most> notTowed_{};
  std::string title_;
  std::vector<PageGroup> page_;
};

}  // namespace nearmiss::app::fly
