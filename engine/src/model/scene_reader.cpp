// SPDX-License-Identifier: MIT
#include "model/scene_reader.h"

#include <assimp/DefaultIOSystem.h>
#include <assimp/config.h>
#include <assimp/material.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>
#include <fmt/format.h>
#include <nearmiss/advanced/mesh_file.h>

#include <algorithm>
#include <assimp/Importer.hpp>
#include <cmath>
#include <cstring>
#include <glm/mat3x3.hpp>
#include <glm/mat4x4.hpp>
#include <glm/matrix.hpp>
#include <limits>
#include <new>
#include <set>
#include <system_error>
#include <utility>

#include "model/gltf_check.h"
#include "model/isolated_call.h"
#include "model/obj_materials.h"
#include "model/scene_frame.h"

namespace nearmiss::engine {
namespace {

namespace fs = std::filesystem;

/// File system of one model, with the same limits for all its files: referenced materials and
/// buffers are as untrusted as the model.
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
  std::set<std::string> met_;     ///< names of files already counted
  std::size_t left_ = maxMemory;  ///< remaining memory for further files
};

struct Instance {
  const aiMesh* mesh = nullptr;
  glm::dmat4 toModel{1.0};
};

/// Lists every use of a mesh in the scene. Iterative, because nodes may nest deeply.
/// @param root replaces the root's transformation
Result<std::vector<Instance>> instancesOf(const aiScene& scene, const glm::dmat4& root,
                                          const fs::path& file) {
  constexpr std::size_t maxInstances = 1'000'000;
  std::vector<Instance> instances;
  std::vector<std::pair<const aiNode*, glm::dmat4>> open;
  if (scene.mRootNode) open.emplace_back(scene.mRootNode, glm::dmat4(1.0));
  while (!open.empty()) {
    const auto [node, parent] = open.back();
    open.pop_back();
    const glm::dmat4 toModel =
        node == scene.mRootNode ? root : parent * matrixOf(node->mTransformation);
    for (unsigned i = 0; i < node->mNumMeshes; ++i) {
      if (instances.size() == maxInstances || node->mMeshes[i] >= scene.mNumMeshes)
        return refusal(file, ErrorCode::BadFormat,
                       "the nodes refer to meshes that cannot be there");
      instances.push_back({scene.mMeshes[node->mMeshes[i]], toModel});
    }
    for (unsigned i = node->mNumChildren; i-- > 0;) open.emplace_back(node->mChildren[i], toModel);
  }
  return instances;
}

/// Checks counts and coordinates before any work that depends on them.
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
    // Division avoids overflow for huge limits
    const bool tooMany = vertices > 0 && (vertices - 1) / 4 >= options.maxTriangles;
    if (triangles > options.maxTriangles || tooMany)
      return Error{ErrorCode::TooLarge, fmt::format("\"{}\": more than the {} triangles allowed",
                                                    file.string(), options.maxTriangles)};
    for (unsigned v = 0; v < instance.mesh->mNumVertices; ++v) {
      const aiVector3D& own = instance.mesh->mVertices[v];
      const glm::dvec4 p = instance.toModel * glm::dvec4(own.x, own.y, own.z, 1.0);
      if (const std::string_view fault = coordinateFault(Vec3(p)); !fault.empty())
        return refusal(file, ErrorCode::BadFormat, fault);
    }
  }
  if (triangles == 0)
    return Error{ErrorCode::EmptyMesh, fmt::format("\"{}\": 0 triangles", file.string())};
  return leftOut;
}

