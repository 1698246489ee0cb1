// SPDX-License-Identifier: MIT
#include <nearmiss/advanced/build_progress.h>
#include <nearmiss/advanced/tree_builders.h>
#include <nearmiss/advanced/tree_quality.h>
#include <nearmiss/detail/assertion.h>
#include <nearmiss/detail/cancellation.h>
#include <nearmiss/detail/out_of_memory.h>
#include <nearmiss/mesh.h>
#include <nearmiss/result.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <span>

#include "base/parallel_for.h"
#include "geometry/closest_points.h"
#include "geometry/mesh_check.h"
#include "geometry/triangle_normal.h"
#include "spheres/inner_spheres.h"
#include "spheres/sphere_packing.h"
#include "spheres/surface_samples.h"
#include "spheres/usual_size.h"

namespace nearmiss {
namespace {

constexpr int maxShrinkings = 30;
/// A ball is finished if the surface enters it by less than this share of its radius.
constexpr Real entered = 1e-4;

/// Returns the ball about a centre that is representable in float, with the radius rounded down;
/// empty if the surface does not wind about it.
Sphere innerBall(const Polyhedron& surface, const Vec3& centre) {
  const Vec3 stored = roundedToFloat(centre);
  if (windingAbout(surface, stored) == 0) return {};
  // The rounding error of a distance is far smaller than this, which is relative to the coordinates
  const Real doubt = 1e-12 * (surface.radius() + glm::length(stored));
  return {stored, surface.nearest(stored).distance - doubt};
}

Sphere touchingFrom(const Polyhedron& surface, const SurfaceSample& point, const Vec3& inward) {
  Real radius = surface.radius();
  for (int round = 0; round < maxShrinkings; ++round) {
    const Vec3 centre = point.position + radius * inward;
    const SurfacePoint nearest = surface.nearest(centre, radius * (1.0 - entered));
    if (nearest.distance >= radius * (1.0 - entered)) return innerBall(surface, centre);

    // The ball through both points that is tangent at the first one
    const Vec3 between = nearest.position - point.position;
    const Real height = glm::dot(between, inward);
    if (height <= 0.0) break;
    radius = std::min(0.5 * glm::dot(between, between) / height, radius * (1.0 - entered));
  }
  return {};
}

/// Returns approximately the largest ball that touches the surface at `point` from inside and
/// contains no other surface point. Repeatedly shrinks a ball that is too large until it touches
/// the intruding point nearest to its centre.
/// A point is inside if the surface winds about it. If the surface intersects itself, both sides
/// may be inside; then the larger ball counts. The centre is representable in float, and the radius
/// is not above the distance of the surface, so the ball certainly contains no surface point in its
/// interior. Empty (a negative radius) if no such ball was found.
/// @pre surface.report().closed()
Sphere touchingBall(const Polyhedron& surface, const SurfaceSample& point) {
  NEARMISS_ASSERT(surface.report().closed());
  const Vec3 outward = unitNormalOf(surface.mesh().corners(point.triangle));
  const Sphere inside = touchingFrom(surface, point, -outward);
  if (surface.report().solid()) return inside;
  const Sphere beyond = touchingFrom(surface, point, outward);
  return beyond.radius > inside.radius ? beyond : inside;
}

constexpr int maxInnerWorkers = 1024;
constexpr std::size_t maxInnerLevels = 16;
/// Number of surface points, and thus of candidate balls: per requested sphere, and the minimum.
constexpr std::size_t pointsEach = 8, pointsAtLeast = 2048;
/// Minimum radius, relative to that of the body: the allowance for moving them could exceed smaller
/// balls.
constexpr Real minRadius = 0x1p-10;
/// Minimum gain of a ball, summed over the points and relative to the radius of the body.
constexpr Real minGain = 1e-3;
constexpr std::size_t measuredPoints = 20000;
/// Maximum number of closed components that get inner spheres, if the surface is not a solid.
constexpr std::size_t maxComponents = 256;
/// Metres, as for the spheres around the surface.
constexpr float maxInnerLength = 1e18f;

bool withinRange(const SpherePack& pack, int lane) noexcept {
  return std::abs(pack.x[lane]) <= maxInnerLength && std::abs(pack.y[lane]) <= maxInnerLength &&
         std::abs(pack.z[lane]) <= maxInnerLength && std::abs(pack.r[lane]) <= maxInnerLength;
}

const char* validatePlace(const InnerSpheres& inner, std::size_t pack, int lane) {
  const SpherePack& spheres = inner.spheres[pack];
  const SpherePack& bounds = inner.bounds[pack];
  if (!withinRange(spheres, lane) || !withinRange(bounds, lane))
    return "a number of an inner sphere is not finite or is out of range";
  if (spheres.r[lane] >= 0.0f)
    return bounds.r[lane] < 0.0f                    ? "an inner sphere has no bound"
           : lane > 0 && spheres.r[lane - 1] < 0.0f ? "an inner sphere follows an unused place"
                                                    : nullptr;
  if (spheres.r[lane] != -1.0f || bounds.r[lane] != -1.0f ||
      inner.links[pack].childPack[lane] != InnerSpheres::none)
    return "an unused place of inner spheres is not empty";
  return nullptr;
}

Vec3 positionOf(const SpherePack& pack, std::size_t lane) noexcept {
  return {pack.x[lane], pack.y[lane], pack.z[lane]};
}

}  // namespace

Sphere InnerSpheres::sphere(SphereId id) const noexcept {
  const SpherePack& pack = spheres[id / SpherePack::width];
  const std::size_t lane = id % SpherePack::width;
  return {positionOf(pack, lane), pack.r[lane]};
}

std::vector<Sphere> InnerSpheres::spheresOf(int l) const {
  const auto level = static_cast<std::size_t>(l);
  std::vector<Sphere> cut;
  for (std::uint32_t pack = 0; pack < levelBegin[level + 1]; ++pack)
    for (std::uint32_t lane = 0; lane < SpherePack::width; ++lane)
      if (spheres[pack].r[lane] >= 0.0f &&
          (pack >= levelBegin[level] || links[pack].childPack[lane] == none))
        cut.push_back(sphere(pack * SpherePack::width + lane));
  return cut;
}

const char* InnerSpheres::validate(const InnerSpheres& inner) {
  const std::size_t packs = inner.spheres.size();
  if (inner.bounds.size() != packs || inner.links.size() != packs)
    return "its inner spheres, their bounds and links are not equally many";
  if (packs == 0)
    return inner.levelBegin.empty() ? nullptr : "it has levels of inner spheres but no sphere";
  const auto& begin = inner.levelBegin;
  if (begin.size() < 2 || begin.size() > maxInnerLevels + 1 || begin[0] != 0 || begin[1] != 1 ||
      begin.back() != packs ||
      std::adjacent_find(begin.begin(), begin.end(), std::greater_equal<>{}) != begin.end())
    return "its levels of inner spheres do not span them";

  // Breadth-first: each pack except the root's is referenced once, in order, and in the next level
  std::uint32_t nextChild = 1;
  std::size_t count = 0;
  for (std::size_t level = 0; level + 1 < begin.size(); ++level)
    for (std::size_t pack = begin[level]; pack < begin[level + 1]; ++pack) {
      if (inner.spheres[pack].r[0] < 0.0f) return "a pack of inner spheres is empty";
      for (int lane = 0; lane < SpherePack::width; ++lane) {
        if (const char* fault = validatePlace(inner, pack, lane)) return fault;
        const std::uint32_t child = inner.links[pack].childPack[lane];
        // A slot with children repeats the sphere of one of them
        count += child == none && inner.spheres[pack].r[lane] >= 0.0f;
        if (child == none) continue;
        if (child != nextChild++ || level + 2 >= begin.size() || child < begin[level + 1] ||
            child >= begin[level + 2])
          return "its inner spheres do not lie breadth first";
      }
    }
  if (nextChild != packs) return "a pack of inner spheres is nobody's child";
  static_assert(maxInnerSpheres == 4096);
  if (count > maxInnerSpheres) return "it has more than 4096 inner spheres";
  return inner.spheres[0].r[1] < 0.0f ? nullptr : "its inner spheres have more than one root";
}

namespace {

/// A point of one of several surfaces.
struct SampleOf {
  const Polyhedron* surface;
  SurfaceSample point;
};

Real surfaceArea(const TriangleMesh& mesh) {
  Real area = 0.0;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) area += areaOf(mesh.corners(t));
  return area;
}

/// Returns points of all surfaces, distributed by area.
std::vector<SampleOf> samplesOf(std::span<const Polyhedron* const> surfaces, std::size_t count) {
  std::vector<Real> areas;
  for (const Polyhedron* surface : surfaces) areas.push_back(surfaceArea(surface->mesh()));
  const Real total = std::accumulate(areas.begin(), areas.end(), 0.0);
  std::vector<SampleOf> samples;
  for (std::size_t i = 0; i < surfaces.size(); ++i) {
    const auto share = static_cast<std::size_t>(
        std::ceil(static_cast<Real>(count) * (total > 0.0 ? areas[i] / total : 1.0)));
    for (const SurfaceSample& point : spreadPoints(surfaces[i]->mesh(), share))
      samples.push_back({surfaces[i], point});
  }
  return samples;
}

Result<InnerSpheres> builtInside(const Polyhedron& polyhedron, std::size_t count,
                                 std::size_t samplePoints, int workers, BuildProgress* progress) {
  if (progress) progress->enter(BuildStage::Inside);
  const Error cancelled{ErrorCode::Cancelled, "the build of inner spheres was cancelled"};

  // For a solid, the whole surface; otherwise only its closed components
  std::vector<Polyhedron> components;
  std::vector<const Polyhedron*> surfaces;
  if (polyhedron.report().solid()) {
    surfaces.push_back(&polyhedron);
  } else {
    components =
        closedSurfaces(polyhedron.mesh(), maxComponents, cancellationOf(progress)).surfaces;
    if (wasCancelled(progress)) return cancelled;
    for (const Polyhedron& component : components) surfaces.push_back(&component);
  }
  if (surfaces.empty()) return InnerSpheres{};

  // Find the largest ball at each of many points
  const auto samples = samplesOf(surfaces, samplePoints);
  std::vector<Sphere> touching(samples.size());
  std::atomic<std::size_t> done{0};
  parallelFor(samples.size(), workers, [&](std::size_t i, int worker) {
    if (wasCancelled(progress)) return;
    touching[i] = touchingBall(*samples[i].surface, samples[i].point);
    const std::size_t now = ++done;
    if (progress && worker == 0) progress->advance(now, samples.size());
  });
  std::vector<Sphere> balls;
  std::copy_if(touching.begin(), touching.end(), std::back_inserter(balls),
               [&](const Sphere& ball) { return ball.radius >= minRadius * polyhedron.radius(); });

  // Choose the balls that come nearest to the surface, the best first
  std::vector<Vec3> points;
  for (const SampleOf& sample : samples) points.push_back(sample.point.position);
  const std::vector<Sphere> chosen = chooseBalls(balls, points, count, polyhedron.radius(),
                                                 minGain * polyhedron.radius(), workers, progress);
  if (wasCancelled(progress)) return cancelled;
  return innerHierarchy(chosen);
}

}  // namespace

