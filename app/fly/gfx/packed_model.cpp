// SPDX-License-Identifier: MIT
#include <nearmiss/ray.h>

#include "fly/gfx/packed_model.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "fly/gfx/detail_levels.h"
#include "fly/gfx/hull_marks.h"
#include "fly/gfx/model_features.h"

namespace nearmiss::app::fly {
namespace {

glm::vec3 positionOf(const engine::DrawVertex& v) {
  return {v.position[0], v.position[1], v.position[2]};
}

std::uint8_t toByte(float value) {
  return static_cast<std::uint8_t>(std::lround(255.0f * std::clamp(value, 0.0f, 1.0f)));
}

std::uint32_t packNormal(const glm::vec3& n) {
  std::uint32_t packed = 0;
  for (int i = 0; i < 3; ++i) {
    const long steps = std::lround(511.0f * std::clamp(n[i], -1.0f, 1.0f));
    packed |= (static_cast<std::uint32_t>(steps) & 0x3ffu) << (10 * i);
  }
  return packed;
}

/// For each vertex the first one at its position, to undo the splits at creases.
std::vector<std::uint32_t> weld(const engine::DrawMesh& mesh) {
  std::vector<std::uint32_t> order(mesh.vertices.size()), first(mesh.vertices.size());
  std::iota(order.begin(), order.end(), 0u);
  const auto key = [&](std::uint32_t i) {
    const float* p = mesh.vertices[i].position;
    return std::array<float, 3>{p[0], p[1], p[2]};
  };
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return std::pair(key(a), a) < std::pair(key(b), b);
  });
  for (std::size_t i = 0; i < order.size(); ++i) {
    const bool same = i > 0 && key(order[i]) == key(order[i - 1]);
    first[order[i]] = same ? first[order[i - 1]] : order[i];
  }
  return first;
}

/// Returns true if every directed edge has its opposite.
bool isClosed(const engine::DrawMesh& mesh, const std::vector<std::uint32_t>& first) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges, opposite;
  for (std::size_t t = 0; t + 2 < mesh.indices.size(); t += 3) {
    for (std::size_t k = 0; k < 3; ++k) {
      const std::uint32_t a = first[mesh.indices[t + k]];
      const std::uint32_t b = first[mesh.indices[t + (k + 1) % 3]];
      edges.emplace_back(a, b);
      opposite.emplace_back(b, a);
    }
  }
  std::sort(edges.begin(), edges.end());
  std::sort(opposite.begin(), opposite.end());
  return edges == opposite;
}

/// A face normal with the length of the face's area.
glm::vec3 faceNormal(const engine::DrawMesh& mesh, std::size_t t) {
  const glm::vec3 a = positionOf(mesh.vertices[mesh.indices[t]]);
  const glm::vec3 b = positionOf(mesh.vertices[mesh.indices[t + 1]]);
  const glm::vec3 c = positionOf(mesh.vertices[mesh.indices[t + 2]]);
  return 0.5f * glm::cross(b - a, c - a);
}

std::vector<glm::vec3> smoothNormals(const engine::DrawMesh& mesh,
                                     const std::vector<std::uint32_t>& first) {
  std::vector<glm::vec3> sums(mesh.vertices.size(), glm::vec3(0.0f));
  for (std::size_t t = 0; t + 2 < mesh.indices.size(); t += 3) {
    const glm::vec3 n = faceNormal(mesh, t);
    for (std::size_t k = 0; k < 3; ++k) sums[first[mesh.indices[t + k]]] += n;
  }
  for (glm::vec3& n : sums) {
    const float length = glm::length(n);
    n = length > 0.0f ? n / length : glm::vec3(0.0f);
  }
  return sums;
}

bool shines(const engine::DrawMaterial& m) {
  return *std::max_element(m.emission.begin(), m.emission.end()) > 0.0f;
}

/// How much livery each material takes: the one with the largest area is the hull's paint; the
/// others keep their colour.
std::vector<float> liveryShares(const engine::DrawMesh& mesh) {
  std::vector<double> areas(std::max<std::size_t>(mesh.materials.size(), 1), 0.0);
  for (std::size_t t = 0; t + 2 < mesh.indices.size(); t += 3) {
    const std::uint32_t m = mesh.vertices[mesh.indices[t]].material;
    if (m < mesh.materials.size() && !shines(mesh.materials[m])) {
      areas[m] += glm::length(faceNormal(mesh, t));
    }
  }
  std::vector<float> shares(areas.size(), 0.0f);
  const auto hull = std::max_element(areas.begin(), areas.end()) - areas.begin();
  shares[static_cast<std::size_t>(hull)] = 1.0f;
  return shares;
}

void setHullPlace(PackedVertex& vertex, const glm::vec2& place) {
  constexpr float most = 65535.0f;
  for (int i = 0; i < 2; ++i)
    vertex.hull[i] =
        static_cast<std::uint16_t>(std::lround(most * std::clamp(place[i], 0.0f, 1.0f)));
}

