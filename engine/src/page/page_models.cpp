// SPDX-License-Identifier: MIT
#include "page/page_models.h"

#include <fmt/format.h>
#include <nearmiss/rivals/tree_builders.h>

#include <algorithm>

namespace nearmiss::engine {

std::string_view fileName(std::string_view path) noexcept {
  return path.substr(path.rfind('/') + 1);
}

std::string& pageError() noexcept {
  static std::string text;
  return text;
}

PageModels& PageModels::all() {
  static PageModels models;
  return models;
}

Result<Success> PageModels::add(const std::string& name, std::span<const std::byte> bytes) {
  if (name.ends_with(".toml")) {
    std::erase_if(texts_, [&](const auto& entry) { return entry.first == name; });
    texts_.emplace_back(name,
                        std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
    return Success{};
  }
  auto shape = shapeFromBytes(bytes);
  if (!shape) return Error{shape.error().code, fmt::format("{}: {}", name, shape.error().message)};
  if (!shape->sphereTree())
    return Error{ErrorCode::Unsupported, fmt::format("{}: the shape has no sphere tree", name)};
  std::erase_if(shapes_, [&](const auto& entry) {
    return entry.first == name &&
           entry.second.treeOrigin().settingsHash == shape->treeOrigin().settingsHash;
  });
  shapes_.emplace_back(name, *std::move(shape));
  return Success{};
}

const std::string* PageModels::textOf(std::string_view name) const noexcept {
  for (const auto& [own, text] : texts_)
    if (own == name) return &text;
  return nullptr;
}

bool PageModels::hasShape(std::string_view name) const noexcept { return shape(name) != nullptr; }

const Shape* PageModels::shape(std::string_view name) const noexcept {
  for (const auto& [own, shape] : shapes_)
    if (own == name) return &shape;
  return nullptr;
}

Result<std::shared_ptr<const ShapeSet>> PageModels::shapesOf(
    const Scene& scene, std::span<const SessionShape> flown) const {
  const auto files = modelFilesOf(scene);
  if (!files) return files.error();
  const std::uint64_t usual = hashOf(scene.tree, treeSettings(scene));
  std::vector<LoadedShape> about;
  Shapes shapes;
  std::string missing;
  for (std::size_t i = 0; i < files->size(); ++i) {
    const ModelFile& file = (*files)[i];
    const std::uint64_t tree = i < flown.size() ? flown[i].tree : usual;
    const std::string name =
        (file.ownFrame ? "own:" : "") + std::string(fileName(file.path.string()));
    const auto found = std::ranges::find_if(shapes_, [&](const auto& entry) {
      return entry.first == name && entry.second.treeOrigin().settingsHash == tree;
    });
    if (found == shapes_.end()) {
      missing +=
          fmt::format("{}no model \"{}\" with the sphere tree \"{}\"", missing.empty() ? "" : ", ",
                      name, i < flown.size() ? flown[i].treeBuilder : scene.tree);
      continue;
    }
    LoadedShape loaded;
    const std::string_view stem = fileName(file.path.string());
    loaded.name = std::string(stem.substr(0, stem.rfind('.'))) + (file.ownFrame ? ".own" : "");
    loaded.file = file.path;
    loaded.ownFrame = file.ownFrame;
    loaded.treeBuilder = found->second.treeOrigin().builder;
    loaded.treeHash = found->second.treeOrigin().settingsHash;
    about.push_back(std::move(loaded));
    shapes.add(found->second);
  }
  // All of them, so that a page can fetch them at once
  if (!missing.empty()) return Error{ErrorCode::NotFound, "this page has " + missing};
  return ShapeSet::of(std::move(about), std::move(shapes));
}

}  // namespace nearmiss::engine
