// SPDX-License-Identifier: MIT
/// One flight by two ways to detect, side by side: the same inputs frame by frame, each on a
/// machine of its own, so that the two part only by what each detector could afford.
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

#include "fly/flight.h"
#include "fly/overlay/frame_statistics.h"
#include "split_choice.h"

namespace nearmiss::app::fly {

/// A machine of its own for one of several flights that share a program: what each takes is
/// measured alone and paid in turns, so that none is charged for another's work. In every turn a
/// frame's target time passes on it. It begins a frame in a turn by whose start all earlier ones
/// are paid for; one that takes longer than the target delays the next by whole turns, and all that
/// follow, as on a display with fixed times [H96 §11.3]. Detection takes `scale` times as long on
/// it as here.
class ImaginedMachine {
 public:
  using Duration = engine::FrameProfile::Duration;

  /// True if a frame may begin in this turn.
  [[nodiscard]] bool ready() const noexcept { return owed_ == Duration{}; }
  /// The detection budget here: 1 / `scale` of the budget there.
  [[nodiscard]] Duration allowance(engine::BudgetRule rule, double scale, engine::ClockKind clock,
                                   Duration target) const noexcept;

  /// A frame was simulated here as in `profile`. On the work clock only what was counted takes
  /// time, so that a flight repeats bit for bit.
  void simulated(const engine::FrameProfile& profile, double scale, engine::ClockKind clock,
                 Duration target) noexcept;
  /// Drawing its picture took `render`.
  void drew(Duration render) noexcept;
  /// Ends the turn. Returns the frame that was simulated in it, in the machine's own time; null
  /// without one.
  const engine::FrameProfile* endTurn(Duration target) noexcept;

 private:
  engine::FrameAccount::Time now_{};  ///< on the machine
  engine::FrameAccount account_{now_};
  Duration owed_{};  ///< work of frames that have begun and is not paid
};

/// The inputs of one flight for several that fly it, each as far as it has come.
class SharedInputs {
 public:
  /// Number of frames with an input.
  [[nodiscard]] std::uint64_t frames() const noexcept { return forgotten_ + inputs_.size(); }
  /// Adds the input of the next frame.
  void add(const engine::FrameInput& input) { inputs_.push_back(input); }
  /// @pre not forgotten, n < frames()
  [[nodiscard]] const engine::FrameInput& of(std::uint64_t n) const {
    return inputs_[static_cast<std::size_t>(n - forgotten_)];
  }
  /// Drops inputs of frames before `n`, which all have flown.
  void forgetBefore(std::uint64_t n) {
    for (; forgotten_ < n && !inputs_.empty(); ++forgotten_) inputs_.pop_front();
  }

 private:
  std::deque<engine::FrameInput> inputs_;
  std::uint64_t forgotten_ = 0;
};

/// One of the two, as it is shown.
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

  /// From where `right` stands, which flies on as the right half. With a tree of its own, the left
  /// one builds it meanwhile. @param options must outlive this. Errors: as Flight::branch().
  static Result<std::unique_ptr<SplitFlight>> begin(const HalfChoice& left, Flight& right,
                                                    const Options& options);

  /// Begins a turn: which halves advance in it.
  void beginTurn() noexcept;
  /// True if a half that advances has no input yet, as it is the one ahead.
  [[nodiscard]] bool wantsInput() const noexcept;
  void give(const engine::FrameInput& input) { inputs_.add(input); }
  /// Flies the halves that advance, both by the target and the least share of `right`. `scale`: how
  /// much longer detection takes there than here.
  /// @pre !wantsInput()
  void fly(Flight& right, const engine::BudgetRule& rightBudget, double scale);
  /// Drawing a half took `render`. Both machines draw alike, so that they differ by their detection
  /// alone; a half that stands still draws nothing.
  void drew(std::chrono::nanoseconds render) noexcept;
  void endTurn(std::chrono::nanoseconds target) noexcept;

  /// The left half detects by another method from its next frame on, with usualBudget(). Errors: as
  /// Flight::detectBy().
  Result<Success> setLeft(const std::string& narrow);
  /// The left half's own trees while they are built; null when they are not.
  [[nodiscard]] const ModelWorker* growing() const noexcept {
    return growing_.growing() && !growing_.progress().cancelled ? &growing_ : nullptr;
  }
  /// The left half keeps the trees that it has.
  void cancelGrowing() noexcept { growing_.cancel(); }
  /// Why they could not be built, once.
  [[nodiscard]] std::optional<Error> takeFault() noexcept { return std::exchange(fault_, {}); }
  /// The input of the frame that the right half flew last.
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
  bool alone_;  ///< one thread does all the work of a frame
  std::optional<Flight> left_;
  ModelWorker growing_;  ///< the left half's own trees
  std::optional<Error> fault_;
  std::array<Half, 2> halves_;
  bool drawn_ = false;  ///< in this turn
  engine::FrameInput rightInput_;
  std::string rightMethod_;
  SharedInputs inputs_;
};

}  // namespace nearmiss::app::fly
