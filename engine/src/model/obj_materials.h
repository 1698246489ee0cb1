// SPDX-License-Identifier: MIT
/// Materials for classic and physically based lighting.
#pragma once

#include <engine/model/draw_mesh.h>
#include <nearmiss/advanced/mesh_file.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <vector>

namespace nearmiss::engine {

/// Converts a Blinn-Phong highlight to a roughness.
/// @param shininess the exponent, above 0
[[nodiscard]] inline float highlightRoughness(float shininess) noexcept {
  if (!std::isfinite(shininess)) return 0.0f;
  return std::clamp(std::sqrt(std::sqrt(2.0f / (shininess + 2.0f))), 0.0f, 1.0f);
}

// The material files of OBJ files.

/// Returns the materials of the triangles of `read`, by MeshFile::materialOf: the default first,
/// then those of the material files next to `model`. Missing, too large or broken files add none,
/// because materials only affect colours.
[[nodiscard]] std::vector<DrawMaterial> materialsOf(const MeshFile& read,
                                                    const std::filesystem::path& model,
                                                    std::uintmax_t maxFileBytes);

}  // namespace nearmiss::engine
