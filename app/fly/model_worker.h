// SPDX-License-Identifier: MIT
/// Loads a scene's models and builds their trees while the window goes on.
#pragma once

#include <engine/scene.h>
#include <engine/shape_set.h>
#include <nearmiss/build_progress.h>

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <thread>

#include "options.h"

namespace nearmiss::app {

/// A scene with everything that flying it needs.
struct LoadedScene {
  engine::Scene scene;
  std::shared_ptr<const engine::ShapeSet> shapes;
};

class ModelWorker {
 public:
  ModelWorker() = default;
  /// Cancels what is under way and waits for it.
  ~ModelWorker();
  ModelWorker(const ModelWorker&) = delete;
  ModelWorker& operator=(const ModelWorker&) = delete;

  /// Begins; what was under way is cancelled first. `what` names it for the user.
  void start(const engine::Scene& scene, const Options& options, std::string what);
  void cancel() noexcept;
  [[nodiscard]] bool busy() const noexcept { return thread_.joinable(); }
  /// The outcome, once, when it is there. Errors: those of buildShapeSet(), Cancelled among them.
  std::optional<Result<LoadedScene>> take();

  [[nodiscard]] const std::string& what() const noexcept { return what_; }
  [[nodiscard]] const BuildProgress& progress() const noexcept { return *progress_; }
  [[nodiscard]] double elapsedSeconds() const noexcept;

 private:
  std::string what_;
  std::unique_ptr<BuildProgress> progress_ = std::make_unique<BuildProgress>();
  std::optional<Result<LoadedScene>> outcome_;  ///< written by the thread before done_
  std::atomic<bool> done_{false};
  std::chrono::steady_clock::time_point began_{};
  std::jthread thread_;
};

}  // namespace nearmiss::app
