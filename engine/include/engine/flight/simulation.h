// SPDX-License-Identifier: MIT
/// One frame of the simulator without a window: all that the app calls.
#pragma once

#include <engine/flight/collisions.h>
#include <engine/flight/drone_pilots.h>
#include <engine/flight/frame_profile.h>
#include <engine/flight/hand_acts.h>
#include <engine/flight/importance.h>
#include <engine/flight/response.h>
#include <engine/flight/touches.h>
#include <engine/flight/world.h>
#include <nearmiss/detector.h>
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

/// At which instants a frame is looked at.
enum class Instants : std::uint8_t {
  /// At the fixed steps into which the frame is divided, but for those at which nothing can touch:
  /// all broad phases look at the same poses, and give the same flight.
  Steps,
  /// At the earliest time at which something can touch, and a step after every detection that found
  /// a pair [H93, "Detecting collisions"].
  Earliest,
};

/// No frame advances by more simulation seconds, whatever its input asks for: ten times the longest
/// step that a scene may have.
inline constexpr Real maxFrameSeconds = 1e4;

/// All inputs of a frame. Made by the app before the frame, not touched during it.
struct FrameInput {
  ShipControl control;    ///< of the user's ship
  bool stopShip = false;  ///< sets the user's velocity to 0
  /// Done first of all, in their order, at most maxHandActs; valid during the frame.
  std::span<const HandAct> acts;
  /// Simulation seconds to advance, at most maxFrameSeconds [H96 §11.3]; 0 detects and responds
  /// without motion.
  Real dt = 0.1;
  /// Simulation seconds between detections: the least time a touch must last. At least a thousandth
  /// of the frame, whatever is asked for.
  Real detectStep = 0.05;
  /// Shared by all detections of the frame, on the budget clock; max() is unlimited.
  Clock::Duration detectionBudget = Clock::Duration::max();
  int levelCap = Detector::noLevelCap;
  bool tighten = false;    ///< see Detector::setTightening()
  bool coherence = false;  ///< see Detector::setCoherence()
  /// The viewer is `view`; without one, the user's ship, along its nose.
  RefinementOrder order = RefinementOrder::InTurn;
  Instants instants = Instants::Steps;
  Response response = Response::Bounce;
  ImportanceRule importance;  ///< priority of ships when time is short
  std::optional<View> view;   ///< of the user, if there is one: what is in it matters more
  /// If it is there, the detections of the frame repeat this work, one after the other; those that
  /// come after it have no limit. @pre check() of each succeeds for the
  /// number of ships.
  std::optional<std::span<const GrantedWork>> repeated;
};

/// All outputs of a frame. Views into the simulation, valid until the next advance().
struct FrameOutput {
  std::span<const BodyState> bodies;  ///< at the end of the frame
  std::size_t shots = 0;              ///< how many of these the user shot; they come last
  /// The last of the main detector. If it has pairs it is of the frame's end; else it may be of any
  /// time before, even of an earlier frame, and nothing could touch since.
  const Detection* detection = nullptr;
  const Detection* reference = nullptr;   ///< of the reference detector, if any
  std::span<const Collision> collisions;  ///< in the order in which they began
  std::span<const Touch> touches;         ///< touches that continue at the last detection, by pair
  std::span<const GrantedWork> granted;   ///< to each detection of the frame, in their order
  /// Contacts of the reference that the driver called Separate; not those that it postponed.
  std::span<const BodyPair> missedByDriver;
  bool cancelled = false;  ///< see Simulation::setCancelled(); where true, only `bodies` is set too
  FrameProfile profile;  ///< input, render, swap, slack, frameTime and target are the app's to fill
};

/// All that a simulation goes on from, between two frames; but the detectors, which answer the same
/// whatever was before.
struct Snapshot {
  World world;
  DronePilots pilots;
  Touches touches;
  std::vector<BodyPair> struck;  ///< since pilots last steered
  DetectionDriver driver;
  Shots shots;
  bool importanceAssigned = false;  ///< in the last frame
  std::uint64_t jumpsSeen = 0;      ///< of the world, when the driver last took them up
  std::uint64_t frame = 0;
  [[nodiscard]] Snapshot copy() const;
};

