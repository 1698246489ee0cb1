// SPDX-License-Identifier: MIT
/// The options of the loaded shapes, from command line and scene.
#pragma once

#include <engine/model/shape_set.h>
#include <engine/scene/scene.h>

#include "options.h"

namespace nearmiss::app {

[[nodiscard]] inline engine::ShapeOptions shapeOptions(const Options& options,
                                                       const engine::Scene& scene) {
  engine::ShapeOptions shapes;
  shapes.treeBuilder = scene.tree;
  shapes.tree = engine::treeSettings(scene);
  shapes.cacheFolder = options.cacheFolder;
  shapes.rebuild = options.rebuildTrees;
  shapes.jobs = options.jobs;
  return shapes;
}

}  // namespace nearmiss::app
