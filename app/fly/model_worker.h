// SPDX-License-Identifier: MIT
/// Loads a scene's models and builds their trees while the window goes on.
#pragma once

#include <engine/model/shape_set.h>
#include <engine/scene/scene.h>
#include <nearmiss/build_progress.h>

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "options.h"

namespace nearmiss::app::fly {

/// A scene with everything that flying it needs.
struct LoadedScene {
  engine::Scene scene;
  std::shared_ptr<const engine::ShapeSet> shapes;
};

/// One thing at a time; never makes its caller wait.
class ModelWorker {
 public:
  struct Outcome {
    bool grown = false;  ///< of grow(), not of load()
    Result<LoadedScene> loaded;
  };

  ModelWorker() = default;
  /// Cancels what is under way and waits for it.
  ~ModelWorker();
  ModelWorker(const ModelWorker&) = delete;
  ModelWorker& operator=(const ModelWorker&) = delete;

  /// Loads what a scene needs; `what` names it for the user. With `atOnce` a fast tree stands in
  /// for every sphere tree that the cache lacks, and BSP trees are left out unless the scene
  /// detects with them.
  void load(const engine::Scene& scene, const Options& options, std::string what, bool atOnce);
  /// Loads files, ShapeId the index among them, with fast trees as above; and BSP trees of models
  /// with at most maxBspTriangles, as more take too long. The outcome has no scene.
  void load(std::vector<engine::ModelFile> files, const Options& options, std::string what);
  static constexpr std::size_t maxBspTriangles = 60'000;
  enum class Growth : std::uint8_t {
    BspTrees,  ///< alone: quickly made
    All        ///< the sphere trees that the scene names as well
  };
  /// Builds trees for shapes that are in use meanwhile.
  void grow(const engine::Scene& scene, std::shared_ptr<const engine::ShapeSet> shapes,
            const Options& options, std::string what, Growth growth = Growth::All);
  // Both replace what is under way or waits: it is cancelled, and has no outcome

  void cancel() noexcept;
  [[nodiscard]] bool busy() const noexcept { return done_ || thread_.joinable(); }
  /// True if the job under way was begun by grow().
  [[nodiscard]] bool growing() const noexcept { return busy() && job().grown; }
  /// The outcome, once, when it is there. Errors: those of buildShapeSet(), Cancelled among them;
  /// OutOfMemory where no thread can be had.
  std::optional<Outcome> take();

  [[nodiscard]] const std::string& what() const noexcept { return job().what; }
  [[nodiscard]] const BuildProgress& progress() const noexcept { return *progress_; }
  [[nodiscard]] double elapsedSeconds() const noexcept;

 private:
  struct Job {
    bool grown = false;
    std::string what;
    std::function<Result<LoadedScene>(BuildProgress&)> work;
  };
  void start(Job job);
  void launch(Job job);
  [[nodiscard]] const Job& job() const noexcept { return next_ ? *next_ : current_; }

  Job current_;
  std::optional<Job> next_;  ///< waits for the current one to heed that it is cancelled
  std::unique_ptr<BuildProgress> progress_ = std::make_unique<BuildProgress>();
  std::optional<Result<LoadedScene>> outcome_;  ///< written by the thread before done_
  std::atomic<bool> done_{false};
  std::chrono::steady_clock::time_point began_{};
  std::jthread thread_;
};

}  // namespace nearmiss::app::fly