class Simulation {
 public:
  /// `user` is steered by FrameInput::control. `budgetClock` is what budgets are measured on;
  /// phases are always timed on the wall clock; it must outlive the simulation. `solids`: what the
  /// ships are made of, for the response; empty: the deepest spheres are used.
  /// `shots`: what the user's ship shoots, if it is armed.
  Simulation(World world, ShipId user, DronePilots pilots, std::unique_ptr<Detector> detector,
             Clock& budgetClock, Shapes solids, Shots shots = {});

  /// Takes effect at the next advance(); never in the middle of a frame. The world goes on as it
  /// is.
  void setDetector(std::unique_ptr<Detector> detector);
  /// Runs a second detector on the same states, unlimited, before any response; null to stop.
  void setReference(std::unique_ptr<Detector> reference);
  /// Times every pair that the broad phase hands over with both methods; null to stop. Not owned.
  void setPairCalls(PairCalls* calls) noexcept { pairCalls_ = calls; }

  /// Marks a ship, or takes its mark away: see BodyState::unimportant. @pre index is of a ship
  void setUnimportant(std::size_t index, bool unimportant) noexcept {
    now_.world.ships().setUnimportant(index, unimportant);
  }

  /// Does a Put before any frame, so that it can be seen; as an act of the next frame the same
  /// changes nothing more, and is recorded.
  void put(const HandAct& act) { putShip(now_.world.ships(), act); }
  [[nodiscard]] const Shots& shots() const noexcept { return now_.shots; }

  /// Moves ships and detects contacts on the workers of a pool, which must outlive that; null for
  /// none. The flight is the same, except that more is refined before time runs out.
  void shareWork(WorkerPool* pool) noexcept;

  /// Once `cancelled` is true, a frame that is predicted in very many strides, as one of minutes
  /// is, is given up, and everything is as before it. The flag must outlive such frames; null:
  /// never.
  void setCancelled(const std::atomic<bool>* cancelled) noexcept { cancelled_ = cancelled; }

  /// Later budgets are measured on another clock, which must outlive the simulation.
  void setBudgetClock(Clock& clock) noexcept { budgetClock_ = &clock; }

  /// Controls, then for each detection: move, detect, respond [H93, "Detecting collisions"].
  /// Detections are at most `detectStep` apart while ships are near each other, and what may touch
  /// before the frame's end is looked at by then; before the broad phase's noContactBefore the
  /// detector is not called, be it for a part of the frame or for many frames. A jump of a ship
  /// voids that time. A pair is handled at most once per detection (erratum E7). With
  /// Response::Bounce or Tumble, a pair that was cut short and that the last response did not part
  /// bounces by its bounding spheres: between tangled ships the deepest spheres change direction
  /// from one detection to the next, and would hold them together.
  const FrameOutput& advance(const FrameInput& input);

  [[nodiscard]] Snapshot snapshot() const;
  /// Goes on from there. @pre `past` is of this simulation, or of one that began equal.
  void restore(const Snapshot& past);
  /// Another simulation of the same ships, which goes on from there with a detector and a clock of
  /// its own; the clock must outlive it.
  [[nodiscard]] std::unique_ptr<Simulation> twin(const Snapshot& past,
                                                 std::unique_ptr<Detector> detector,
                                                 Clock& clock) const;

  [[nodiscard]] const World& world() const noexcept { return now_.world; }
  /// Simulation seconds until which no two bounding spheres begin to meet, by the last detection;
  /// what has jumped since voids that from now on. See DetectionDriver::noContactBefore().
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
  void takeOverDetectors();
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
  std::unique_ptr<Detector> nextDetector_;                  ///< null: goes on with the same
  std::optional<std::unique_ptr<Detector>> nextReference_;  ///< unset: the same; null: none
  bool detectorIsNew_ = true;                               ///< it has not detected yet
  PairCalls* pairCalls_ = nullptr;
  const std::atomic<bool>* cancelled_ = nullptr;
  WorkerPool* pool_ = nullptr;
  bool poolChanged_ = false;
  Clock* budgetClock_;
  SteadyClock wall_;
  Collisions collisions_;
  std::vector<BodyPair> missed_;
  std::vector<GrantedWork> granted_;  ///< kept for its memory; of the frame's detections the first
  FrameOutput output_;
};

}  // namespace nearmiss::engine
