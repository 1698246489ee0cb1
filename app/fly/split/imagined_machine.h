// SPDX-License-Identifier: MIT
/// A machine of its own for one of several flights that share a program: what each takes is
/// measured alone and paid in turns, so that none is charged for another's work.
#pragma once

#include <engine/flight/frame_budget.h>

#include <chrono>

namespace nearmiss::app {

/// In every turn a frame's target time passes on it. It begins a frame in a turn by whose start all
/// earlier ones are paid for; one that takes longer than the target so delays the next by whole
/// turns, and all that follow, as on a display with fixed times [H96 §11.3]. Detection takes
/// `scale` times as long on it as here.
class ImaginedMachine {
 public:
  using Duration = engine::FrameProfile::Duration;

  /// Whether a frame may begin in this turn.
  [[nodiscard]] bool ready() const noexcept { return owed_ == Duration{}; }
  /// What detection may have of it here: the `scale`th part of what it has there.
  [[nodiscard]] Duration allowance(engine::BudgetRule rule, double scale, engine::ClockKind clock,
                                   Duration target) const noexcept;

  /// A frame was simulated here as in `profile`. On the work clock only what was counted takes
  /// time, so that a flight repeats bit for bit.
  void simulated(const engine::FrameProfile& profile, double scale, engine::ClockKind clock,
                 Duration target) noexcept;
  /// Its picture was drawn in so much time.
  void drew(Duration render) noexcept;
  /// Ends the turn. Returns the frame that was simulated in it, in the machine's own time; null
  /// without one.
  const engine::FrameProfile* endTurn(Duration target) noexcept;

 private:
  engine::FrameAccount::Time now_{};  ///< on the machine
  engine::FrameAccount account_{now_};
  Duration owed_{};  ///< work of frames that have begun and is not paid
};

}  // namespace nearmiss::app
