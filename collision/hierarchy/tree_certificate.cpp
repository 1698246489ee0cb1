// SPDX-License-Identifier: MIT
#include <nearmiss/sphere_tree_builder.h>
#include <nearmiss/triangle_intersection.h>

#include "hierarchy/farthest_point.h"
#include "hierarchy/triangle_halves.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace nearmiss {
namespace {

/// Of the radius: corners must lie this far inside, so that the rounding of midpoints and distances
/// cannot make a gap look closed.
constexpr Real strictness = 1e-12;
/// Of the radius: how precisely H is measured against the stored one.
constexpr Real measureTolerance = 1e-3;

std::string textOf(const Vec3& p) {
  return "(" + std::to_string(p.x) + ", " + std::to_string(p.y) + ", " + std::to_string(p.z) + ")";
}

/// Proves or denies coverage, a triangle at a time. Knows nothing of how the tree was built.
class CoverageCheck {
 public:
  CoverageCheck(const SphereTree& tree, const TriangleMesh& mesh);

  /// The number of pieces of `triangle` for which no chain was found; where the first one is.
  std::size_t uncovered(std::uint32_t triangle, Vec3& where);

 private:
  /// A part of the triangle, with the leaves that could hold some of it.
  struct Piece {
    Triangle corners;
    std::size_t leavesBegin = 0, leavesEnd = 0;  ///< range in candidates_
  };
  [[nodiscard]] bool holds(SphereId id, const Triangle& corners) const;
  [[nodiscard]] bool covered(const Piece& piece) const;
  void split(const Piece& piece);

  static constexpr std::size_t mostUncovered = 1000;

  const SphereTree& tree_;
  const TriangleMesh& mesh_;
  std::vector<std::size_t> parentBegin_;  ///< per pack of children, ranges in parents_
  std::vector<SphereId> parents_;         ///< several in a DAG
  std::vector<std::size_t> placeBegin_;   ///< per identity, ranges in places_
  std::vector<SphereId> places_;          ///< where a sphere lies
  std::vector<std::size_t> listBegin_;
  std::vector<SphereId> leavesOf_;  ///< per triangle, ranges from listBegin_
  std::vector<Piece> open_;
  std::vector<SphereId> candidates_;  ///< a stack beside open_
};

CoverageCheck::CoverageCheck(const SphereTree& tree, const TriangleMesh& mesh)
    : tree_(tree), mesh_(mesh) {
  const SphereTree::Data& data = tree.data();
  // Who has a pack among its children, and where a sphere lies. Only identities count as parents:
  // the other places of a sphere have the same children
  const auto spheres = static_cast<SphereId>(data.packs.size() * SpherePack::width);
  const auto turnRound = [spheres](std::vector<std::size_t>& begin, std::vector<SphereId>& list,
                                   const auto& forEach) {
    begin.assign(std::size_t{spheres} + 1, 0);
    for (SphereId id = 0; id < spheres; ++id)
      forEach(id, [&](std::size_t key) { ++begin[key + 1]; });
    for (std::size_t key = 1; key < begin.size(); ++key) begin[key] += begin[key - 1];
    list.resize(begin.back());
    std::vector<std::size_t> end(begin.begin(), begin.end() - 1);
    for (SphereId id = 0; id < spheres; ++id)
      forEach(id, [&](std::size_t key) { list[end[key]++] = id; });
  };
  turnRound(parentBegin_, parents_, [&](SphereId id, const auto& found) {
    if (tree.identity(id) != id) return;
    const std::uint32_t first =
        data.links[id / SpherePack::width].childPack[id % SpherePack::width];
    for (std::uint32_t i = 0; i < tree.childPackCount(id); ++i) found(first + i);
  });
  turnRound(placeBegin_, places_,
            [&](SphereId id, const auto& found) { found(tree.identity(id)); });

  // Turn the lists of the leaves round: which leaves list a triangle
  listBegin_.assign(mesh.triangles.size() + 1, 0);
  for (const std::uint32_t t : data.leafTriangles) ++listBegin_[t + 1];
  for (std::size_t t = 1; t < listBegin_.size(); ++t) listBegin_[t] += listBegin_[t - 1];
  leavesOf_.resize(data.leafTriangles.size());
  std::vector<std::size_t> end(listBegin_.begin(), listBegin_.end() - 1);
  for (SphereId id = 0; id < spheres; ++id) {
    if (tree.identity(id) != id) continue;
    for (const std::uint32_t t : tree.trianglesOf(id)) leavesOf_[end[t]++] = id;
  }
}

/// Whether a chain of spheres from `id` up to the root holds all corners.
bool CoverageCheck::holds(SphereId id, const Triangle& corners) const {
  // A ball that holds the corners holds the triangle; from the leaf up, because the leaf is least
  const Sphere sphere = tree_.sphere(id);
  const Real reach = sphere.radius * (1.0 - strictness);
  for (const Vec3& corner : corners)
    if (glm::distance(corner, sphere.centre) > reach) return false;
  if (id / SpherePack::width == 0) return true;
  for (std::size_t i = placeBegin_[id]; i < placeBegin_[id + 1]; ++i) {
    const std::size_t pack = places_[i] / SpherePack::width;
    for (std::size_t k = parentBegin_[pack]; k < parentBegin_[pack + 1]; ++k)
      if (holds(parents_[k], corners)) return true;
  }
  return false;
}

bool CoverageCheck::covered(const Piece& piece) const {
  for (std::size_t i = piece.leavesBegin; i < piece.leavesEnd; ++i)
    if (holds(candidates_[i], piece.corners)) return true;
  return false;
}

/// Halves the longest edge. Of the leaves only those go on that reach the part.
void CoverageCheck::split(const Piece& piece) {
  for (const Triangle& corners : halves(piece.corners)) {
    Piece part;
    part.corners = corners;
    const Vec3 centre = (part.corners[0] + part.corners[1] + part.corners[2]) / 3.0;
    Real radius = 0.0;
    for (const Vec3& corner : part.corners)
      radius = std::max(radius, glm::distance(corner, centre));
    part.leavesBegin = candidates_.size();
    for (std::size_t i = piece.leavesBegin; i < piece.leavesEnd; ++i) {
      const Sphere sphere = tree_.sphere(candidates_[i]);
      if (glm::distance(sphere.centre, centre) <= (sphere.radius + radius) * (1.0 + strictness))
        candidates_.push_back(SphereId{candidates_[i]});
    }
    part.leavesEnd = candidates_.size();
    open_.push_back(part);
  }
}

std::size_t CoverageCheck::uncovered(std::uint32_t triangle, Vec3& where) {
  const auto leaves = std::span(leavesOf_).subspan(listBegin_[triangle],
                                                   listBegin_[triangle + 1] - listBegin_[triangle]);
  candidates_.assign(leaves.begin(), leaves.end());
  open_.assign(1, {mesh_.corners(triangle), 0, candidates_.size()});

  // Enough to split a piece around every point where leaves meet some thirty times
  std::size_t splitsLeft = 4096 + 4096 * leaves.size();
  std::size_t found = 0;
  while (!open_.empty() && found < mostUncovered) {
    const Piece piece = open_.back();
    open_.pop_back();
    candidates_.resize(piece.leavesEnd);
    if (covered(piece)) continue;
    if (piece.leavesBegin < piece.leavesEnd && splitsLeft > 0) {
      --splitsLeft;
      split(piece);
      continue;
    }
    if (found++ == 0) where = piece.corners[0];
  }
  return found;
}

}  // namespace

