// SPDX-License-Identifier: MIT
/// The models of a scene, loaded for a run without a window.
#pragma once

#include <engine/model/shape_set.h>
#include <nearmiss/result.h>

#include <memory>

#include "options.h"

namespace nearmiss::app {

/// Loads the models of the scene and their trees from the cache, or builds them, with a progress
/// line; notes go to stderr. Errors: those of modelFilesOf() and buildShapeSet().
[[nodiscard]] Result<std::shared_ptr<const engine::ShapeSet>> loadSceneShapes(
    const Options& options, bool bspTrees);
/// The same of any scene, with trees as `wanted` has them.
[[nodiscard]] Result<std::shared_ptr<const engine::ShapeSet>> loadSceneShapes(
    const engine::Scene& scene, const engine::ShapeOptions& wanted);

}  // namespace nearmiss::app
