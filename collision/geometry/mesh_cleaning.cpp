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

#include "geometry/exact_predicates.h"
#include "geometry/mesh_check.h"
#include "geometry/near_vertices.h"
#include "geometry/welding_grid.h"

namespace nearmiss {
namespace {

struct Welding {
  std::vector<std::uint32_t> keptFor;  ///< for each vertex the one that stands for it
  std::size_t keptApart = 0;           ///< vertices that could not be welded without a loss
};

using Corners = std::array<std::uint32_t, 3>;

/// The triangles that a welding leaves without area, and what is left where they were.
class CollapsedTriangles {
 public:
  CollapsedTriangles(const TriangleMesh& mesh, const std::vector<std::uint32_t>& keptFor)
      : mesh_(mesh), keptFor_(keptFor), onCollapsed_(mesh.positions.size(), 0) {
    for (const Corners& t : mesh.triangles)
      if (isMoved(t) && flat(welded(t)) && !flat(t)) {
        collapsed_.push_back(t);
        for (const std::uint32_t v : welded(t)) onCollapsed_[v] = 1;
      }
    if (!collapsed_.empty()) noteWhatIsLeft();
  }

  /// The collapsed triangles that do not lie on a remaining one.
  [[nodiscard]] std::vector<Corners> lost() const {
    std::vector<Corners> lost;
    for (const Corners& t : collapsed_)
      if (!isLeft(welded(t))) lost.push_back(t);
    return lost;
  }

 private:
  [[nodiscard]] Corners welded(const Corners& t) const {
    return {keptFor_[t[0]], keptFor_[t[1]], keptFor_[t[2]]};
  }
  [[nodiscard]] bool isMoved(const Corners& t) const {
    return std::any_of(t.begin(), t.end(), [this](std::uint32_t v) {
      return mesh_.positions[keptFor_[v]] != mesh_.positions[v];
    });
  }
  [[nodiscard]] bool flat(const Corners& t) const {
    return collinear(mesh_.positions[t[0]], mesh_.positions[t[1]], mesh_.positions[t[2]]);
  }
  static std::uint64_t edge(std::uint32_t a, std::uint32_t b) noexcept {
    return std::uint64_t{std::min(a, b)} << 32 | std::max(a, b);
  }

  /// Notes remaining vertices and edges of collapsed triangles only: these are few.
  void noteWhatIsLeft() {
    for (const Corners& own : mesh_.triangles) {
      const Corners t = welded(own);
      if (onCollapsed_[t[0]] + onCollapsed_[t[1]] + onCollapsed_[t[2]] == 0 || flat(t)) continue;
      for (std::size_t k = 0; k < 3; ++k) {
        const std::uint32_t a = t[k], b = t[(k + 1) % 3];
        if (onCollapsed_[a] != 0) left_.push_back(edge(a, a));
        if (onCollapsed_[a] != 0 && onCollapsed_[b] != 0) left_.push_back(edge(a, b));
      }
    }
    std::sort(left_.begin(), left_.end());
  }

  /// True if the edges of a flat triangle, or its one corner, are all left but for the longest,
  /// which the others make up.
  [[nodiscard]] bool isLeft(const Corners& t) const {
    std::array<bool, 3> left{};
    for (std::size_t k = 0; k < 3; ++k)
      left[k] = std::binary_search(left_.begin(), left_.end(), edge(t[k], t[(k + 1) % 3]));
    if (left[0] && left[1] && left[2]) return true;
    if (t[0] == t[1] || t[1] == t[2] || t[2] == t[0]) return false;
    const auto length = [&](std::size_t k) {
      return glm::distance(mesh_.positions[t[k]], mesh_.positions[t[(k + 1) % 3]]);
    };
    std::size_t longest = 0;
    for (std::size_t k = 1; k < 3; ++k)
      if (length(k) > length(longest)) longest = k;
    return left[longest] || (left[(longest + 1) % 3] && left[(longest + 2) % 3]);
  }

