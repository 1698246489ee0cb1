// SPDX-License-Identifier: MIT
#include <engine/interference/still_scene.h>
#include <engine/model/model_loader.h>
#include <engine/scene/toml_file.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <system_error>
#include <vector>

#include "interference/shape_store.h"

namespace nearmiss::engine {
namespace {

namespace fs = std::filesystem;

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
  // A built-in name, or a file beside the layout
  const std::vector<std::string> names = builtInModels();
  const bool builtIn = std::ranges::find(names, model) != names.end();
  const Result<fs::path> found = builtIn ? findModel(model) : Result<fs::path>(beside / model);
  if (!found) table.fault(entry, found.error().message);
  if (found) read.model = *found;
  read.object.name = fmt::format("{} {}", fs::path(model).stem().string(), index);
  table.text("name", read.object.name);
  Pose& pose = read.object.pose;
  table.numbers("position", std::span(&pose.position.x, 3));
  table.rotation(pose.rotation);
  pose.rotation = glm::normalize(pose.rotation);
  table.finish();
  // A mistyped key says more
  if (model.empty() && faults.text.empty()) table.fault(entry, "an object needs a model");
  return read;
}

Result<std::vector<LayoutObject>> readLayout(const fs::path& file) {
  const Result<std::string> text = readTextFile(file, "a layout", maxLayout);
  if (!text) return text.error();
  const Result<toml::table> parsed = parseToml(*text, file.string());
  if (!parsed) return parsed.error();
  Faults faults{file.string(), {}, 0};
  TableReader top(*parsed, "", faults);
  (void)top.integer("version", 1, 1);
  const toml::array* objects = top.tables("objects");
  if (!objects)
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
  std::map<fs::path, std::uint32_t> shapeOf;
  for (LayoutObject& each : *objects) {
    const auto [known, isNew] =
        shapeOf.emplace(each.model, static_cast<std::uint32_t>(scene.shapes.size()));
    if (isNew) {
      auto stored = store->take(each.model, progress);
      if (!stored) return stored.error();
      scene.shapes.push_back(*std::move(stored));
    }
    each.object.shape = known->second;
    scene.objects.push_back(std::move(each.object));
  }
  if (auto error = store->close()) return *error;
  return scene;
}

}  // namespace nearmiss::engine
