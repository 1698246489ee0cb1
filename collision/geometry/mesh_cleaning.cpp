// SPDX-License-Identifier: MIT
#include <nearmiss/detail/assertion.h>
#include <nearmiss/detail/cancellation.h>
#include <nearmiss/detail/number_text.h>
#include <nearmiss/detail/out_of_memory.h>
#include <nearmiss/mesh.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <glm/geometric.hpp>
#include <string>
#include <utility>
#include <vector>

#include "geometry/collapsed_triangles.h"
#include "geometry/exact_predicates.h"
#include "geometry/mesh_check.h"
#include "geometry/near_vertices.h"
#include "geometry/welding_grid.h"

namespace nearmiss {
namespace {

struct Welding {
  std::vector<std::uint32_t> keptFor;  ///< for each vertex, the one that represents it
  std::size_t keptApart = 0;  ///< vertices that could not be welded without losing triangles
};

using Corners = std::array<std::uint32_t, 3>;

/// Usual meshes take one or two rounds. If each vertex that is unwelded causes the next, there
/// could be as many rounds as vertices.
constexpr int maxRoundsOfWelding = 64;

/// Welds each vertex to the earliest remaining one within `distance` (metres; 0: only at equal
/// positions). No triangle with an area is lost without replacement: if it has no area after
/// welding, its two corners, or its one corner, lie on a triangle that has. If that takes too many
/// rounds, or once cancelled, only equal positions are welded.
Welding weld(const TriangleMesh& mesh, Real distance, const std::atomic<bool>* cancelled,
             int workers) {
  // Weld equal positions first. Later rounds do not separate them
  const std::vector<std::uint32_t> same = firstAtPositions(mesh.positions, workers);
  // If the squared distance underflows to 0, no two different positions are that near
  if (distance * distance == 0.0 || wasCancelled(cancelled)) return {same, 0};
  // Most meshes have no other vertices to weld
  const std::vector<char> near = haveOthersNear(mesh.positions, distance, same, workers);
  if (std::ranges::find(near, 1) == near.end()) return {same, 0};

  Welding welding{same, 0};
  std::vector<char> apart(mesh.positions.size(), 0);
  std::vector<std::uint32_t> candidates(same.size(), noItem);
  for (std::uint32_t v = 0; v < same.size(); ++v)
    if (near[v] != 0) candidates[v] = v;
  WeldingGrid grid(mesh.positions, distance, candidates);
  for (int round = 0; round < maxRoundsOfWelding && !wasCancelled(cancelled); ++round) {
    grid.start(apart);
    for (std::uint32_t v = 0; v < same.size(); ++v)
      welding.keptFor[v] = near[v] != 0   ? grid.keptFor(v)
                           : same[v] == v ? v
                                          : welding.keptFor[same[v]];

    // Triangles that would be lost keep their corners, and welding starts again. Every round keeps
    // more corners apart
    bool complete = true;
    for (const Corners& t : CollapsedTriangles(mesh, welding.keptFor).lost())
      for (const std::uint32_t v : t)
        if (apart[same[v]] == 0) {
          apart[same[v]] = 1;
          ++welding.keptApart;
          complete = false;
        }
    if (complete) return welding;
  }
  std::size_t positions = 0;
  for (std::uint32_t v = 0; v < same.size(); ++v) positions += same[v] == v;
  return {same, positions};
}

/// Rotates the corners so that the smallest comes first. Two triangles are duplicates iff the
/// results are equal.
Corners fromSmallest(const Corners& t) noexcept {
  if (t[0] <= t[1] && t[0] <= t[2]) return t;
  if (t[1] <= t[2]) return {t[1], t[2], t[0]};
  return {t[2], t[0], t[1]};
}

/// Removes the triangles for which gone(t) is true. If `numbers` is not empty, removes their
/// numbers too and adds these to `left`. Returns how many were removed.
std::size_t removeTriangles(TriangleMesh& mesh, const auto& gone,
                            std::vector<std::uint32_t>& numbers, std::vector<std::uint32_t>& left) {
  std::size_t kept = 0;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    if (gone(t)) {
      if (!numbers.empty()) left.push_back(numbers[t]);
      continue;
    }
    if (!numbers.empty()) numbers[kept] = numbers[t];
    mesh.triangles[kept++] = mesh.triangles[t];
  }
  const std::size_t removed = mesh.triangles.size() - kept;
  mesh.triangles.resize(kept);
  if (!numbers.empty()) numbers.resize(kept);
  return removed;
}

/// Removes vertices that no triangle uses. Returns how many were removed.
std::size_t dropUnusedVertices(TriangleMesh& mesh, int workers) {
  std::vector<std::uint32_t> newIndex(mesh.positions.size(), 0);
  for (const Corners& t : mesh.triangles)
    for (const std::uint32_t v : t) newIndex[v] = 1;
  std::uint32_t kept = 0;
  for (std::size_t v = 0; v < newIndex.size(); ++v) {
    if (newIndex[v] == 0) continue;
    if (kept != v) mesh.positions[kept] = mesh.positions[v];
    newIndex[v] = kept++;
  }
  const std::size_t dropped = mesh.positions.size() - kept;
  if (dropped == 0) return 0;
  forChunks(mesh.triangles.size(), workers, [&](std::size_t begin, std::size_t end, std::size_t) {
    for (std::size_t t = begin; t < end; ++t)
      for (std::uint32_t& v : mesh.triangles[t]) v = newIndex[v];
  });
  mesh.positions.resize(kept);
  return dropped;
}

}  // namespace

