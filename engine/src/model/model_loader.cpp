// SPDX-License-Identifier: MIT
#include <assimp/DefaultIOSystem.h>
#include <assimp/config.h>
#include <assimp/material.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>
#include <engine/model/cancellable_loading.h>
#include <fmt/format.h>
#include <nearmiss/mesh_input.h>

#include <algorithm>
#include <assimp/Importer.hpp>
#include <cctype>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <fstream>
#include <glm/mat3x3.hpp>
#include <glm/mat4x4.hpp>
#include <glm/matrix.hpp>
#include <iterator>
#include <new>
#include <set>
#include <system_error>

#include "model/declared_counts.h"
#include "model/guarded.h"
#include "model/isolated_call.h"
#include "model/model_assembly.h"

namespace nearmiss::engine {
namespace {

namespace fs = std::filesystem;

constexpr Real greatestCoordinate = 1e9;
/// Valid files nest a dozen levels.
constexpr int deepestJson = 64;
/// Text as terse as "f 1 2 3" grows to some 80 times its size on the way to triangles.
constexpr std::uintmax_t memoryPerByte = 128;
constexpr std::size_t usualMemory = std::size_t{512} << 20;  ///< whatever the size
constexpr std::size_t greatestMemory = std::size_t{8} << 30;

std::size_t memoryFor(std::uintmax_t bytes) {
  return static_cast<std::size_t>(std::min<std::uintmax_t>(memoryPerByte * bytes, greatestMemory));
}

/// A whole second for each MiB begun, which is fifty times what is usual.
std::chrono::seconds secondsFor(std::uintmax_t bytes) {
  return std::chrono::seconds((bytes + 0xfffff) >> 20);
}

/// The files that one model consists of, each held to the limits of the first: materials and
/// buffers that a model refers to are trusted no more than the model.
class BoundedFiles final : public Assimp::DefaultIOSystem {
 public:
  BoundedFiles(const fs::path& model, std::uintmax_t most) : most_(most), met_{model.string()} {}
  Assimp::IOStream* Open(const char* name, const char* mode) override {
    std::error_code failed;
    if (!fs::is_regular_file(name, failed)) return nullptr;
    const std::uintmax_t size = fs::file_size(name, failed);
    if (failed || size > most_) return nullptr;
    if (met_.insert(name).second) {
      const std::size_t more = std::min(memoryFor(size), left_);
      left_ -= more;
      extendIsolation(more, secondsFor(size));
    }
    return DefaultIOSystem::Open(name, mode);
  }

