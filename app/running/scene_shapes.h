// SPDX-License-Identifier: MIT
/// Options of loaded shapes, from command line and scene.
#pragma once

#include <engine/model/shape_set.h>
#include <engine/scene/scene.h>
#include <nearmiss/advanced/build_progress.h>
#include <nearmiss/result.h>

#include <memory>

#include "options/options.h"

namespace nearmiss::app {

/// @param bspTrees whether to make BSP trees at all
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

// Loads the models of a scene for a run without a window.

/// Loads the models of the scene; reads trees from the cache or builds them. Shows a progress line
/// and waits for the work after an interrupt, because the caller has results to keep. Prints notes
/// to stderr. Errors: those of modelFilesOf() and buildShapeSet().
[[nodiscard]] Result<std::shared_ptr<const engine::ShapeSet>> loadSceneShapes(
    const Options& options, bool bspTrees);
/// As above, for any scene with the trees of `wanted`. With `progress`, shows no line. Without it,
/// an interrupt may end the program, because there are no results to keep.
[[nodiscard]] Result<std::shared_ptr<const engine::ShapeSet>> loadSceneShapes(
    const engine::Scene& scene, const engine::ShapeOptions& wanted,
    BuildProgress* progress = nullptr);

}  // namespace nearmiss::app