std::vector<PackedVertex> packVertices(const engine::DrawMesh& mesh,
                                       const std::vector<std::uint32_t>& first) {
  const std::vector<glm::vec3> smooth = smoothNormals(mesh, first);
  const std::vector<float> shares = liveryShares(mesh);
  const std::vector<float> open = openness(mesh);
  std::vector<PackedVertex> packed(mesh.vertices.size());
  for (std::size_t i = 0; i < packed.size(); ++i) {
    const engine::DrawVertex& v = mesh.vertices[i];
    const engine::DrawMaterial m =
        v.material < mesh.materials.size() ? mesh.materials[v.material] : engine::DrawMaterial{};
    PackedVertex& p = packed[i];
    std::copy(std::begin(v.position), std::end(v.position), std::begin(p.position));
    p.normal = packNormal({v.normal[0], v.normal[1], v.normal[2]});
    p.smoothNormal = packNormal(smooth[first[i]]);
    const std::array<float, 3>& colour = shines(m) ? m.emission : m.baseColour;
    for (std::size_t k = 0; k < 3; ++k) p.paint[k] = toByte(std::sqrt(std::max(colour[k], 0.0f)));
    p.paint[3] = toByte(v.material < shares.size() ? shares[v.material] : 0.0f);
    p.surface[0] = toByte(m.metallic);
    p.surface[1] = toByte(m.roughness);
    p.surface[2] = shines(m) ? toByte(0.65f) : std::uint8_t{0};
    p.surface[3] = toByte(open[i]);
    setHullPlace(p, plainPlace());
  }
  return packed;
}

/// The axis along which a face appears largest: 0 to 2.
int sideOf(const std::array<glm::vec3, 3>& corners) {
  const glm::vec3 n = glm::abs(glm::cross(corners[1] - corners[0], corners[2] - corners[0]));
  return n.x > n.y && n.x > n.z ? 0 : n.y > n.z ? 1 : 2;
}

/// Appends triangles in an order that reuses vertices, and vertices in the order of first use. Each
/// level has its own vertices, which a software driver reads sequentially. With panels, painted
/// vertices get texture coordinates; a vertex whose faces are projected along different axes is
/// duplicated.
void appendLevel(std::span<const std::uint32_t> triangles, std::span<const PackedVertex> packed,
                 bool panels, float reach, std::vector<PackedVertex>& vertices,
                 std::vector<std::uint32_t>& indices) {
  constexpr std::uint32_t unused = 0xffffffff;
  constexpr std::size_t sides = 3;
  std::vector<std::uint32_t> newIndex(sides * packed.size(), unused);
  const std::vector<std::uint32_t> order = orderForReuse(triangles, packed.size());
  for (std::size_t t = 0; t + 2 < order.size(); t += 3) {
    std::array<glm::vec3, 3> corners;
    for (std::size_t k = 0; k < 3; ++k) {
      const float* p = packed[order[t + k]].position;
      corners[k] = {p[0], p[1], p[2]};
    }
    const bool hull = panels && packed[order[t]].paint[3] > 0;
    const int side = hull ? sideOf(corners) : 0;
    for (std::size_t k = 0; k < 3; ++k) {
      std::uint32_t& index = newIndex[sides * order[t + k] + static_cast<std::size_t>(side)];
      if (index == unused) {
        index = static_cast<std::uint32_t>(vertices.size());
        vertices.push_back(packed[order[t + k]]);
        if (hull) setHullPlace(vertices.back(), panelPlace(corners[k], side, reach));
      }
      indices.push_back(index);
    }
  }
}

/// Adds a thin layer above the finest level; coarser ones are too far away to read it.
void appendLettering(const engine::DrawMesh& mesh, std::span<const PackedVertex> packed,
                     const Lettering& lettering, std::vector<PackedVertex>& vertices,
                     std::vector<std::uint32_t>& indices) {
  constexpr float thickness = 0.002f;  // metres; above the resolution of depth buffers
  for (const LetteredPiece& piece : letteredPieces(mesh, lettering)) {
    const auto first = static_cast<std::uint32_t>(vertices.size());
    for (const LetteredPiece::Corner& corner : piece.corners) {
      glm::vec3 place(0.0f), normal(0.0f);
      float open = 0.0f;
      for (std::size_t k = 0; k < 3; ++k) {
        const std::uint32_t i = mesh.indices[3 * piece.triangle + k];
        const float* n = mesh.vertices[i].normal;
        place += corner.weights[k] * positionOf(mesh.vertices[i]);
        normal += corner.weights[k] * glm::vec3(n[0], n[1], n[2]);
        open += corner.weights[k] * static_cast<float>(packed[i].surface[3]) / 255.0f;
      }
      normal = glm::normalize(normal);
      place += thickness * normal;
      PackedVertex vertex = packed[mesh.indices[3 * piece.triangle]];
      std::copy_n(&place[0], 3, vertex.position);
      vertex.normal = vertex.smoothNormal = packNormal(normal);
      vertex.surface[3] = toByte(open);
      setHullPlace(vertex, letterPlace(lettering.registration, corner.across, corner.over));
      vertices.push_back(vertex);
    }
    for (std::uint32_t k = 2; k < piece.corners.size(); ++k)
      indices.insert(indices.end(), {first, first + k - 1, first + k});
  }
}

}  // namespace

PackedModel packModel(const engine::DrawMesh& mesh, const HullMarks& marks) {
  PackedModel model;
  const std::vector<std::uint32_t> first = weld(mesh);
  const std::vector<PackedVertex> packed = packVertices(mesh, first);
  model.closed = isClosed(mesh, first);
  model.nozzles = findNozzles(mesh, first);
  for (const engine::DrawVertex& v : mesh.vertices) {
    model.radius = std::max(model.radius, glm::length(positionOf(v)));
  }

  std::vector<glm::vec3> positions;
  for (const engine::DrawVertex& v : mesh.vertices) positions.push_back(positionOf(v));
  for (const DetailLevel& level : detailLevels(positions, mesh.indices, model.radius)) {
    const std::size_t begin = model.indices.size();
    appendLevel(level.indices, packed, marks.panels, std::max(model.radius, 1.0f), model.vertices,
                model.indices);
    if (begin == 0)
      for (const Lettering& lettering : marks.letterings)
        appendLettering(mesh, packed, lettering, model.vertices, model.indices);
    model.levels.push_back({begin, model.indices.size() - begin});
    model.cells.push_back(level.cell);
  }
  return model;
}

}  // namespace nearmiss::app::fly
