// SPDX-License-Identifier: MIT
/// The material files that belong to OBJ files.
#pragma once

#include <engine/model/draw_mesh.h>

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>

namespace nearmiss::engine {

using NamedMaterials = std::map<std::string, DrawMaterial, std::less<>>;

/// Adds the materials of the files that the rest of an `mtllib` line names, which lie beside
/// `model`. What is not there, larger than allowed or broken adds nothing: materials only colour.
void addMaterials(std::string_view names, const std::filesystem::path& model,
                  std::uintmax_t maxFileBytes, NamedMaterials& materials);

}  // namespace nearmiss::engine