 private:
  std::uintmax_t most_;
  std::set<std::string> met_;          ///< what limits have been set for
  std::size_t left_ = greatestMemory;  ///< that further files may add to them
};

/// The reader's message as half a line: it may quote arbitrary bytes of the file.
std::string printable(std::string_view words) {
  constexpr std::size_t longest = 200;
  std::string line(words.substr(0, longest));
  for (char& c : line)
    if (c < ' ' || c > '~') c = '?';
  return words.size() > longest ? line + " ..." : line;
}

Error badFormat(const fs::path& file, std::string_view fault) {
  return {ErrorCode::BadFormat, fmt::format("\"{}\": {}", file.string(), printable(fault))};
}

/// Refuses what is no regular file, or larger than allowed.
Result<Success> checkFile(const fs::path& file, const LoadOptions& options) {
  std::error_code failed;
  const fs::file_status status = fs::status(file, failed);
  if (!fs::exists(status))
    return Error{
        ErrorCode::NotFound,
        fmt::format("cannot open \"{}\" ({}).", file.string(),
                    status.type() == fs::file_type::not_found ? "No such file" : failed.message())};
  if (!fs::is_regular_file(status))
    return Error{ErrorCode::Unreadable,
                 fmt::format("cannot open \"{}\" ({}).", file.string(),
                             fs::is_directory(status) ? "Is a directory" : "Not a regular file")};
  const std::uintmax_t size = fs::file_size(file, failed);
  if (failed)
    return Error{ErrorCode::Unreadable,
                 fmt::format("cannot open \"{}\" ({}).", file.string(), failed.message())};
  if (size > options.maxFileBytes)
    return Error{ErrorCode::TooLarge,
                 fmt::format("\"{}\": {} bytes, more than the {} that are allowed", file.string(),
                             size, options.maxFileBytes)};
  if (size == 0) return badFormat(file, "the file is empty");
  errno = 0;
  const bool opens = std::ifstream(file, std::ios::binary).is_open();
  const int error = errno;
  if (!opens)
    return Error{ErrorCode::Unreadable, fmt::format("cannot open \"{}\" ({}).", file.string(),
                                                    std::generic_category().message(error))};
  return Success{};
}

std::string lowerExtension(const fs::path& file) {
  std::string extension = file.extension().string();
  for (char& c : extension)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return extension;
}

/// Whether the file is JSON, plain or in a binary glTF, whose brackets nest deeper than allowed:
/// the parser behind assimp recurses as deep as they do and would end the program.
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

glm::dmat4 matrixOf(const aiMatrix4x4& m) {
  // assimp's matrices lie row by row, GLM's column by column
  return glm::transpose(glm::dmat4(m.a1, m.a2, m.a3, m.a4, m.b1, m.b2, m.b3, m.b4, m.c1, m.c2, m.c3,
                                   m.c4, m.d1, m.d2, m.d3, m.d4));
}

struct Instance {
  const aiMesh* mesh = nullptr;
  glm::dmat4 toModel{1.0};
};

/// Every use of a mesh in the scene, in the order of a walk that needs no recursion.
Result<std::vector<Instance>> instancesOf(const aiScene& scene, const fs::path& file) {
  constexpr std::size_t mostInstances = 1'000'000;
  std::vector<Instance> instances;
  std::vector<std::pair<const aiNode*, glm::dmat4>> open;
  if (scene.mRootNode) open.emplace_back(scene.mRootNode, glm::dmat4(1.0));
  while (!open.empty()) {
    const auto [node, parent] = open.back();
    open.pop_back();
    const glm::dmat4 toModel = parent * matrixOf(node->mTransformation);
    for (unsigned i = 0; i < node->mNumMeshes; ++i) {
      if (instances.size() == mostInstances || node->mMeshes[i] >= scene.mNumMeshes)
        return badFormat(file, "the nodes refer to meshes that cannot be there");
      instances.push_back({scene.mMeshes[node->mMeshes[i]], toModel});
    }
    for (unsigned i = node->mNumChildren; i-- > 0;) open.emplace_back(node->mChildren[i], toModel);
  }
  return instances;
}

/// Counts and coordinates, before any work whose cost depends on them.
Result<std::size_t> checkLimits(const std::vector<Instance>& instances, const fs::path& file,
                                const LoadOptions& options) {
  std::size_t triangles = 0, vertices = 0, leftOut = 0;
  for (const Instance& instance : instances) {
    for (unsigned f = 0; f < instance.mesh->mNumFaces; ++f) {
      const unsigned corners = instance.mesh->mFaces[f].mNumIndices;
      if (corners >= 3) triangles += corners - 2;
      if (corners < 3) ++leftOut;
    }
    vertices += instance.mesh->mNumVertices;
    if (triangles > options.maxTriangles || vertices > 4 * options.maxTriangles)
      return Error{ErrorCode::TooLarge, fmt::format("\"{}\": more than the {} triangles allowed",
                                                    file.string(), options.maxTriangles)};
    for (unsigned v = 0; v < instance.mesh->mNumVertices; ++v) {
      const aiVector3D& own = instance.mesh->mVertices[v];
      const glm::dvec4 p = instance.toModel * glm::dvec4(own.x, own.y, own.z, 1.0);
      if (!std::isfinite(p.x) || !std::isfinite(p.y) || !std::isfinite(p.z))
        return badFormat(file, "a vertex has a coordinate that is not a finite number");
      if (std::max({std::abs(p.x), std::abs(p.y), std::abs(p.z)}) > greatestCoordinate)
        return badFormat(file, "a vertex has a coordinate beyond 1e9");
      for (int axis = 0; axis < 3; ++axis)
        if (p[axis] != 0.0 && std::abs(p[axis]) < leastMagnitude)
          return badFormat(file, "a vertex has a coordinate nearer to 0 than 1e-60, but not 0");
    }
  }
  if (triangles == 0)
    return Error{ErrorCode::EmptyMesh, fmt::format("\"{}\": 0 triangles", file.string())};
  return leftOut;
}

void append(const Instance& instance, bool keepNormals, Soup& soup) {
  const aiMesh& mesh = *instance.mesh;
  const auto first = static_cast<std::uint32_t>(soup.mesh.positions.size());
  const glm::dmat3 linear(instance.toModel);
  const Real determinant = glm::determinant(linear);
  const bool useNormals = keepNormals && mesh.HasNormals() && determinant != 0.0;
  const glm::dmat3 normalMatrix =
      useNormals ? glm::transpose(glm::inverse(linear)) : glm::dmat3(1.0);

  // Move the vertices into the model's frame
  for (unsigned v = 0; v < mesh.mNumVertices; ++v) {
    const aiVector3D& own = mesh.mVertices[v];
    soup.mesh.positions.emplace_back(instance.toModel * glm::dvec4(own.x, own.y, own.z, 1.0));
    Vec3 normal(0.0);
    if (useNormals)
      normal = normalMatrix * Vec3(mesh.mNormals[v].x, mesh.mNormals[v].y, mesh.mNormals[v].z);
    const Real length = glm::length(normal);
    soup.normals.push_back(std::isfinite(length) && length > 0.0 ? normal / length : Vec3(0.0));
  }

  // A node that mirrors turns the winding round
  for (unsigned f = 0; f < mesh.mNumFaces; ++f) {
    const aiFace& face = mesh.mFaces[f];
    if (face.mNumIndices != 3) continue;
    std::array<std::uint32_t, 3> corners{first + face.mIndices[0], first + face.mIndices[1],
                                         first + face.mIndices[2]};
    if (determinant < 0.0) std::swap(corners[1], corners[2]);
    soup.mesh.triangles.push_back(corners);
    soup.materialOf.push_back(mesh.mMaterialIndex);
  }
}

DrawMaterial materialOf(const aiMaterial& from) {
  DrawMaterial material;
  aiString name;
  if (from.Get(AI_MATKEY_NAME, name) == AI_SUCCESS &&
      std::strcmp(name.C_Str(), AI_DEFAULT_MATERIAL_NAME) == 0)
    return material;
  const auto unit = [](float value) {
    return std::isfinite(value) ? std::clamp(value, 0.0f, 1.0f) : 0.0f;
  };

  aiColor4D colour;
  if (from.Get(AI_MATKEY_BASE_COLOR, colour) == AI_SUCCESS ||
      from.Get(AI_MATKEY_COLOR_DIFFUSE, colour) == AI_SUCCESS)
    material.baseColour = {unit(colour.r), unit(colour.g), unit(colour.b)};
  float value = 0.0f;
  if (from.Get(AI_MATKEY_METALLIC_FACTOR, value) == AI_SUCCESS) material.metallic = unit(value);
  if (from.Get(AI_MATKEY_ROUGHNESS_FACTOR, value) == AI_SUCCESS) {
    material.roughness = unit(value);
  } else if (from.Get(AI_MATKEY_SHININESS, value) == AI_SUCCESS && value > 0.0f) {
    // The width of a Blinn-Phong highlight, as a roughness
    material.roughness = unit(std::sqrt(std::sqrt(2.0f / (value + 2.0f))));
  }
  if (from.Get(AI_MATKEY_COLOR_EMISSIVE, colour) == AI_SUCCESS) {
    float strength = 1.0f;
    if (from.Get(AI_MATKEY_EMISSIVE_INTENSITY, strength) != AI_SUCCESS ||
        !std::isfinite(strength) || strength < 0.0f)
      strength = 1.0f;
    material.emission = {unit(colour.r) * strength, unit(colour.g) * strength,
                         unit(colour.b) * strength};
  }
  return material;
}

/// Why assimp gave no scene. It catches std::bad_alloc itself: that is thrown again, for the caller
/// that set the limit.
Error refusal(const fs::path& file, std::string_view words) {
  if (words == "std::bad_alloc") throw std::bad_alloc();
  if (words == "vector::_M_default_append" || words == "vector::reserve")
    return {ErrorCode::TooLarge,
            fmt::format("\"{}\": not enough memory for what it claims to hold", file.string())};
  return badFormat(file, words);
}

/// Runs assimp, in two stages so that limits are checked before the second.
Result<Soup> readSoup(const fs::path& file, const LoadOptions& options) {
  Assimp::Importer importer;
  // The importer deletes it
  importer.SetIOHandler(new BoundedFiles(file, options.maxFileBytes));
  importer.SetPropertyInteger(AI_CONFIG_PP_SBP_REMOVE,
                              aiPrimitiveType_POINT | aiPrimitiveType_LINE);
  const aiScene* scene = importer.ReadFile(file.string(), aiProcess_ValidateDataStructure);
  if (!scene) return refusal(file, importer.GetErrorString());
  auto instances = instancesOf(*scene, file);
  if (!instances) return instances.error();
  const Result<std::size_t> leftOut = checkLimits(*instances, file, options);
  if (!leftOut) return leftOut.error();

  scene = importer.ApplyPostProcessing(aiProcess_Triangulate | aiProcess_SortByPType);
  if (!scene) return refusal(file, importer.GetErrorString());
  instances = instancesOf(*scene, file);
  if (!instances) return instances.error();

  // The normals of an STL file are those of its facets, without curves
  const bool keepNormals = lowerExtension(file) != ".stl";
  Soup soup;
  soup.pointsAndLines = *leftOut;
  for (unsigned m = 0; m < scene->mNumMaterials; ++m)
    soup.materials.push_back(materialOf(*scene->mMaterials[m]));
  if (soup.materials.empty()) soup.materials.emplace_back();
  for (const Instance& instance : *instances) append(instance, keepNormals, soup);
  for (std::uint32_t& material : soup.materialOf)
    if (material >= soup.materials.size()) material = 0;
  return soup;
}

/// Catches what a foreign reader throws, except for the lack of memory.
Result<Soup> readSoupOrSay(const fs::path& file, const LoadOptions& options) {
  try {
    if (nestsTooDeep(file))
      return badFormat(file, fmt::format("its JSON nests deeper than {} levels", deepestJson));
    if (const auto fault = impossibleCount(file)) return badFormat(file, *fault);
    return readSoup(file, options);
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& fault) {
    return badFormat(file, fault.what());
  }
}

Result<LoadedModel> load(const fs::path& file, const LoadOptions& options,
                         const std::atomic<bool>* cancelled) {
  const Result<Success> allowed = checkFile(file, options);
  if (!allowed) return allowed.error();

  // Foreign readers may crash on some file: run them in another process
  std::error_code ignored;
  const std::uintmax_t size = fs::file_size(file, ignored);
  IsolationLimits limits;
  limits.processorTime = options.maxTime + secondsFor(size);
  limits.memoryBytes = usualMemory + memoryFor(size);
  limits.cancelled = cancelled;
  const auto read = [&] { return pack(readSoupOrSay(file, options)); };
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
