// SPDX-License-Identifier: MIT
/// The readers of single formats. `bytes`: the whole file. Errors, as half a sentence: BadFormat,
/// Unsupported, TooLarge. A mesh without triangles is no error.
#pragma once

#include <nearmiss/mesh_file.h>

#include <string_view>

namespace nearmiss::files {

Result<MeshFile> readObj(std::string_view bytes, const MeshFileLimits& limits);
Result<MeshFile> readOff(std::string_view bytes, const MeshFileLimits& limits);
Result<MeshFile> readPly(std::string_view bytes, const MeshFileLimits& limits);
Result<MeshFile> readStl(std::string_view bytes, const MeshFileLimits& limits);

}  // namespace nearmiss::files
