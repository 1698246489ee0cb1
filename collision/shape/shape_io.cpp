// SPDX-License-Identifier: MIT
#include <nearmiss/advanced/narrow_phase.h>
#include <nearmiss/advanced/polyhedron.h>
#include <nearmiss/advanced/shapes.h>
#include <nearmiss/detail/out_of_memory.h>
#include <nearmiss/mesh.h>
#include <nearmiss/shape.h>

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "shape/shape_payload.h"

namespace nearmiss {
namespace {

/// Flags: which trees follow the mesh, and whether it was given with inward faces.
enum Parts : std::uint32_t { Spheres = 1, Planes = 2, FacedInwards = 4 };

void putMesh(PayloadWriter& out, const TriangleMesh& mesh) {
  out.u64(mesh.positions.size());
  for (const Vec3& p : mesh.positions)
    for (int axis = 0; axis < 3; ++axis) out.f64(p[axis]);
  out.words(mesh.triangles);
}

TriangleMesh takeMesh(PayloadReader& in) {
  TriangleMesh mesh;
  const std::uint64_t count = in.u64();
  mesh.positions.resize(
      static_cast<std::size_t>(std::min<std::uint64_t>(count, in.left() / (3 * sizeof(double)))));
  for (Vec3& p : mesh.positions)
    for (int axis = 0; axis < 3; ++axis) p[axis] = in.f64();
  mesh.triangles = in.words<std::array<std::uint32_t, 3>>();
  return mesh;
}

void putCleaning(PayloadWriter& out, const MeshCleaning& cleaning) {
  for (const std::size_t count :
       {cleaning.weldedVertices, cleaning.unusedVertices, cleaning.degenerateTriangles,
        cleaning.duplicateTriangles, cleaning.turnedTriangles})
    out.u64(count);
}

MeshCleaning takeCleaning(PayloadReader& in) {
  MeshCleaning cleaning;
  for (std::size_t* count :
       {&cleaning.weldedVertices, &cleaning.unusedVertices, &cleaning.degenerateTriangles,
        &cleaning.duplicateTriangles, &cleaning.turnedTriangles})
    *count = static_cast<std::size_t>(in.u64());
  return cleaning;
}

}  // namespace

Result<Shape> shapeIn(std::span<const std::byte> payload, std::string_view file,
                      const std::atomic<bool>* cancelled) {
  // Read the fields in the order of docs/file-formats.md
  PayloadReader in(payload);
  TriangleMesh mesh = takeMesh(in);
  MeshCleaning cleaning = takeCleaning(in);
  const std::uint32_t parts = in.u32();
  cleaning.facedInwards = parts & FacedInwards;
  TreeOrigin origin;
  std::optional<SphereTree::Data> spheres;
  std::optional<BspTree::Data> planes;
  if (parts & Spheres) {
    origin.builder = in.text(longestBuilderName);
    origin.settingsHash = in.u64();
    spheres = takeSphereTree(in);
    if (!spheres) return badPayload(file, shapeFile, "its coverage is unknown");
  }
  if (parts & Planes) {
    planes = takeBspTree(in);
    if (!planes) return badPayload(file, shapeFile, "it is too short for its nodes");
  }
  if (!in.finished() || parts > (Spheres | Planes | FacedInwards))
    return badPayload(file, shapeFile, "its fields do not fill its length");

  // A correct checksum does not imply a valid structure: check that as well
  const auto triangleCount = static_cast<std::uint32_t>(mesh.triangles.size());
  if (spheres)
    if (const char* fault = SphereTree::validate(*spheres, triangleCount))
      return badPayload(file, shapeFile, fault);
  if (planes)
    if (const char* fault = BspTree::validate(*planes, triangleCount))
      return badPayload(file, shapeFile, fault);
  if (const auto sound = checkTriangles(mesh); !sound)
    return badPayload(file, shapeFile, sound.error().message);

  Result<Polyhedron> polyhedron = makePolyhedron(std::move(mesh), cancelled);
  if (!polyhedron) return polyhedron.error();
  Result<Shape> shape = Shape::of(*std::move(polyhedron), cleaning);
  if (spheres) shape = shape->with(SphereTree(*std::move(spheres)), std::move(origin));
  if (shape && planes) shape = shape->with(BspTree(*std::move(planes)));
  if (!shape)
    return Error{shape.error().code, "'" + std::string(file) + "': " + shape.error().message};
  prepareSphereTree(*shape);
  return shape;
}

Result<PayloadWriter> payloadOf(const Shape& shape, std::string_view file) {
  PayloadWriter out;
  putMesh(out, shape.polyhedron().mesh());
  putCleaning(out, shape.cleaning());
  out.u32((shape.sphereTree() ? Spheres : 0u) | (shape.bspTree() ? Planes : 0u) |
          (shape.cleaning().facedInwards ? FacedInwards : 0u));
  if (const SphereTree* tree = shape.sphereTree()) {
    if (shape.treeOrigin().builder.size() > longestBuilderName)
      return badPayload(file, shapeFile, "its builder's name is too long");
    out.text(shape.treeOrigin().builder);
    out.u64(shape.treeOrigin().settingsHash);
    putSphereTree(out, tree->data());
  }
  if (const BspTree* tree = shape.bspTree()) putBspTree(out, tree->data());
  return out;
}

namespace {

/// Stands for the file name in messages about bytes in memory.
constexpr std::string_view unnamed = "these bytes";

}  // namespace

Result<Shape> shapeFromBytes(std::span<const std::byte> bytes, const std::atomic<bool>* cancelled) {
  return orOutOfMemory("cannot read a shape", [&]() -> Result<Shape> {
    const auto payload = provenPayload(bytes, unnamed, shapeFile);
    if (!payload) return payload.error();
    return shapeIn(*payload, unnamed, cancelled);
  });
}

Result<std::vector<std::byte>> bytesOf(const Shape& shape) {
  return orOutOfMemory("cannot write a shape", [&]() -> Result<std::vector<std::byte>> {
    const auto payload = payloadOf(shape, unnamed);
    if (!payload) return payload.error();
    return treeContainer(payload->bytes(), unnamed, shapeFile);
  });
}

}  // namespace nearmiss
