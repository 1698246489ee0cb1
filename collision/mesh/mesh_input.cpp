// SPDX-License-Identifier: MIT
#include <nearmiss/mesh_input.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <utility>

#include "number_text.h"
#include "out_of_memory.h"

namespace nearmiss {
namespace {

/// A third of the numbers of 32 bits, because corners are numbered as well.
constexpr std::size_t mostElements = 0x55555555;

bool withinRange(Real coordinate) noexcept {
  // Comparing NaN is an invalid operation
  if (!std::isfinite(coordinate)) return false;
  const Real magnitude = std::fabs(coordinate);
  return magnitude == 0.0 || (magnitude >= leastMagnitude && magnitude <= greatestMagnitude);
}

}  // namespace

Result<Success> checkTriangles(const TriangleMesh& mesh) {
  if (mesh.triangles.empty()) return Error{ErrorCode::EmptyMesh, "the mesh has no triangle"};
  if (mesh.positions.size() > mostElements || mesh.triangles.size() > mostElements)
    return Error{ErrorCode::TooLarge, "the mesh has more than " + std::to_string(mostElements) +
                                          " vertices or triangles"};
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
    for (const std::uint32_t v : mesh.triangles[t])
      if (v >= mesh.positions.size())
        return Error{ErrorCode::BadFormat, "triangle " + std::to_string(t) + " names vertex " +
                                               std::to_string(v) + ", but must name one of " +
                                               std::to_string(mesh.positions.size())};
  for (std::size_t v = 0; v < mesh.positions.size(); ++v)
    for (int axis = 0; axis < 3; ++axis)
      if (const Real at = mesh.positions[v][axis]; !withinRange(at))
        return Error{ErrorCode::BadFormat, "vertex " + std::to_string(v) + ": " + "xyz"[axis] +
                                               " is " + textOf(at) +
                                               ", but must be 0 or of a magnitude from 1e-60 to "
                                               "1e60"};
  return Success{};
}

Result<MeshCleaning> cleanMeshChecked(TriangleMesh& mesh, Real weldDistance) {
  if (!std::isfinite(weldDistance) || weldDistance < 0.0)
    return Error{ErrorCode::Unsupported, "the distance for welding is " + textOf(weldDistance) +
                                             ", but must be finite and not negative"};
  if (auto sound = checkTriangles(mesh); !sound) return sound.error();
  return orOutOfMemory("cannot clean the mesh", [&]() -> Result<MeshCleaning> {
    TriangleMesh cleaned = mesh;
    MeshCleaning cleaning = cleanMesh(cleaned, weldDistance);
    cleaning.turnedTriangles = repairWinding(cleaned);
    mesh = std::move(cleaned);
    return cleaning;
  });
}

Result<Polyhedron> makePolyhedron(TriangleMesh mesh) {
  if (auto sound = checkTriangles(mesh); !sound) return sound.error();
  return orOutOfMemory("cannot prepare the mesh",
                       [&]() -> Result<Polyhedron> { return Polyhedron(std::move(mesh)); });
}

}  // namespace nearmiss
