// SPDX-License-Identifier: MIT
#include "model/format/obj_materials.h"

#include <tiny_obj_loader.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <system_error>
#include <vector>

#include "model/format/text_words.h"
#include "model/highlight_roughness.h"

namespace nearmiss::engine {
namespace {

namespace fs = std::filesystem;

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

}  // namespace

void addMaterials(std::string_view names, const fs::path& model, std::uintmax_t maxFileBytes,
                  NamedMaterials& materials) {
  const fs::path folder = model.parent_path();
  // The rest of the line is one name with spaces, or several
  if (addFrom(folder / fs::path(names), maxFileBytes, materials)) return;
  TextWords words(names);
  for (std::string_view name = words.word(); !name.empty(); name = words.word())
    addFrom(folder / fs::path(name), maxFileBytes, materials);
}

}  // namespace nearmiss::engine
