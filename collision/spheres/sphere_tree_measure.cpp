// SPDX-License-Identifier: MIT
#include <nearmiss/advanced/tree_quality.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numbers>
#include <span>

#include "base/parallel_for.h"
#include "spheres/hausdorff.h"
#include "spheres/surface_samples.h"

namespace nearmiss {
namespace {

template <class Each>
Real meanAndMax(const std::vector<Each>& all, Real Each::*which, Real& max) {
  Real sum = 0.0;
  max = 0.0;
  for (const Each& each : all) {
    sum += each.*which;
    max = std::max(max, each.*which);
  }
  return all.empty() ? 0.0 : sum / static_cast<Real>(all.size());
}

bool holds(const Sphere& sphere, const Vec3& point) noexcept {
  const Vec3 from = point - sphere.centre;
  return glm::dot(from, from) <= sphere.radius * sphere.radius;
}

void weighByArea(std::span<const SurfaceSample> points, std::span<const Sphere> spheres,
                 std::span<const SphereHausdorff> measures, SphereLevelMeasure& level) {
  // For each point, the first sphere in this order that contains it counts
  std::vector<std::size_t> order(spheres.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return measures[a].surface < measures[b].surface;
  });
  std::size_t held = 0;
  for (const SurfaceSample& point : points) {
    const auto found = std::find_if(order.begin(), order.end(), [&](std::size_t i) {
      return holds(spheres[i], point.position);
    });
    if (found == order.end()) continue;
    level.areaWeighted += measures[*found].surface;
    ++held;
  }
  if (held > 0) level.areaWeighted /= static_cast<Real>(held);
  if (!points.empty())
    level.uncovered = 1.0 - static_cast<Real>(held) / static_cast<Real>(points.size());
}

void estimateVolumes(const Polyhedron& polyhedron, std::span<const Sphere> spheres,
                     std::size_t samples, SphereLevelMeasure& level) {
  const bool solid = polyhedron.report().solid();
  if (solid) level.outsideVolume = 0.0;
  Box box;
  for (const Sphere& sphere : spheres) {
    box.include(sphere.centre - sphere.radius);
    box.include(sphere.centre + sphere.radius);
  }
  if (box.empty() || samples == 0) return;
  std::size_t within = 0, outside = 0;
  for (std::size_t k = 0; k < samples; ++k) {
    const Vec3 point = box.low + evenPoint(k) * box.extent();
    if (std::none_of(spheres.begin(), spheres.end(),
                     [&](const Sphere& sphere) { return holds(sphere, point); }))
      continue;
    ++within;
    if (solid && !polyhedron.contains(point)) ++outside;
  }
  const Vec3 extent = box.extent();
  const Real share = extent.x * extent.y * extent.z / static_cast<Real>(samples);
  level.volume = share * static_cast<Real>(within);
  if (solid) level.outsideVolume = share * static_cast<Real>(outside);
}

}  // namespace

SphereHausdorff measureSphere(const Polyhedron& polyhedron, const Sphere& sphere, Real tolerance) {
  SphereHausdorff found;
  SphereSurfaceSearch search(polyhedron);
  found.surface = search.search(sphere, tolerance, false).atMost;
  found.outside = found.surface;
  if (polyhedron.report().solid())
    found.outside = std::min(found.surface, search.search(sphere, tolerance, true).atMost);
  // A sphere is part of its ball, so the ball's bound applies to it too
  found.ball = FarthestPointSearch(polyhedron).search(sphere, tolerance).atMost;
  found.surface = std::min(found.surface, found.ball);
  found.outside = std::min(found.outside, found.ball);
  return found;
}

