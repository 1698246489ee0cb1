// SPDX-License-Identifier: MIT
/// One frame of the simulator without a window: the whole interface for the app.
#pragma once

#include <engine/flight/collisions.h>
#include <engine/flight/drone_pilots.h>
#include <engine/flight/frame_profile.h>
#include <engine/flight/hand_acts.h>
#include <engine/flight/importance.h>
#include <engine/flight/response.h>
#include <engine/flight/touches.h>
#include <engine/flight/world.h>
#include <nearmiss/advanced/detector.h>
#include <nearmiss/shape.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace nearmiss::engine {

class FrameCourse;
class PairCalls;

/// The instants of a frame at which detection runs.
enum class Instants : std::uint8_t {
  /// At the fixed steps that divide the frame, except those at which nothing can touch. All broad
  /// phases see the same poses and give the same flight.
  Steps,
  /// At the earliest time at which something can touch, and one step after every detection that
  /// found a pair [H93, "Detecting collisions"].
  Earliest,
};

/// Maximum simulation time of a frame [s], for any input: ten times the maximum step of a scene.
inline constexpr Real maxFrameSeconds = 1e4;

/// All inputs of a frame. The simulation does not modify it during the frame.
struct FrameInput {
  ShipControl control;    ///< of the user's ship
  bool stopShip = false;  ///< sets the user's velocity to 0
  /// Acts performed first, in order; at most maxHandActs. Must stay valid during the frame.
  std::span<const HandAct> acts;
  /// Simulation seconds to advance, at most maxFrameSeconds [H96 §11.3]. 0: detect and respond
  /// without motion.
  Real dt = 0.1;
  /// Simulation seconds between detections, which is the minimum duration of a detectable touch.
  /// Values below a thousandth of the frame are raised to it.
  Real detectStep = 0.05;
  /// Shared by all detections of the frame, on the budget clock; max() is unlimited.
  Clock::Duration detectionBudget = Clock::Duration::max();
  int levelCap = Detector::noLevelCap;
  bool tighten = false;    ///< see Detector::setTightening()
  bool coherence = false;  ///< see Detector::setCoherence()
  /// Refinement order. Its viewpoint is `view` or, if unset, the user's ship looking along its
  /// nose.
  RefinementOrder order = RefinementOrder::InTurn;
  Instants instants = Instants::Steps;
  Response response = Response::Bounce;
  ImportanceRule importance;  ///< priority of ships if time is short
  std::optional<View> view;   ///< the user's view, if there is one; ships in it get priority
  /// If set, the detections of the frame repeat this work in order; further detections have no
  /// limit.
  /// @pre check() of each element succeeds for the number of ships.
  std::optional<std::span<const GrantedWork>> repeated;
};

/// All outputs of a frame: views into the simulation, valid until the next advance().
struct FrameOutput {
  std::span<const BodyState> bodies;  ///< at the end of the frame
  std::size_t shots = 0;              ///< number of bodies shot by the user; these are the last
                                      ///< ones
  /// The last detection of the main detector. If it has pairs, it is from the end of the frame.
  /// Otherwise it may be from any time before, even an earlier frame, and nothing could touch
  /// since.
  const Detection* detection = nullptr;
  const Detection* reference = nullptr;   ///< of the reference detector, if any
  std::span<const Collision> collisions;  ///< in the order in which they began
  std::span<const Touch> touches;         ///< touches in progress at the last detection, sorted by
                                          ///< pair
  std::span<const GrantedWork> granted;   ///< granted to each detection of the frame, in order
  /// Contacts of the reference that the driver reported as Separate; postponed pairs are excluded.
  std::span<const BodyPair> missedByDriver;
  bool cancelled = false;  ///< see Simulation::setCancelled(); if true, only `bodies` is valid as
                           ///< well
  FrameProfile profile;    ///< the app fills input, render, swap, slack, frameTime and target
};

/// The complete state of a simulation between two frames, except for the detectors: their results
/// do not depend on earlier calls.
struct Snapshot {
  World world;
  DronePilots pilots;
  Touches touches;
  std::vector<BodyPair> struck;  ///< since the pilots last steered
  DetectionDriver driver;
  Shots shots;
  bool importanceAssigned = false;  ///< in the last frame
  std::uint64_t jumpsSeen = 0;      ///< Jumps::count() when the driver last processed them
  std::uint64_t frame = 0;
  [[nodiscard]] Snapshot copy() const;
};

class Simulation {
 public:
  /// @param user          the ship steered by FrameInput::control
  /// @param budgetClock   measures budgets and must outlive the simulation; phases are always timed
  ///     on the wall clock
  /// @param solids        the shapes of the ships, for the response; if empty, the deepest spheres
  ///     are used
  /// @param shots         the bodies that the user's ship can shoot
  Simulation(World world, ShipId user, DronePilots pilots, std::unique_ptr<Detector> detector,
             Clock& budgetClock, Shapes solids, Shots shots = {});

