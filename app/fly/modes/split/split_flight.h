// SPDX-License-Identifier: MIT
/// One flight with two detectors side by side. Both get the same input for each frame, and each
/// runs on its own simulated machine, so the two differ only by what each detector could afford.
#pragma once

#include <engine/flight/frame_budget.h>
#include <engine/flight/frame_profile.h>
#include <engine/flight/simulation.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "fly/flight/flight.h"
#include "fly/overlay/frame_statistics.h"
#include "options/split_choice.h"

namespace nearmiss::app::fly {

/// Simulates a separate machine for one of several flights of a program. The work of each flight is
/// measured separately and paid in turns, so no flight is charged for another's work. A turn is the
/// target time of a frame. A frame starts in the first turn at which all earlier frames are paid. A
/// frame that exceeds the target delays all later ones by whole turns, as on a display with a fixed
/// rate [H96 §11.3]. Detection is `scale` times as slow as on this machine.
class ImaginedMachine {
 public:
  using Duration = engine::FrameProfile::Duration;

  /// Returns true if a frame may start in this turn.
  [[nodiscard]] bool ready() const noexcept { return owed_ == Duration{}; }
  /// Detection budget on this machine: 1 / `scale` of that on the simulated one.
  [[nodiscard]] Duration allowance(engine::BudgetRule rule, double scale, engine::ClockKind clock,
                                   Duration target) const noexcept;

  /// Adds a frame simulated as in `profile`. On the work clock only counted work takes time, so
  /// that a flight is repeatable bit for bit.
  void simulated(const engine::FrameProfile& profile, double scale, engine::ClockKind clock,
                 Duration target) noexcept;
  /// Adds the time for drawing its picture.
  void drew(Duration render) noexcept;
  /// Ends the turn. Returns the frame simulated in it, in the machine's time; null if there was
  /// none.
  const engine::FrameProfile* endTurn(Duration target) noexcept;

 private:
  engine::FrameAccount::Time now_{};  ///< on the simulated machine
  engine::FrameAccount account_{now_};
  Duration owed_{};  ///< unpaid work of started frames
};

/// The inputs of a flight, shared by several simulations that may be at different frames.
class SharedInputs {
 public:
  /// Number of frames with an input.
  [[nodiscard]] std::uint64_t frames() const noexcept { return forgotten_ + inputs_.size(); }
  /// Adds the input of the next frame.
  void add(const engine::FrameInput& input) { inputs_.push_back(input); }
  /// @pre n < frames(), and input `n` was not dropped
  [[nodiscard]] const engine::FrameInput& of(std::uint64_t n) const {
    return inputs_[static_cast<std::size_t>(n - forgotten_)];
  }
  /// Drops the inputs of frames before `n`, which all simulations have flown.
  void forgetBefore(std::uint64_t n) {
    for (; forgotten_ < n && !inputs_.empty(); ++forgotten_) inputs_.pop_front();
  }

 private:
  std::deque<engine::FrameInput> inputs_;
  std::uint64_t forgotten_ = 0;
};

/// One of the two halves, as shown.
struct Half {
  ImaginedMachine machine;
  engine::FrameHistory history;  ///< in the machine's time
  FrameStatistics statistics;
  std::uint64_t frame = 0;  ///< number of frames flown
  bool advanced = false;    ///< in this turn
};

class SplitFlight {
 public:
  enum Side : std::size_t { Left, Right };

  /// Starts from the state of `right`, which becomes the right half. If the left half needs another
  /// tree, it is built in the background. Errors: as Flight::branch().
  /// @param options must outlive this object
  static Result<std::unique_ptr<SplitFlight>> begin(const HalfChoice& left, Flight& right,
                                                    const Options& options);

  /// Begins a turn: decides which halves advance.
  void beginTurn() noexcept;
  /// Returns true if the half that is ahead advances and needs an input.
  [[nodiscard]] bool needsInput() const noexcept;
  void give(const engine::FrameInput& input) { inputs_.add(input); }
  /// Flies the halves that advance, both with the target and the minimum share of `right`. `scale`:
  /// factor by which detection is slower on the simulated machines.
  /// @pre !needsInput()
  void fly(Flight& right, const engine::BudgetRule& rightBudget, double scale);
  /// Adds the time for drawing a half. Both machines are charged the same, so that they differ by
  /// detection only; a half that did not advance is not charged.
  void drew(std::chrono::nanoseconds render) noexcept;
  void endTurn(std::chrono::nanoseconds target) noexcept;

  /// Switches the left half's method from its next frame on, with defaultBudget(). Errors: as
  /// Flight::detectBy().
  Result<Success> setLeft(const std::string& narrow);
  /// The left half's trees while they are being built; otherwise null.
  [[nodiscard]] const ModelWorker* build() const noexcept {
    return worker_.isBuilding() && !worker_.progress().cancelled ? &worker_ : nullptr;
  }
  /// Stops building; the left half keeps its current trees.
  void cancelBuild() noexcept { worker_.cancel(); }
  /// Returns once why the trees could not be built.
  [[nodiscard]] std::optional<Error> takeFault() noexcept { return std::exchange(fault_, {}); }
  /// Input of the last frame of the right half.
  [[nodiscard]] const engine::FrameInput& rightInput() const noexcept { return rightInput_; }
  [[nodiscard]] const HalfChoice& leftChoice() const noexcept { return choice_; }
  [[nodiscard]] const Flight& left() const noexcept { return *left_; }
  [[nodiscard]] const Half& half(Side side) const noexcept { return halves_[side]; }

 private:
  SplitFlight(const HalfChoice& choice, bool alone) : choice_(choice), alone_(alone) {}
  void followTechnique(const Flight& right);
  void advance(Side side, Flight& flight, const engine::BudgetRule& budget, double scale,
               ImaginedMachine::Duration target);

  HalfChoice choice_;
  bool alone_;  ///< use one thread per frame
  std::optional<Flight> left_;
  ModelWorker worker_;  ///< builds the left half's trees
  std::optional<Error> fault_;
  std::array<Half, 2> halves_;
  bool drawn_ = false;  ///< in the current turn
  engine::FrameInput rightInput_;
  std::string rightMethod_;
  SharedInputs inputs_;
};

}  // namespace nearmiss::app::fly
