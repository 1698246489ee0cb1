// SPDX-License-Identifier: MIT
#include <engine/base/resources.h>
#include <engine/model/articulated_model.h>

#include <algorithm>

namespace nearmiss::engine {

std::vector<std::string> builtInArticulatedModels() {
  return {"jointed-lamp", "crane-truck", "antenna", "asteroid-1",
          "asteroid-2",   "asteroid-3",  "station"};
}

std::optional<FilePath> findArticulatedModel(const std::string& nameOrFile) {
  const std::vector<std::string> names = builtInArticulatedModels();
  if (std::ranges::find(names, nameOrFile) != names.end())
    return resourceRoot().value_or(".") / "assets" / "models" / (nameOrFile + ".toml");
  if (FilePath(nameOrFile).extension() == ".toml") return FilePath(nameOrFile);
  return std::nullopt;
}

}  // namespace nearmiss::engine
