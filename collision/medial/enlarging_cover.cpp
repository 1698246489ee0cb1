// SPDX-License-Identifier: MIT
#include "medial/enlarging_cover.h"

#include "geometry/box_tree.h"
#include "spheres/coverage_lemma.h"

#include <algorithm>
#include <numeric>
#include <vector>

namespace nearmiss {
namespace {

/// Of the radius, or of the triangle where there is none: the step by which a sphere grows beyond
/// an uncovered point.
constexpr Real growthStep = 0.005;

Sphere shrunk(const Sphere& ball, Real share) noexcept {
  return {ball.centre, ball.radius * (1.0 - share)};
}

/// Enlarges balls until the triangle is covered. `meeting`: the balls that meet it; one of them is
/// added where none does.
void coverTriangle(const Triangle& triangle, std::span<Sphere* const> balls,
                   std::vector<std::uint32_t>& meeting, const CoverDemand& demand) {
  std::vector<Sphere> covering;
  for (const std::uint32_t i : meeting) covering.push_back(shrunk(*balls[i], demand.overlap));
  const auto openPoint = [&] {
    return demand.clip ? uncoveredPoint(triangle, covering, *demand.clip)
                       : uncoveredPoint(triangle, covering);
  };
  while (const auto open = openPoint()) {
    // Of the spheres that meet the triangle, or of all if none does, the one nearest to the point
    const auto gapOf = [&](const Sphere* ball) {
      return glm::distance(ball->centre, *open) - ball->radius;
    };
    if (meeting.empty()) {
      const auto nearest = std::ranges::min_element(balls, {}, gapOf);
      meeting.push_back(static_cast<std::uint32_t>(nearest - balls.begin()));
      covering.push_back(**nearest);
    }
    const auto best =
        std::ranges::min_element(meeting, {}, [&](std::uint32_t i) { return gapOf(balls[i]); });
    Sphere& ball = *balls[*best];
    ball.radius += std::max(0.0, gapOf(&ball));
    // A sphere of radius 0 has no radius to grow by
    const Real size = ball.radius > 0.0 ? ball.radius : glm::length(boxOf(triangle).extent());
    ball.radius += growthStep * size;
    covering[static_cast<std::size_t>(best - meeting.begin())] = shrunk(ball, demand.overlap);
  }
}

}  // namespace

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
