// SPDX-License-Identifier: MIT
/// Turns the geometry that a reader found in a file into a model: normals, warnings.
#pragma once

#include <engine/model/model_loader.h>
#include <nearmiss/mesh.h>

#include <glm/geometric.hpp>

#include <array>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace nearmiss::engine {

/// All sub-meshes in one frame, as in the file: not welded, not scaled.
struct Soup {
  TriangleMesh mesh;
  std::vector<Vec3> normals;              ///< one per vertex, body frame; zero if unknown
  std::vector<std::uint32_t> materialOf;  ///< one per triangle
  std::vector<DrawMaterial> materials;
  std::uint64_t pointsAndLines = 0;  ///< number of skipped points and lines
  Real rounding = 0.0;  ///< maximum displacement of a vertex by reading, in the file's unit
  std::vector<std::string> notes;  ///< half sentences on other skipped or lost data
};

/// Returns the normalised normal of a file, or zero if it has no direction.
[[nodiscard]] inline Vec3 unitOrZero(const Vec3& normal) noexcept {
  const Real length = glm::length(normal);
  return std::isfinite(length) && length > 0.0 ? normal / length : Vec3(0.0);
}

/// Serialises a soup, or the error instead of one, for another process on this machine.
[[nodiscard]] std::vector<std::byte> pack(const Result<Soup>& soup);
/// Deserialises it. Does not trust `bytes`, because the file may have corrupted the other process.
/// Errors: the serialised one; BadFormat.
Result<Soup> unpack(std::span<const std::byte> bytes, const std::filesystem::path& file);

/// Centres, scales, welds and checks a soup, and makes its draw mesh. `cancelled` may be null.
/// Errors: EmptyMesh, Cancelled.
Result<LoadedModel> assembleModel(Soup soup, const std::filesystem::path& file,
                                  const LoadOptions& options,
                                  const std::atomic<bool>* cancelled = nullptr);

// Normals for drawing surfaces without normals: smooth on curved parts, sharp at edges.

/// Returns a number for every vertex, equal for equal positions; consecutive from 0, in the order
/// of coordinates.
[[nodiscard]] std::vector<std::uint32_t> distinctPositions(const TriangleMesh& mesh);

/// Returns one unit normal per corner of each triangle: the mean over the triangles at the same
/// position whose normals differ by at most 40 degrees, weighted by their angle there. Degenerate
/// triangles get (0, 0, 1).
[[nodiscard]] std::vector<std::array<Vec3, 3>> creaseNormals(
    const TriangleMesh& mesh, const std::vector<std::uint32_t>& distinctPositions);

// Warnings about a mesh that limit the meaning of results.

/// Returns sentences without the file's name: what was removed, and why inside and outside may be
/// undefined. Empty for a flawless solid.
/// @param scale the ratio of lengths in the mesh to those in the file
[[nodiscard]] std::vector<std::string> meshWarnings(const MeshCleaning& cleaning,
                                                    const MeshReport& report, Real scale);

}  // namespace nearmiss::engine
