// SPDX-License-Identifier: MIT
#include "scene_shapes.h"

#include "console/complaint.h"
#include "console/progress_line.h"

namespace nearmiss::app {

Result<std::shared_ptr<const engine::ShapeSet>> loadSceneShapes(const Options& options,
                                                                bool bspTrees) {
  engine::ShapeOptions wanted = shapeOptions(options, options.scene);
  if (!bspTrees) wanted.bspTrees = engine::BspTrees::None;
  return loadSceneShapes(options.scene, wanted);
}

Result<std::shared_ptr<const engine::ShapeSet>> loadSceneShapes(const engine::Scene& scene,
                                                                const engine::ShapeOptions& wanted,
                                                                BuildProgress* progress) {
  const auto files = engine::modelFilesOf(scene);
  if (!files) return files.error();
  const auto build = [&](BuildProgress& shown) {
    return engine::buildShapeSet(*files, wanted, &shown);
  };
  const auto shapes =
      progress ? build(*progress) : answerWithProgressLine("preparing the models", build);
  if (shapes)
    for (const engine::LoadedShape& shape : (*shapes)->shapes())
      for (const std::string& note : shape.notes) complain(note);
  return shapes;
}

}  // namespace nearmiss::app
