// SPDX-License-Identifier: MIT
/// Materials of two kinds of lighting.
#pragma once

#include <engine/model/draw_mesh.h>
#include <nearmiss/mesh_file.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <vector>

namespace nearmiss::engine {

/// The width of a Blinn-Phong highlight, as a roughness. @param shininess its exponent, above 0
[[nodiscard]] inline float highlightRoughness(float shininess) noexcept {
  if (!std::isfinite(shininess)) return 0.0f;
  return std::clamp(std::sqrt(std::sqrt(2.0f / (shininess + 2.0f))), 0.0f, 1.0f);
}

// The material files that belong to OBJ files.

/// The materials of the triangles of `read`, by MeshFile::materialOf: the usual one first, then
/// those that it names, from the material files beside `model`. A file that is not there, larger
/// than allowed or broken gives none: materials only colour.
[[nodiscard]] std::vector<DrawMaterial> materialsOf(const MeshFile& read,
                                                    const std::filesystem::path& model,
                                                    std::uintmax_t maxFileBytes);

}  // namespace nearmiss::engine
