// SPDX-License-Identifier: MIT
#include <nearmiss/detail/assertion.h>
#include <nearmiss/detail/cancellation.h>
#include <nearmiss/detail/number_text.h>
#include <nearmiss/detail/out_of_memory.h>
#include <nearmiss/mesh.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <glm/geometric.hpp>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "geometry/exact_predicates.h"
#include "geometry/mesh_check.h"
#include "geometry/welding_grid.h"

namespace nearmiss {
namespace {

/// One step of a hash over words of 64 bits.
std::uint64_t mixed(std::uint64_t hash, std::uint64_t word) noexcept {
  hash = (hash ^ word) * 0x9fb21c651e98df25u;
  return hash ^ (hash >> 35);
}

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
Welding weld(const TriangleMesh& mesh, Real distance, const std::atomic<bool>* cancelled) {
  // Equal positions first: they stay together whatever comes after
  const std::vector<std::uint32_t> same = firstAtPositions(mesh.positions);
  // No two numbers are so near to each other that the square of their distance is lost
  if (distance * distance == 0.0) return {same, 0};

  Welding welding{same, 0};
  std::vector<char> apart(mesh.positions.size(), 0);
  WeldingGrid grid(mesh.positions, distance, same);
  for (int round = 0; round < maxRoundsOfWelding && !wasCancelled(cancelled); ++round) {
    grid.start(apart);
    for (std::uint32_t v = 0; v < same.size(); ++v)
      welding.keptFor[v] = same[v] == v ? grid.keptFor(v) : welding.keptFor[same[v]];

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

/// A third of the numbers of 32 bits, because corners are numbered as well.
constexpr std::size_t maxElements = 0x55555555;

bool withinRange(Real coordinate) noexcept {
  // Comparing NaN is an invalid operation
  if (!std::isfinite(coordinate)) return false;
  const Real magnitude = std::fabs(coordinate);
  return magnitude == 0.0 || (magnitude >= minMagnitude && magnitude <= maxMeshSize);
}

}  // namespace

Result<Success> checkTriangles(const TriangleMesh& mesh) {
  if (mesh.triangles.empty()) return Error{ErrorCode::EmptyMesh, "the mesh has no triangle"};
  if (mesh.positions.size() > maxElements || mesh.triangles.size() > maxElements)
    return Error{ErrorCode::TooLarge, "the mesh has more than " + std::to_string(maxElements) +
                                          " vertices or triangles"};
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
    for (const std::uint32_t v : mesh.triangles[t])
      if (v >= mesh.positions.size())
        return Error{ErrorCode::BadFormat, "triangle " + std::to_string(t) + " names vertex " +
                                               std::to_string(v) + ", but must name one of " +
                                               std::to_string(mesh.positions.size())};
  Real size = 0.0;
  for (std::size_t v = 0; v < mesh.positions.size(); ++v)
    for (int axis = 0; axis < 3; ++axis) {
      const Real at = mesh.positions[v][axis];
      if (!withinRange(at))
        return Error{ErrorCode::BadFormat, "vertex " + std::to_string(v) + ": " + "xyz"[axis] +
                                               " is " + textOf(at) +
                                               ", but must be 0 or of a magnitude from 1e-60 to "
                                               "1e15"};
      size = std::max(size, std::fabs(at));
    }
  if (size > 0.0 && size < minMeshSize)
    return Error{ErrorCode::BadFormat, "the greatest coordinate is " + textOf(size) +
                                           ", but must be of a magnitude from 1e-15 to 1e15"};
  return Success{};
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

Result<Polyhedron> makePolyhedron(TriangleMesh mesh, const std::atomic<bool>* cancelled) {
  if (auto sound = checkTriangles(mesh); !sound) return sound.error();
  return orOutOfMemory("cannot prepare the mesh", [&]() -> Result<Polyhedron> {
    return polyhedronUnlessCancelled(std::move(mesh), cancelled);
  });
}

namespace {

/// The same winding begun at the smallest corner: two triangles are duplicates iff these are equal.
Corners fromSmallest(const Corners& t) noexcept {
  if (t[0] <= t[1] && t[0] <= t[2]) return t;
  if (t[1] <= t[2]) return {t[1], t[2], t[0]};
  return {t[2], t[0], t[1]};
}

/// Marks all but the first of equal triangles.
std::vector<char> duplicatesAmong(const std::vector<Corners>& triangles) {
  std::vector<std::uint32_t> order(triangles.size());
  std::iota(order.begin(), order.end(), 0u);
  std::sort(order.begin(), order.end(), [&](std::uint32_t p, std::uint32_t q) {
    const Corners a = fromSmallest(triangles[p]), b = fromSmallest(triangles[q]);
    return a != b ? a < b : p < q;
  });
  std::vector<char> duplicate(triangles.size(), 0);
  for (std::size_t i = 1; i < order.size(); ++i)
    if (fromSmallest(triangles[order[i]]) == fromSmallest(triangles[order[i - 1]]))
      duplicate[order[i]] = 1;
  return duplicate;
}

/// Removes vertices that no triangle uses; returns how many.
std::size_t dropUnusedVertices(TriangleMesh& mesh) {
  std::vector<std::uint32_t> newIndex(mesh.positions.size(), 0);
  for (const Corners& t : mesh.triangles)
    for (const std::uint32_t v : t) newIndex[v] = 1;
  std::uint32_t kept = 0;
  for (std::size_t v = 0; v < newIndex.size(); ++v) {
    if (newIndex[v] == 0) continue;
    mesh.positions[kept] = mesh.positions[v];
    newIndex[v] = kept++;
  }
  for (Corners& t : mesh.triangles)
    for (std::uint32_t& v : t) v = newIndex[v];
  const std::size_t dropped = mesh.positions.size() - kept;
  mesh.positions.resize(kept);
  return dropped;
}

/// As cleanMesh(); once cancelled, the mesh is cleaned in part.
MeshCleaning cleanUnlessCancelled(TriangleMesh& mesh, Real weldDistance,
                                  const std::atomic<bool>* cancelled) {
  NEARMISS_ASSERT(mesh.triangles.empty() || checkTriangles(mesh));
  MeshCleaning cleaning;

  // Weld every vertex to the earliest kept one in reach
  const Welding welding = weld(mesh, weldDistance, cancelled);
  cleaning.keptApart = welding.keptApart;
  for (std::uint32_t v = 0; v < mesh.positions.size(); ++v) {
    const std::uint32_t kept = welding.keptFor[v];
    cleaning.weldedVertices += kept != v;
    cleaning.weldedDistance =
        std::max(cleaning.weldedDistance, glm::distance(mesh.positions[kept], mesh.positions[v]));
  }
  for (Corners& t : mesh.triangles)
    for (std::uint32_t& v : t) v = welding.keptFor[v];

  // Drop triangles without area
  cleaning.degenerateTriangles = std::erase_if(mesh.triangles, [&](const Corners& t) {
    const Vec3 &a = mesh.positions[t[0]], &b = mesh.positions[t[1]], &c = mesh.positions[t[2]];
    if (!collinear(a, b, c)) return false;
    cleaning.longestDegenerate = std::max({cleaning.longestDegenerate, glm::distance(a, b),
                                           glm::distance(b, c), glm::distance(c, a)});
    return true;
  });

  // Drop repeated triangles
  const std::vector<char> duplicate = duplicatesAmong(mesh.triangles);
  std::size_t i = 0;
  cleaning.duplicateTriangles =
      std::erase_if(mesh.triangles, [&](const Corners&) { return duplicate[i++] != 0; });

  // Welded vertices are unused now too, but were counted above
  cleaning.unusedVertices = dropUnusedVertices(mesh) - cleaning.weldedVertices;
  return cleaning;
}

}  // namespace

MeshCleaning cleanMesh(TriangleMesh& mesh, Real weldDistance) {
  return cleanUnlessCancelled(mesh, weldDistance, nullptr);
}

Result<MeshCleaning> cleanMeshChecked(TriangleMesh& mesh, Real weldDistance,
                                      const std::atomic<bool>* cancelled) {
  if (!std::isfinite(weldDistance) || weldDistance < 0.0)
    return Error{ErrorCode::Unsupported, "the distance for welding is " + textOf(weldDistance) +
                                             ", but must be finite and not negative"};
  if (auto sound = checkTriangles(mesh); !sound) return sound.error();
  return orOutOfMemory("cannot clean the mesh", [&]() -> Result<MeshCleaning> {
    TriangleMesh cleaned = mesh;
    MeshCleaning cleaning = cleanUnlessCancelled(cleaned, weldDistance, cancelled);
    const WindingRepair repair = repairedWinding(cleaned, cancelled);
    if (wasCancelled(cancelled))
      return Error{ErrorCode::Cancelled, "cleaning the mesh was cancelled"};
    cleaning.turnedTriangles = repair.triangles;
    cleaning.facedInwards = repair.facedInwards;
    mesh = std::move(cleaned);
    return cleaning;
  });
}

Box boundingBox(const TriangleMesh& mesh) noexcept {
  Box box;
  for (const Vec3& p : mesh.positions) box.include(p);
  return box;
}

Real radiusAboutOrigin(const TriangleMesh& mesh) noexcept {
  Real square = 0.0;
  for (const Vec3& p : mesh.positions) square = std::max(square, glm::dot(p, p));
  // Three products, two sums and a root are off by less than four units in the last place
  return std::sqrt(square) * (1.0 + 0x1p-50);
}

std::uint64_t hashOf(const TriangleMesh& mesh) noexcept {
  std::uint64_t hash = mixed(0x6e6561726d697373u, mesh.positions.size());
  for (const Vec3& p : mesh.positions)
    for (int axis = 0; axis < 3; ++axis) hash = mixed(hash, std::bit_cast<std::uint64_t>(p[axis]));
  hash = mixed(hash, mesh.triangles.size());
  for (const Corners& t : mesh.triangles)
    hash = mixed(mixed(hash, std::uint64_t{t[0]} << 32 | t[1]), t[2]);
  hash ^= hash >> 28;
  hash *= 0x9fb21c651e98df25u;
  return hash ^ (hash >> 28);
}

}  // namespace nearmiss