SphereTreeCertificate checkSphereTree(const SphereTree& tree, const Polyhedron& polyhedron) {
  SphereTreeCertificate verdict;
  const TriangleMesh& mesh = polyhedron.mesh();
  const auto complain = [&verdict](std::string sentence) {
    if (verdict.complaint.empty()) verdict.complaint = std::move(sentence);
  };
  if (const char* fault =
          SphereTree::validate(tree.data(), static_cast<std::uint32_t>(mesh.triangles.size()))) {
    complain(std::string("the tree is malformed: ") + fault);
    return verdict;
  }

  // Every point of the surface must have a chain of spheres
  CoverageCheck coverage(tree, mesh);
  for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t) {
    Vec3 where{0.0};
    const std::size_t uncovered = coverage.uncovered(t, where);
    verdict.uncoveredPieces += uncovered;
    if (uncovered > 0)
      complain("triangle " + std::to_string(t) + " is not proven to be covered near " +
               textOf(where));
  }
  verdict.covers = verdict.uncoveredPieces == 0;

  // No point of a ball may be farther from the surface than its H
  FarthestPointSearch farthest(polyhedron);
  std::vector<SphereId> spheres;
  for (int level = 0; level < tree.levelCount(); ++level) {
    tree.spheresOf(level, spheres);
    for (const SphereId id : spheres) {
      const Sphere ball = tree.sphere(id);
      const Real stored = tree.hausdorff(id);
      const DistanceRange measured = farthest.search(ball, measureTolerance * ball.radius, stored);
      if (measured.atLeast <= stored) continue;
      ++verdict.brokenBounds;
      complain("sphere " + std::to_string(id) + " has a point " + std::to_string(measured.atLeast) +
               " m from the surface, but stores " + std::to_string(stored) + " m");
    }
  }
  verdict.bounds = verdict.brokenBounds == 0;

  // What proves contact must lie inside
  std::string outside;
  verdict.brokenInner = checkInnerSpheres(tree.data().inner, polyhedron, outside);
  if (verdict.brokenInner > 0) complain(std::move(outside));
  return verdict;
}

}  // namespace nearmiss
