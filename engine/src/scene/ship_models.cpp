// SPDX-License-Identifier: MIT
#include "scene/ship_models.h"

#include <engine/scene/articulated_model.h>
#include <engine/scene/scene.h>
#include <fmt/format.h>

#include <algorithm>
#include <system_error>
#include <utility>

namespace nearmiss::engine {
namespace {

namespace fs = std::filesystem;

bool same(const ModelFile& a, const ModelFile& b) {
  if (a.ownFrame != b.ownFrame) return false;
  std::error_code failed;
  return a.path == b.path || fs::equivalent(a.path, b.path, failed);
}

/// The files that a model is made of.
Result<std::vector<ModelFile>> filesOf(const std::string& model) {
  std::vector<ModelFile> files;
  if (const auto articulated = findArticulatedModel(model)) {
    const auto read = readArticulatedModel(*articulated);
    if (!read) return read.error();
    for (const ModelLink& link : read->links) files.push_back({link.file, true});
    return files;
  }
  const Result<fs::path> file = findModel(model);
  if (!file) return file.error();
  files.push_back({*file, false});
  return files;
}

Result<ShapeRef> shapeOf(const ModelFile& file, const ShapeSet& shapes) {
  const auto loaded = shapes.shapes();
  const auto found = std::ranges::find_if(loaded, [&](const LoadedShape& shape) {
    return same({shape.file, shape.ownFrame}, file);
  });
  if (found == loaded.end())
    return Error{ErrorCode::NotFound,
                 fmt::format("\"{}\" is not among the loaded models", file.path.string())};
  return shapes.collision().ref(ShapeId{static_cast<std::uint32_t>(found - loaded.begin())});
}

/// Each link in the middle of its range.
std::vector<BodyPart> partsOf(const Articulation& articulation, const ShapeSet& shapes) {
  std::vector<BodyPart> parts;
  for (std::size_t i = 0; i < articulation.links().size(); ++i) {
    const JointedLink& link = articulation.links()[i];
    const Pose own = articulation.poseOf(i, 0.5);
    parts.push_back({&shapes.polyhedron(link.shape.id()),
                     i == 0 ? own : composed(parts[link.parent].pose, own)});
  }
  return parts;
}

Result<ShipDef> articulatedShip(const fs::path& file, const ShapeSet& shapes) {
  const auto model = readArticulatedModel(file);
  if (!model) return model.error();
  std::vector<JointedLink> links;
  for (const ModelLink& link : model->links) {
    const auto shape = shapeOf({link.file, true}, shapes);
    if (!shape) return shape.error();
    links.push_back({link.name, *shape, link.parent, link.joint});
  }
  auto articulation = Articulation::make(std::move(links));
  if (!articulation) return articulation.error();
  ShipDef def;
  def.articulation = std::make_shared<const Articulation>(*std::move(articulation));
  def.inverseInertia = inverseInertiaOf(partsOf(*def.articulation, shapes));
  return def;
}

}  // namespace

Result<ShipDef> shipOfModel(const std::string& model, const ShapeSet& shapes) {
  if (const auto file = findArticulatedModel(model)) return articulatedShip(*file, shapes);
  const auto files = filesOf(model);
  if (!files) return files.error();
  const auto shape = shapeOf(files->front(), shapes);
  if (!shape) return shape.error();
  ShipDef def;
  def.shape = *shape;
  def.inverseInertia = inverseInertiaOf(shapes.polyhedron(shape->id()));
  return def;
}

Real radiusOf(const ShipDef& ship) noexcept {
  return ship.articulation ? ship.articulation->reach() : ship.shape.radius();
}

Result<std::vector<ModelFile>> modelFilesOf(const Scene& scene) {
  std::vector<std::string> models{scene.playerModel};
  for (const DroneGroup& group : scene.drones)
    if (group.count > 0) models.push_back(group.model);
  std::vector<ModelFile> files;
  for (const std::string& model : models) {
    const auto more = filesOf(model);
    if (!more) return more.error();
    for (const ModelFile& file : *more)
      if (std::ranges::none_of(files, [&](const ModelFile& other) { return same(other, file); }))
        files.push_back(file);
  }
  return files;
}

}  // namespace nearmiss::engine
