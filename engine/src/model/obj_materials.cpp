// SPDX-License-Identifier: MIT
#include "model/obj_materials.h"

#include <tiny_obj_loader.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <functional>
#include <map>
#include <sstream>
#include <string>
#include <system_error>

namespace nearmiss::engine {
namespace {

namespace fs = std::filesystem;

using NamedMaterials = std::map<std::string, DrawMaterial, std::less<>>;

float unit(double value) noexcept {
  return std::isfinite(value) ? static_cast<float>(std::clamp(value, 0.0, 1.0)) : 0.0f;
}

DrawMaterial drawn(const tinyobj::material_t& from) {
  DrawMaterial material;
  for (std::size_t i = 0; i < 3; ++i) {
    material.baseColour[i] = unit(from.diffuse[i]);
    material.emission[i] = unit(from.emission[i]);
  }
  material.metallic = unit(from.metallic);
  if (from.roughness > 0.0)
    material.roughness = unit(from.roughness);
  else if (from.shininess > 1.0)
    material.roughness = highlightRoughness(static_cast<float>(from.shininess));
  return material;
}

bool addFrom(const fs::path& file, std::uintmax_t maxFileBytes, NamedMaterials& materials) {
  std::error_code failed;
  if (!fs::is_regular_file(file, failed) || fs::file_size(file, failed) > maxFileBytes || failed)
    return false;
  std::ifstream stream(file);
  std::map<std::string, int> indices;
  std::vector<tinyobj::material_t> read;
  std::string warnings, faults;
  tinyobj::LoadMtl(&indices, &read, &stream, &warnings, &faults);
  for (const tinyobj::material_t& each : read) materials.emplace(each.name, drawn(each));
  return true;
}

/// `names`: one name with spaces, or several names.
void addMaterials(const std::string& names, const fs::path& folder, std::uintmax_t maxFileBytes,
                  NamedMaterials& materials) {
  if (addFrom(folder / fs::path(names), maxFileBytes, materials)) return;
  // A # starts a comment
  std::istringstream words(names.substr(0, names.find('#')));
  for (std::string name; words >> name;) addFrom(folder / fs::path(name), maxFileBytes, materials);
}

}  // namespace

std::vector<DrawMaterial> materialsOf(const MeshFile& read, const fs::path& model,
                                      std::uintmax_t maxFileBytes) {
  NamedMaterials named;
  for (const std::string& names : read.materialFiles)
    addMaterials(names, model.parent_path(), maxFileBytes, named);
  std::vector<DrawMaterial> materials(1);
  for (const std::string& name : read.materials) {
    const auto found = named.find(name);
    materials.push_back(found != named.end() ? found->second : DrawMaterial{});
  }
  return materials;
}

}  // namespace nearmiss::engine
