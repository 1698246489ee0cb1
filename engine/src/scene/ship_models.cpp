// SPDX-License-Identifier: MIT
#include <engine/base/resources.h>
#include <engine/model/articulated_model.h>
#include <engine/scene/scene.h>
#include <engine/scene/toml_file.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numbers>
#include <utility>

#include "scene/ship_models.h"

namespace nearmiss::engine {
namespace {

constexpr Real radians = std::numbers::pi / 180.0;

void readJoint(TableReader& table, Joint& joint) {
  table.numbers("pivot", std::span(&joint.pivot.x, 3));
  table.numbers("axis", std::span(&joint.axis.x, 3));
  std::array<Real, 2> range{0.0, 0.0};
  table.numbers("range", range);
  joint.low = radians * range[0];
  joint.high = radians * range[1];
  table.real("period", joint.period, 1e-3, maxNumber);
}

/// Reads the parent of a link by name; it must be an earlier link.
void readParent(TableReader& table, const toml::node& entry, const ArticulatedModel& model,
                ModelLink& link) {
  std::string parent;
  table.text("parent", parent);
  if (model.links.empty()) {
    if (!parent.empty()) table.fault(entry, "the first link carries the others: it has no parent");
    return;
  }
  const auto found = std::ranges::find(model.links, parent, &ModelLink::name);
  link.parent = static_cast<std::size_t>(found - model.links.begin());
  if (found != model.links.end()) return;
  if (parent.empty())
    return table.fault(entry, fmt::format("link \"{}\" needs a parent", link.name));
  std::vector<std::string_view> names;
  for (const ModelLink& other : model.links) names.push_back(other.name);
  table.fault(entry, fmt::format("link \"{}\": there is no link \"{}\" before it.{}", link.name,
                                 parent, didYouMean(parent, names)));
}

void readLink(const toml::node& entry, const FilePath& folder, Faults& faults,
              ArticulatedModel& model) {
  TableReader table(*entry.as_table(), "[[links]]", faults);
  ModelLink link;
  std::string file;
  table.text("name", link.name);
  table.text("model", file);
  if (link.name.empty() || file.empty())
    table.fault(entry, "a link needs a name and a model");
  else if (std::ranges::find(model.links, link.name, &ModelLink::name) != model.links.end())
    table.fault(entry, fmt::format("there are two links \"{}\"", link.name));
  link.file = folder / file;
  readParent(table, entry, model, link);
  readJoint(table, link.joint);
  table.finish();
  model.links.push_back(std::move(link));
}

/// Finds invalid joints, as Articulation defines them.
std::optional<Error> unsound(const ArticulatedModel& model, const std::string& origin) {
  std::vector<JointedLink> links;
  for (const ModelLink& link : model.links)
    links.push_back({link.name, ShapeRef::ofRadius(1.0), link.parent, link.joint});
  const auto fault = Articulation::faultIn(links);
  if (!fault) return std::nullopt;
  return Error{ErrorCode::BadFormat, fmt::format("{}: {}", origin, fault->message)};
}

}  // namespace

Result<ArticulatedModel> readArticulatedModel(const FilePath& file) {
  const Result<std::string> text = readTextFile(file, "the file of an articulated model");
  if (!text) return text.error();
  return parseArticulatedModel(*text, file.string());
}

Result<ArticulatedModel> parseArticulatedModel(std::string_view text, const std::string& origin) {
  const Result<toml::table> parsed = parseToml(text, origin);
  if (!parsed) return parsed.error();
  ArticulatedModel model;
  Faults faults{origin, {}, 0};
  TableReader top(*parsed, "", faults);
  (void)top.integer("version", 1, 1);
  const toml::array* links = top.tables("links");
  if (!links)
    return Error{ErrorCode::BadFormat,
                 fmt::format("{}: an articulated model needs [[links]] tables", origin)};
  // Checked first, because the search for parents is quadratic
  if (links->size() > Articulation::maxLinks)
    return Error{ErrorCode::BadFormat, fmt::format("{}: {} links are too many: at most {}", origin,
                                                   links->size(), Articulation::maxLinks)};
  for (const toml::node& entry : *links)
    readLink(entry, FilePath(origin).parent_path(), faults, model);
  top.finish();
  if (!faults.text.empty()) return Error{ErrorCode::BadFormat, faults.text};
  if (auto error = unsound(model, origin)) return *error;
  return model;
}

namespace {

bool same(const ModelFile& a, const ModelFile& b) {
  if (a.ownFrame != b.ownFrame) return false;
  return isSameFile(a.path, b.path);
}

/// The model of shot bodies.
ModelFile shotFile() {
  return {resourceRoot().value_or(".") / "assets" / "models" / "shot.obj", true};
}

/// The model files of a ship.
Result<std::vector<ModelFile>> filesOf(const std::string& model) {
  std::vector<ModelFile> files;
  if (const auto articulated = findArticulatedModel(model)) {
    const auto read = readArticulatedModel(*articulated);
    if (!read) return read.error();
    for (const ModelLink& link : read->links) files.push_back({link.file, true});
    return files;
  }
  const Result<FilePath> file = findModel(model);
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
  return shapes.collision().ref(static_cast<std::uint32_t>(found - loaded.begin()));
}

/// Each link in the middle of its range.
std::vector<BodyPart> partsOf(const Articulation& articulation, const ShapeSet& shapes) {
  std::vector<BodyPart> parts;
  for (std::size_t i = 0; i < articulation.links().size(); ++i) {
    const JointedLink& link = articulation.links()[i];
    const Pose own = articulation.poseOf(i, 0.5);
    parts.push_back({&shapes.polyhedron(link.shape.index()),
                     i == 0 ? own : composed(parts[link.parent].pose, own)});
  }
  return parts;
}

Result<ShipDef> articulatedShip(const FilePath& file, const ShapeSet& shapes) {
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
  def.inverseInertia = inverseInertiaOf(shapes.polyhedron(shape->index()));
  return def;
}

Result<ShipDef> shotBody(const ShapeSet& shapes) {
  constexpr Real mass = 0.05, drag = 0.05;
  const auto shape = shapeOf(shotFile(), shapes);
  if (!shape) return shape.error();
  ShipDef def;
  def.shape = *shape;
  def.mass = mass;
  def.limits = {0.0, 0.0, 0.0, drag};
  def.inverseInertia = inverseInertiaOf(shapes.polyhedron(shape->index()));
  return def;
}

Real radiusOf(const ShipDef& ship) noexcept {
  return ship.articulation ? ship.articulation->reach() : ship.shape.radius();
}

Result<std::vector<ModelFile>> modelFilesOf(const Scene& scene) {
  std::vector<std::string> models{scene.playerModel};
  for (const DroneGroup& group : scene.drones)
    if (group.count > 0 && std::ranges::find(models, group.model) == models.end())
      models.push_back(group.model);
  std::vector<ModelFile> files;
  for (const std::string& model : models) {
    const auto more = filesOf(model);
    if (!more) return more.error();
    for (const ModelFile& file : *more)
      if (std::ranges::none_of(files, [&](const ModelFile& other) { return same(other, file); }))
        files.push_back(file);
  }
  if (scene.playerShots) files.push_back(shotFile());
  return files;
}

}  // namespace nearmiss::engine
