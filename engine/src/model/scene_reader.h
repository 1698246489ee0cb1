// SPDX-License-Identifier: MIT
/// Reads all formats that assimp supports. The only part of the engine that uses assimp.
#pragma once

#include <filesystem>

#include "model/model_assembly.h"

namespace nearmiss::engine {

/// Reads a file and flattens all sub-meshes and node transforms into one soup. Throws what assimp
/// throws, and std::bad_alloc. Errors: BadFormat, TooLarge, EmptyMesh.
Result<Soup> readScene(const std::filesystem::path& file, const LoadOptions& options);

}  // namespace nearmiss::engine
