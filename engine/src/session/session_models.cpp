// SPDX-License-Identifier: MIT
#include "session/session_models.h"

#include <engine/model/articulated_model.h>
#include <engine/model/model_loader.h>
#include <engine/scene/utf8.h>

#include <algorithm>
#include <string>
#include <system_error>
#include <vector>

#include "session/session_format.h"

namespace nearmiss::engine {
namespace {

namespace fs = std::filesystem;

bool isBuiltIn(const std::string& model) {
  const auto among = [&model](const std::vector<std::string>& names) {
    return std::ranges::find(names, model) != names.end();
  };
  return among(builtInModels()) || among(builtInArticulatedModels());
}

/// Calls `change` for the name of each model that is a file.
void forEachFile(Scene& scene, const auto& change) {
  const auto visit = [&change](std::string& model) {
    if (!isBuiltIn(model)) change(model);
  };
  visit(scene.playerModel);
  for (DroneGroup& group : scene.drones) visit(group.model);
}

bool isThere(const fs::path& file) {
  std::error_code failed;
  return fs::is_regular_file(file, failed);
}

}  // namespace

void makePathsAbsolute(Scene& scene) {
  forEachFile(scene, [](std::string& model) {
    std::error_code failed;
    // Not normalised: a path such as "../x.obj" remains searchable
    const fs::path whole = fs::absolute(model, failed);
    if (!failed && isUtf8(whole.native())) model = whole.string();
  });
}

void findModels(Scene& scene, const fs::path& session) {
  forEachFile(scene, [&session](std::string& model) {
    const fs::path named(model);
    if (isThere(named)) return;
    const fs::path relative = named.relative_path();
    for (auto first = relative.begin(); first != relative.end(); ++first) {
      fs::path end;
      for (auto part = first; part != relative.end(); ++part) end /= *part;
      for (const fs::path& file : {end, session.parent_path() / end})
        if (isThere(file)) {
          model = file.string();
          return;
        }
    }
  });
}

}  // namespace nearmiss::engine
