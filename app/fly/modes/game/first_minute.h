// SPDX-License-Identifier: MIT
/// The first flight: five lessons of one sentence each, then the choice what to do next.
#pragma once

#include <engine/game/mission.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "fly/modes/mode.h"

namespace nearmiss::app::fly {

/// A lesson ends as soon as the user has done what it says.
class FirstMinute : public Mode {
 public:
  enum class Lesson : std::uint8_t { Thrust, Turn, Ring, NearMiss, Hit, Offer, Over };

  [[nodiscard]] bool on() const noexcept { return lesson_ != Lesson::Over; }
  [[nodiscard]] Lesson lesson() const noexcept { return lesson_; }
  /// Starts with the first lesson.
  void begin() noexcept {
    beginAgain();
    enter(Lesson::Thrust);
  }
  /// Call after a restart or another flight: the ring of the flight before is gone. A mission or a
  /// duel ends the lessons.
  void beginAgain(bool inGame = false) noexcept {
    lastTime_.reset();
    placed_ = false;
    if (inGame) enter(Lesson::Over);
  }
  /// Starts, with the player's face, or ends.
  void toggle(FlightContext& context);
  /// Processes a frame of the user's flight, after RunMode::follow().
  void follow(FlightContext& context);
  /// The sentence of the lesson, with the user's keys; empty if off.
  [[nodiscard]] std::string line(const FlightContext& context) const;
  /// The ring to fly through, if there is one.
  [[nodiscard]] std::span<const engine::Gate> gates() const noexcept {
    return {&ring_, lesson_ == Lesson::Ring && placed_ ? std::size_t{1} : std::size_t{0}};
  }

  /// Confirm goes to the next lesson; a choice at the end ends the flight.
  bool handle(FlightContext& context, Action action) override;
  /// Draws an arrow to the ring if it is out of view.
  bool label(FlightContext& context, const Ink& ink, glm::vec2 window,
             std::span<const Ground> grounds) override;

 private:
  void enter(Lesson lesson) noexcept;
  [[nodiscard]] bool learned(const FlightContext& context, double dt);
  void placeRing(const BodyState& own, double arena) noexcept;
  [[nodiscard]] bool fliesThrough(const BodyState& own, double arena);

  Lesson lesson_ = Lesson::Over;
  double done_ = 0.0;               ///< seconds for which the user has done what the lesson says
  std::optional<double> lastTime_;  ///< simulation seconds of the last frame
  engine::Gate ring_;
  bool placed_ = false;
  Vec3 from_{0.0};  ///< position of the user's ship after the last frame
};

}  // namespace nearmiss::app::fly
