// SPDX-License-Identifier: MIT
#include <nearmiss/detail/cancellation.h>
#include <nearmiss/mesh.h>

#include <fmt/format.h>
#include <glm/vec3.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <tuple>

#include "model/model_assembly.h"

namespace nearmiss::engine {
namespace {

constexpr Real cosineOfCrease = 0.76604444311897803520;  // of 40 degrees
/// With more triangles at one position each keeps its own normal, because the work is quadratic.
constexpr std::size_t maxAbout = 256;

struct Corner {
  std::uint32_t triangle = 0, corner = 0;
  Real angle = 0.0;
};

Real angleBetween(const Vec3& a, const Vec3& b) {
  const Real lengths = glm::length(a) * glm::length(b);
  return lengths > 0.0 ? std::acos(std::clamp(glm::dot(a, b) / lengths, -1.0, 1.0)) : 0.0;
}

}  // namespace

std::vector<std::uint32_t> distinctPositions(const TriangleMesh& mesh) {
  const auto key = [&](std::uint32_t v) {
    const Vec3& p = mesh.positions[v];
    return std::tuple(p.x, p.y, p.z);
  };
  std::vector<std::uint32_t> order(mesh.positions.size());
  std::iota(order.begin(), order.end(), 0u);
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return std::pair(key(a), a) < std::pair(key(b), b);
  });
  std::vector<std::uint32_t> positionOf(order.size());
  std::uint32_t last = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (i > 0 && key(order[i]) != key(order[i - 1])) ++last;
    positionOf[order[i]] = last;
  }
  return positionOf;
}

std::vector<std::array<Vec3, 3>> creaseNormals(const TriangleMesh& mesh,
                                               const std::vector<std::uint32_t>& positionOf) {
  // Compute face normals
  std::vector<Vec3> faces(mesh.triangles.size(), Vec3(0.0));
  for (std::size_t t = 0; t < faces.size(); ++t) {
    const auto [a, b, c] = mesh.corners(t);
    const Vec3 normal = glm::cross(b - a, c - a);
    const Real length = glm::length(normal);
    if (length > 0.0) faces[t] = normal / length;
  }

  // Collect the corners at each position
  const std::uint32_t count =
      positionOf.empty() ? 0 : *std::max_element(positionOf.begin(), positionOf.end()) + 1;
  std::vector<std::uint32_t> begin(count + 1, 0);
  for (const auto& triangle : mesh.triangles)
    for (const std::uint32_t v : triangle) ++begin[positionOf[v] + 1];
  std::partial_sum(begin.begin(), begin.end(), begin.begin());
  std::vector<Corner> corners(begin.back());
  std::vector<std::uint32_t> next(begin.begin(), begin.end() - 1);
  for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t) {
    const auto p = mesh.corners(t);
    for (std::uint32_t k = 0; k < 3; ++k) {
      const Real angle = angleBetween(p[(k + 1) % 3] - p[k], p[(k + 2) % 3] - p[k]);
      corners[next[positionOf[mesh.triangles[t][k]]]++] = {t, k, angle};
    }
  }

  // Average over the neighbours on the same side of every crease
  std::vector<std::array<Vec3, 3>> normals(mesh.triangles.size());
  for (std::uint32_t v = 0; v < count; ++v) {
    const std::span about(corners.data() + begin[v], begin[v + 1] - begin[v]);
    for (const Corner& corner : about) {
      const Vec3& own = faces[corner.triangle];
      Vec3 sum(0.0);
      if (about.size() <= maxAbout)
        for (const Corner& other : about)
          if (glm::dot(own, faces[other.triangle]) >= cosineOfCrease)
            sum += other.angle * faces[other.triangle];
      const Real length = glm::length(sum);
      const Vec3 fallback = own == Vec3(0.0) ? Vec3(0.0, 0.0, 1.0) : own;
      normals[corner.triangle][corner.corner] = length > 0.0 ? sum / length : fallback;
    }
  }
  return normals;
}

namespace {

/// "1 edge", "3 edges".
std::string counted(std::size_t n, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", n, n == 1 ? one : many);
}

}  // namespace

