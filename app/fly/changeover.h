// SPDX-License-Identifier: MIT
/// The models, trees and methods that fly, and their change for others while the window goes on:
/// without a window, and without a word to the user.
#pragma once

#include <engine/scene/scene.h>

#include <optional>
#include <string>
#include <vector>

#include "fly/flight.h"
#include "fly/model_worker.h"

namespace nearmiss::app::fly {

/// The papers' trees and technique, and back.
class PublishedSwitch {
 public:
  /// `now` with the papers' trees and technique; or, if it is as published already, with those that
  /// it had before the last flip() that led there, or the usual ones if none did. What takeTrees()
  /// and takeTechnique() leave alone stays.
  [[nodiscard]] engine::Scene flip(const engine::Scene& now);

 private:
  std::optional<engine::Scene> before_;
};

/// A change, for whoever shows it.
struct Change {
  bool flight = false;       ///< other models fly, in a world of their own
  bool first = false;        ///< and none did before
  bool trees = false;        ///< other sphere trees fly
  double treeSeconds = 0.0;  ///< to build them; 0: they came from the cache
  bool method = false;       ///< another method detects
  bool cancelled = false;    ///< the job was cancelled: nothing changed
  std::vector<std::string> notes;
  std::optional<Error> error;  ///< why the job failed: nothing changed
};

class Changeover {
 public:
  /// @param options must outlive this
  explicit Changeover(const Options& options);

  /// Begins to load a scene that replaces what flies. `what` names it for the user.
  void load(const engine::Scene& scene, std::string what);
  /// A recorded session flies, from its start.
  Change replay(std::unique_ptr<engine::SessionPlayer> player);
  /// The user flies on where the replay stands. Errors: those of Flight::takeOver().
  Change takeOverReplay();
  /// The session that records the flight.
  [[nodiscard]] engine::SessionWriter& session() noexcept { return *session_; }
  /// The scene that flies, its drones of that model.
  [[nodiscard]] engine::Scene withModel(const std::filesystem::path& file) const;
  /// The outcome of a job that has ended, if one has. To be called between frames.
  std::optional<Change> poll();
  /// Cancels the job under way.
  void cancel() noexcept { worker_.cancel(); }

  // The following functions need a flight

  /// Detects by that method, at once or as soon as its BSP trees are there.
  Change setMethod(Method method);
  /// The method that detects, or that waits for its trees.
  [[nodiscard]] Method wantedMethod() const noexcept;
  [[nodiscard]] bool awaitsMethod() const noexcept { return awaited_.has_value(); }
  /// The scene whose trees are wanted; nothing else of it counts.
  [[nodiscard]] const engine::Scene& wantedTrees() const noexcept { return wanted_; }
  /// Wants the trees of that scene: builder, boxes, inner spheres.
  void wantTrees(const engine::Scene& wanted);
  /// The papers' trees and technique, or back; steps and pace go on as they were. `response`,
  /// `order` and `maxLevel` are the user's. Returns the scene as wanted. Errors: Unsupported, and
  /// nothing changes.
  Result<engine::Scene> toggleAsPublished(engine::Response response, RefinementOrder order,
                                          int maxLevel);
  /// True if the trees that are wanted fly.
  [[nodiscard]] bool fliesWantedTrees() const;

  [[nodiscard]] std::optional<Flight>& flight() noexcept { return flight_; }
  [[nodiscard]] const std::optional<Flight>& flight() const noexcept { return flight_; }
  [[nodiscard]] const ModelWorker& worker() const noexcept { return worker_; }
  /// True if trees are being built for the flight that goes on.
  [[nodiscard]] bool growing() const noexcept;

 private:
  Change takeOver(LoadedScene loaded);
  Change changeTrees(LoadedScene grown);
  Change keepTrees(const Error& error);
  void useMethod(Method method, Change& change);
  void grow();
  void pursueWantedTrees();
  [[nodiscard]] engine::Scene wantedScene() const;

  const Options& options_;
  std::shared_ptr<WorkerPool> pool_;  ///< of all flights; null for one worker
  std::shared_ptr<engine::SessionWriter> session_ = std::make_shared<engine::SessionWriter>();
  ModelWorker worker_;
  std::optional<Flight> flight_;
  engine::Scene wanted_;  ///< its trees are in use, or will be; nothing else counts
  PublishedSwitch published_;
  std::optional<Method> awaited_;  ///< as soon as its trees are there
};

}  // namespace nearmiss::app::fly
