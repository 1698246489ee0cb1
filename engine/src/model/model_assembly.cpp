// SPDX-License-Identifier: MIT
#include "model/model_assembly.h"

#include <fmt/format.h>
#include <nearmiss/mesh.h>

#include <algorithm>
#include <cmath>
#include <glm/vec3.hpp>

#include "model/crease_normals.h"
#include "model/mesh_warnings.h"

namespace nearmiss::engine {
namespace {

namespace fs = std::filesystem;

/// Puts the centre of the bounding box at the origin and scales to `target`, and records both in
/// `model`; returns the radius that the mesh has then. Only vertices of triangles count.
Result<Real> centreAndScale(TriangleMesh& mesh, Real target, const fs::path& file,
                            LoadedModel& model) {
  Box box;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
    for (const Vec3& p : mesh.corners(t)) box.include(p);
  const Vec3 centre = box.centre();
  Real radius = 0.0;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
    for (const Vec3& p : mesh.corners(t)) radius = std::max(radius, glm::distance(p, centre));
  const Real scale = target / radius;
  if (!(radius > 0.0) || !std::isfinite(scale))
    return Error{ErrorCode::EmptyMesh,
                 fmt::format("\"{}\": 0 triangles with an area", file.string())};
  if (target == 0.0) return radius;
  for (Vec3& p : mesh.positions) p = (p - centre) * scale;
  model.centre = centre;
  model.scale = scale;
  return target;
}

/// The surface as it is drawn: corners at the same position share a vertex unless their normals or
/// materials differ.
void fillDrawMesh(const Soup& soup, DrawMesh& draw) {
  draw.materials = soup.materials;
  constexpr std::uint32_t none = 0xffffffff;
  const bool someLack =
      std::find(soup.normals.begin(), soup.normals.end(), Vec3(0.0)) != soup.normals.end();
  const std::vector<std::uint32_t> positionOf = distinctPositions(soup.mesh);
  std::vector<std::array<Vec3, 3>> generated;
  if (someLack) generated = creaseNormals(soup.mesh, positionOf);

  std::vector<std::uint32_t> newest(soup.mesh.positions.size(), none);  // vertex at each position
  std::vector<std::uint32_t> older;  // for each vertex the one before it at its position
  for (std::size_t t = 0; t < soup.mesh.triangles.size(); ++t) {
    for (std::size_t k = 0; k < 3; ++k) {
      const std::uint32_t v = soup.mesh.triangles[t][k];
      const glm::vec3 position(soup.mesh.positions[v]);
      const glm::vec3 normal(soup.normals[v] == Vec3(0.0) ? generated[t][k] : soup.normals[v]);
      const auto same = [&](const DrawVertex& other) {
        return other.normal[0] == normal.x && other.normal[1] == normal.y &&
               other.normal[2] == normal.z && other.material == soup.materialOf[t];
      };
      std::uint32_t& top = newest[positionOf[v]];
      std::uint32_t vertex = top;
      while (vertex != none && !same(draw.vertices[vertex])) vertex = older[vertex];
      if (vertex == none) {
        vertex = static_cast<std::uint32_t>(draw.vertices.size());
        draw.vertices.push_back({{position.x, position.y, position.z},
                                 {normal.x, normal.y, normal.z},
                                 soup.materialOf[t]});
        older.push_back(top);
        top = vertex;
      }
      draw.indices.push_back(vertex);
    }
  }
}

void turnInsideOut(Soup& soup) {
  for (auto& triangle : soup.mesh.triangles) std::swap(triangle[1], triangle[2]);
  for (Vec3& normal : soup.normals) normal = -normal;
}

}  // namespace

Result<LoadedModel> assembleModel(Soup soup, const fs::path& file, const LoadOptions& options,
                                  const std::atomic<bool>* cancelled) {
  LoadedModel model;
  model.name = file.stem().string();
  if (soup.pointsAndLines > 0)
    model.warnings.push_back(
        fmt::format("\"{}\": {} points and lines left out", file.string(), soup.pointsAndLines));
  for (const std::string& note : soup.notes)
    model.warnings.push_back(fmt::format("\"{}\": {}", file.string(), note));
  const Result<Real> radius = centreAndScale(soup.mesh, options.targetRadius, file, model);
  if (!radius) return radius.error();

  const auto stopped = [cancelled] { return cancelled && *cancelled; };
  const Error wasStopped{ErrorCode::Cancelled,
                         fmt::format("\"{}\": reading it was cancelled", file.string())};

  // For detection: one surface, welded by position across sub-meshes
  model.mesh = soup.mesh;
  const Result<MeshCleaning> cleaning =
      cleanMeshChecked(model.mesh, options.weldDistance * *radius);
  if (!cleaning)
    return Error{cleaning.error().code,
                 fmt::format("\"{}\": {}", file.string(), cleaning.error().message)};
  if (model.mesh.triangles.empty())
    return Error{ErrorCode::EmptyMesh,
                 fmt::format("\"{}\": 0 triangles with an area", file.string())};
  model.rounding = soup.rounding + cleaning->weldedDistance / model.scale;
  const std::atomic<bool> never{false};
  const Result<MeshReport> report = checkMesh(model.mesh, cancelled ? *cancelled : never);
  if (!report) return wasStopped;
  model.report = *report;
  if (cleaning->turnedTriangles == model.mesh.triangles.size()) {
    turnInsideOut(soup);
    model.warnings.push_back(fmt::format("\"{}\": inside out; all {} triangles were turned round",
                                         file.string(), model.mesh.triangles.size()));
  } else if (cleaning->turnedTriangles > 0) {
    model.warnings.push_back(fmt::format("\"{}\": {} of {} triangles were turned round",
                                         file.string(), cleaning->turnedTriangles,
                                         model.mesh.triangles.size()));
  }
  for (std::string& warning : meshWarnings(*cleaning, model.report, model.scale))
    model.warnings.push_back(fmt::format("\"{}\": {}", file.string(), warning));

  if (stopped()) return wasStopped;
  fillDrawMesh(soup, model.draw);
  return model;
}

}  // namespace nearmiss::engine
