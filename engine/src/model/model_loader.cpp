// SPDX-License-Identifier: MIT
#include <engine/base/nearest_name.h>
#include <engine/base/resources.h>
#include <engine/model/articulated_model.h>
#include <engine/model/model_loader.h>
#include <nearmiss/advanced/mesh_file.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <cstring>
#include <fstream>
#include <iterator>
#include <new>
#include <system_error>

#include "model/gltf_check.h"
#include "model/guarded.h"
#include "model/isolated_call.h"
#include "model/model_assembly.h"
#include "model/obj_materials.h"
#include "model/scene_reader.h"

namespace nearmiss::engine {

std::vector<std::string> builtInModels() {
  return {"lamp", "faucet", "rocket", "truck", "shuttle", "torus"};
}

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

namespace {

namespace fs = std::filesystem;

/// Valid files have about a dozen levels.
constexpr int deepestJson = 64;

/// Returns true if the file is JSON, plain or in a binary glTF, with too deep nesting. assimp's
/// parser recurses and would overflow the stack.
bool nestsTooDeep(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  char magic[4] = {};
  stream.read(magic, sizeof magic);
  stream.clear();
  stream.seekg(std::memcmp(magic, "glTF", sizeof magic) == 0 ? 20 : 0);
  int depth = 0;
  bool quoted = false, escaped = false;
  for (std::istreambuf_iterator<char> c(stream), end; c != end; ++c) {
    if (escaped) {
      escaped = false;
    } else if (quoted) {
      escaped = *c == '\\';
      quoted = *c != '"';
    } else if (*c == '"') {
      quoted = true;
    } else if (*c == '[' || *c == '{') {
      if (++depth > deepestJson) return true;
    } else if (*c == ']' || *c == '}') {
      --depth;
    } else if (depth <= 0 && !std::isspace(static_cast<unsigned char>(*c))) {
      return false;
    }
  }
  return false;
}

/// Reads one of the common mesh formats completely.
Result<Soup> readMesh(const fs::path& file, const LoadOptions& options) {
  auto read = readMeshFile(file, {options.maxFileBytes, options.maxTriangles});
  if (!read) return read.error();
  Soup soup;
  soup.materials = materialsOf(*read, file, options.maxFileBytes);
  soup.mesh = std::move(read->mesh);
  soup.normals = std::move(read->normals);
  soup.materialOf = std::move(read->materialOf);
  soup.pointsAndLines = read->pointsAndLines;
  soup.notes = std::move(read->notes);
  return soup;
}

/// Converts exceptions of assimp to errors, except for lack of memory.
Result<Soup> readSoupSafely(const fs::path& file, const LoadOptions& options) {
  try {
    if (nestsTooDeep(file))
      return refusal(file, ErrorCode::BadFormat,
                     fmt::format("its JSON nests deeper than {} levels", deepestJson));
    if (const auto fault = gltfFault(file)) return refusal(file, fault->code, fault->message);
    if (isMeshFile(file)) return readMesh(file, options);
    return readScene(file, options);
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& fault) {
    return refusal(file, ErrorCode::BadFormat, fault.what());
  }
}

Result<LoadedModel> load(const fs::path& file, const LoadOptions& options,
                         const std::atomic<bool>* cancelled) {
  const Result<Success> allowed = checkMeshFile(file, options.maxFileBytes);
  if (!allowed) return allowed.error();

  // Third-party readers may crash on some file: run them in another process
  std::error_code ignored;
  const std::uintmax_t size = fs::file_size(file, ignored);
  IsolationLimits limits;
  limits.processorTime = options.maxTime + secondsFor(size);
  limits.memoryBytes = defaultMemory + memoryFor(size);
  limits.cancelled = cancelled;
  const auto read = [&] { return pack(readSoupSafely(file, options)); };
  const auto bytes =
      canIsolate() ? callIsolated(read, limits) : Result<std::vector<std::byte>>(read());
  if (!bytes)
    return Error{bytes.error().code,
                 fmt::format("\"{}\": {}", file.string(), bytes.error().message)};
  Result<Soup> soup = unpack(*bytes, file);
  if (!soup) return soup.error();
  return assembleModel(std::move(*soup), file, options, cancelled);
}

}  // namespace

Result<LoadedModel> loadModel(const fs::path& file, const LoadOptions& options) {
  return guarded([&] { return load(file, options, nullptr); });
}

Result<LoadedModel> loadModel(const fs::path& file, const LoadOptions& options,
                              const std::atomic<bool>& cancelled) {
  return guarded([&] { return load(file, options, &cancelled); });
}

}  // namespace nearmiss::engine
