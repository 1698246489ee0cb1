// SPDX-License-Identifier: MIT
/// Writes what the page needs of models and scenes: nearmiss-page-data FOLDER
///
/// A page has no files and should not wait for builders, so shapes are built here. For each model:
/// NAME.draw for drawing, and NAME.TREE.shape, the bytes of a shape, for each sphere tree that a
/// built-in scene names. page.json lists them and the scenes. All numbers are little-endian.

#include <engine/base/resources.h>
#include <engine/model/articulated_model.h>
#include <engine/model/shape_set.h>
#include <engine/scene/scene.h>
#include <engine/scene/toml_file.h>
#include <fmt/format.h>
#include <nearmiss/advanced/sphere_tree.h>
#include <nearmiss/shape.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <span>
#include <string>

#include "fly/gfx/packed_model.h"

namespace {

using namespace nearmiss;
namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

class Writer {
 public:
  explicit Writer(fs::path folder) : folder_(std::move(folder)) {}

  [[nodiscard]] Result<Success> write(const std::string& name, std::span<const std::byte> bytes) {
    std::ofstream file(folder_ / name, std::ios::binary | std::ios::trunc);
    file.write(reinterpret_cast<const char*>(bytes.data()),
               static_cast<std::streamsize>(bytes.size()));
    file.close();
    if (file) return Success{};
    return Error{ErrorCode::Unreadable,
                 fmt::format("cannot write \"{}\"", (folder_ / name).string())};
  }

 private:
  fs::path folder_;
};

void append(std::string& out, std::span<const std::byte> bytes) {
  out.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
}

/// Header: counts of vertices, indices of the finest level, and nozzles; 1 if closed; the radius.
/// Then four numbers per nozzle, vertices (see PackedVertex) and indices.
std::string drawBytes(const app::fly::PackedModel& model) {
  const app::fly::PackedModel::Range finest = model.levels.front();
  const std::span indices = std::span(model.indices).subspan(finest.first, finest.count);
  std::uint32_t vertices = 0;
  for (const std::uint32_t index : indices) vertices = std::max(vertices, index + 1);
  const std::uint32_t header[] = {vertices, static_cast<std::uint32_t>(indices.size()),
                                  static_cast<std::uint32_t>(model.nozzles.size()),
                                  model.closed ? 1u : 0u};
  std::string out;
  append(out, std::as_bytes(std::span(header)));
  append(out, std::as_bytes(std::span(&model.radius, 1)));
  for (const app::fly::Nozzle& nozzle : model.nozzles) {
    const float four[] = {nozzle.place.x, nozzle.place.y, nozzle.place.z, nozzle.radius};
    append(out, std::as_bytes(std::span(four)));
  }
  append(out, std::as_bytes(std::span(model.vertices).first(vertices)));
  append(out, std::as_bytes(indices));
  return out;
}

class PageData {
 public:
  explicit PageData(const fs::path& folder) : writer_(folder) {}

  [[nodiscard]] Result<Success> addScene(const std::string& name) {
    const auto file = engine::findScene(name);
    if (!file) return file.error();
    const auto text = engine::readTextFile(*file, "a scene file");
    if (!text) return text.error();
    auto scene = engine::readScene(*file);
    if (!scene) return scene.error();
    scene->playerShots = true;
    engine::ShapeOptions options;
    options.treeBuilder = scene->tree;
    options.tree = engine::treeSettings(*scene);
    const auto files = engine::modelFilesOf(*scene);
    if (!files) return files.error();
    const auto shapes = engine::buildShapeSet(*files, options);
    if (!shapes) return shapes.error();
    Json models = Json::array();
    for (std::uint32_t i = 0; i < files->size(); ++i) {
      auto entry = addShape(**shapes, i);
      if (!entry) return entry.error();
      models.push_back(*entry);
    }
    if (auto added = addJoints(scene->playerModel); !added) return added.error();
    for (const engine::DroneGroup& group : scene->drones)
      if (auto added = addJoints(group.model); !added) return added.error();
    scenes_.push_back({{"name", name}, {"text", *text}, {"shapes", models}});
    return Success{};
  }

  [[nodiscard]] Result<Success> finish() {
    const app::fly::HullPicture hull = app::fly::drawHullPicture();
    if (auto written = writer_.write("hull.light", std::as_bytes(std::span(hull.light))); !written)
      return written.error();
    const Json page{{"hull", {{"width", hull.width}, {"height", hull.height}}},
                    {"models", models_},
                    {"joints", joints_},
                    {"scenes", scenes_}};
    const std::string text = page.dump(1);
    return writer_.write("page.json", std::as_bytes(std::span(text)));
  }

 private:
  /// Writes a shape and its model for drawing, unless another scene had them.
  [[nodiscard]] Result<Json> addShape(const engine::ShapeSet& shapes, std::uint32_t i) {
    const engine::LoadedShape& loaded = shapes.shapes()[i];
    // A file in its own frame is another mesh; engine/src/page/page_models.h has the same names
    const std::string name = loaded.name + (loaded.ownFrame ? ".own" : "");
    const std::string model = (loaded.ownFrame ? "own:" : "") + loaded.file.filename().string();
    const std::string file = fmt::format("{}.{:08x}.shape", name, loaded.treeHash >> 32);
    const Json entry{{"model", model}, {"name", name}, {"shape", file}};
    if (written_.insert(file).second) {
      // Name the tree, by which a page finds it
      const Shape& own = shapes.collision()[i];
      const auto named =
          own.with(SphereTree(*own.sphereTree()), {loaded.treeBuilder, loaded.treeHash});
      if (!named) return named.error();
      const auto bytes = bytesOf(*named);
      if (!bytes) return bytes.error();
      if (auto written = writer_.write(file, *bytes); !written) return written.error();
    }
    const std::string draw = name + ".draw";
    if (written_.insert(draw).second) {
      const std::string bytes = drawBytes(app::fly::packModel(
          shapes.drawMesh(i), app::fly::hullMarksOf(loaded.file, loaded.ownFrame)));
      if (auto written = writer_.write(draw, std::as_bytes(std::span(bytes))); !written)
        return written.error();
      models_[name] = draw;
    }
    return entry;
  }

  [[nodiscard]] Result<Success> addJoints(const std::string& model) {
    const auto file = engine::findArticulatedModel(model);
    if (!file) return Success{};
    const auto text = engine::readTextFile(*file, "a model with joints");
    if (!text) return text.error();
    joints_[file->filename().string()] = *text;
    return Success{};
  }

  Writer writer_;
  std::set<std::string> written_;
  Json models_ = Json::object(), joints_ = Json::object(), scenes_ = Json::array();
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    fmt::print(stderr, "nearmiss-page-data: expected a folder\n");
    return 2;
  }
  std::error_code failed;
  fs::create_directories(argv[1], failed);
  PageData data(argv[1]);
  const auto complain = [](const Error& error) {
    fmt::print(stderr, "nearmiss-page-data: {}\n", error.message);
    return 1;
  };
  for (const std::string& scene : engine::builtInScenes())
    if (const auto added = data.addScene(scene); !added) return complain(added.error());
  if (const auto finished = data.finish(); !finished) return complain(finished.error());
  return 0;
}