Result<InnerSpheres> buildInnerSpheres(const Polyhedron& polyhedron, std::size_t count, int workers,
                                       BuildProgress* progress) {
  return innerSpheresFrom(polyhedron, count, std::max(pointsAtLeast, pointsEach * count), workers,
                          progress);
}

Result<InnerSpheres> innerSpheresFrom(const Polyhedron& polyhedron, std::size_t count,
                                      std::size_t points, int workers, BuildProgress* progress) {
  if (count < 1 || count > maxInnerSpheres || workers < 1 || workers > maxInnerWorkers)
    return Error{ErrorCode::Unsupported,
                 "cannot build inner spheres: expected 1 to 4096 of them and 1 to 1024 workers"};
  return orOutOfMemory("cannot build inner spheres", [&]() -> Result<InnerSpheres> {
    const int exponent = exponentToUsualSize(polyhedron);
    if (exponent == 0) return builtInside(polyhedron, count, points, workers, progress);
    const auto usual = scaledBy(polyhedron, exponent, cancellationOf(progress));
    if (!usual) return usual.error();
    auto inner = builtInside(*usual, count, points, workers, progress);
    if (!inner) return inner;
    return scaledBy(*std::move(inner), -exponent);
  });
}

std::vector<InnerLevelReport> innerLevelReports(const InnerSpheres& inner,
                                                const Polyhedron& polyhedron) {
  std::vector<InnerLevelReport> reports;
  const auto samples = spreadPoints(polyhedron.mesh(), measuredPoints);
  for (int level = 0; level < inner.levelCount(); ++level) {
    const std::vector<Sphere> spheres = inner.spheresOf(level);
    InnerLevelReport& report = reports.emplace_back();
    report.spheres = spheres.size();
    for (const Sphere& sphere : spheres) {
      report.radiusMean += sphere.radius / static_cast<Real>(spheres.size());
      report.radiusMax = std::max(report.radiusMax, sphere.radius);
    }
    for (const SurfaceSample& sample : samples) {
      Real gap = std::numeric_limits<Real>::infinity();
      for (const Sphere& sphere : spheres) gap = std::min(gap, gapTo(sphere, sample.position));
      report.gapMean += gap / static_cast<Real>(samples.size());
      report.gapMax = std::max(report.gapMax, gap);
    }
  }
  return reports;
}

std::size_t checkInnerSpheres(const InnerSpheres& inner, const Polyhedron& polyhedron,
                              std::string& complaint) {
  if (!polyhedron.report().solid()) {
    const std::size_t broken = InnerComponents(polyhedron, inner).unheld();
    if (broken != 0) complaint = "an inner sphere lies inside no closed component of the surface";
    return broken;
  }
  std::size_t broken = 0;
  for (std::uint32_t pack = 0; pack < inner.spheres.size(); ++pack)
    for (std::uint32_t lane = 0; lane < SpherePack::width; ++lane) {
      if (inner.spheres[pack].r[lane] < 0.0f) continue;
      const Sphere sphere = inner.sphere(pack * SpherePack::width + lane);
      const bool centred = polyhedron.contains(sphere.centre);
      if (centred && polyhedron.nearest(sphere.centre).distance >= sphere.radius) continue;
      if (broken++ == 0)
        complaint =
            "inner sphere " + std::to_string(pack * SpherePack::width + lane) +
            (centred ? " reaches through the surface" : " has its centre outside the solid");
    }
  return broken;
}

}  // namespace nearmiss