  /// Replaces the detector at the next advance(), never within a frame. The world does not change.
  void setDetector(std::unique_ptr<Detector> detector);
  /// Runs a second detector on the same states, with no limit, before any response; null to stop.
  void setReference(std::unique_ptr<Detector> reference);
  /// Times every pair of the broad phase with both methods; null to stop. Not owned.
  void setPairCalls(PairCalls* calls) noexcept { pairCalls_ = calls; }

  /// Sets or clears the mark of a ship; see BodyState::unimportant.
  /// @pre index is valid
  void setUnimportant(std::size_t index, bool unimportant) noexcept {
    now_.world.ships().setUnimportant(index, unimportant);
  }

  /// Performs a Put immediately, so that it is visible before the next frame. Pass the same act to
  /// the next frame to record it; there it changes nothing more.
  void put(const HandAct& act) { putShip(now_.world.ships(), act); }
  [[nodiscard]] const Shots& shots() const noexcept { return now_.shots; }

  /// Moves ships and detects contacts on the workers of a pool, which must outlive the simulation;
  /// null for none. The flight is the same, except that more pairs are refined within the budget.
  void shareWork(WorkerPool* pool) noexcept;

  /// Sets a flag that cancels long frames. Frames predicted in very many strides, such as those of
  /// minutes, stop once it is true, and the simulation returns to the state before the frame. The
  /// flag must outlive such frames; null: never cancel.
  void setCancelled(const std::atomic<bool>* cancelled) noexcept { cancelled_ = cancelled; }

  /// Replaces the clock that measures budgets; it must outlive the simulation.
  void setBudgetClock(Clock& clock) noexcept { budgetClock_ = &clock; }

  /// Applies the controls, then for each detection moves, detects and responds [H93, "Detecting
  /// collisions"]. While ships are near each other, detections are at most `detectStep` apart, and
  /// whatever may touch before the end of the frame is examined by then. Until the broad phase's
  /// noContactBefore the detector is not called, possibly for many frames. A jump of a ship
  /// invalidates that time. A pair is handled at most once per detection (erratum E7). With
  /// Response::Bounce or Tumble, a pair that ran out of budget and that the last response did not
  /// separate bounces by its bounding spheres: between entangled ships the direction of the deepest
  /// spheres changes from one detection to the next, which would hold the ships together.
  const FrameOutput& advance(const FrameInput& input);

  [[nodiscard]] Snapshot snapshot() const;
  /// Restores a snapshot.
  /// @pre `past` is of this simulation, or of one that began in an equal state
  void restore(const Snapshot& past);
  /// Creates another simulation of the same ships in the state `past`, with its own detector and
  /// clock. The clock must outlive it.
  [[nodiscard]] std::unique_ptr<Simulation> twin(const Snapshot& past,
                                                 std::unique_ptr<Detector> detector,
                                                 Clock& clock) const;

  [[nodiscard]] const World& world() const noexcept { return now_.world; }
  /// Simulation time before which no two bounding spheres begin to meet, according to the last
  /// detection. Later jumps invalidate it immediately. See DetectionDriver::noContactBefore().
  [[nodiscard]] Real noContactBefore() const noexcept {
    const bool jumped = now_.jumpsSeen != now_.world.ships().jumps().count();
    const Real before = now_.driver.noContactBefore();
    return jumped ? std::min(before, now_.world.time()) : before;
  }
  [[nodiscard]] std::size_t userIndex() const noexcept {
    return now_.world.ships().ids().indexOf(user_);
  }
  /// The detector of the last frame, for drawing contact spheres.
  [[nodiscard]] const Detector& detector() const noexcept { return *detector_; }
  [[nodiscard]] const Detector* reference() const noexcept { return reference_.get(); }

 private:
  Simulation(Snapshot now, ShipId user, std::unique_ptr<Detector> detector, Clock& budgetClock,
             Shapes solids);
  const FrameOutput& giveUp(const Snapshot& before);
  void adoptDetectors();
  void noticeJumps() noexcept;
  void steer(const FrameInput& input);
  void rank(const FrameInput& input);
  void fly(const FrameInput& input, FrameCourse& course);
  void moveTo(const FrameCourse& course, Real time);
  void watchUntil(FrameCourse& course, Real time, bool seen);
  void detect(const FrameInput& input, Clock::Duration allowance);
  const Detection& askDetector(const FrameInput& input, Clock::Duration allowance);
  void account(const Detection& found);
  void watch();

  Snapshot now_;
  ShipId user_;
  std::unique_ptr<Detector> detector_, reference_;
  std::unique_ptr<Detector> nextDetector_;                  ///< null: unchanged
  std::optional<std::unique_ptr<Detector>> nextReference_;  ///< unset: unchanged; null: none
  bool detectorIsNew_ = true;                               ///< it has not detected yet
  PairCalls* pairCalls_ = nullptr;
  const std::atomic<bool>* cancelled_ = nullptr;
  WorkerPool* pool_ = nullptr;
  bool poolChanged_ = false;
  Clock* budgetClock_;
  SteadyClock wall_;
  Collisions collisions_;
  std::vector<BodyPair> missed_;
  std::vector<GrantedWork> granted_;  ///< reused buffer: the work granted in the current frame
                                      ///< comes first
  FrameOutput output_;
};

}  // namespace nearmiss::engine
