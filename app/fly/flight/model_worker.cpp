// SPDX-License-Identifier: MIT
#include "fly/flight/model_worker.h"

#include <engine/base/threads.h>
#include <sys/resource.h>

#include <algorithm>
#include <exception>
#include <utility>

#include "running/scene_shapes.h"

namespace nearmiss::app::fly {
namespace {

constexpr int backgroundNice = 10;

}  // namespace

ModelWorker::~ModelWorker() { cancel(); }

void ModelWorker::load(const engine::Scene& scene, const Options& options, std::string what,
                       bool quickFirst) {
  engine::ShapeOptions shapes = shapeOptions(options, scene);
  if (quickFirst) {
    shapes.temporaryBuilder = fastSphereTreeBuilder;
    if (!engine::needsBspTrees(scene)) shapes.bspTrees = engine::BspTrees::FromCache;
  }
  start({false, std::move(what), [scene, shapes](BuildProgress& progress) -> Result<LoadedScene> {
           const auto files = engine::modelFilesOf(scene);
           if (!files) return files.error();
           auto loaded = engine::buildShapeSet(*files, shapes, &progress);
           if (!loaded) return loaded.error();
           return LoadedScene{scene, *std::move(loaded)};
         }});
}

void ModelWorker::load(std::vector<engine::ModelFile> files, const Options& options,
                       std::string what) {
  engine::ShapeOptions shapes = shapeOptions(options, {});
  shapes.temporaryBuilder = fastSphereTreeBuilder;
  shapes.maxBspTriangles = maxBspTriangles;
  start({false, std::move(what),
         [named = std::move(files), shapes](BuildProgress& progress) -> Result<LoadedScene> {
           auto loaded = engine::buildShapeSet(named, shapes, &progress);
           if (!loaded) return loaded.error();
           return LoadedScene{{}, *std::move(loaded)};
         }});
}

void ModelWorker::startBuild(const engine::Scene& scene,
                             std::shared_ptr<const engine::ShapeSet> shapes, const Options& options,
                             std::string what, BuildKind kind) {
  engine::ShapeOptions wanted = shapeOptions(options, scene);
  if (kind == BuildKind::BspTrees) wanted.treeBuilder.clear();
  // Use half of the cores for each tree; frames have priority by the nice value
  const int cores = engine::threadCount(0);
  if (wanted.jobs == 0) wanted.jobs = std::max(1, cores / 2);
  start(
      {true, std::move(what),
       [scene, flown = std::move(shapes), wanted](BuildProgress& progress) -> Result<LoadedScene> {
         // Frames have priority
         (void)::setpriority(PRIO_PROCESS, 0, backgroundNice);
         auto rebuilt = engine::withTrees(*flown, wanted, &progress);
         if (!rebuilt) return rebuilt.error();
         return LoadedScene{scene, *std::move(rebuilt)};
       }});
}

void ModelWorker::start(Job job) {
  if (!busy()) return launch(std::move(job));
  cancel();
  next_ = std::move(job);
  began_ = std::chrono::steady_clock::now();
}

void ModelWorker::launch(Job job) {
  current_ = std::move(job);
  progress_ = std::make_unique<BuildProgress>();
  outcome_.reset();
  done_ = false;
  began_ = std::chrono::steady_clock::now();
  const auto serve = [this] {
    try {
      outcome_ = current_.work(*progress_);
    } catch (const std::exception&) {
      outcome_ = Error{ErrorCode::OutOfMemory, {}};
    }
    done_ = true;
  };
  thread_ = engine::startThread(serve);
  if (!thread_.joinable()) {
    // The flight continues unchanged
    outcome_ = Error{ErrorCode::OutOfMemory, "cannot start a thread to load models"};
    done_ = true;
  }
}

void ModelWorker::cancel() noexcept {
  progress_->cancelled = true;
  // The result belongs to the job that the user sees waiting
  if (next_) current_.rebuilt = next_->rebuilt;
  next_.reset();
}

std::optional<ModelWorker::Outcome> ModelWorker::take() {
  if (!done_) return std::nullopt;
  if (thread_.joinable()) thread_.join();
  done_ = false;
  current_.work = nullptr;  // release the shapes
  if (next_) {
    launch(*std::exchange(next_, std::nullopt));
    return std::nullopt;
  }
  Outcome outcome{current_.rebuilt, *std::move(outcome_)};
  outcome_.reset();
  return outcome;
}

double ModelWorker::elapsedSeconds() const noexcept {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - began_).count();
}

}  // namespace nearmiss::app::fly
