// SPDX-License-Identifier: MIT
/// The geometry that a reader found in a file, and how it becomes a model: normals, warnings.
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

/// All sub-meshes in one frame, as the file has them: not welded, not scaled.
struct Soup {
  TriangleMesh mesh;
  std::vector<Vec3> normals;              ///< a vertex each, body frame; zero where there is none
  std::vector<std::uint32_t> materialOf;  ///< a triangle each
  std::vector<DrawMaterial> materials;
  std::uint64_t pointsAndLines = 0;  ///< left out
  Real rounding = 0.0;  ///< max distance of a vertex from its place in the file; its unit
  std::vector<std::string> notes;  ///< half sentences on what else was left out or lost
};

/// The direction of a normal that a file gives, or zero where it has none.
[[nodiscard]] inline Vec3 unitOrZero(const Vec3& normal) noexcept {
  const Real length = glm::length(normal);
  return std::isfinite(length) && length > 0.0 ? normal / length : Vec3(0.0);
}

/// A soup, or why there is none, as bytes for another process on this machine.
[[nodiscard]] std::vector<std::byte> pack(const Result<Soup>& soup);
/// The other process may have been corrupted by its file: nothing in `bytes` is trusted. Errors:
/// those packed; BadFormat.
Result<Soup> unpack(std::span<const std::byte> bytes, const std::filesystem::path& file);

/// Centres, scales, welds and checks a soup, and makes its draw mesh; `cancelled` may be null.
/// Errors: EmptyMesh, Cancelled.
Result<LoadedModel> assembleModel(Soup soup, const std::filesystem::path& file,
                                  const LoadOptions& options,
                                  const std::atomic<bool>* cancelled = nullptr);

// Normals for drawing a surface without normals: smooth over its curves, broken at its edges.

/// A number for every vertex, the same for equal positions; dense from 0, in the order of
/// coordinates.
[[nodiscard]] std::vector<std::uint32_t> distinctPositions(const TriangleMesh& mesh);

/// One normal a corner of each triangle, unit length: the mean over the triangles about the same
/// position that turn away by at most 40 degrees, weighted by their angle there. A triangle without
/// area gets (0, 0, 1).
[[nodiscard]] std::vector<std::array<Vec3, 3>> creaseNormals(
    const TriangleMesh& mesh, const std::vector<std::uint32_t>& distinctPositions);

// Warnings about a mesh that limit what its answers mean.

/// Sentences without the file's name: what was removed, and why inside and outside may be
/// undefined. Empty for a flawless solid.
/// @param scale the ratio of lengths in the mesh to those in the file
[[nodiscard]] std::vector<std::string> meshWarnings(const MeshCleaning& cleaning,
                                                    const MeshReport& report, Real scale);

}  // namespace nearmiss::engine
