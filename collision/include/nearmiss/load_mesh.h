// SPDX-License-Identifier: MIT
/// A mesh from a file, ready to become a shape.
#pragma once

#include <nearmiss/mesh_file.h>

namespace nearmiss {

/// Reads an OBJ, OFF, PLY or STL file and cleans its mesh: vertices nearer to each other than
/// usualWeldDistance() become one (see cleanMesh()). Frame and unit stay the file's, which
/// detection takes for metres. The mesh is the same for any number of `workers` (threads). Errors:
/// those of readMeshFile(); EmptyMesh where no triangle has an area; OutOfMemory.
Result<TriangleMesh> loadMesh(const std::filesystem::path& file, const MeshFileLimits& limits = {},
                              int workers = 1);

/// A millionth of the radius about the middle of a mesh: of the box of its triangles.
/// @pre all positions are finite and all indices in range.
[[nodiscard]] Real usualWeldDistance(const TriangleMesh& mesh, int workers = 1);

}  // namespace nearmiss
