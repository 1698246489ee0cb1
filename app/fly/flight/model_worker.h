// SPDX-License-Identifier: MIT
/// Loads models and builds trees in the background.
#pragma once

#include <engine/model/shape_set.h>
#include <engine/scene/scene.h>
#include <nearmiss/advanced/build_progress.h>

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "options/options.h"

namespace nearmiss::app::fly {

/// A scene with all data for flying it.
struct LoadedScene {
  engine::Scene scene;
  std::shared_ptr<const engine::ShapeSet> shapes;
};

/// Runs one job at a time; never blocks the caller.
class ModelWorker {
 public:
  struct Outcome {
    bool rebuilt = false;  ///< from startBuild(), not load()
    Result<LoadedScene> loaded;
  };

  ModelWorker() = default;
  /// Cancels the current job and waits for it.
  ~ModelWorker();
  ModelWorker(const ModelWorker&) = delete;
  ModelWorker& operator=(const ModelWorker&) = delete;

  /// Loads a scene; `what` names it for the user. With `quickFirst`, a quickly built tree replaces
  /// every sphere tree that the cache lacks, and BSP trees are skipped unless the scene detects
  /// with them.
  void load(const engine::Scene& scene, const Options& options, std::string what, bool quickFirst);
  /// Loads files with quick trees as above; shapes have the order of `files`. Builds BSP trees only
  /// for models of at most maxBspTriangles, because larger ones take too long. The result has no
  /// scene.
  void load(std::vector<engine::ModelFile> files, const Options& options, std::string what);
  static constexpr std::size_t maxBspTriangles = 60'000;
  enum class BuildKind : std::uint8_t {
    BspTrees,  ///< BSP trees only: quick
    All        ///< also the sphere trees that the scene names
  };
  /// Builds trees for shapes that are in use.
  void startBuild(const engine::Scene& scene, std::shared_ptr<const engine::ShapeSet> shapes,
                  const Options& options, std::string what, BuildKind kind = BuildKind::All);
  // Both replace the current and the waiting job: these are cancelled and have no result

  void cancel() noexcept;
  [[nodiscard]] bool busy() const noexcept { return done_ || thread_.joinable(); }
  /// Returns true if the current job was started by startBuild().
  [[nodiscard]] bool isBuilding() const noexcept { return busy() && job().rebuilt; }
  /// Returns the result once, when it is available. Errors: those of buildShapeSet(), including
  /// Cancelled; OutOfMemory if no thread can be created.
  std::optional<Outcome> take();

  [[nodiscard]] const std::string& what() const noexcept { return job().what; }
  [[nodiscard]] const BuildProgress& progress() const noexcept { return *progress_; }
  [[nodiscard]] double elapsedSeconds() const noexcept;

 private:
  struct Job {
    bool rebuilt = false;
    std::string what;
    std::function<Result<LoadedScene>(BuildProgress&)> work;
  };
  void start(Job job);
  void launch(Job job);
  [[nodiscard]] const Job& job() const noexcept { return next_ ? *next_ : current_; }

  Job current_;
  std::optional<Job> next_;  ///< waits until the current job has been cancelled
  std::unique_ptr<BuildProgress> progress_ = std::make_unique<BuildProgress>();
  std::optional<Result<LoadedScene>> outcome_;  ///< written by the thread before done_
  std::atomic<bool> done_{false};
  std::chrono::steady_clock::time_point began_{};
  std::jthread thread_;
};

}  // namespace nearmiss::app::fly
