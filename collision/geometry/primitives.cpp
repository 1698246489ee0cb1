// SPDX-License-Identifier: MIT
#include <nearmiss/detail/number_text.h>
#include <nearmiss/detail/out_of_memory.h>
#include <nearmiss/mesh.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/gtc/constants.hpp>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace nearmiss {
namespace {

/// A size with its name.
struct Size {
  std::string_view name;
  Real value;
  bool mayBeZero = false;
};

std::optional<Error> faultOf(std::string_view what, const Size& size) {
  if (size.value >= minMeshSize && size.value <= maxMeshSize) return std::nullopt;
  if (size.mayBeZero && size.value == 0.0) return std::nullopt;
  std::string sentence = "cannot make a ";
  sentence += what;
  sentence += ": the ";
  sentence += size.name;
  sentence += " is " + textOf(size.value) + " m, but must be ";
  if (size.mayBeZero) sentence += "0 or ";
  sentence += "from 1e-15 to 1e15 m";
  return Error{ErrorCode::Unsupported, std::move(sentence)};
}

std::optional<Error> faultOf(std::string_view what, std::string_view name, int count, int least,
                             int most) {
  if (count >= least && count <= most) return std::nullopt;
  std::string sentence = "cannot make a ";
  sentence += what;
  sentence += ": the number of ";
  sentence += name;
  sentence += " must be from " + std::to_string(least) + " to " + std::to_string(most);
  return Error{ErrorCode::Unsupported, std::move(sentence)};
}

/// A circle about the z axis.
struct Ring {
  Real radius, height;
};

/// Makes the surface through rings in ascending order. At either end a ring of radius 0 is a point,
/// and any other ring is closed by a disc.
TriangleMesh turned(const std::vector<Ring>& rings, int segments) {
  TriangleMesh mesh;
  const auto count = static_cast<std::uint32_t>(segments);
  std::vector<std::uint32_t> first;  // first vertex of each ring
  for (const Ring& ring : rings) {
    first.push_back(static_cast<std::uint32_t>(mesh.positions.size()));
    const std::uint32_t corners = ring.radius > 0.0 ? count : 1;
    for (std::uint32_t k = 0; k < corners; ++k) {
      const Real angle = glm::two_pi<Real>() * k / segments;
      mesh.positions.emplace_back(ring.radius * std::cos(angle), ring.radius * std::sin(angle),
                                  ring.height);
    }
  }
  const auto at = [&](std::size_t ring, std::uint32_t k) {
    return first[ring] + (rings[ring].radius > 0.0 ? k % count : 0);
  };
  for (std::size_t ring = 0; ring + 1 < rings.size(); ++ring)
    for (std::uint32_t k = 0; k < count; ++k) {
      if (rings[ring].radius > 0.0)
        mesh.triangles.push_back({at(ring, k), at(ring, k + 1), at(ring + 1, k + 1)});
      if (rings[ring + 1].radius > 0.0)
        mesh.triangles.push_back({at(ring, k), at(ring + 1, k + 1), at(ring + 1, k)});
    }
  const std::size_t last = rings.size() - 1;
  for (std::uint32_t k = 1; k + 1 < count; ++k) {
    if (rings[0].radius > 0.0) mesh.triangles.push_back({at(0, 0), at(0, k + 1), at(0, k)});
    if (rings[last].radius > 0.0)
      mesh.triangles.push_back({at(last, 0), at(last, k), at(last, k + 1)});
  }
  return mesh;
}

TriangleMesh icosahedron() {
  const Real g = 0.5 * (1.0 + std::sqrt(5.0));
  TriangleMesh mesh{
      {{-1, g, 0},
       {1, g, 0},
       {-1, -g, 0},
       {1, -g, 0},
       {0, -1, g},
       {0, 1, g},
       {0, -1, -g},
       {0, 1, -g},
       {g, 0, -1},
       {g, 0, 1},
       {-g, 0, -1},
       {-g, 0, 1}},
      {{0, 11, 5},  {0, 5, 1},  {0, 1, 7},  {0, 7, 10}, {0, 10, 11}, {1, 5, 9}, {5, 11, 4},
       {11, 10, 2}, {10, 7, 6}, {7, 1, 8},  {3, 9, 4},  {3, 4, 2},   {3, 2, 6}, {3, 6, 8},
       {3, 8, 9},   {4, 9, 5},  {2, 4, 11}, {6, 2, 10}, {8, 6, 7},   {9, 8, 1}}};
  for (Vec3& p : mesh.positions) p = glm::normalize(p);
  return mesh;
}

/// Divides each triangle into four. New vertices lie on the unit sphere.
void subdivide(TriangleMesh& mesh) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> middles;
  const auto middleOf = [&](std::uint32_t a, std::uint32_t b) {
    const auto next = static_cast<std::uint32_t>(mesh.positions.size());
    const auto [found, isNew] = middles.try_emplace(std::minmax(a, b), next);
    if (isNew) mesh.positions.push_back(glm::normalize(mesh.positions[a] + mesh.positions[b]));
    return found->second;
  };
  std::vector<std::array<std::uint32_t, 3>> quarters;
  quarters.reserve(4 * mesh.triangles.size());
  for (const auto& [a, b, c] : mesh.triangles) {
    const std::uint32_t ab = middleOf(a, b), bc = middleOf(b, c), ca = middleOf(c, a);
    quarters.insert(quarters.end(), {{a, ab, ca}, {b, bc, ab}, {c, ca, bc}, {ab, bc, ca}});
  }
  mesh.triangles = std::move(quarters);
}

}  // namespace

