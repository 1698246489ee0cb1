// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <glm/geometric.hpp>
#include <limits>
#include <span>
#include <vector>

#include "base/disjoint_sets.h"
#include "geometry/box_measures.h"
#include "geometry/exact_predicates.h"
#include "geometry/mesh_check.h"

namespace nearmiss {
namespace {

constexpr std::uint32_t noNumber = SurfacePieces::noVertex;

/// Six times the volume of the tetrahedron of a triangle and `apex`, positive if the triangle faces
/// away from it.
Real sixfoldVolume(const std::array<Vec3, 3>& t, const Vec3& apex) noexcept {
  return glm::dot(t[0] - apex, glm::cross(t[1] - apex, t[2] - apex));
}

/// The terms of a volume, one per triangle.
struct VolumeTerms {
  std::size_t count = 0;
  Real size = 0.0;  ///< of all terms together

  /// Upper bound of the rounding errors of the terms, whose products are at most the volume of the
  /// box, and of their sum.
  [[nodiscard]] Real error(const Box& box) const noexcept {
    const Vec3 extent = box.extent();
    return 0x1p-52 * static_cast<Real>(count) * (4.0 * extent.x * extent.y * extent.z + size);
  }
};

/// Sums the volumes of the pieces. If rounding may have changed the sign of a closed piece, or of
/// the whole closed surface, sums that volume exactly, because the sign distinguishes inside from
/// outside.
void settleVolumes(const TriangleMesh& mesh, const std::vector<VolumeTerms>& terms,
                   SurfacePieces& pieces) {
  const std::size_t count = pieces.components.size();
  const auto unsure = [&](std::size_t piece) {
    const SurfaceComponent& component = pieces.components[piece];
    // If all terms are zero, so is the exact volume
    return terms[piece].size > 0.0 &&
           std::fabs(component.volume) <= terms[piece].error(component.bounds);
  };
  bool anyUnsure = false;
  Real sum = 0.0, size = 0.0, error = 0.0;
  for (std::size_t piece = 0; piece < count; ++piece) {
    const SurfaceComponent& component = pieces.components[piece];
    anyUnsure = anyUnsure || unsure(piece);
    sum += component.volume;
    size += std::fabs(component.volume);
    error += terms[piece].error(component.bounds);
  }
  error += 0x1p-52 * static_cast<Real>(count) * size;
  bool wholeUnsure = count > 1 && size > 0.0 && std::fabs(sum) <= error;
  pieces.volume = sum;
  if (!wholeUnsure && !anyUnsure) return;

  std::vector<bool> summed = closedComponents(mesh, pieces);
  wholeUnsure = wholeUnsure && std::ranges::find(summed, false) == summed.end();
  for (std::size_t piece = 0; piece < count; ++piece)
    summed[piece] = summed[piece] && unsure(piece);
  std::vector<ExactVolume> exact(count);
  ExactVolume whole;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    const std::uint32_t piece = pieces.ofTriangle[t];
    if (summed[piece]) exact[piece].add(mesh.corners(t));
    if (wholeUnsure) whole.add(mesh.corners(t));
  }
  sum = 0.0;
  for (std::size_t piece = 0; piece < count; ++piece) {
    Real& volume = pieces.components[piece].volume;
    if (summed[piece]) volume = exact[piece].sixfold() / 6.0;
    sum += volume;
  }
  pieces.volume = wholeUnsure ? whole.sixfold() / 6.0 : sum;
}

void addTriangle(const TriangleMesh& mesh, std::uint32_t t, std::uint32_t apex,
                 SurfaceComponent& piece, VolumeTerms& terms) {
  const std::array<Vec3, 3> corners = mesh.corners(t);
  const Real volume = sixfoldVolume(corners, mesh.positions[apex]) / 6.0;
  piece.volume += volume;
  piece.bounds.include(boxOf(corners));
  ++terms.count;
  terms.size += std::fabs(volume);
}

void finish(const TriangleMesh& mesh, const std::vector<VolumeTerms>& terms,
            SurfacePieces& pieces) {
  settleVolumes(mesh, terms, pieces);
  pieces.largest = 0.0;
  for (const SurfaceComponent& piece : pieces.components)
    pieces.largest = std::max(
        pieces.largest, std::fabs(piece.volume) + volumeError(mesh.triangles.size(), piece.bounds));
}

/// Numbers the pieces in the order of their first triangles. Sums volumes about a vertex of the
/// piece itself, which loses the fewest digits.
/// @param roots upper bound of the numbers returned by `rootOf`
/// @param rootOf of a triangle: a number shared by all triangles of a piece, and by no others
/// @param vertexOf of such a number: a vertex of the piece
SurfacePieces summed(const TriangleMesh& mesh, std::size_t roots, const auto& rootOf,
                     const auto& vertexOf) {
  std::vector<std::uint32_t> indexOf(roots, noNumber);
  SurfacePieces pieces;
  std::vector<VolumeTerms> terms;
  for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t) {
    const std::uint32_t root = rootOf(t), vertex = vertexOf(root);
    if (indexOf[root] == noNumber) {
      indexOf[root] = static_cast<std::uint32_t>(pieces.components.size());
      pieces.components.push_back({vertex, 0.0, {}});
      terms.emplace_back();
    }
    pieces.ofTriangle.push_back(indexOf[root]);
    addTriangle(mesh, t, vertex, pieces.components[indexOf[root]], terms[indexOf[root]]);
  }
  finish(mesh, terms, pieces);
  return pieces;
}

}  // namespace

