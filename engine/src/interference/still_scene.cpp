// SPDX-License-Identifier: MIT
#include <engine/interference/still_scene.h>
#include <engine/model/model_loader.h>
#include <engine/scene/toml_file.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
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
  // A built-in name, or a path relative to the layout
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
  // A mistyped key has a better message
  if (model.empty() && faults.text.empty()) table.fault(entry, "an object needs a model");
  return read;
}

struct Layout {
  std::vector<LayoutObject> objects;
  std::vector<SkippedNames> skipped;
};

/// Reads a list of pairs of names, such as `joints = [["arm", "hand"]]`.
void readNamePairs(TableReader& top, std::string_view key, SkipReason why, Layout& layout) {
  const toml::node* list = top.take(key);
  if (!list) return;
  std::vector<std::string_view> known;
  for (const LayoutObject& each : layout.objects) known.push_back(each.object.name);
  std::ranges::sort(known);
  const auto isPair = [](const toml::node& entry) {
    const toml::array* pair = entry.as_array();
    return pair && pair->size() == 2 && pair->is_homogeneous<std::string>();
  };
  bool arePairs = list->is_array();
  if (arePairs)
    for (const toml::node& entry : *list->as_array()) arePairs = arePairs && isPair(entry);
  if (!arePairs)
    return top.fault(*list, fmt::format("{0} must be a list of pairs of names, as in {0} = "
                                        "[[\"arm\", \"hand\"]]",
                                        key));
  for (const toml::node& entry : *list->as_array()) {
    const toml::array& pair = *entry.as_array();
    SkippedNames names{pair[0].value_or(std::string()), pair[1].value_or(std::string()), why};
    // Report the first unknown name only: suggestions for all could take hours
    for (const std::string& name : {names.a, names.b})
      if (!std::ranges::binary_search(known, std::string_view(name)))
        return top.fault(entry, fmt::format("{} names \"{}\", which no object has.{}", key, name,
                                            didYouMean(name, known)));
    layout.skipped.push_back(std::move(names));
  }
}

Result<Layout> readLayout(const fs::path& file) {
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
  Layout read;
  for (const toml::node& entry : *objects)
    read.objects.push_back(readObject(entry, file.parent_path(), faults, read.objects.size()));
  readNamePairs(top, "joints", SkipReason::Joint, read);
  readNamePairs(top, "allowed", SkipReason::Allowed, read);
  top.finish();
  if (!faults.text.empty()) return Error{ErrorCode::BadFormat, faults.text};
  return read;
}

/// Number of objects by name.
using NameCounts = std::map<std::string_view, std::size_t>;

/// Names shared by many objects stand for all of them, so a few can produce any number of pairs.
Result<Success> checkSkipped(std::span<const SkippedNames> names, const NameCounts& objects,
                             std::size_t before) {
  const auto countOf = [&objects](const std::string& name) {
    const auto found = objects.find(name);
    return found == objects.end() ? 0 : found->second;
  };
  std::size_t pairs = before;
  for (const SkippedNames& each : names) {
    const std::size_t a = countOf(each.a), b = countOf(each.b);
    pairs += each.a == each.b ? a * a / 2 : a * b;
    if (pairs > maxSkipped)
      return Error{ErrorCode::TooLarge,
                   fmt::format("more than {} pairs of objects are left out", maxSkipped)};
  }
  return Success{};
}

}  // namespace

Result<Success> leaveOut(std::span<const SkippedNames> names, StillScene& scene) {
  NameCounts counts;
  for (const StillObject& object : scene.objects) ++counts[object.name];
  if (const auto few = checkSkipped(names, counts, scene.skipped.size()); !few) return few.error();
  std::multimap<std::string_view, std::uint32_t> objects;
  for (std::uint32_t i = 0; i < scene.objects.size(); ++i)
    objects.emplace(scene.objects[i].name, i);
  for (const SkippedNames& each : names) {
    const auto [firstA, endA] = objects.equal_range(each.a);
    const auto [firstB, endB] = objects.equal_range(each.b);
    for (auto a = firstA; a != endA; ++a)
      for (auto b = firstB; b != endB; ++b)
        if (each.a == each.b ? a->second < b->second : a->second != b->second)
          scene.skipped.push_back({pairOf(a->second, b->second), each.why});
  }
  std::ranges::stable_sort(scene.skipped, {}, &SkippedPair::pair);
  // clang 14 does not compile std::ranges::unique
  const auto same =
      std::unique(scene.skipped.begin(), scene.skipped.end(),
                  [](const SkippedPair& p, const SkippedPair& q) { return p.pair == q.pair; });
  scene.skipped.erase(same, scene.skipped.end());
  return Success{};
}

Result<std::vector<fs::path>> modelsOfLayout(const fs::path& layout) {
  const auto read = readLayout(layout);
  if (!read) return read.error();
  std::set<fs::path> models;
  for (const LayoutObject& each : read->objects) models.insert(each.model);
  return std::vector<fs::path>(models.begin(), models.end());
}

Result<StillScene> readStillScene(const fs::path& layout, const fs::path& folder,
                                  const std::string& builder, BuildProgress* progress) {
  auto read = readLayout(layout);
  if (!read) return read.error();
  // Check before any model is read
  NameCounts counts;
  for (const LayoutObject& each : read->objects) ++counts[each.object.name];
  if (const auto few = checkSkipped(read->skipped, counts, 0); !few)
    return Error{few.error().code, fmt::format("{}: {}", layout.string(), few.error().message)};
  auto store = ShapeStore::open(folder, builder);
  if (!store) return store.error();
  StillScene scene;
  std::map<fs::path, std::uint32_t> shapeOf;
  for (LayoutObject& each : read->objects) {
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
  if (const auto left = leaveOut(read->skipped, scene); !left) return left.error();
  return scene;
}

}  // namespace nearmiss::engine
