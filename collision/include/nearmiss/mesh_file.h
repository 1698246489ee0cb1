// SPDX-License-Identifier: MIT
/// Mesh files, read without loss: each coordinate as the nearest double, and every face that the
/// file announces. For programs that also draw; loadMesh() is all that detection needs.
///
/// Any number of threads may call these at once.
#pragma once

#include <nearmiss/mesh.h>
#include <nearmiss/result.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace nearmiss {

struct MeshFileLimits {
  std::uintmax_t maxFileBytes = std::uintmax_t{256} << 20;
  std::size_t maxTriangles = 10'000'000;
};

/// All parts of a file in one frame, as the file has them: not welded, not scaled.
struct MeshFile {
  TriangleMesh mesh;                      ///< in the unit of the file; polygons are triangulated
  std::vector<Vec3> normals;              ///< one per vertex, unit length; zero where there is none
  std::vector<std::uint32_t> materialOf;  ///< one per triangle: 0, or 1 + its index in `materials`
  std::vector<std::string> materials;     ///< the names that the file uses
  std::vector<std::string> materialFiles;  ///< after each `mtllib` of an OBJ file
  std::uint64_t pointsAndLines = 0;        ///< left out
  std::vector<std::string> notes;          ///< half sentences on what else was left out
};

/// True if readMeshFile() supports the file's extension: OBJ, OFF, PLY (text and binary) and STL
/// (text and binary).
[[nodiscard]] bool isMeshFile(const std::filesystem::path& file);

/// Reads a file whole. Takes time at most quadratic in the corners of its largest polygon.
/// Errors: NotFound, Unreadable, BadFormat, Unsupported (another format, curved surfaces, binary
/// OFF), EmptyMesh (no triangles), TooLarge.
Result<MeshFile> readMeshFile(const std::filesystem::path& file, const MeshFileLimits& limits = {});

// For readers of other formats.

/// Errors: NotFound, Unreadable (no regular file), TooLarge, BadFormat (empty).
Result<Success> checkMeshFile(const std::filesystem::path& file, std::uintmax_t maxBytes);
/// Half a sentence on what is wrong with a vertex of a file, empty if nothing is.
[[nodiscard]] std::string_view coordinateFault(const Vec3& vertex) noexcept;
/// A sentence that names the file. The fault may quote arbitrary bytes of it: it is cut short, and
/// what cannot be printed is replaced.
[[nodiscard]] Error refusal(const std::filesystem::path& file, ErrorCode code,
                            std::string_view fault);

}  // namespace nearmiss
