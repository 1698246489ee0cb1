// SPDX-License-Identifier: MIT
/// A flight of one scene: its shapes, its simulation, and detectors that can be switched live.
#pragma once

#include <engine/flight/frame_budget.h>
#include <engine/flight/hand_acts.h>
#include <engine/flight/pair_calls.h>
#include <engine/flight/simulation.h>
#include <engine/scene/scene.h>
#include <engine/session/flight_past.h>
#include <engine/session/session.h>
#include <engine/session/session_player.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "fly/choices/ui_state.h"
#include "fly/flight/model_worker.h"

namespace nearmiss::app::fly {

/// The methods used by a flight.
struct DetectionInUse {
  Method method = Method::SphereTree;
  std::string narrow;           ///< names of the narrow phases, "sphere-tree + bsp" for both
  std::string broad;            ///< name of the broad phase
  std::string trees;            ///< names of the builders, "sah" or "sah + variational"
  bool publishedTrees = false;  ///< all trees are as published
};

/// The user's hand acts that wait for the next frame.
class PendingActs {
 public:
  /// Of several acts on a ship only the last one counts.
  void add(const engine::HandAct& act) {
    using enum engine::HandAct::Kind;
    if (act.kind == Put)
      std::erase_if(next_, [&](const engine::HandAct& other) {
        return other.kind == Put && other.ship == act.ship;
      });
    if (next_.size() < engine::maxHandActs) next_.push_back(act);
  }
  void clear() noexcept { next_.clear(); }
  /// Drops shots and pushes. Placed ships stay in place.
  void keepPlacedShips() noexcept {
    std::erase_if(
        next_, [](const engine::HandAct& act) { return act.kind != engine::HandAct::Kind::Put; });
  }
  /// Returns the acts of the next frame, valid until the following call.
  std::span<const engine::HandAct> take() {
    last_.swap(next_);
    next_.clear();
    return last_;
  }
  /// Acts of the last frame.
  [[nodiscard]] std::span<const engine::HandAct> last() const noexcept { return last_; }

 private:
  std::vector<engine::HandAct> next_, last_;
};

class Flight {
 public:
  /// Starts a flight. The workers of a pool, if any, share each frame. With a session, the flight
  /// is recorded there, and its last minute is kept for rewinding. Errors: those of
  /// makeSimulation() and makeDetector().
  static Result<Flight> begin(LoadedScene loaded, std::shared_ptr<WorkerPool> pool = nullptr,
                              std::shared_ptr<engine::SessionWriter> session = nullptr);

  /// Starts the replay of a recorded session, before its first frame. During the replay only
  /// replayTo() and endReplay() change the state. `session` records from endReplay() on, including
  /// the replayed part.
  static Flight replay(std::unique_ptr<engine::SessionPlayer> player,
                       std::shared_ptr<WorkerPool> pool,
                       std::shared_ptr<engine::SessionWriter> session);
  /// Null unless the flight is a replay.
  [[nodiscard]] engine::SessionPlayer* player() const noexcept { return player_.get(); }
  /// Goes to the state after `frames` frames. Errors: those of SessionPlayer::seek().
  Result<Success> replayTo(std::uint64_t frames);
  /// Ends the replay: the user flies on from its current position. Errors: as setMethod().
  Result<Success> endReplay();

  /// The stored last minute; null if there is none.
  [[nodiscard]] engine::FlightPast* past() const noexcept { return past_.get(); }
  /// Displays the state of `at`, a rewinder over past(). Nothing else changes, and the flight
  /// continues only after resumeFrom().
  void show(const engine::Rewinder& at);
  /// Displays these bodies until the next frame or call; nothing else changes. They must stay
  /// valid.
  void showBodies(std::span<const BodyState> bodies) noexcept { output_->bodies = bodies; }
  /// Continues the flight from that position of past(). Later frames are dropped, also from the
  /// session, which must not be writing() a file. Errors: as setMethod().
  /// @pre `position` was shown last
  Result<Success> resumeFrom(std::uint64_t position);

  /// Restarts the scene. Errors: as begin().
  Result<Success> restart(std::uint64_t seed);
  /// Replaces the detectors from the next frame on; the world does not change. Errors: Unsupported.
  Result<Success> setMethod(Method method);
  [[nodiscard]] const DetectionInUse& inUse() const noexcept { return inUse_; }
  /// Replaces the incremental narrow phase from the next frame on, by one of `nearmiss list
  /// narrow`. The method stays, except that BSP alone is replaced. A restart keeps it. Errors:
  /// Unsupported for an unknown name; then nothing changes.
  Result<Success> setNarrowPhase(const std::string& name);
  /// Sets the target time per frame, milliseconds. Errors: as setMethod().
  Result<Success> setTarget(double frameMs);
  /// Takes over the technique of another scene (copyTechnique() of as_published.h) from the next
  /// frame on, like setBroadPhase(). Trees stay until changeTrees(). Errors: as setBroadPhase().
  Result<Success> setTechnique(const engine::Scene& from);

