// SPDX-License-Identifier: MIT
#include "rivals/anchored.h"

#include <nearmiss/detail/cancellation.h>
#include <nearmiss/rivals/tree_builders.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "base/parallel_for.h"
#include "base/range_check.h"
#include "geometry/closest_points.h"
#include "spheres/distance_field.h"
#include "spheres/point_grid.h"
#include "spheres/surface_samples.h"
#include "spheres/usual_size.h"
#include "spheres/winding_field.h"

namespace nearmiss {
namespace {

/// Relative to the spacing: distance at which a point forms a ball.
constexpr Real touchShare = 0.1;
/// Relative to the spacing: how far ties extend beyond shared points.
constexpr Real tieRange = 2.0;

class AnchoredBuild {
 public:
  AnchoredBuild(const Polyhedron& polyhedron, int workers, BuildProgress* progress)
      : polyhedron_(polyhedron),
        workers_(workers),
        progress_(progress),
        field_(polyhedron.mesh()) {}

  MedialAxis run(std::size_t count);

 private:
  [[nodiscard]] bool cancelled() const noexcept { return wasCancelled(progress_); }
  void shrinkAll();
  void shrinkToSurface(const Vec3& anchor, const Vec3& normal, Sphere& ball) const;
  void keepLargest();
  void connect();
  void tie(std::vector<std::uint32_t> MedialSphere::*list, std::uint32_t a, std::uint32_t b) {
    if (a == b) return;
    (axis_.spheres[a].*list).push_back(b);
    (axis_.spheres[b].*list).push_back(a);
  }

