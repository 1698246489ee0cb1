// SPDX-License-Identifier: MIT
/// Models in any format that assimp reads. The only file of the engine implemented with it.
#pragma once

#include <filesystem>

#include "model/model_assembly.h"

namespace nearmiss::engine {

/// All sub-meshes and node transforms flattened into one soup. Throws what assimp throws, and
/// std::bad_alloc. Errors: BadFormat, TooLarge, EmptyMesh.
Result<Soup> readScene(const std::filesystem::path& file, const LoadOptions& options);

}  // namespace nearmiss::engine
