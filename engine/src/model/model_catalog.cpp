// SPDX-License-Identifier: MIT
#include <engine/model/model_loader.h>
#include <engine/scene/articulated_model.h>
#include <engine/scene/nearest_name.h>
#include <engine/scene/resources.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <system_error>

namespace nearmiss::engine {

std::vector<std::string> builtInModels() { return {"lamp", "faucet", "rocket", "truck"}; }

Result<std::filesystem::path> findModel(const std::string& nameOrFile) {
  const std::vector<std::string> names = builtInModels();
  if (std::find(names.begin(), names.end(), nameOrFile) != names.end()) {
    const auto root = resourceRoot();
    const std::filesystem::path file =
        root.value_or(".") / "assets" / "models" / (nameOrFile + ".glb");
    std::error_code failed;
    if (std::filesystem::exists(file, failed)) return file;
    return Error{ErrorCode::NotFound,
                 fmt::format("the built-in model {} is missing: expected it at \"{}\"; "
                             "NEARMISS_ROOT may name the folder that holds assets/",
                             nameOrFile, file.string())};
  }

  std::error_code failed;
  if (std::filesystem::exists(nameOrFile, failed)) return std::filesystem::path(nameOrFile);
  const std::vector<std::string> jointed = builtInArticulatedModels();
  if (std::find(jointed.begin(), jointed.end(), nameOrFile) != jointed.end())
    return Error{ErrorCode::NotFound,
                 fmt::format("{} is a ship with joints: its links are models of their own, which "
                             "\"{}\" names",
                             nameOrFile, findArticulatedModel(nameOrFile)->string())};
  std::vector<std::string_view> views(names.begin(), names.end());
  views.insert(views.end(), jointed.begin(), jointed.end());
  const std::string why = failed ? failed.message() : "No such file";
  return Error{ErrorCode::NotFound,
               fmt::format("cannot open \"{}\" ({}).{} Built-in models: {}", nameOrFile, why,
                           didYouMean(nameOrFile, views), fmt::join(views, ", "))};
}

}  // namespace nearmiss::engine
