// SPDX-License-Identifier: MIT
/// Reads mesh files without loss: each coordinate becomes the nearest double, and every announced
/// face is read. For programs that also draw; for detection alone, loadMesh() suffices.
///
/// Thread-safe.
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

/// Limits of a mesh file; a larger file is rejected.
struct MeshFileLimits {
  std::uintmax_t maxFileBytes = std::uintmax_t{256} << 20;
  std::size_t maxTriangles = 10'000'000;
};

/// The contents of a file, all parts in one frame; not welded, not scaled.
struct MeshFile {
  TriangleMesh mesh;  ///< in the file's unit; polygons are triangulated
  /// One per vertex, unit length; zero if the file has none.
  std::vector<Vec3> normals;
  std::vector<std::uint32_t> materialOf;   ///< one per triangle: 0, or 1 + its index in `materials`
  std::vector<std::string> materials;      ///< names used in the file
  std::vector<std::string> materialFiles;  ///< the arguments of `mtllib` in an OBJ file
  std::uint64_t pointsAndLines = 0;        ///< number of ignored points and lines
  std::vector<std::string> notes;          ///< phrases about other ignored contents
};

/// Returns true if readMeshFile() supports the file's extension: OBJ, OFF, PLY (text and binary)
/// and STL (text and binary).
[[nodiscard]] bool isMeshFile(const std::filesystem::path& file);

/// Reads a whole file. Time is at most quadratic in the number of corners of the largest polygon.
/// Errors: NotFound, Unreadable, BadFormat, Unsupported (another format, curved surfaces, binary
/// OFF), EmptyMesh (no triangles), TooLarge.
Result<MeshFile> readMeshFile(const std::filesystem::path& file, const MeshFileLimits& limits = {});

/// As loadMesh(file), for files within `limits`.
Result<TriangleMesh> loadMesh(const std::filesystem::path& file, const MeshFileLimits& limits,
                              int workers = 1);

// For readers of other formats:

/// Checks that a file can be read. Errors: NotFound, Unreadable (not a regular file), TooLarge,
/// BadFormat (empty).
Result<Success> checkMeshFile(const std::filesystem::path& file, std::uintmax_t maxBytes);
/// Returns a phrase about what is wrong with a vertex of a file; empty if it is valid.
[[nodiscard]] std::string_view coordinateFault(const Vec3& vertex) noexcept;
/// Returns an error whose sentence names the file. `fault` may quote arbitrary bytes of the file:
/// it is truncated, and unprintable bytes are replaced.
[[nodiscard]] Error refusal(const std::filesystem::path& file, ErrorCode code,
                            std::string_view fault);

}  // namespace nearmiss
