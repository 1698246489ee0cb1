// SPDX-License-Identifier: MIT
/// Replaces the models, trees and methods of a flight while the window keeps running. Independent
/// of the window and its messages.
#pragma once

#include <engine/scene/scene.h>

#include <optional>
#include <string>
#include <vector>

#include "fly/flight/build_estimates.h"
#include "fly/flight/flight.h"
#include "fly/flight/model_worker.h"

namespace nearmiss::app::fly {

/// Switches between the papers' trees and technique and the user's.
class PublishedSwitch {
 public:
  /// Returns `now` with the papers' trees and technique. If it is as published already, restores
  /// those from before the last flip(), or the defaults. Does not change anything that copyTrees()
  /// and copyTechnique() ignore.
  [[nodiscard]] engine::Scene flip(const engine::Scene& now);

 private:
  std::optional<engine::Scene> before_;
};

/// The result of a change, for display.
struct Change {
  bool flight = false;       ///< other models fly in a new world
  bool first = false;        ///< there was no flight before
  bool trees = false;        ///< the sphere trees changed
  double treeSeconds = 0.0;  ///< build time; 0: they came from the cache
  bool method = false;       ///< the detection method changed
  bool cancelled = false;    ///< the job was cancelled: nothing changed
  std::vector<std::string> notes;
  std::optional<Error> error;  ///< why the job failed: nothing changed
};

class FlightManager {
 public:
  /// @param options must outlive this object
  explicit FlightManager(const Options& options);

  /// Starts to load a scene that replaces the current flight. `what` names it for the user.
  void load(const engine::Scene& scene, std::string what);
  /// Starts the replay of a recorded session.
  Change replay(std::unique_ptr<engine::SessionPlayer> player);
  /// Lets the user fly on from the current position of the replay. Errors: those of
  /// Flight::endReplay().
  Change endReplay();
  /// The session that records the flight.
  [[nodiscard]] engine::SessionWriter& session() noexcept { return *session_; }
  /// Returns the current scene with drones of that model.
  [[nodiscard]] engine::Scene withModel(const std::filesystem::path& file) const;
  /// Returns the result of a finished job, if any. Call between frames.
  std::optional<Change> poll();
  /// Cancels the current job.
  void cancel() noexcept { worker_.cancel(); }

  // The following functions need a flight

  /// Switches the detection method, immediately or as soon as its BSP trees are built.
  Change setMethod(Method method);
  /// The current method, or the one that waits for its trees.
  [[nodiscard]] Method requestedMethod() const noexcept;
  [[nodiscard]] bool isMethodPending() const noexcept { return awaited_.has_value(); }
  /// The scene whose trees are wanted; its other settings are ignored.
  [[nodiscard]] const engine::Scene& requestedTrees() const noexcept { return wanted_; }
  /// Requests the trees of that scene: builder, boxes, inner spheres.
  void requestTrees(const engine::Scene& wanted);
  /// Switches between the papers' trees and technique and the user's; steps and pace do not change.
  /// `response`, `order` and `maxLevel` are the user's. Returns the wanted scene. Errors:
  /// Unsupported; then nothing changes.
  Result<engine::Scene> toggleAsPublished(engine::Response response, RefinementOrder order,
                                          int maxLevel);
  /// Returns true if the wanted trees are in use.
  [[nodiscard]] bool hasRequestedTrees() const;

  [[nodiscard]] std::optional<Flight>& flight() noexcept { return flight_; }
  [[nodiscard]] const std::optional<Flight>& flight() const noexcept { return flight_; }
  [[nodiscard]] const ModelWorker& worker() const noexcept { return worker_; }
  /// Returns true if trees are being built for the current flight.
  [[nodiscard]] bool isBuilding() const noexcept;
  /// Expected duration of the current build from its start, seconds; 0: all trees are in the cache.
  [[nodiscard]] double expectedSeconds() const noexcept { return expected_; }

 private:
  Change startFlight(LoadedScene loaded);
  Change changeTrees(LoadedScene rebuilt);
  Change handleBuildFailure(const Error& error);
  void useMethod(Method method, Change& change);
  void startBuild();
  void updateTreeBuild();
  void learnFrom(const LoadedScene& rebuilt);
  [[nodiscard]] engine::Scene requestedScene() const;

  const Options& options_;
  std::shared_ptr<WorkerPool> pool_;  ///< shared by all flights; null for one worker
  std::shared_ptr<engine::SessionWriter> session_ = std::make_shared<engine::SessionWriter>();
  ModelWorker worker_;
  std::optional<Flight> flight_;
  engine::Scene wanted_;  ///< only its trees matter: they are in use, or will be
  PublishedSwitch published_;
  BuildEstimates estimates_;
  double expected_ = 0.0;          ///< seconds
  std::optional<Method> awaited_;  ///< waits for its trees
};

}  // namespace nearmiss::app::fly