MeshCleaning cleanUnlessCancelled(TriangleMesh& mesh, Real weldDistance,
                                  const std::atomic<bool>* cancelled, int workers,
                                  CleanedTriangles* record) {
  NEARMISS_ASSERT(mesh.triangles.empty() || checkTriangles(mesh));
  MeshCleaning cleaning;
  CleanedTriangles unused;
  CleanedTriangles& numbers = record ? *record : unused;
  numbers = {};
  if (record)
    for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t) numbers.kept.push_back(t);

  // Weld every vertex to the earliest kept one within reach
  const Welding welding = weld(mesh, weldDistance, cancelled, workers);
  cleaning.keptApart = welding.keptApart;
  for (std::uint32_t v = 0; v < mesh.positions.size(); ++v) {
    const std::uint32_t kept = welding.keptFor[v];
    if (kept == v) continue;
    ++cleaning.weldedVertices;
    cleaning.weldedDistance =
        std::max(cleaning.weldedDistance, glm::distance(mesh.positions[kept], mesh.positions[v]));
  }

  // Remove triangles without area
  std::vector<char> flat(mesh.triangles.size());
  forChunks(flat.size(), workers, [&](std::size_t begin, std::size_t end, std::size_t) {
    for (std::size_t t = begin; t < end; ++t) {
      for (std::uint32_t& v : mesh.triangles[t]) v = welding.keptFor[v];
      const auto [a, b, c] = mesh.corners(t);
      flat[t] = collinear(a, b, c);
    }
  });
  for (std::size_t t = 0; t < flat.size(); ++t) {
    if (flat[t] == 0) continue;
    const auto [a, b, c] = mesh.corners(t);
    cleaning.longestDegenerate = std::max({cleaning.longestDegenerate, glm::distance(a, b),
                                           glm::distance(b, c), glm::distance(c, a)});
  }
  cleaning.degenerateTriangles = removeTriangles(
      mesh, [&](std::size_t t) { return flat[t] != 0; }, numbers.kept, numbers.degenerate);

  // Remove all but the first of equal triangles
  const std::vector<std::uint32_t> first = firstOfEqual(
      mesh.triangles.size(), [&](std::size_t t) { return fromSmallest(mesh.triangles[t]); },
      workers);
  cleaning.duplicateTriangles = removeTriangles(
      mesh, [&](std::size_t t) { return first[t] != t; }, numbers.kept, numbers.duplicate);

  // Welded vertices are now unused as well, but were counted above
  cleaning.unusedVertices = dropUnusedVertices(mesh, workers) - cleaning.weldedVertices;
  return cleaning;
}

Result<MeshCleaning> cleanAndRepair(TriangleMesh& mesh, Real weldDistance,
                                    const std::atomic<bool>* cancelled, int workers) {
  MeshCleaning cleaning = cleanUnlessCancelled(mesh, weldDistance, cancelled, workers);
  const WindingRepair repair = repairedWinding(mesh, cancelled, mostForWindingRepair, workers);
  if (wasCancelled(cancelled))
    return Error{ErrorCode::Cancelled, "cleaning the mesh was cancelled"};
  cleaning.turnedTriangles = repair.triangles;
  cleaning.facedInwards = repair.facedInwards;
  return cleaning;
}

Result<Success> checkWelding(const TriangleMesh& mesh, Real weldDistance) {
  if (!std::isfinite(weldDistance) || weldDistance < 0.0)
    return Error{ErrorCode::Unsupported, "the distance for welding is " + textOf(weldDistance) +
                                             ", but must be finite and not negative"};
  return checkTriangles(mesh);
}

Result<MeshCleaning> cleanMesh(TriangleMesh& mesh, Real weldDistance,
                               const std::atomic<bool>* cancelled, int workers) {
  if (auto sound = checkWelding(mesh, weldDistance); !sound) return sound.error();
  return orOutOfMemory("cannot clean the mesh", [&]() -> Result<MeshCleaning> {
    TriangleMesh cleaned = mesh;
    auto cleaning = cleanAndRepair(cleaned, weldDistance, cancelled, workers);
    if (cleaning) mesh = std::move(cleaned);
    return cleaning;
  });
}

MeshCleaning joined(const MeshCleaning& first, const MeshCleaning& second) noexcept {
  MeshCleaning both = second;
  both.weldedVertices += first.weldedVertices;
  both.weldedDistance += first.weldedDistance;
  both.unusedVertices += first.unusedVertices;
  both.degenerateTriangles += first.degenerateTriangles;
  both.longestDegenerate = std::max(both.longestDegenerate, first.longestDegenerate);
  both.keptApart += first.keptApart;
  both.duplicateTriangles += first.duplicateTriangles;
  both.turnedTriangles += first.turnedTriangles;
  both.facedInwards = both.facedInwards || first.facedInwards;
  return both;
}

}  // namespace nearmiss
