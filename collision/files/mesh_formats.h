// SPDX-License-Identifier: MIT
/// The readers of single formats. `bytes` is the whole file. Errors, with half a sentence as
/// message: BadFormat, Unsupported, TooLarge. A mesh without triangles is not an error.
#pragma once

#include <nearmiss/advanced/mesh_file.h>

#include <string_view>

namespace nearmiss::files {

Result<MeshFile> readObj(std::string_view bytes, const MeshFileLimits& limits);
Result<MeshFile> readOff(std::string_view bytes, const MeshFileLimits& limits);
Result<MeshFile> readPly(std::string_view bytes, const MeshFileLimits& limits);
Result<MeshFile> readStl(std::string_view bytes, const MeshFileLimits& limits);

/// Returns the mesh of a binary STL with equal vertices merged into the first of them: the same as
/// welding the mesh of readStl(). Empty if the file is text or has any error; readStl() reports
/// these.
TriangleMesh weldedStl(std::string_view bytes, const MeshFileLimits& limits, int workers);

}  // namespace nearmiss::files
