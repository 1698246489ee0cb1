// SPDX-License-Identifier: MIT
#include "hierarchy/enlarging_cover.h"

#include "geometry/closest_points.h"
#include "hierarchy/coverage_lemma.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>
#include <vector>

namespace nearmiss {
namespace {

/// Of the radius: the step by which a sphere grows beyond an uncovered point.
constexpr Real growthStep = 0.005;

Sphere shrunk(const Sphere& ball, Real share) noexcept {
  return {ball.centre, ball.radius * (1.0 - share)};
}

/// A point of the triangle that is still to be covered by the balls named in `meeting`.
std::optional<Vec3> openPoint(const Triangle& triangle, std::span<Sphere* const> balls,
                              std::span<const std::uint32_t> meeting, const CoverDemand& demand) {
  std::vector<Sphere> spheres;
  for (const std::uint32_t i : meeting) spheres.push_back(shrunk(*balls[i], demand.overlap));
  return demand.clip ? uncoveredPoint(triangle, spheres, *demand.clip)
                     : uncoveredPoint(triangle, spheres);
}

void coverTriangle(const Triangle& triangle, std::span<Sphere* const> balls,
                   std::vector<std::uint32_t>& meeting, const CoverDemand& demand) {
  while (const auto open = openPoint(triangle, balls, meeting, demand)) {
    // Of the spheres that meet the triangle, or of all if none does, the one nearest to the point
    Real least = std::numeric_limits<Real>::infinity();
    std::uint32_t best = 0;
    const auto consider = [&](std::uint32_t i) {
      const Real gap = glm::distance(balls[i]->centre, *open) - balls[i]->radius;
      if (gap >= least) return;
      least = gap;
      best = i;
    };
    for (const std::uint32_t i : meeting) consider(i);
    if (meeting.empty()) {
      for (std::uint32_t i = 0; i < balls.size(); ++i) consider(i);
      meeting.push_back(best);
    }
    balls[best]->radius += std::max(0.0, least);
    balls[best]->radius += growthStep * balls[best]->radius;
  }
}

}  // namespace

std::vector<std::uint32_t> trianglesMeeting(const Polyhedron& polyhedron, const Sphere& ball) {
  std::vector<std::uint32_t> triangles;
  polyhedron.forEachTriangleIn(
      {ball.centre - ball.radius, ball.centre + ball.radius}, [&](std::uint32_t t) {
        const Vec3 nearest = closestOnTriangle(ball.centre, polyhedron.mesh().corners(t));
        if (glm::distance(nearest, ball.centre) <= ball.radius) triangles.push_back(t);
      });
  std::sort(triangles.begin(), triangles.end());
  return triangles;
}

void enlargeUntilCovered(const Polyhedron& polyhedron, std::span<Sphere* const> balls,
                         const CoverDemand& demand, const std::atomic<bool>* cancelled) {
  // Which balls meet which triangle; what lies outside of the clip needs none
  std::vector<std::uint32_t> asked;
  if (demand.clip) {
    asked = trianglesMeeting(polyhedron, *demand.clip);
  } else {
    asked.resize(polyhedron.mesh().triangles.size());
    std::iota(asked.begin(), asked.end(), 0u);
  }
  std::vector<std::vector<std::uint32_t>> meeting(asked.size());
  for (std::uint32_t i = 0; i < balls.size(); ++i)
    for (const std::uint32_t t : trianglesMeeting(polyhedron, *balls[i])) {
      const auto at = std::lower_bound(asked.begin(), asked.end(), t);
      if (at != asked.end() && *at == t)
        meeting[static_cast<std::size_t>(at - asked.begin())].push_back(i);
    }
  for (std::size_t k = 0; k < asked.size() && !(cancelled && *cancelled); ++k)
    coverTriangle(polyhedron.mesh().corners(asked[k]), balls, meeting[k], demand);
}

}  // namespace nearmiss
