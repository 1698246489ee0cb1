// SPDX-License-Identifier: MIT
#include <engine/resident/still_scene.h>

#include <algorithm>
#include <optional>
#include <sstream>
#include <system_error>

#include "resident/shape_store.h"
#include "scene/table_reader.h"
#include "scene/toml_file.h"

namespace nearmiss::engine {
namespace {

namespace fs = std::filesystem;

/// `values` from brackets of as many numbers; false after a fault.
bool readNumbers(TableReader& table, std::string_view key, std::span<Real> values) {
  const toml::node* node = table.take(key);
  if (!node) return true;
  const toml::array* array = node->as_array();
  bool sound = array && array->size() == values.size();
  for (std::size_t i = 0; sound && i < values.size(); ++i) {
    const auto number = TableReader::realOf(*array->get(i));
    sound = number && std::abs(*number) <= greatest;
    if (sound) values[i] = *number;
  }
  if (!sound)
    table.fault(*node, fmt::format("{} must be {} numbers in brackets", key, values.size()));
  return sound;
}

struct LayoutObject {
  fs::path model;
  StillObject object;
};

LayoutObject readObject(const toml::node& entry, const fs::path& beside, Faults& faults,
                        std::size_t index) {
  TableReader table(*entry.as_table(), "[[objects]]", faults);
  LayoutObject read;
  std::string model;
  table.text("model", model);
  read.model = beside / model;
  read.object.name = fmt::format("{} {}", fs::path(model).stem().string(), index);
  table.text("name", read.object.name);
  Real position[3] = {0.0, 0.0, 0.0}, rotation[4] = {1.0, 0.0, 0.0, 0.0};
  readNumbers(table, "position", position);
  readNumbers(table, "rotation", rotation);
  const Quat turn(rotation[0], rotation[1], rotation[2], rotation[3]);
  if (!(glm::length(turn) > 1e-6))
    table.fault(entry, "rotation must not be of length 0");
  else
    read.object.pose = {{position[0], position[1], position[2]}, glm::normalize(turn)};
  table.finish();
  // A mistyped key says more
  if (model.empty() && faults.text.empty()) table.fault(entry, "an object needs a model");
  return read;
}

Result<std::vector<LayoutObject>> readLayout(const fs::path& file) {
  const Result<std::string> text = readTextFile(file, "a layout", greatestLayout);
  if (!text) return text.error();
  const Result<toml::table> parsed = parseToml(*text, file.string());
  if (!parsed) return parsed.error();
  Faults faults{file.string(), {}, 0};
  TableReader top(*parsed, "", faults);
  std::int64_t version = 1;
  top.integer("version", version, 1, 1);
  const toml::node* node = top.take("objects");
  const toml::array* objects = node ? node->as_array() : nullptr;
  if (!objects || objects->empty() || !objects->is_homogeneous<toml::table>())
    return Error{ErrorCode::BadFormat,
                 fmt::format("{}: a layout needs [[objects]] tables", file.string())};
  std::vector<LayoutObject> read;
  for (const toml::node& entry : *objects)
    read.push_back(readObject(entry, file.parent_path(), faults, read.size()));
  top.finish();
  if (!faults.text.empty()) return Error{ErrorCode::BadFormat, faults.text};
  return read;
}

}  // namespace

Result<StillScene> readStillScene(const fs::path& layout, const fs::path& folder,
                                  const std::string& builder, BuildProgress* progress) {
  auto objects = readLayout(layout);
  if (!objects) return objects.error();
  auto store = ShapeStore::open(folder, builder);
  if (!store) return store.error();
  StillScene scene;
  std::vector<fs::path> models;
  for (LayoutObject& each : *objects) {
    const auto known = std::ranges::find(models, each.model);
    each.object.shape = static_cast<std::uint32_t>(known - models.begin());
    if (known == models.end()) models.push_back(each.model);
    scene.objects.push_back(std::move(each.object));
  }
  for (std::size_t i = 0; i < models.size(); ++i) {
    auto stored = store->take(models[i], progress);
    if (!stored) return stored.error();
    scene.shapes.push_back(*std::move(stored));
  }
  if (auto error = store->close()) return *error;
  return scene;
}

}  // namespace nearmiss::engine
