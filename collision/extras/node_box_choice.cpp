// SPDX-License-Identifier: MIT
#include "extras/node_box_choice.h"

#include <nearmiss/assertion.h>

#include "coverage/coverage_chains.h"
#include "extras/box_fitting.h"
#include "sampling/parallel_for.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <optional>
#include <span>
#include <vector>

namespace nearmiss {
namespace {

/// Of the radius: what a box has to spare, so that a check in rounded arithmetic finds all in it.
constexpr Real margin = 1e-11;

/// Pieces of the surface and the chains that cover them.
struct Partition {
  std::vector<Triangle> pieces;
  std::vector<std::size_t> chainBegin{0};
  std::vector<SphereId> chains;  ///< the root first, one after the other

  void add(const Triangle& piece, std::span<const SphereId> leafFirst) {
    pieces.push_back(piece);
    chains.insert(chains.end(), leafFirst.rbegin(), leafFirst.rend());
    chainBegin.push_back(chains.size());
  }
  /// The sphere of level `l` on the way to a piece, if the way is that long.
  [[nodiscard]] std::optional<SphereId> sphereAt(std::size_t piece, std::size_t l) const {
    const std::size_t at = chainBegin[piece] + l;
    return at < chainBegin[piece + 1] ? std::optional(chains[at]) : std::nullopt;
  }
};

/// The Hausdorff distance of the part of a box within a ball, estimated at 27 points of the box
/// that are moved into the ball.
Real hausdorffOf(const NodeBox& box, const Sphere& ball, const Polyhedron& polyhedron) {
  Real farthest = 0.0;
  for (int i = 0; i < 27; ++i) {
    const int sign[3] = {i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1};
    Vec3 point = box.middle();
    for (int k = 0; k < 3; ++k) point += Real{box.half[k]} * sign[k] * box.direction(k);
    const Real away = glm::distance(point, ball.centre);
    if (away > ball.radius) point = ball.centre + ball.radius / away * (point - ball.centre);
    farthest = std::max(farthest, polyhedron.nearest(point).distance);
  }
  return farthest;
}

/// Gives boxes to the spheres of one level.
void fitLevel(const SphereTree& tree, const Polyhedron& polyhedron, const Partition& partition,
              std::size_t level, Real ratio, int workers, NodeBoxes& all) {
  // Sort the pieces by the spheres of the level
  std::vector<std::uint32_t> order(partition.pieces.size());
  std::iota(order.begin(), order.end(), 0u);
  std::erase_if(order, [&](std::uint32_t i) { return !partition.sphereAt(i, level); });
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return *partition.sphereAt(a, level) < *partition.sphereAt(b, level);
  });
  std::vector<std::size_t> begin;
  for (std::size_t i = 0; i < order.size(); ++i)
    if (i == 0 || partition.sphereAt(order[i], level) != partition.sphereAt(order[i - 1], level))
      begin.push_back(i);
  begin.push_back(order.size());

  // Fit, and keep where it pays
  std::vector<std::optional<NodeBox>> found(begin.size() - 1);
  parallelFor(found.size(), workers, [&](std::size_t n, int) {
    const SphereId id = *partition.sphereAt(order[begin[n]], level);
    const Sphere ball = tree.sphere(id);
    std::vector<Triangle> pieces;
    for (std::size_t i = begin[n]; i < begin[n + 1]; ++i)
      pieces.push_back(partition.pieces[order[i]]);
    const NodeBox box = fitBox(pieces, margin * ball.radius);
    if (tree.hausdorff(id) >= ratio * hausdorffOf(box, ball, polyhedron)) found[n] = box;
  });
  for (std::size_t n = 0; n < found.size(); ++n) {
    if (!found[n]) continue;
    all.boxOf[*partition.sphereAt(order[begin[n]], level)] =
        static_cast<std::uint32_t>(all.boxes.size());
    all.boxes.push_back(*found[n]);
  }
}

}  // namespace

Result<NodeBoxes> fitNodeBoxes(const SphereTree& tree, const Polyhedron& polyhedron, Real ratio,
                               int workers, BuildProgress* progress) {
  NEARMISS_ASSERT(ratio > 0.0 && workers >= 1, ratio, workers);
  if (progress) progress->enter(BuildStage::Boxes);

  // Which sphere of each level covers which piece of the surface
  CoverageChains chains(tree, polyhedron.mesh());
  Partition partition;
  const std::size_t triangles = polyhedron.mesh().triangles.size();
  for (std::uint32_t t = 0; t < triangles; ++t) {
    Vec3 where(0.0);
    const std::size_t uncovered =
        chains.uncovered(t, 1, where, [&](const Triangle& piece, std::span<const SphereId> chain) {
          partition.add(piece, chain);
        });
    if (uncovered > 0)
      return Error{ErrorCode::Unsupported, "cannot fit boxes: triangle " + std::to_string(t) +
                                               " is not proven to be covered"};
    if (progress) {
      if (progress->cancelled) return Error{ErrorCode::Cancelled, "the build was cancelled"};
      progress->fraction = static_cast<float>(t) / static_cast<float>(triangles);
    }
  }

  NodeBoxes all;
  all.boxOf.assign(tree.data().packs.size() * SpherePack::width, NodeBoxes::none);
  for (std::size_t level = 1; level < static_cast<std::size_t>(tree.levelCount()); ++level) {
    fitLevel(tree, polyhedron, partition, level, ratio, workers, all);
    if (progress && progress->cancelled)
      return Error{ErrorCode::Cancelled, "the build was cancelled"};
  }
  if (all.boxes.empty()) return NodeBoxes{};
  // A sphere of a DAG has its box at all of its slots
  for (SphereId id = 0; id < all.boxOf.size(); ++id) all.boxOf[id] = all.boxOf[tree.identity(id)];
  return all;
}

}  // namespace nearmiss
