// SPDX-License-Identifier: MIT
#include "tools/tree/tree_model.h"

#include <engine/model/model_loader.h>
#include <fmt/format.h>
#include <nearmiss/mesh.h>

#include "console/complaint.h"

namespace nearmiss::app::tree {

std::optional<TreeModel> loadModelOf(const SphereTreeFile& tree, const std::string& treeName,
                                     const std::string& model, int& exitCode) {
  const auto path = engine::findModel(model);
  if (!path) {
    exitCode = complain(path.error(), BadModelOrScene);
    return std::nullopt;
  }
  auto loaded = engine::loadModel(*path);
  if (!loaded) {
    exitCode = complain(loaded.error(), BadModelOrScene);
    return std::nullopt;
  }
  for (const std::string& warning : loaded->warnings) complain(warning);
  auto polyhedron = makePolyhedron(std::move(loaded->mesh));
  if (!polyhedron) {
    exitCode = complain(polyhedron.error(), BadModelOrScene);
    return std::nullopt;
  }
  TreeModel result{loaded->name, *std::move(polyhedron), loaded->centre, loaded->scale,
                   loaded->rounding};
  if (tree.key.meshHash != result.polyhedron.hash() ||
      tree.triangleCount != result.polyhedron.mesh().triangles.size()) {
    complain(fmt::format("\"{}\" was built from another mesh than \"{}\"", treeName, model));
    exitCode = ValidationFailed;
    return std::nullopt;
  }
  return result;
}

}  // namespace nearmiss::app::tree
