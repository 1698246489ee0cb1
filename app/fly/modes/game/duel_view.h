// SPDX-License-Identifier: MIT
/// Pictures of a duel: the score, marks of the other ship, and two halves of the window.
#pragma once

#include <engine/game/duel.h>

#include <glm/vec2.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "fly/modes/game/duel_page.h"
#include "fly/view/flight_cues.h"
#include "fly/view/flight_view.h"

namespace nearmiss::app::fly {

class Canvas;
class Ink;
class Throttle;
struct FlightContext;

/// What labels show of a duel.
struct DuelFacts {
  const engine::Duel& duel;
  DuelNames names;
  std::string event;            ///< a sentence; empty: none
  const Throttle* secondBoost;  ///< of the second ship; null without one
};

/// Area of the score at the top of the middle of `area`; not shown if that is too small.
[[nodiscard]] Rect scorePlace(const Rect& area, float em) noexcept;
/// Draws the hits of a player, those of the other one and the time left; below it, the event.
void drawScore(const Ink& ink, const Rect& area, const DuelFacts& facts, std::size_t player);
/// The part of `area` below the score.
[[nodiscard]] Rect belowScore(const Rect& area, float em) noexcept;

/// The name of the other player's ship, and an arrow if the ship is out of view.
struct OtherMark {
  std::optional<EdgeArrow> arrow;
  Rect plate;
  std::string words;
};
/// `area`: where the mark may be.
[[nodiscard]] OtherMark markOf(const Ink& ink, const FlightView& view, const Flight& flight,
                               glm::vec2 window, const Rect& area, const DuelFacts& facts,
                               std::size_t player);
void drawMark(const Ink& ink, const OtherMark& mark, std::size_t player);

/// Two halves of the window. The left half is the user's view.
class DuelView {
 public:
  /// The view of the second ship.
  [[nodiscard]] FlightView& second() noexcept { return second_; }
  /// Starts with that ship, by its index.
  void begin(std::size_t ship);
  /// Processes a frame.
  void follow(FlightContext& context);
  void draw(FlightContext& context, Canvas& canvas);
  void label(FlightContext& context, const Ink& ink, glm::vec2 window,
             std::span<const Ground> grounds, const DuelFacts& facts);
  /// Adds the areas that ships and scores cover in both halves, pixels.
  void addShipAreas(const FlightContext& context, glm::vec2 window, std::vector<Rect>& out) const;

 private:
  void labelHalf(FlightContext& context, const Ink& ink, const Rect& half, const DuelFacts& facts,
                 std::size_t player);

  FlightView second_;
  std::vector<Ground> taken_;  ///< in one half
};

}  // namespace nearmiss::app::fly
