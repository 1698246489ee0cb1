// SPDX-License-Identifier: MIT
/// One scene being flown: its shapes, its simulation, and the detectors that are switched live.
#pragma once

#include <engine/flight/frame_budget.h>
#include <engine/flight/pair_calls.h>
#include <engine/flight/simulation.h>
#include <engine/scene/scene.h>
#include <engine/session/flight_past.h>
#include <engine/session/session.h>
#include <engine/session/session_player.h>

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "fly/model_worker.h"
#include "fly/pending_acts.h"
#include "fly/ui_state.h"

namespace nearmiss::app::fly {

/// What a flight detects by.
struct DetectionInUse {
  Method method = Method::SphereTree;
  std::string narrow;           ///< the narrow phases' names, "sphere-tree + bsp" for both
  std::string broad;            ///< the broad phase's
  std::string trees;            ///< the builders', "sah" or "sah + variational"
  bool publishedTrees = false;  ///< all trees are the papers'
};

class Flight {
 public:
  /// With a pool, its workers share each frame. With a session the flight is recorded there, and
  /// its last minute is kept, to be flown back over.
  /// Errors: those of makeSimulation() and makeDetector().
  static Result<Flight> begin(LoadedScene loaded, std::shared_ptr<WorkerPool> pool = nullptr,
                              std::shared_ptr<engine::SessionWriter> session = nullptr);

  /// A recorded session, which stands before its first frame. While it replays, only replayTo() and
  /// takeOver() change anything; `session` records from takeOver() on, with all that was before.
  static Flight replay(std::unique_ptr<engine::SessionPlayer> player,
                       std::shared_ptr<WorkerPool> pool,
                       std::shared_ptr<engine::SessionWriter> session);
  /// Null where it does not replay.
  [[nodiscard]] engine::SessionPlayer* player() const noexcept { return player_.get(); }
  /// Stands after `frames` frames. Errors: those of SessionPlayer::seek().
  Result<Success> replayTo(std::uint64_t frames);
  /// From the next frame on the user flies, from where the replay stands. Errors: as setMethod().
  Result<Success> takeOver();

  /// What is kept of the last minute; null where nothing is.
  [[nodiscard]] engine::FlightPast* past() const noexcept { return past_.get(); }
  /// Shows the flight as it was where `at` stands, which is a way back over past(). Nothing else
  /// changes, and it goes on only after takeUp().
  void show(const engine::Rewinder& at);
  /// From the next frame on the user flies on from that position of past(): what came after it is
  /// forgotten, in the session too, which must not be writing() a file. Errors: as setMethod().
  /// @pre it is the one that was shown last
  Result<Success> takeUp(std::uint64_t position);

  /// The same scene from its start. Errors: as begin().
  Result<Success> restart(std::uint64_t seed);
  /// Changes the detectors from the next frame on; the world stays as it is. Errors: Unsupported.
  Result<Success> setMethod(Method method);
  [[nodiscard]] const DetectionInUse& inUse() const noexcept { return inUse_; }
  /// Changes the narrow phase that goes in steps from the next frame on, to one of `nearmiss list
  /// narrow`; the method stays, except that BSP alone is replaced. A restart keeps it. Errors:
  /// Unsupported for an unknown name; then nothing has changed.
  Result<Success> setNarrowPhase(const std::string& name);
  /// Time per frame from now on, milliseconds. Errors: as setMethod().
  Result<Success> setTarget(double frameMs);
  /// Takes over the technique of another scene (takeTechnique() of as_published.h) from the
  /// next frame on, as setBroadPhase() does; trees stay until changeTrees(). Errors: as
  /// setBroadPhase().
  Result<Success> setTechnique(const engine::Scene& from);

  /// From the next frame on detectors use these trees; the world stays as it is. Does nothing if
  /// `grown` is of other bodies. Errors: Unsupported.
  Result<Success> changeTrees(LoadedScene grown);

  /// Another flight that goes on from where this one stands, by that narrow phase alone; it is not
  /// recorded. Errors: as setMethod(). @pre !player()
  [[nodiscard]] Result<Flight> branch(const std::string& narrow) const;

  /// What is done by hand in the next frame, and was in the last.
  [[nodiscard]] PendingActs& acts() noexcept { return acts_; }
  [[nodiscard]] const PendingActs& acts() const noexcept { return acts_; }
  /// One frame, with those acts; the profile's detector column says "both" when two are at work.
  const engine::FrameOutput& advance(const engine::FrameInput& input);
  /// Output of the last advance(); before it, only the bodies in their start places.
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
  /// From now on both methods are timed on every pair, outside the frame [H96 Figs. 15, 16].
  /// Errors: those of makePairCalls(); then none is.
  Result<Success> timePairs();
  /// Calls gathered by timePairs(), to be written and cleared; null without it.
  [[nodiscard]] engine::PairCalls* calls() noexcept { return calls_.get(); }

 private:
  Flight() = default;
  void followPlayer();
  // In the order of lifetimes: the simulation refers to the shapes and the clock
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
  bool begins_ = false;  ///< the world is new, and not recorded yet
};

/// Changes the broad phase of all detectors from the next frame on, to one of `nearmiss list
/// broad`; the world stays as it is, and nothing that touches goes unseen between the two. A
/// restart keeps it. Errors: Unsupported for an unknown name; then nothing has changed.
Result<Success> setBroadPhase(Flight& flight, const std::string& name);
/// Detects by that narrow phase alone from the next frame on. Errors: as Flight::setMethod().
Result<Success> detectBy(Flight& flight, const std::string& narrow);
/// The narrow phase that goes in steps, whether it detects or not.
[[nodiscard]] std::string narrowPhaseOf(const Flight& flight);

/// True if the broad phase uses the ships' motion bounds.
[[nodiscard]] bool looksAhead(const Flight& flight) noexcept;
/// Simulation seconds until two ships can touch at the earliest, or bounds expire, by the last
/// detection: 0 while some may. Nothing if it does not look ahead.
[[nodiscard]] std::optional<Real> earliestMeeting(const Flight& flight) noexcept;

/// The ships, without what was shot.
[[nodiscard]] std::span<const BodyState> shipsOf(const Flight& flight) noexcept;

/// Radius of the user's ship, metres.
[[nodiscard]] Real shipRadius(const Flight& flight) noexcept;
/// The target time of a frame.
[[nodiscard]] std::chrono::nanoseconds targetOf(const Flight& flight) noexcept;

/// The method and what it does, for a user who has just switched to it.
[[nodiscard]] std::string methodWords(const Flight& flight);

}  // namespace nearmiss::app::fly