std::vector<SphereLevelMeasure> measureLevels(const SphereTree& tree, const Polyhedron& polyhedron,
                                              const LevelMeasureSettings& settings) {
  std::vector<SphereLevelMeasure> levels;
  const std::vector<SurfaceSample> points =
      spreadPoints(polyhedron.mesh(), settings.surfaceSamples);
  std::vector<SphereId> cut;
  for (int l = 0; l < tree.levelCount() && l <= settings.deepest; ++l) {
    cutAt(tree, l, cut);
    std::vector<Sphere> spheres;
    for (const SphereId id : cut) spheres.push_back(tree.sphere(id));
    std::vector<SphereHausdorff> measures(spheres.size());
    std::vector<DodecahedronEstimate> estimates(spheres.size());
    parallelFor(spheres.size(), std::max(1, settings.workers), [&](std::size_t i, int) {
      const Real tolerance = std::max(settings.tolerance * spheres[i].radius,
                                      std::numeric_limits<Real>::epsilon() * polyhedron.radius());
      measures[i] = measureSphere(polyhedron, spheres[i], tolerance);
      estimates[i] = dodecahedronEstimate(polyhedron, spheres[i]);
    });

    SphereLevelMeasure& level = levels.emplace_back();
    level.spheres = spheres.size();
    level.surfaceMean = meanAndMax(measures, &SphereHausdorff::surface, level.surfaceMax);
    level.outsideMean = meanAndMax(measures, &SphereHausdorff::outside, level.outsideMax);
    level.ballMean = meanAndMax(measures, &SphereHausdorff::ball, level.ballMax);
    level.sampledMean = meanAndMax(estimates, &DodecahedronEstimate::sampled, level.sampledMax);
    level.correctedMean =
        meanAndMax(estimates, &DodecahedronEstimate::corrected, level.correctedMax);
    weighByArea(points, spheres, measures, level);
    estimateVolumes(polyhedron, spheres, settings.volumeSamples, level);
  }
  return levels;
}

void cutAt(const SphereTree& tree, int level, std::vector<SphereId>& out) {
  out.clear();
  std::vector<SphereId> one;
  for (int l = 0; l <= level && l < tree.levelCount(); ++l) {
    tree.spheresOf(l, one);
    for (const SphereId id : one)
      if (l == level || tree.childPackCount(id) == 0) out.push_back(id);
  }
}

namespace {

constexpr Real phi = std::numbers::phi;

/// Returns the directions of the vertices of a dodecahedron, all of length sqrt(3).
std::array<Vec3, 20> dodecahedron() noexcept {
  std::array<Vec3, 20> vertices;
  std::size_t count = 0;
  for (const Real a : {-1.0, 1.0})
    for (const Real b : {-1.0, 1.0}) {
      for (const Real c : {-1.0, 1.0}) vertices[count++] = {a, b, c};
      vertices[count++] = {0.0, a / phi, b * phi};
      vertices[count++] = {a / phi, b * phi, 0.0};
      vertices[count++] = {b * phi, 0.0, a / phi};
    }
  return vertices;
}

}  // namespace

DodecahedronEstimate dodecahedronEstimate(const Polyhedron& polyhedron, const Sphere& sphere) {
  DodecahedronEstimate estimate;
  for (const Vec3& direction : dodecahedron()) {
    const Vec3 vertex = sphere.centre + sphere.radius / std::numbers::sqrt3 * direction;
    estimate.sampled = std::max(estimate.sampled, polyhedron.nearest(vertex).distance);
  }
  // The point farthest from all vertices is the middle of a face. There, the angle to a vertex has
  // the cosine sqrt((5 + 2 sqrt 5) / 15), and distances change no faster than points move
  const Real cosine = std::sqrt((5.0 + 2.0 * std::sqrt(5.0)) / 15.0);
  const Real covering = std::sqrt(2.0 - 2.0 * cosine) * (1.0 + 1e-12);
  estimate.corrected = estimate.sampled + covering * sphere.radius;
  return estimate;
}

std::vector<SphereLevelReport> levelReports(const SphereTree& tree) {
  std::vector<SphereLevelReport> reports;
  std::vector<SphereId> spheres;
  for (int level = 0; level < tree.levelCount(); ++level) {
    tree.spheresOf(level, spheres);
    SphereLevelReport report;
    report.spheres = spheres.size();
    for (const SphereId id : spheres) {
      const Real radius = tree.sphere(id).radius;
      report.hausdorffMean += tree.hausdorff(id);
      report.hausdorffMax = std::max(report.hausdorffMax, tree.hausdorff(id));
      report.outsideMean += tree.outside(id);
      report.outsideMax = std::max(report.outsideMax, tree.outside(id));
      report.radiusMean += radius;
      report.radiusMax = std::max(report.radiusMax, radius);
    }
    report.hausdorffMean /= static_cast<Real>(spheres.size());
    report.outsideMean /= static_cast<Real>(spheres.size());
    report.radiusMean /= static_cast<Real>(spheres.size());
    reports.push_back(report);
  }
  return reports;
}

}  // namespace nearmiss
