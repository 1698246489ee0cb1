// SPDX-License-Identifier: MIT
#include "fly/model_worker.h"

#include <utility>

namespace nearmiss::app {
namespace {

Result<LoadedScene> load(const engine::Scene& scene, const engine::ShapeOptions& options,
                         BuildProgress& progress) {
  const auto files = engine::modelFilesOf(scene);
  if (!files) return files.error();
  auto shapes = engine::buildShapeSet(*files, options, &progress);
  if (!shapes) return shapes.error();
  return LoadedScene{scene, *std::move(shapes)};
}

}  // namespace

ModelWorker::~ModelWorker() { cancel(); }

void ModelWorker::start(const engine::Scene& scene, const Options& options, std::string what) {
  cancel();
  if (thread_.joinable()) thread_.join();
  what_ = std::move(what);
  progress_ = std::make_unique<BuildProgress>();
  outcome_.reset();
  done_ = false;
  began_ = std::chrono::steady_clock::now();

  engine::ShapeOptions shapeOptions;
  shapeOptions.treeBuilder = scene.tree;
  shapeOptions.tree = engine::treeSettings(scene);
  shapeOptions.cacheFolder = options.cacheFolder;
  shapeOptions.rebuild = options.rebuildTrees;
  shapeOptions.jobs = options.jobs;
  thread_ = std::jthread([this, scene, shapeOptions] {
    outcome_ = load(scene, shapeOptions, *progress_);
    done_ = true;
  });
}

void ModelWorker::cancel() noexcept { progress_->cancelled = true; }

std::optional<Result<LoadedScene>> ModelWorker::take() {
  if (!done_ || !thread_.joinable()) return std::nullopt;
  thread_.join();
  return std::exchange(outcome_, std::nullopt);
}

double ModelWorker::elapsedSeconds() const noexcept {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - began_).count();
}

}  // namespace nearmiss::app
