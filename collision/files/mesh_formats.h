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

/// The mesh of a binary STL in which equal vertices are one, the first of them: what welding the
/// mesh of readStl() gives. Empty where the file is text or has any fault, which readStl() tells.
TriangleMesh weldedStl(std::string_view bytes, const MeshFileLimits& limits, int workers);

}  // namespace nearmiss::files
