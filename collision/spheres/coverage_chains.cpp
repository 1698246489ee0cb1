// SPDX-License-Identifier: MIT
#include "spheres/coverage.h"

#include <nearmiss/detail/cancellation.h>

#include <algorithm>

#include "geometry/closest_points.h"
#include "spheres/triangle_clipping.h"

namespace nearmiss {
namespace {

/// Corners must lie inside by this share of the radius, so that the rounding of midpoints and
/// distances cannot hide a gap.
constexpr Real chainStrictness = 1e-12;

}  // namespace

CoverageChains::CoverageChains(const SphereTree& tree, const TriangleMesh& mesh,
                               const std::atomic<bool>* cancelled)
    : tree_(tree), mesh_(mesh), cancelled_(cancelled) {
  const SphereTree::Data& data = tree.data();
  // Find the parents of each pack, and the slots of each sphere. Only identities count as parents,
  // because the other slots of a sphere have the same children
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
  turnRound(slotBegin_, slots_, [&](SphereId id, const auto& found) { found(tree.identity(id)); });

  failedIn_.assign(spheres, 0);

  // Invert the lists of the leaves: which leaves list a triangle
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

/// Returns true if a chain from `id` up to the root contains all corners; chain_ is then complete.
bool CoverageChains::holds(SphereId id, const Triangle& corners) {
  // If many parents share a sphere, it is visited again and still has no chain
  if (failedIn_[id] == piecesTried_) return false;
  // A ball or box that contains the corners contains the triangle. Test the leaf first, because it
  // is the smallest
  const Sphere sphere = tree_.sphere(id);
  const Real reach = sphere.radius * (1.0 - chainStrictness);
  for (const Vec3& corner : corners)
    if (glm::distance(corner, sphere.centre) > reach) return false;
  if (const NodeBox* box = tree_.data().boxes.find(id))
    for (const Vec3& corner : corners)
      if (box->excess(corner) > -chainStrictness * sphere.radius) return false;
  chain_.push_back(id);
  if (id / SpherePack::width == 0) return true;
  for (std::size_t i = slotBegin_[id]; i < slotBegin_[id + 1]; ++i) {
    const std::size_t pack = slots_[i] / SpherePack::width;
    for (std::size_t k = parentBegin_[pack]; k < parentBegin_[pack + 1]; ++k)
      if (holds(parents_[k], corners)) return true;
  }
  chain_.pop_back();
  failedIn_[id] = piecesTried_;
  return false;
}

bool CoverageChains::covered(const Piece& piece, const Report& report) {
  ++piecesTried_;
  best_.clear();
  Real depth = 0.0;
  for (std::size_t i = piece.leavesBegin; i < piece.leavesEnd; ++i) {
    chain_.clear();
    if (!holds(candidates_[i], piece.corners)) continue;
    if (!report) return true;
    const Sphere leaf = tree_.sphere(candidates_[i]);
    Real farthest = 0.0;
    for (const Vec3& corner : piece.corners)
      farthest = std::max(farthest, glm::distance(corner, leaf.centre));
    const Real outside = farthest * farthest - leaf.radius * leaf.radius;
    if (!best_.empty() && outside >= depth) continue;
    best_ = chain_;
    depth = outside;
  }
  if (best_.empty()) return false;
  report(piece.corners, best_);
  return true;
}

/// Halves the longest edge. Each part keeps only the leaves that reach it.
void CoverageChains::split(const Piece& piece) {
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
      if (glm::distance(sphere.centre, centre) <=
          (sphere.radius + radius) * (1.0 + chainStrictness))
        candidates_.push_back(SphereId{candidates_[i]});
    }
    part.leavesEnd = candidates_.size();
    open_.push_back(part);
  }
}

std::size_t CoverageChains::uncovered(std::uint32_t triangle, std::size_t most, Vec3& where,
                                      const Report& report) {
  // Enough to split a piece about thirty times around every point where leaves meet
  const auto leaves = leavesOf(triangle);
  return search(triangle, leaves, {nullptr, 4096 + 4096 * leaves.size(), most}, where, report);
}

bool CoverageChains::covered(std::uint32_t triangle, const Sphere& ball,
                             std::span<const SphereId> leaves) {
  constexpr std::size_t littleEffort = 500;
  Vec3 where;
  return search(triangle, leaves, {&ball, littleEffort, 1}, where, {}) == 0;
}

std::size_t CoverageChains::search(std::uint32_t triangle, std::span<const SphereId> leaves,
                                   Effort effort, Vec3& where, const Report& report) {
  candidates_.assign(leaves.begin(), leaves.end());
  open_.assign(1, {mesh_.corners(triangle), 0, candidates_.size()});
  std::size_t found = 0;
  while (!open_.empty() && found < effort.most) {
    if (wasCancelled(cancelled_)) return found + 1;
    const Piece piece = open_.back();
    open_.pop_back();
    candidates_.resize(piece.leavesEnd);
    const Sphere* ball = effort.ball;
    if (ball && glm::distance(closestOnTriangle(ball->centre, piece.corners), ball->centre) >
                    ball->radius * (1.0 + chainStrictness))
      continue;
    if (covered(piece, report)) continue;
    if (piece.leavesBegin < piece.leavesEnd && effort.splits > 0) {
      --effort.splits;
      split(piece);
      continue;
    }
    if (found++ == 0) where = piece.corners[0];
  }
  return found;
}

}  // namespace nearmiss
