// SPDX-License-Identifier: MIT
/// The options of the loaded shapes, from command line and scene.
#pragma once

#include <engine/model/shape_set.h>
#include <engine/scene/scene.h>
#include <nearmiss/build_progress.h>
#include <nearmiss/result.h>

#include <memory>

#include "options.h"

namespace nearmiss::app {

/// @param bspTrees whether those are made at all
[[nodiscard]] inline engine::ShapeOptions shapeOptions(const Options& options,
                                                       const engine::Scene& scene,
                                                       bool bspTrees = true) {
  engine::ShapeOptions shapes;
  shapes.treeBuilder = scene.tree;
  shapes.tree = engine::treeSettings(scene);
  shapes.cacheFolder = options.cacheFolder;
  shapes.rebuild = options.rebuildTrees;
  shapes.jobs = options.jobs;
  if (!bspTrees) shapes.bspTrees = engine::BspTrees::None;
  return shapes;
}

// The models of a scene, loaded for a run without a window.

/// Loads the models of the scene and their trees from the cache, or builds them, with a progress
/// line that an interrupt waits for, as the caller has results to keep; notes go to stderr. Errors:
/// those of modelFilesOf() and buildShapeSet().
[[nodiscard]] Result<std::shared_ptr<const engine::ShapeSet>> loadSceneShapes(
    const Options& options, bool bspTrees);
/// The same of any scene, with trees as `wanted` has them; where `progress` is given, with that in
/// place of a line. An interrupt of a line without results to keep may end the program.
[[nodiscard]] Result<std::shared_ptr<const engine::ShapeSet>> loadSceneShapes(
    const engine::Scene& scene, const engine::ShapeOptions& wanted,
    BuildProgress* progress = nullptr);

}  // namespace nearmiss::app