void append(const Instance& instance, Soup& soup) {
  const aiMesh& mesh = *instance.mesh;
  const auto first = static_cast<std::uint32_t>(soup.mesh.positions.size());
  const glm::dmat3 linear(instance.toModel);
  const Real determinant = glm::determinant(linear);
  const bool useNormals = mesh.HasNormals() && determinant != 0.0;
  const glm::dmat3 normalMatrix =
      useNormals ? glm::transpose(glm::inverse(linear)) : glm::dmat3(1.0);

  // Move the vertices into the model's frame
  for (unsigned v = 0; v < mesh.mNumVertices; ++v) {
    const aiVector3D& own = mesh.mVertices[v];
    soup.mesh.positions.emplace_back(instance.toModel * glm::dvec4(own.x, own.y, own.z, 1.0));
    Vec3 normal(0.0);
    if (useNormals)
      normal = normalMatrix * Vec3(mesh.mNormals[v].x, mesh.mNormals[v].y, mesh.mNormals[v].z);
    soup.normals.push_back(unitOrZero(normal));
  }

  // A mirroring node reverses the winding
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
    material.roughness = highlightRoughness(value);
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

/// Returns why assimp gave no scene. assimp catches std::bad_alloc; rethrow it for the caller that
/// set the memory limit.
Error noScene(const fs::path& file, std::string_view words) {
  if (words == "std::bad_alloc") throw std::bad_alloc();
  if (words == "vector::_M_default_append" || words == "vector::reserve")
    return {ErrorCode::TooLarge,
            fmt::format("\"{}\": not enough memory for what it claims to hold", file.string())};
  return refusal(file, ErrorCode::BadFormat, words);
}

/// Maximum displacement of a coordinate. assimp uses floats, so only float files without
/// transformations are exact.
Real roundingOf(const std::vector<Instance>& instances, const Soup& soup, bool floats) {
  const bool moved = std::any_of(instances.begin(), instances.end(), [](const Instance& each) {
    return each.toModel != glm::dmat4(1.0);
  });
  if (floats && !moved) return 0.0;
  Real greatest = 0.0;
  for (const Vec3& p : soup.mesh.positions)
    for (int axis = 0; axis < 3; ++axis) greatest = std::max(greatest, std::abs(p[axis]));
  // About a dozen roundings through the nodes, in three coordinates
  return 32.0 * static_cast<Real>(std::numeric_limits<float>::epsilon()) * greatest;
}

/// Number of faces with area; each mesh counts once.
std::uint64_t facesOf(const aiScene& scene) {
  std::uint64_t faces = 0;
  for (unsigned m = 0; m < scene.mNumMeshes; ++m)
    for (unsigned f = 0; f < scene.mMeshes[m]->mNumFaces; ++f)
      faces += scene.mMeshes[m]->mFaces[f].mNumIndices >= 3;
  return faces;
}

}  // namespace

Result<Soup> readScene(const fs::path& file, const LoadOptions& options) {
  Assimp::Importer importer;
  // The importer owns it
  importer.SetIOHandler(new BoundedFiles(file, options.maxFileBytes));
  importer.SetPropertyInteger(AI_CONFIG_PP_SBP_REMOVE,
                              aiPrimitiveType_POINT | aiPrimitiveType_LINE);
  const aiScene* scene = importer.ReadFile(file.string(), aiProcess_ValidateDataStructure);
  if (!scene) return noScene(file, importer.GetErrorString());
  SceneFrame frame = frameOf(importer, *scene);
  auto instances = instancesOf(*scene, frame.toModel, file);
  if (!instances) return instances.error();
  if (const auto declared = declaredTriangles(file); declared && *declared != facesOf(*scene))
    return refusal(file, ErrorCode::BadFormat,
                   fmt::format("{} of the {} triangles that it announces are read", facesOf(*scene),
                               *declared));
  const Result<std::size_t> leftOut = checkLimits(*instances, file, options);
  if (!leftOut) return leftOut.error();

  scene = importer.ApplyPostProcessing(aiProcess_Triangulate | aiProcess_SortByPType);
  if (!scene) return noScene(file, importer.GetErrorString());
  instances = instancesOf(*scene, frame.toModel, file);
  if (!instances) return instances.error();

  Soup soup;
  soup.pointsAndLines = *leftOut;
  soup.notes = std::move(frame.notes);
  for (unsigned m = 0; m < scene->mNumMaterials; ++m)
    soup.materials.push_back(materialOf(*scene->mMaterials[m]));
  if (soup.materials.empty()) soup.materials.emplace_back();
  for (const Instance& instance : *instances) append(instance, soup);
  for (std::uint32_t& material : soup.materialOf)
    if (material >= soup.materials.size()) material = 0;
  const std::string extension = lowerCase(file.extension().string());
  soup.rounding = roundingOf(*instances, soup, extension == ".glb" || extension == ".gltf");
  if (soup.rounding > 0.0)
    soup.notes.push_back(
        fmt::format("read in single precision: vertices lie up to {:.1g} from where the file has "
                    "them",
                    soup.rounding));
  return soup;
}

}  // namespace nearmiss::engine
