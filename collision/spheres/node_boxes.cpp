// SPDX-License-Identifier: MIT
#include "spheres/node_boxes.h"

#include <nearmiss/detail/assertion.h>
#include <nearmiss/detail/cancellation.h>

#include <Eigen/Core>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numbers>
#include <numeric>
#include <optional>
#include <span>
#include <vector>

#include "base/parallel_for.h"
#include "spheres/coverage.h"
#include "spheres/point_grid.h"
#include "spheres/sphere_packing.h"
#include "spheres/surface_samples.h"

namespace nearmiss {
namespace {

constexpr std::size_t cornerDirections = 64;
constexpr int boxTurns = 12, refinements = 6;
/// A rough box pays off if it is thinner than this share of its ball.
constexpr Real thinRatio = 0.6;

using Axes = std::array<Vec3, 3>;

Eigen::Vector3d eigen(const Vec3& v) noexcept { return {v.x, v.y, v.z}; }

/// Returns the eigenvectors of a symmetric matrix of any scale, by ascending eigenvalue.
Axes eigenvectors(const Eigen::Matrix3d& m) {
  const Real trace = m.trace();
  if (!(trace > 0.0)) return {Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(0, 0, 1)};
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> solver(m / trace);
  Axes axes;
  for (int k = 0; k < 3; ++k) {
    const Eigen::Vector3d axis = solver.eigenvectors().col(k).normalized();
    axes[static_cast<std::size_t>(k)] = Vec3(axis[0], axis[1], axis[2]);
  }
  return axes;
}

/// Returns axes along which the pieces extend, and their predominant normals, in increasing order.
std::array<Vec3, 6> suggestedNormals(std::span<const Triangle> pieces) {
  Vec3 middle(0.0);
  Real area = 0.0;
  for (const Triangle& p : pieces) {
    const Real own = glm::length(glm::cross(p[1] - p[0], p[2] - p[0]));
    middle += own * (p[0] + p[1] + p[2]) / 3.0;
    area += own;
  }
  middle = area > 0.0 ? middle / area : pieces[0][0];
  Eigen::Matrix3d spread = Eigen::Matrix3d::Zero(), facing = Eigen::Matrix3d::Zero();
  for (const Triangle& p : pieces) {
    const Eigen::Vector3d normal = eigen(glm::cross(p[1] - p[0], p[2] - p[0]));
    const Real own = normal.norm();
    for (const Vec3& corner : p) {
      const Eigen::Vector3d from = eigen(corner - middle);
      spread += own * from * from.transpose();
    }
    if (own > 0.0) facing += normal * normal.transpose() / own;
  }
  const Axes along = eigenvectors(spread), across = eigenvectors(facing);
  return {along[0], along[1], along[2], across[0], across[1], across[2]};
}

/// Returns the corners that lie farthest in some of many directions, which nearly span all corners.
/// Small sets are returned unchanged.
std::vector<Vec3> farthestCorners(std::span<const Vec3> corners) {
  if (corners.size() <= cornerDirections) return {corners.begin(), corners.end()};
  std::vector<Vec3> spanning;
  for (std::size_t k = 0; k < cornerDirections; ++k) {
    const Vec3 share = evenPoint(k);
    const Real z = 2.0 * share.x - 1.0, around = 2.0 * std::numbers::pi * share.y;
    const Real r = std::sqrt(1.0 - z * z);
    const Vec3 direction(r * std::cos(around), r * std::sin(around), z);
    Real most = -std::numeric_limits<Real>::infinity();
    Vec3 farthest(0.0);
    for (const Vec3& corner : corners)
      if (const Real reach = glm::dot(direction, corner); reach > most) {
        most = reach;
        farthest = corner;
      }
    spanning.push_back(farthest);
  }
  return spanning;
}

/// Returns the surface of the box along these axes around the corners, up to a factor.
Real surfaceAlong(const Axes& axes, std::span<const Vec3> corners) {
  std::array<Real, 3> extent;
  for (std::size_t k = 0; k < 3; ++k) {
    Real low = std::numeric_limits<Real>::infinity(), high = -low;
    for (const Vec3& corner : corners) {
      const Real at = glm::dot(axes[k], corner);
      low = std::min(low, at);
      high = std::max(high, at);
    }
    extent[k] = high - low;
  }
  return extent[0] * extent[1] + extent[1] * extent[2] + extent[2] * extent[0];
}

/// Returns axes with one along a unit vector, rotated about it by an angle.
Axes axesAbout(const Vec3& normal, Real angle) {
  const Vec3 least = std::abs(normal.x) < 0.6 ? Vec3(1, 0, 0) : Vec3(0, 1, 0);
  const Vec3 u = glm::normalize(glm::cross(normal, least));
  const Vec3 v = glm::cross(normal, u);
  const Real c = std::cos(angle), s = std::sin(angle);
  return {normal, c * u + s * v, c * v - s * u};
}

Axes bestAxes(std::span<const Triangle> pieces, std::span<const Vec3> allCorners) {
  const std::vector<Vec3> corners = farthestCorners(allCorners);
  Axes best{Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(0, 0, 1)};
  Real least = surfaceAlong(best, corners);
  for (const Vec3& normal : suggestedNormals(pieces)) {
    Real step = 0.5 * std::numbers::pi / boxTurns;
    Real angle = 0.0, own = std::numeric_limits<Real>::infinity();
    const auto attempt = [&](Real at) {
      const Axes axes = axesAbout(normal, at);
      const Real surface = surfaceAlong(axes, corners);
      if (surface < own) {
        own = surface;
        angle = at;
      }
      if (surface < least) {
        least = surface;
        best = axes;
      }
    };
    for (int turn = 0; turn < boxTurns; ++turn) attempt(turn * step);
    for (int round = 0; round < refinements; ++round) {
      step *= 0.5;
      const Real from = angle;
      attempt(from - step);
      attempt(from + step);
    }
  }
  return best;
}

}  // namespace

NodeBox orderedBox(const std::array<Vec3, 3>& axes, const Vec3& centre,
                   const std::array<Real, 3>& half, Real margin) noexcept {
  std::array<std::size_t, 3> order{0, 1, 2};
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return half[a] != half[b] ? half[a] < half[b] : a < b;
  });
  NodeBox box;
  for (int k = 0; k < 3; ++k) {
    box.centre[k] = static_cast<float>(centre[k]);
    const std::size_t from = order[static_cast<std::size_t>(k)];
    box.half[k] = floatAtLeast(half[from] + margin);
    for (int i = 0; i < 3; ++i) box.axis[k][i] = static_cast<float>(axes[from][i]);
  }
  return box;
}

