// SPDX-License-Identifier: MIT
#include <engine/scene/articulated_model.h>
#include <engine/scene/resources.h>

#include <algorithm>
#include <array>
#include <numbers>
#include <sstream>

#include "scene/table_reader.h"
#include "scene/toml_file.h"

namespace nearmiss::engine {
namespace {

namespace fs = std::filesystem;

constexpr Real radians = std::numbers::pi / 180.0;

void readJoint(TableReader& table, Joint& joint) {
  table.numbers("pivot", std::span(&joint.pivot.x, 3));
  table.numbers("axis", std::span(&joint.axis.x, 3));
  std::array<Real, 2> range{0.0, 0.0};
  table.numbers("range", range);
  joint.low = radians * range[0];
  joint.high = radians * range[1];
  table.real("period", joint.period, 1e-3, greatest);
}

/// The link that carries this one, by name, among those before it.
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

void readLink(const toml::node& entry, const fs::path& folder, Faults& faults,
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

/// What no joint can be, found by the class that has to work with them.
std::optional<Error> unsound(const ArticulatedModel& model, const std::string& origin) {
  std::vector<JointedLink> links;
  for (const ModelLink& link : model.links)
    links.push_back({link.name, ShapeRef::ofRadius(1.0), link.parent, link.joint});
  const auto made = Articulation::make(std::move(links));
  if (made) return std::nullopt;
  return Error{ErrorCode::BadFormat, fmt::format("{}: {}", origin, made.error().message)};
}

}  // namespace

std::vector<std::string> builtInArticulatedModels() { return {"jointed-lamp", "crane-truck"}; }

std::optional<fs::path> findArticulatedModel(const std::string& nameOrFile) {
  const std::vector<std::string> names = builtInArticulatedModels();
  if (std::ranges::find(names, nameOrFile) != names.end())
    return resourceRoot().value_or(".") / "assets" / "models" / (nameOrFile + ".toml");
  if (fs::path(nameOrFile).extension() == ".toml") return fs::path(nameOrFile);
  return std::nullopt;
}

Result<ArticulatedModel> readArticulatedModel(const fs::path& file) {
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
  for (const toml::node& entry : *links)
    readLink(entry, fs::path(origin).parent_path(), faults, model);
  top.finish();
  if (!faults.text.empty()) return Error{ErrorCode::BadFormat, faults.text};
  if (auto error = unsound(model, origin)) return *error;
  return model;
}

}  // namespace nearmiss::engine
