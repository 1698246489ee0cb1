// SPDX-License-Identifier: MIT
/// Readers of model files: what they accept is a mesh that the library can use.
#include <engine/model/model_loader.h>
#include <nearmiss/advanced/polyhedron.h>
#include <nearmiss/mesh.h>
#include <nearmiss/shape.h>

#include <new>

#include "files/mesh_formats.h"
#include "fuzz/target.h"
#include "model/gltf_check.h"
#include "model/scene_reader.h"
#include "support/meshes.h"
#include "support/model_files.h"

namespace nearmiss::fuzz {
namespace {

constexpr MeshFileLimits fewTriangles{std::uintmax_t{1} << 20, 2000};

/// What every reader promises of a mesh that it returns, and what is done with one next.
void useMesh(TriangleMesh mesh, std::size_t maxTriangles) {
  demand(mesh.triangles.size() <= maxTriangles, "a reader keeps to its limit of triangles");
  for (const auto& corners : mesh.triangles)
    for (const std::uint32_t corner : corners)
      demand(corner < mesh.positions.size(), "a corner is a vertex that there is");
  for (const Vec3& position : mesh.positions)
    if (!coordinateFault(position).empty()) return;
  const Result<MeshCleaning> cleaned = cleanMesh(mesh, 0.0);
  if (!cleaned) return demandSentence(cleaned.error().message);
  if (mesh.triangles.empty() || mesh.triangles.size() > 200) return;
  const auto polyhedron = makePolyhedron(std::move(mesh));
  if (!polyhedron) demandSentence(polyhedron.error().message);
}

void readMesh(Result<MeshFile> (*reader)(std::string_view, const MeshFileLimits&), Bytes bytes) {
  Result<MeshFile> read = reader(textOf(bytes), fewTriangles);
  if (!read) return demand(!read.error().message.empty(), "an error has a sentence");
  demand(read->normals.empty() || read->normals.size() == read->mesh.positions.size(),
         "normals belong to vertices");
  demand(read->materialOf.empty() || read->materialOf.size() == read->mesh.triangles.size(),
         "materials belong to triangles");
  for (const std::uint32_t material : read->materialOf)
    demand(material <= read->materials.size(), "a material is one that there is");
  useMesh(std::move(read->mesh), fewTriangles.maxTriangles);
}

void readGltf(Bytes bytes) {
  const auto file = asFile(bytes.size() > 4 && bytes[0] == '{' ? "x.gltf" : "x.glb", bytes);
  try {
    // In the order in which the loader asks; assimp trusts counts that these have checked
    if (engine::gltfFault(file)) return;
    (void)engine::declaredTriangles(file);
  } catch (const std::exception&) {
    return;
  }
  const auto loaded = engine::loadModel(file, {.maxTriangles = 2000});
  if (!loaded) return demandSentence(loaded.error().message);
  useMesh(loaded->mesh, 2000);
}

std::vector<std::string> meshes(std::string (*write)(const TriangleMesh&)) {
  return {write(test::tetrahedron()), write(test::cube())};
}

}  // namespace

std::vector<Target> meshTargets() {
  return {
      {"obj", [](Bytes bytes) { readMesh(files::readObj, bytes); },
       [] { return meshes(test::asObj); }},
      {"off", [](Bytes bytes) { readMesh(files::readOff, bytes); },
       [] { return meshes(test::asOff); }},
      {"ply", [](Bytes bytes) { readMesh(files::readPly, bytes); },
       [] {
         auto seeds = meshes(test::asPly);
         seeds.push_back(test::asBinaryPly(test::tetrahedron()));
         return seeds;
       }},
      {"stl", [](Bytes bytes) { readMesh(files::readStl, bytes); },
       [] {
         auto seeds = meshes(test::asAsciiStl);
         seeds.push_back(test::asBinaryStl(test::tetrahedron()));
         return seeds;
       }},
      {"gltf", readGltf, [] { return meshes(test::asGlb); }},
  };
}

}  // namespace nearmiss::fuzz