namespace {

/// Returns the box along these axes around the corners, widened by `margin`.
NodeBox boxAlong(Axes axes, std::span<const Vec3> corners, Real margin) {
  for (Vec3& axis : axes) axis = roundedToFloat(axis);

  // Compute the middle along each axis, then all distances from the middle as stored
  Vec3 low(std::numeric_limits<Real>::infinity()), high = -low;
  for (const Vec3& corner : corners)
    for (int k = 0; k < 3; ++k) {
      const Real at = glm::dot(axes[static_cast<std::size_t>(k)], corner);
      low[k] = std::min(low[k], at);
      high[k] = std::max(high[k], at);
    }
  Vec3 centre(0.0);
  for (int k = 0; k < 3; ++k)
    centre += 0.5 * (low[k] + high[k]) * axes[static_cast<std::size_t>(k)];
  centre = roundedToFloat(centre);
  std::array<Real, 3> half{};
  for (const Vec3& corner : corners)
    for (std::size_t k = 0; k < 3; ++k)
      half[k] = std::max(half[k], std::abs(glm::dot(axes[k], corner - centre)));

  return orderedBox(axes, centre, half, margin);
}

/// Margin of a box, relative to the radius, so that a check in floating-point arithmetic finds all
/// contents inside.
constexpr Real boxMargin = 1e-11;

/// Far from the origin, rounding makes the box of a few tiny pieces larger than their ball. Leaves
/// room for the rounding errors of a tree that is scaled.
bool fits(const NodeBox& box, const Sphere& ball) noexcept {
  return isBoxFor(box, {ball.centre, 0.99 * ball.radius});
}

}  // namespace

NodeBox fitBox(std::span<const Triangle> pieces, Real margin) {
  NEARMISS_ASSERT(!pieces.empty());
  DistinctPoints distinct;
  distinct.start(3 * pieces.size());
  for (const Triangle& piece : pieces)
    for (const Vec3& corner : piece) distinct.add(corner);
  const std::span<const Vec3> corners = distinct.points();
  return boxAlong(bestAxes(pieces, corners), corners, margin);
}

