// SPDX-License-Identifier: MIT
#include <nearmiss/ray.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/geometric.hpp>
#include <optional>

#include "geometry/invalid_number.h"
#include "geometry/mesh_check.h"
#include "geometry/sound_pose.h"
#include "pair/two_bodies.h"
#include "ray/nearest_search.h"

namespace nearmiss {
namespace {

std::optional<InvalidNumber> faultOfPoint(const Vec3& point, Real reach) noexcept {
  if (auto fault = outOfRange(point, {"point.x", "point.y", "point.z"})) return fault;
  if (!(reach >= 0.0)) return InvalidNumber{"reach", "0 or more", reach};
  return std::nullopt;
}

}  // namespace

Result<Success> check(const Vec3& point, Real reach) {
  return toResult(faultOfPoint(point, reach), "cannot check the point");
}

void NearestSearch::begin(const SurfaceBoxes& surface, const Pose& pose, const Vec3& point,
                          Real reach) noexcept {
  pose_ = withUnitRotation(pose);
  reach_ = reach;
  const Vec3 between = point - pose.position;
  moved_ = 16.0 * std::numeric_limits<Real>::epsilon() *
           (glm::length(point) + glm::length(pose.position) + glm::length(between));
  probe_ = NearestProbe(seenFrom(pose_, point), reach, surface);
  search_.begin(surface.boxes());
}

NearestPoint NearestSearch::known() const noexcept {
  NearestPoint known;
  const Real waiting = std::sqrt(search_.least());
  known.lower = std::max(std::min({waiting, probe_.lowest(), reach_}) - moved_, 0.0);
  known.canRefine = !search_.done();
  if (!probe_.found()) return known;
  known.upper = probe_.distance();
  known.lower = std::min(known.lower, known.upper);
  known.point = transformed(pose_, probe_.nearest());
  known.triangle = probe_.triangle();
  return known;
}

struct NearestPointQuery::Parts {
  std::optional<Shape> shape;  ///< keeps the searched data alive
  NearestSearch search;
};

NearestPointQuery::NearestPointQuery() : parts_(std::make_unique<Parts>()) {}
NearestPointQuery::NearestPointQuery(NearestPointQuery&&) noexcept = default;
NearestPointQuery& NearestPointQuery::operator=(NearestPointQuery&&) noexcept = default;
NearestPointQuery::~NearestPointQuery() = default;

void NearestPointQuery::begin(const Shape& shape, const Pose& pose, const Vec3& point, Real reach) {
  demandSound(pose, "pose");
  demandSound(faultOfPoint(point, reach));
  const SurfaceBoxes& surface = surfaceOf(shape.polyhedron());
  parts_->shape = shape;
  parts_->search.begin(surface, pose, point, reach);
}

NearestPoint NearestPointQuery::refine(const TimeBudget& budget) {
  NEARMISS_DEMAND(parts_->shape.has_value());
  resetOnThrow(*parts_, [&] {
    if (!parts_->search.done()) parts_->search.run(budget);
  });
  return parts_->search.known();
}

NearestPoint NearestPointQuery::known() const noexcept {
  NEARMISS_DEMAND(parts_->shape.has_value());
  return parts_->search.known();
}

NearestPoint nearestPoint(const Shape& shape, const Pose& pose, const Vec3& point, Real reach,
                          const TimeBudget& budget) {
  demandSound(pose, "pose");
  demandSound(faultOfPoint(point, reach));
  NearestSearch search;
  search.begin(surfaceOf(shape.polyhedron()), pose, point, reach);
  search.run(budget);
  return search.known();
}

namespace {

/// A BoxSearch probe that finds all triangles which a ray from the point towards +x may hit.
class SideProbe {
 public:
  using Bound = float;

  SideProbe(const Vec3& point, const SurfaceBoxes& surface) noexcept
      : surface_(surface), count_(point), ray_(surface.boxes(), count_.region()) {}

  /// Ends the search once the surface is known to contain the point.
  [[nodiscard]] float limit() const noexcept { return count_.onSurface() ? -1.0f : 0.0f; }
  [[nodiscard]] unsigned bounds(const WideBoxes::Node& node,
                                std::array<float, WideBoxes::width>& least) const noexcept {
    least = {};
    return ray_.lanesOf(node);
  }
  bool visit(std::uint32_t leaf, WorkCount& work) noexcept {
    work.boundTests += WideBoxes::width;
    surface_.boxes().anyIn(leaf, [&](std::uint32_t triangle, unsigned) {
      ++work.triangleTests;
      count_.add(surface_.mesh().corners(triangle));
      return false;
    });
    return true;
  }

  [[nodiscard]] const WindingCount& count() const noexcept { return count_; }

 private:
  const SurfaceBoxes& surface_;
  WindingCount count_;
  WideBoxes::Query ray_;
};

}  // namespace

PointSide sideOf(const Shape& shape, const Pose& pose, const Vec3& point,
                 const TimeBudget& budget) {
  demandSound(pose, "pose");
  demandSound(faultOfPoint(point, 0.0));
  const SurfaceBoxes& surface = surfaceOf(shape.polyhedron());
  SideProbe probe(seenFrom(withUnitRotation(pose), point), surface);
  BoxSearch<SideProbe> search;
  search.begin(surface.boxes());
  const bool done = search.run(probe, budget);
  if (probe.count().onSurface()) return PointSide::OnSurface;
  if (!done) return PointSide::Undecided;
  if (!shape.solid()) return PointSide::Unknown;
  return probe.count().inside() ? PointSide::Inside : PointSide::Outside;
}

}  // namespace nearmiss
