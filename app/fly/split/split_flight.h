// SPDX-License-Identifier: MIT
/// One flight by two ways to detect, side by side: the same inputs frame by frame, each on a
/// machine of its own, so that the two part only by what each detector could afford.
#pragma once

#include <engine/flight/frame_profile.h>

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "fly/flight.h"
#include "fly/overlay/frame_statistics.h"
#include "fly/split/imagined_machine.h"
#include "fly/split/shared_inputs.h"
#include "split_choice.h"

namespace nearmiss::app {

/// One of the two, as it is shown.
struct Half {
  ImaginedMachine machine;
  engine::FrameHistory history;  ///< in the machine's time
  FrameStatistics statistics;
  std::uint64_t frame = 0;  ///< how many have flown
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
  /// Whether a half that advances has no input yet, as it is the one ahead.
  [[nodiscard]] bool wantsInput() const noexcept;
  void give(const engine::FrameInput& input) { inputs_.add(input); }
  /// Flies the halves that advance. `scale`: how much longer detection takes there than here.
  /// @pre !wantsInput()
  void fly(Flight& right, const engine::BudgetRule& rightBudget, double scale);
  /// Drawing a half took so long. Both machines draw alike, so that they differ by their detection
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
  /// Of the frame that the right half flew last.
  [[nodiscard]] const engine::FrameInput& rightInput() const noexcept { return rightInput_; }
  [[nodiscard]] const HalfChoice& leftChoice() const noexcept { return choice_; }
  [[nodiscard]] const Flight& left() const noexcept { return *left_; }
  [[nodiscard]] const Half& half(Side side) const noexcept { return halves_[side]; }

 private:
  SplitFlight(const HalfChoice& choice, bool alone) : choice_(choice), alone_(alone) {}
  void followTechnique(const Flight& right);
  void advance(Side side, Flight& flight, const engine::BudgetRule& budget, double scale);

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

}  // namespace nearmiss::app
