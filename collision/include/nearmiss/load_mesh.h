// SPDX-License-Identifier: MIT
/// Loads a mesh from a file, ready to become a shape.
#pragma once

#include <nearmiss/mesh_file.h>

namespace nearmiss {

/// Reads an OBJ, OFF, PLY or STL file and cleans its mesh: vertices nearer to each other than
/// usualWeldDistance() are welded (see cleanMesh()). Keeps the file's frame and unit; detection
/// treats the unit as metres. The mesh is the same for any number of `workers` (threads). Errors:
/// those of readMeshFile(); EmptyMesh if all triangles are degenerate; OutOfMemory.
Result<TriangleMesh> loadMesh(const std::filesystem::path& file, const MeshFileLimits& limits = {},
                              int workers = 1);

/// Returns the default weld distance: a millionth of the mesh's radius about the centre of the box
/// of its triangles.
/// @pre all positions are finite and all indices in range.
[[nodiscard]] Real usualWeldDistance(const TriangleMesh& mesh, int workers = 1);

}  // namespace nearmiss