  /// Uses these trees from the next frame on; the world does not change. Does nothing if `rebuilt`
  /// has other bodies. Errors: Unsupported.
  Result<Success> changeTrees(LoadedScene rebuilt);

  /// Creates another flight from the current state with that narrow phase only; it is not recorded.
  /// Errors: as setMethod().
  /// @pre !player()
  [[nodiscard]] Result<Flight> branch(const std::string& narrow) const;

  /// The user's acts for the next frame, and those of the last one.
  [[nodiscard]] PendingActs& acts() noexcept { return acts_; }
  [[nodiscard]] const PendingActs& acts() const noexcept { return acts_; }
  /// Flies one frame with those acts. The detector column of the profile is "both" for two methods.
  const engine::FrameOutput& advance(const engine::FrameInput& input);
  /// Output of the last advance(); before the first, only the bodies at their start poses.
  [[nodiscard]] const engine::FrameOutput& output() const noexcept { return *output_; }

  [[nodiscard]] const engine::Scene& scene() const noexcept { return loaded_.scene; }
  [[nodiscard]] const engine::ShapeSet& shapes() const noexcept { return *loaded_.shapes; }
  [[nodiscard]] std::shared_ptr<const engine::ShapeSet> sharedShapes() const noexcept {
    return loaded_.shapes;
  }
  [[nodiscard]] engine::Simulation& simulation() noexcept {
    return player_ ? player_->simulation() : *simulation_;
  }
  [[nodiscard]] const engine::Simulation& simulation() const noexcept {
    return player_ ? std::as_const(*player_).simulation() : *simulation_;
  }
  [[nodiscard]] const engine::World& world() const noexcept { return simulation().world(); }
  /// Starts to time both methods on every pair, outside the frame [H96 Figs. 15, 16]. Errors: those
  /// of makePairCalls(); then nothing is timed.
  Result<Success> timePairs();
  /// The calls collected since timePairs(), for the caller to write and clear; null without it.
  [[nodiscard]] engine::PairCalls* calls() noexcept { return calls_.get(); }

 private:
  Flight() = default;
  void followPlayer();
  // Ordered by lifetime: the simulation refers to the shapes and the clock
  LoadedScene loaded_;
  std::shared_ptr<WorkerPool> pool_;
  std::shared_ptr<engine::SessionWriter> session_;
  std::unique_ptr<engine::FlightPast> past_;
  std::unique_ptr<engine::SessionPlayer> player_;
  std::unique_ptr<Clock> clock_;
  std::unique_ptr<engine::PairCalls> calls_;
  std::unique_ptr<engine::Simulation> simulation_;
  std::unique_ptr<engine::FrameOutput> output_;
  DetectionInUse inUse_;
  PendingActs acts_;
  bool begins_ = false;  ///< the world is new and not yet recorded
};

/// Replaces the broad phase of all detectors from the next frame on, by one of `nearmiss list
/// broad`. The world does not change and no contact is missed in between. A restart keeps it.
/// Errors: Unsupported for an unknown name; then nothing changes.
Result<Success> setBroadPhase(Flight& flight, const std::string& name);
/// Detects with that narrow phase only, from the next frame on. Errors: as Flight::setMethod().
Result<Success> detectBy(Flight& flight, const std::string& narrow);
/// The incremental narrow phase, whether it is in use or not.
[[nodiscard]] std::string narrowPhaseOf(const Flight& flight);

/// Returns true if the broad phase uses the ships' motion bounds.
[[nodiscard]] bool looksAhead(const Flight& flight) noexcept;
/// Simulation seconds until the earliest possible contact, or until bounds expire, according to the
/// last detection; 0 if some ships may touch. `nullopt` if the broad phase uses no bounds.
[[nodiscard]] std::optional<Real> earliestMeeting(const Flight& flight) noexcept;

/// The ships without shot bodies.
[[nodiscard]] std::span<const BodyState> shipsOf(const Flight& flight) noexcept;

/// Radius of the user's ship, metres.
[[nodiscard]] Real shipRadius(const Flight& flight) noexcept;
/// The target time of a frame.
[[nodiscard]] std::chrono::nanoseconds targetOf(const Flight& flight) noexcept;

/// Describes the method for a user who has just selected it.
[[nodiscard]] std::string methodWords(const Flight& flight);

}  // namespace nearmiss::app::fly
