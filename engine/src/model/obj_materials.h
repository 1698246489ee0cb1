// SPDX-License-Identifier: MIT
/// The material files that belong to OBJ files.
#pragma once

#include <engine/model/draw_mesh.h>

#include <nearmiss/mesh_file.h>

#include <cstdint>
#include <filesystem>
#include <vector>

namespace nearmiss::engine {

/// The materials of the triangles of `read`, by MeshFile::materialOf: the usual one first, then
/// those that it names, from the material files beside `model`. A file that is not there, larger
/// than allowed or broken gives none: materials only colour.
[[nodiscard]] std::vector<DrawMaterial> materialsOf(const MeshFile& read,
                                                    const std::filesystem::path& model,
                                                    std::uintmax_t maxFileBytes);

}  // namespace nearmiss::engine