SurfacePieces piecesOf(const TriangleMesh& mesh) {
  DisjointSets sets(mesh.positions.size());
  for (const auto& t : mesh.triangles) {
    sets.join(t[0], t[1]);
    sets.join(t[0], t[2]);
  }
  return summed(
      mesh, mesh.positions.size(), [&](std::uint32_t t) { return sets.find(mesh.triangles[t][0]); },
      [](std::uint32_t root) { return root; });
}

void measureAgain(const TriangleMesh& mesh, SurfacePieces& pieces) {
  // Reused per thread, so that repeated measurements do not allocate
  thread_local std::vector<VolumeTerms> terms;
  terms.assign(pieces.components.size(), {});
  for (SurfaceComponent& piece : pieces.components) piece = {piece.vertex, 0.0, {}};
  for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t) {
    const std::uint32_t piece = pieces.ofTriangle[t];
    addTriangle(mesh, t, pieces.components[piece].vertex, pieces.components[piece], terms[piece]);
  }
  finish(mesh, terms, pieces);
}

SurfacePieces patchesOf(const TriangleMesh& mesh, const std::vector<EdgeUse>& edges) {
  DisjointSets sets(mesh.triangles.size());
  forEachEdge(edges, [&sets](std::span<const EdgeUse> uses) {
    for (const EdgeUse& use : uses.subspan(1)) sets.join(uses[0].triangle, use.triangle);
  });

  // By first triangle of a patch: its lowest vertex. By vertex: its patch, or `several`
  constexpr std::uint32_t several = noNumber - 1;
  std::vector<std::uint32_t> lowest(mesh.triangles.size(), noNumber);
  std::vector<std::uint32_t> owner(mesh.positions.size(), noNumber);
  for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t) {
    const std::uint32_t patch = sets.find(t);
    for (const std::uint32_t vertex : mesh.triangles[t]) {
      lowest[patch] = std::min(lowest[patch], vertex);
      owner[vertex] = owner[vertex] == noNumber || owner[vertex] == patch ? patch : several;
    }
  }

  SurfacePieces patches = summed(
      mesh, mesh.triangles.size(), [&](std::uint32_t t) { return sets.find(t); },
      [&](std::uint32_t patch) { return lowest[patch]; });
  for (SurfaceComponent& patch : patches.components) patch.vertex = noNumber;
  for (std::uint32_t vertex = 0; vertex < owner.size(); ++vertex) {
    if (owner[vertex] >= several) continue;
    SurfaceComponent& patch = patches.components[patches.ofTriangle[owner[vertex]]];
    patch.vertex = std::min(patch.vertex, vertex);
  }
  return patches;
}

PieceWindings::PieceWindings(const TriangleMesh& mesh, const WideBoxes& boxes,
                             const SurfacePieces& pieces)
    : mesh_(mesh), boxes_(boxes), pieces_(pieces) {
  if (pieces.components.size() < 2) return;
  // Children come after their parents
  begins_.assign(boxes.nodeCount(), std::numeric_limits<Real>::infinity());
  for (std::uint32_t at = static_cast<std::uint32_t>(boxes.nodeCount()); at-- > 0;) {
    const WideBoxes::Node& node = boxes.node(at);
    for (std::uint32_t lane = 0; lane < node.count; ++lane) {
      const std::uint32_t child = node.child[lane];
      if ((child & WideBoxes::isLeaf) == 0) {
        begins_[at] = std::min(begins_[at], begins_[child]);
        continue;
      }
      for (const std::uint32_t t : boxes.itemsOf(child))
        begins_[at] = std::min(begins_[at], beginOf(t));
    }
  }
}

}  // namespace nearmiss
