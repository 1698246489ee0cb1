// SPDX-License-Identifier: MIT
#include <nearmiss/detail/number_text.h>
#include <nearmiss/detail/out_of_memory.h>
#include <nearmiss/mesh.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <glm/geometric.hpp>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/equal_items.h"
#include "geometry/mesh_check.h"

namespace nearmiss {
namespace {

using Corners = std::array<std::uint32_t, 3>;

/// A third of the range of 32-bit numbers, because corners are numbered as well.
constexpr std::size_t maxElements = 0x55555555;

bool withinRange(Real coordinate) noexcept {
  // Comparing NaN is an invalid operation
  if (!std::isfinite(coordinate)) return false;
  const Real magnitude = std::fabs(coordinate);
  return magnitude == 0.0 || (magnitude >= minMagnitude && magnitude <= maxMeshSize);
}

}  // namespace

Result<Success> checkTriangles(const TriangleMesh& mesh) {
  if (mesh.triangles.empty()) return Error{ErrorCode::EmptyMesh, "the mesh has no triangle"};
  if (mesh.positions.size() > maxElements || mesh.triangles.size() > maxElements)
    return Error{ErrorCode::TooLarge, "the mesh has more than " + std::to_string(maxElements) +
                                          " vertices or triangles"};
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
    for (const std::uint32_t v : mesh.triangles[t])
      if (v >= mesh.positions.size())
        return Error{ErrorCode::BadFormat, "triangle " + std::to_string(t) + " names vertex " +
                                               std::to_string(v) + ", but must name one of " +
                                               std::to_string(mesh.positions.size())};
  return checkPositions(mesh.positions);
}

Result<Success> checkPositions(std::span<const Vec3> positions) {
  Real size = 0.0;
  for (std::size_t v = 0; v < positions.size(); ++v)
    for (int axis = 0; axis < 3; ++axis) {
      const Real at = positions[v][axis];
      if (!withinRange(at))
        return Error{ErrorCode::BadFormat, "vertex " + std::to_string(v) + ": " + "xyz"[axis] +
                                               " is " + textOf(at) +
                                               ", but must be 0 or of a magnitude from 1e-60 to "
                                               "1e15"};
      size = std::max(size, std::fabs(at));
    }
  if (size > 0.0 && size < minMeshSize)
    return Error{ErrorCode::BadFormat, "the greatest coordinate is " + textOf(size) +
                                           ", but must be of a magnitude from 1e-15 to 1e15"};
  return Success{};
}

Result<Polyhedron> makePolyhedron(TriangleMesh mesh, const std::atomic<bool>* cancelled,
                                  int workers) {
  if (auto sound = checkTriangles(mesh); !sound) return sound.error();
  return orOutOfMemory("cannot prepare the mesh", [&]() -> Result<Polyhedron> {
    return polyhedronUnlessCancelled(std::move(mesh), cancelled, workers);
  });
}

Box boundingBox(const TriangleMesh& mesh) noexcept {
  Box box;
  for (const Vec3& p : mesh.positions) box.include(p);
  return box;
}

Real radiusAboutOrigin(const TriangleMesh& mesh) noexcept {
  Real square = 0.0;
  for (const Vec3& p : mesh.positions) square = std::max(square, glm::dot(p, p));
  // Three products, two sums and a square root have an error of less than four ulps
  return std::sqrt(square) * (1.0 + 0x1p-50);
}

std::uint64_t hashOf(const TriangleMesh& mesh) noexcept {
  std::uint64_t hash = mixedHash(0x6e6561726d697373u, mesh.positions.size());
  for (const Vec3& p : mesh.positions)
    for (int axis = 0; axis < 3; ++axis)
      hash = mixedHash(hash, std::bit_cast<std::uint64_t>(p[axis]));
  hash = mixedHash(hash, mesh.triangles.size());
  for (const Corners& t : mesh.triangles)
    hash = mixedHash(mixedHash(hash, std::uint64_t{t[0]} << 32 | t[1]), t[2]);
  hash ^= hash >> 28;
  hash *= 0x9fb21c651e98df25u;
  return hash ^ (hash >> 28);
}

}  // namespace nearmiss
