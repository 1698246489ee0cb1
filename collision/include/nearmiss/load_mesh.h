// SPDX-License-Identifier: MIT
/// A mesh from a file, ready to become a shape.
#pragma once

#include <nearmiss/mesh_file.h>

namespace nearmiss {

/// Reads an OBJ, OFF, PLY or STL file and cleans its mesh: vertices nearer to each other than a
/// millionth of the mesh's radius become one (see cleanMesh()). Frame and unit stay the file's,
/// which detection takes for metres. Errors: those of readMeshFile(); EmptyMesh where no triangle
/// has an area; OutOfMemory.
Result<TriangleMesh> loadMesh(const std::filesystem::path& file, const MeshFileLimits& limits = {});

}  // namespace nearmiss
