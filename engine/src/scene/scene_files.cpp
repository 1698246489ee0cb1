// SPDX-License-Identifier: MIT
#include <engine/base/nearest_name.h>
#include <engine/base/resources.h>
#include <engine/scene/scene.h>
#include <engine/scene/toml_file.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <system_error>

namespace nearmiss::engine {
namespace {

namespace fs = std::filesystem;

/// A model next to the scene file has priority over one in the working folder.
void resolveRelativeTo(const fs::path& sceneFile, std::string& model) {
  const std::vector<std::string> names = builtInModels();
  if (std::find(names.begin(), names.end(), model) != names.end()) return;
  const fs::path beside = sceneFile.parent_path() / model;
  std::error_code failed;
  if (fs::path(model).is_relative() && fs::is_regular_file(beside, failed)) model = beside.string();
}

}  // namespace

std::vector<std::string> builtInScenes() {
  return {"lamps",  "trucks",  "mixed",   "fig21", "crowd",    "joints",  "chase", "slalom",
          "escape", "station", "salvage", "duel",  "shuttles", "antenna", "tori"};
}

Result<fs::path> findScene(const std::string& nameOrFile) {
  const std::vector<std::string> names = builtInScenes();
  std::error_code failed;
  if (std::find(names.begin(), names.end(), nameOrFile) != names.end()) {
    const fs::path file =
        resourceRoot().value_or(".") / "assets" / "scenes" / (nameOrFile + ".toml");
    if (fs::exists(file, failed)) return file;
    return Error{ErrorCode::NotFound,
                 fmt::format("the built-in scene {} is missing: expected it at \"{}\"; "
                             "NEARMISS_ROOT may name the folder that holds assets/",
                             nameOrFile, file.string())};
  }
  if (fs::exists(nameOrFile, failed)) return fs::path(nameOrFile);
  const std::vector<std::string_view> views(names.begin(), names.end());
  return Error{ErrorCode::NotFound,
               fmt::format("cannot open \"{}\" ({}).{} Built-in scenes: {}", nameOrFile,
                           failed ? failed.message() : "No such file",
                           didYouMean(nameOrFile, views), fmt::join(names, ", "))};
}

Result<Scene> readScene(const fs::path& file, const Scene& base) {
  const Result<std::string> text = readTextFile(file, "a scene file");
  if (!text) return text.error();
  Result<Scene> scene = parseScene(*text, file.string(), base);
  if (!scene) return scene;
  resolveRelativeTo(file, scene->playerModel);
  for (DroneGroup& group : scene->drones) resolveRelativeTo(file, group.model);
  return scene;
}

}  // namespace nearmiss::engine