  const Polyhedron& polyhedron_;
  int workers_;
  BuildProgress* progress_;
  DistanceField field_;
  MedialAxis axis_;
  Real spacing_ = 0.0;
  std::vector<Vec3> positions_;
  std::vector<Sphere> balls_;                          ///< per point
  std::vector<std::vector<std::uint32_t>> spheresOf_;  ///< per point
};

MedialAxis AnchoredBuild::run(std::size_t count) {
  if (progress_) progress_->enter(BuildStage::Points);
  axis_.points = evenPoints(polyhedron_.mesh(), count, cancellationOf(progress_));
  if (cancelled()) return {};
  if (progress_) progress_->enter(BuildStage::Axis);
  spacing_ = evenSpacing(polyhedron_.mesh(), count);
  positions_ = positionsOf(axis_.points);
  addNormals(polyhedron_.mesh(), axis_);
  shrinkAll();
  if (!cancelled()) keepLargest();
  if (cancelled()) return {};
  addPointSpheres(axis_, spheresOf_);
  connect();
  if (cancelled()) return {};
  sortNeighbours(axis_);
  return std::move(axis_);
}

void AnchoredBuild::shrinkAll() {
  const WindingField winding(polyhedron_.mesh());
  // No ball inside is larger, except for what the points miss
  const Real most = 2.0 * polyhedron_.radius();
  balls_.resize(positions_.size());
  parallelFor(positions_.size(), workers_, [&](std::size_t p, int) {
    if (cancelled()) return;
    balls_[p] = anchoredBall(positions_[p], axis_.normals[p], positions_, most);
    if (balls_[p].radius > 0.0) shrinkToSurface(positions_[p], axis_.normals[p], balls_[p]);
    if (!winding.inside(balls_[p].centre)) balls_[p] = {positions_[p], 0.0};
  });
}

/// Between the points a thin part may extend into the ball. The nearest surface point then limits
/// it likewise.
void AnchoredBuild::shrinkToSurface(const Vec3& anchor, const Vec3& normal, Sphere& ball) const {
  constexpr int rounds = 30;
  constexpr Real enough = 1.0 - 1e-3;
  std::uint32_t witness = 0;
  for (int round = 0; round < rounds; ++round) {
    if (Real{field_.distance(ball.centre, witness, 0.0f)} >= enough * ball.radius) return;
    const auto corners = polyhedron_.mesh().corners(field_.triangleOf(witness));
    const Vec3 nearest[] = {anchor, closestOnTriangle(ball.centre, corners)};
    const Sphere smaller = anchoredBall(anchor, normal, nearest, ball.radius);
    // Limited by the surface next to the anchor itself
    if (!(smaller.radius > 0.0)) return;
    ball = smaller;
  }
}

/// Keeps balls in order of decreasing size. Drops a ball whose anchor already forms a kept one,
/// because it adds nothing.
void AnchoredBuild::keepLargest() {
  spheresOf_.resize(positions_.size());
  std::vector<std::uint32_t> order(positions_.size());
  std::iota(order.begin(), order.end(), 0u);
  std::ranges::sort(order, [this](std::uint32_t a, std::uint32_t b) {
    return std::pair(-balls_[a].radius, a) < std::pair(-balls_[b].radius, b);
  });
  for (const std::uint32_t anchor : order) {
    if (balls_[anchor].radius <= 0.0 || cancelled()) return;
    if (!spheresOf_[anchor].empty()) continue;
    const auto own = static_cast<std::uint32_t>(axis_.spheres.size());
    MedialSphere& sphere = axis_.spheres.emplace_back();
    sphere.ball = balls_[anchor];
    const Real reach = sphere.ball.radius + touchShare * spacing_;
    for (std::uint32_t p = 0; p < positions_.size(); ++p) {
      if (p != anchor && glm::distance(positions_[p], sphere.ball.centre) > reach) continue;
      sphere.points.push_back(p);
      spheresOf_[p].push_back(own);
    }
  }
}

/// Makes balls neighbours if they share a point. For nearby points without a ball inside, their
/// first balls are neighbours; the first balls of all nearby points are tied as far neighbours.
void AnchoredBuild::connect() {
  const PointGrid grid(positions_, spacing_);
  const Real reach = tieRange * spacing_;
  for (std::uint32_t p = 0; p < positions_.size() && !cancelled(); ++p) {
    const std::vector<std::uint32_t>& own = spheresOf_[p];
    for (std::size_t i = 0; i < own.size(); ++i)
      for (std::size_t k = 0; k < i; ++k) tie(&MedialSphere::neighbours, own[i], own[k]);
    grid.forEachNear(positions_[p], reach, [&](std::uint32_t q) {
      if (q >= p || glm::distance(positions_[p], positions_[q]) > reach) return;
      const std::uint32_t a = own[0], b = spheresOf_[q][0];
      const bool orphan = std::max(a, b) >= axis_.innerSpheres;
      tie(orphan ? &MedialSphere::neighbours : &MedialSphere::farNeighbours, a, b);
    });
  }
}

}  // namespace

Sphere anchoredBall(const Vec3& anchor, const Vec3& normal, std::span<const Vec3> points,
                    Real most) noexcept {
  // Nearer ones are the anchor itself within rounding, and their direction is meaningless
  const Real least = 1e-9 * most;
  Real radius = std::numeric_limits<Real>::infinity();
  for (const Vec3& p : points) {
    const Vec3 behind = anchor - p;
    const Real square = glm::dot(behind, behind), depth = glm::dot(normal, behind);
    if (depth > 0.0 && square > least * least) radius = std::min(radius, square / (2.0 * depth));
  }
  if (!(radius <= most)) return {anchor, 0.0};
  return {anchor - radius * normal, radius};
}

MedialAxis anchoredBalls(const Polyhedron& polyhedron, std::size_t count, int workers,
                         BuildProgress* progress) {
  return AnchoredBuild(polyhedron, workers, progress).run(count);
}

MedialSettings mergeSettings(const AnchoredSettings& own) noexcept {
  MedialSettings merge;
  merge.branching = own.branching;
  merge.objective = own.objective;
  merge.errorBound = own.errorBound;
  merge.surfacePoints = own.surfacePoints;
  return merge;
}

Result<Success> checkOwn(std::string_view builder, const SphereTreeSettings& settings,
                         const AnchoredSettings& own) {
  RangeCheck check(builder);
  check.within("a number of surface points", static_cast<Real>(own.surfacePoints), 0.0,
               static_cast<Real>(maxAnchoredPoints));
  auto sound = check.outcome();
  return sound ? checkOwn(builder, settings, mergeSettings(own)) : sound;
}

Result<SphereTree> buildAnchoredSphereTree(const Polyhedron& polyhedron,
                                           const SphereTreeSettings& settings,
                                           BuildProgress* progress) {
  const auto sound = planOf("anchored", settings, settings.anchored);
  if (!sound) return sound.error();
  if (const int exponent = exponentToUsualSize(polyhedron))
    return builtAtUsualSize(exponent, polyhedron, settings, progress, buildAnchoredSphereTree);
  const BuildPlan<MedialSettings> plan(settings, mergeSettings(settings.anchored));
  const auto findBalls = [&](std::size_t count) {
    return anchoredBalls(polyhedron, count, settings.workers, progress);
  };
  return buildMergedTree(polyhedron, plan, findBalls, progress);
}

}  // namespace nearmiss