Result<TriangleMesh> boxMesh(const Vec3& half) {
  return orOutOfMemory("cannot make a box", [&]() -> Result<TriangleMesh> {
    for (const Size& size :
         {Size{"half extent along x", half.x}, Size{"half extent along y", half.y},
          Size{"half extent along z", half.z}})
      if (auto fault = faultOf("box", size)) return *std::move(fault);
    TriangleMesh mesh;
    for (int i = 0; i < 8; ++i)
      mesh.positions.emplace_back((i & 1) != 0 ? half.x : -half.x, (i & 2) != 0 ? half.y : -half.y,
                                  (i & 4) != 0 ? half.z : -half.z);
    mesh.triangles = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                      {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
    return mesh;
  });
}

Result<TriangleMesh> sphereMesh(Real radius, int subdivisions) {
  return orOutOfMemory("cannot make a sphere", [&]() -> Result<TriangleMesh> {
    if (auto fault = faultOf("sphere", {"radius", radius})) return *std::move(fault);
    if (auto fault = faultOf("sphere", "subdivisions", subdivisions, 0, maxSphereSubdivisions))
      return *std::move(fault);
    TriangleMesh mesh = icosahedron();
    for (int i = 0; i < subdivisions; ++i) subdivide(mesh);
    for (Vec3& p : mesh.positions) p *= radius;
    return mesh;
  });
}

Result<TriangleMesh> capsuleMesh(Real radius, Real halfHeight, int segments) {
  return orOutOfMemory("cannot make a capsule", [&]() -> Result<TriangleMesh> {
    for (const Size& size : {Size{"radius", radius}, Size{"half height", halfHeight, true},
                             Size{"sum of radius and half height", radius + halfHeight}})
      if (auto fault = faultOf("capsule", size)) return *std::move(fault);
    if (auto fault = faultOf("capsule", "segments", segments, minRoundSegments, maxRoundSegments))
      return *std::move(fault);
    // Number of rings from a pole to the equator, including the equator
    const int steps = std::max(2, segments / 4);
    std::vector<Ring> upper;
    for (int i = 0; i < steps; ++i) {
      const Real angle = glm::half_pi<Real>() * i / steps;
      upper.push_back({radius * std::cos(angle), halfHeight + radius * std::sin(angle)});
    }
    upper.push_back({0.0, halfHeight + radius});
    std::vector<Ring> rings;
    // Both halves of a sphere share the equator
    for (std::size_t i = upper.size(); i-- > (halfHeight > 0.0 ? 0u : 1u);)
      rings.push_back({upper[i].radius, -upper[i].height});
    rings.insert(rings.end(), upper.begin(), upper.end());
    return turned(rings, segments);
  });
}

Result<TriangleMesh> cylinderMesh(Real radius, Real halfHeight, int segments) {
  return orOutOfMemory("cannot make a cylinder", [&]() -> Result<TriangleMesh> {
    for (const Size& size : {Size{"radius", radius}, Size{"half height", halfHeight}})
      if (auto fault = faultOf("cylinder", size)) return *std::move(fault);
    if (auto fault = faultOf("cylinder", "segments", segments, minRoundSegments, maxRoundSegments))
      return *std::move(fault);
    return turned({{radius, -halfHeight}, {radius, halfHeight}}, segments);
  });
}

}  // namespace nearmiss