std::vector<std::string> meshWarnings(const MeshCleaning& cleaning, const MeshReport& report,
                                      Real scale) {
  static constexpr std::string_view consequence =
      "inside/outside is undefined; sphere-tree will cover the surface only";
  std::vector<std::string> warnings;
  if (cleaning.degenerateTriangles > 0)
    warnings.push_back(fmt::format("{} without area removed, up to {:.3g} long",
                                   counted(cleaning.degenerateTriangles, "triangle", "triangles"),
                                   cleaning.longestDegenerate / scale));
  if (cleaning.weldedDistance > 0.0)
    warnings.push_back(
        fmt::format("vertices up to {:.1g} apart became one", cleaning.weldedDistance / scale));
  if (cleaning.keptApart > 0)
    warnings.push_back(
        fmt::format("{} nearly the same as others stayed apart, because thin or tiny "
                    "parts hang on them",
                    counted(cleaning.keptApart, "vertex", "vertices")));
  if (cleaning.duplicateTriangles > 0)
    warnings.push_back(
        counted(cleaning.duplicateTriangles, "duplicate triangle", "duplicate triangles") +
        " removed");
  for (const std::string& fault : solidFaults(report))
    warnings.push_back(fmt::format("{}: {}", fault, consequence));
  return warnings;
}

namespace {

namespace fs = std::filesystem;

/// Centres the bounding box and scales to `target`; records both in `model`. Returns the new radius
/// of the mesh. Only vertices of triangles count.
Result<Real> centreAndScale(TriangleMesh& mesh, Real target, const fs::path& file,
                            LoadedModel& model) {
  Box box;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
    for (const Vec3& p : mesh.corners(t)) box.include(p);
  const Vec3 centre = box.centre();
  Real radius = 0.0;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
    for (const Vec3& p : mesh.corners(t)) radius = std::max(radius, glm::distance(p, centre));
  // The scale would be infinite
  if (!(radius > target / std::numeric_limits<Real>::max()))
    return Error{ErrorCode::EmptyMesh,
                 fmt::format("\"{}\": 0 triangles with an area", file.string())};
  if (target == 0.0) return radius;
  const Real scale = target / radius;
  for (Vec3& p : mesh.positions) p = (p - centre) * scale;
  model.centre = centre;
  model.scale = scale;
  return target;
}

/// Makes the mesh for drawing. Corners at the same position share a vertex unless their normals or
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
  std::vector<std::uint32_t> older;  // for each vertex, the previous one at its position
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

void reverseOrientation(Soup& soup) {
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

  const auto stopped = [cancelled] { return wasCancelled(cancelled); };
  const Error wasStopped{ErrorCode::Cancelled,
                         fmt::format("\"{}\": reading it was cancelled", file.string())};

  // For detection: one surface, welded by position across sub-meshes
  model.mesh = soup.mesh;
  const Result<MeshCleaning> cleaning =
      cleanMesh(model.mesh, options.weldDistance * *radius, cancelled);
  if (stopped()) return wasStopped;
  if (!cleaning)
    return Error{cleaning.error().code,
                 fmt::format("\"{}\": {}", file.string(), cleaning.error().message)};
  if (model.mesh.triangles.empty())
    return Error{ErrorCode::EmptyMesh,
                 fmt::format("\"{}\": 0 triangles with an area", file.string())};
  model.cleaning = *cleaning;
  model.rounding = soup.rounding + cleaning->weldedDistance / model.scale;
  const std::atomic<bool> never{false};
  const Result<MeshReport> report = checkMesh(model.mesh, cancelled ? *cancelled : never);
  if (!report) return wasStopped;
  model.report = *report;
  if (cleaning->facedInwards)
    model.warnings.push_back(fmt::format(
        "\"{}\": inside out: its faces look at what they enclose, as the walls of a room "
        "do; what they enclose is taken as the solid",
        file.string()));
  if (cleaning->turnedTriangles == model.mesh.triangles.size()) {
    reverseOrientation(soup);
    model.warnings.push_back(fmt::format("\"{}\": all {} triangles were reversed", file.string(),
                                         model.mesh.triangles.size()));
  } else if (cleaning->turnedTriangles > 0) {
    model.warnings.push_back(fmt::format("\"{}\": {} of {} triangles were reversed", file.string(),
                                         cleaning->turnedTriangles, model.mesh.triangles.size()));
  }
  for (std::string& warning : meshWarnings(*cleaning, model.report, model.scale))
    model.warnings.push_back(fmt::format("\"{}\": {}", file.string(), warning));

  if (stopped()) return wasStopped;
  fillDrawMesh(soup, model.draw);
  return model;
}

}  // namespace nearmiss::engine