NodeBox fitBoxRoughly(std::span<const Triangle> pieces, Real margin) {
  NEARMISS_ASSERT(!pieces.empty());
  std::vector<Vec3> corners;
  corners.reserve(3 * pieces.size());
  for (const Triangle& piece : pieces) corners.insert(corners.end(), piece.begin(), piece.end());
  const std::array<Vec3, 6> normals = suggestedNormals(pieces);
  Axes best{Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(0, 0, 1)};
  Real least = surfaceAlong(best, corners);
  for (const std::size_t first : {std::size_t{0}, std::size_t{3}}) {
    const Axes axes{normals[first], normals[first + 1], normals[first + 2]};
    const Real surface = surfaceAlong(axes, corners);
    if (surface >= least) continue;
    least = surface;
    best = axes;
  }
  return boxAlong(best, corners, margin);
}

NodeBox boxAlong(const NodeBox& axes, std::span<const Vec3> corners) {
  return boxAlong(Axes{axes.direction(0), axes.direction(1), axes.direction(2)}, corners, 0.0);
}

std::optional<NodeBox> roughBox(std::span<const Triangle> pieces, const Sphere& ball) {
  const NodeBox box = fitBoxRoughly(pieces, boxMargin * ball.radius);
  const bool pays = Real{box.half[0]} <= thinRatio * ball.radius;
  return pays && fits(box, ball) ? std::optional(box) : std::nullopt;
}

namespace {

/// Pieces of the surface and the chains that cover them.
struct Partition {
  std::vector<Triangle> pieces;
  std::vector<std::size_t> chainBegin{0};
  std::vector<SphereId> chains;  ///< concatenated chains, root first

  void add(const Triangle& piece, std::span<const SphereId> leafFirst) {
    pieces.push_back(piece);
    chains.insert(chains.end(), leafFirst.rbegin(), leafFirst.rend());
    chainBegin.push_back(chains.size());
  }
  /// Returns the sphere of level `l` in the chain of a piece, if the chain is that long.
  [[nodiscard]] std::optional<SphereId> sphereAt(std::size_t piece, std::size_t l) const {
    const std::size_t at = chainBegin[piece] + l;
    return at < chainBegin[piece + 1] ? std::optional(chains[at]) : std::nullopt;
  }
};

/// Returns the Hausdorff distance of the part of a box within a ball, estimated at 27 points of the
/// box that are moved into the ball.
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

/// Fits boxes for the spheres of one level.
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

  // Fit boxes, and keep those that pay off
  std::vector<std::optional<NodeBox>> found(begin.size() - 1);
  parallelFor(found.size(), workers, [&](std::size_t n, int) {
    const SphereId id = *partition.sphereAt(order[begin[n]], level);
    const Sphere ball = tree.sphere(id);
    std::vector<Triangle> pieces;
    for (std::size_t i = begin[n]; i < begin[n + 1]; ++i)
      pieces.push_back(partition.pieces[order[i]]);
    const NodeBox box = fitBox(pieces, boxMargin * ball.radius);
    if (fits(box, ball) && tree.hausdorff(id) >= ratio * hausdorffOf(box, ball, polyhedron))
      found[n] = box;
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

  // Find which sphere of each level covers which piece of the surface
  CoverageChains chains(tree, polyhedron.mesh(), cancellationOf(progress));
  Partition partition;
  const std::size_t triangles = polyhedron.mesh().triangles.size();
  for (std::uint32_t t = 0; t < triangles; ++t) {
    Vec3 where(0.0);
    const std::size_t uncovered =
        chains.uncovered(t, 1, where, [&](const Triangle& piece, std::span<const SphereId> chain) {
          partition.add(piece, chain);
        });
    if (wasCancelled(progress)) return Error{ErrorCode::Cancelled, "the build was cancelled"};
    if (uncovered > 0)
      return Error{ErrorCode::Unsupported, "cannot fit boxes: triangle " + std::to_string(t) +
                                               " is not proven to be covered"};
    if (progress) progress->advance(t, triangles);
  }

  NodeBoxes all;
  all.boxOf.assign(tree.data().packs.size() * SpherePack::width, NodeBoxes::none);
  for (std::size_t level = 1; level < static_cast<std::size_t>(tree.levelCount()); ++level) {
    fitLevel(tree, polyhedron, partition, level, ratio, workers, all);
    if (wasCancelled(progress)) return Error{ErrorCode::Cancelled, "the build was cancelled"};
  }
  if (all.boxes.empty()) return NodeBoxes{};
  // A sphere of a DAG has its box at all of its slots
  for (SphereId id = 0; id < all.boxOf.size(); ++id) all.boxOf[id] = all.boxOf[tree.identity(id)];
  return all;
}

}  // namespace nearmiss
