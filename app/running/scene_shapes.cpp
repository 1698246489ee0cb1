// SPDX-License-Identifier: MIT
#include "running/scene_shapes.h"

#include "console/complaint.h"
#include "console/progress_line.h"

namespace nearmiss::app {
namespace {

using LoadedShapes = Result<std::shared_ptr<const engine::ShapeSet>>;

void printNotes(const LoadedShapes& shapes) {
  if (!shapes) return;
  for (const engine::LoadedShape& shape : (*shapes)->shapes())
    for (const std::string& note : shape.notes) complain(note);
}

}  // namespace

Result<std::shared_ptr<const engine::ShapeSet>> loadSceneShapes(const Options& options,
                                                                bool bspTrees) {
  const engine::ShapeOptions wanted = shapeOptions(options, options.scene, bspTrees);
  const auto files = engine::modelFilesOf(options.scene);
  if (!files) return files.error();
  auto shapes = runToEndWithProgressLine("preparing the models", [&](BuildProgress& progress) {
    return engine::buildShapeSet(*files, wanted, &progress);
  });
  printNotes(shapes);
  return shapes;
}

Result<std::shared_ptr<const engine::ShapeSet>> loadSceneShapes(const engine::Scene& scene,
                                                                const engine::ShapeOptions& wanted,
                                                                BuildProgress* progress) {
  const auto files = engine::modelFilesOf(scene);
  if (!files) return files.error();
  const auto build = [&](BuildProgress& shown) {
    return engine::buildShapeSet(*files, wanted, &shown);
  };
  auto shapes = progress ? build(*progress) : runWithProgressLine("preparing the models", build);
  printNotes(shapes);
  return shapes;
}

}  // namespace nearmiss::app