  const TriangleMesh& mesh_;
  const std::vector<std::uint32_t>& keptFor_;
  std::vector<char> onCollapsed_;
  std::vector<Corners> collapsed_;   ///< as they were
  std::vector<std::uint64_t> left_;  ///< vertices, as edges to themselves, and edges; sorted
};

/// Usual meshes take one round or two. Where each vertex that stays unwelds the next, there would
/// be as many rounds as vertices.
constexpr int maxRoundsOfWelding = 64;

/// Welds each vertex to the earliest that stays within `distance` (metres; 0: at equal positions
/// only). No triangle with an area is lost: one that has none after welding has its two corners, or
/// its one, on a triangle that does. Where that takes too many rounds, or once cancelled, only
/// equal positions are welded.
Welding weld(const TriangleMesh& mesh, Real distance, const std::atomic<bool>* cancelled,
             int workers) {
  // Equal positions first: they stay together whatever comes after
  const std::vector<std::uint32_t> same = firstAtPositions(mesh.positions, workers);
  // No two numbers are so near to each other that the square of their distance is lost
  if (distance * distance == 0.0 || wasCancelled(cancelled)) return {same, 0};
  // Of most meshes that is all
  const std::vector<char> near = haveOthersNear(mesh.positions, distance, same, workers);
  if (std::ranges::find(near, 1) == near.end()) return {same, 0};

  Welding welding{same, 0};
  std::vector<char> apart(mesh.positions.size(), 0);
  std::vector<std::uint32_t> asked(same.size(), noItem);
  for (std::uint32_t v = 0; v < same.size(); ++v)
    if (near[v] != 0) asked[v] = v;
  WeldingGrid grid(mesh.positions, distance, asked);
  for (int round = 0; round < maxRoundsOfWelding && !wasCancelled(cancelled); ++round) {
    grid.start(apart);
    for (std::uint32_t v = 0; v < same.size(); ++v)
      welding.keptFor[v] = near[v] != 0   ? grid.keptFor(v)
                           : same[v] == v ? v
                                          : welding.keptFor[same[v]];

    // Triangles that would be lost keep their corners, and all is tried again: every round keeps
    // more
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

/// The same winding begun at the smallest corner: two triangles are duplicates iff these are equal.
Corners fromSmallest(const Corners& t) noexcept {
  if (t[0] <= t[1] && t[0] <= t[2]) return t;
  if (t[1] <= t[2]) return {t[1], t[2], t[0]};
  return {t[2], t[0], t[1]};
}

/// Removes the triangles for which gone(t) holds. `numbers`, if it has any, are theirs, and those
/// of the triangles that go are added to `left`. Returns how many.
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

/// Removes vertices that no triangle uses; returns how many.
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

  // Weld every vertex to the earliest kept one in reach
  const Welding welding = weld(mesh, weldDistance, cancelled, workers);
  cleaning.keptApart = welding.keptApart;
  for (std::uint32_t v = 0; v < mesh.positions.size(); ++v) {
    const std::uint32_t kept = welding.keptFor[v];
    if (kept == v) continue;
    ++cleaning.weldedVertices;
    cleaning.weldedDistance =
        std::max(cleaning.weldedDistance, glm::distance(mesh.positions[kept], mesh.positions[v]));
  }

  // Drop triangles without area
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

  // Drop all but the first of equal triangles
  const std::vector<std::uint32_t> first = firstOfEqual(
      mesh.triangles.size(), [&](std::size_t t) { return fromSmallest(mesh.triangles[t]); },
      workers);
  cleaning.duplicateTriangles = removeTriangles(
      mesh, [&](std::size_t t) { return first[t] != t; }, numbers.kept, numbers.duplicate);

  // Welded vertices are unused now too, but were counted above
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

MeshCleaning cleanMesh(TriangleMesh& mesh, Real weldDistance) {
  return cleanUnlessCancelled(mesh, weldDistance, nullptr);
}

Result<Success> checkWelding(const TriangleMesh& mesh, Real weldDistance) {
  if (!std::isfinite(weldDistance) || weldDistance < 0.0)
    return Error{ErrorCode::Unsupported, "the distance for welding is " + textOf(weldDistance) +
                                             ", but must be finite and not negative"};
  return checkTriangles(mesh);
}

Result<MeshCleaning> cleanMeshChecked(TriangleMesh& mesh, Real weldDistance,
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
