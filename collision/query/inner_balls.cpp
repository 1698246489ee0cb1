// SPDX-License-Identifier: MIT
#include "query/inner_balls.h"

#include <nearmiss/detail/kept_with_shape.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "geometry/box_tree.h"
#include "geometry/closest_points.h"
#include "spheres/surface_samples.h"

namespace nearmiss {
namespace {

constexpr std::size_t minSamples = 200, maxSamples = 1000;

/// The largest ball inside that touches the surface at `point`: shrinks until nothing is nearer to
/// its centre. A negative radius where there is none.
Sphere touchingBallAt(const Polyhedron& solid, const Vec3& point, const Vec3& inwards) {
  constexpr int maxSteps = 24;
  Real radius = glm::length(solid.bounds().extent());
  for (int step = 0; step < maxSteps; ++step) {
    const SurfacePoint nearest = solid.nearest(point + radius * inwards);
    if (nearest.distance >= radius * (1.0 - 1e-6)) break;
    const Vec3 across = nearest.position - point;
    const Real along = glm::dot(across, inwards);
    if (!(along > 0.0)) return {};
    radius = std::min(0.5 * glm::dot(across, across) / along, radius * (1.0 - 1e-6));
  }
  const Vec3 centre = point + radius * inwards;
  if (!(radius > 0.0) || !solid.contains(centre)) return {};
  return {centre, solid.nearest(centre).distance};
}

/// Points spread over the surface, and the middle of each triangle where these are few.
std::vector<SurfaceSample> samplesOf(const TriangleMesh& mesh) {
  const std::size_t triangles = mesh.triangles.size();
  std::vector<SurfaceSample> samples =
      spreadPoints(mesh, std::clamp(triangles, minSamples, maxSamples));
  for (std::uint32_t t = 0; triangles <= maxSamples && t < triangles; ++t) {
    const Triangle corners = mesh.corners(t);
    samples.push_back({(corners[0] + corners[1] + corners[2]) / 3.0, t});
  }
  return samples;
}

}  // namespace

InnerBalls::InnerBalls(const Polyhedron& polyhedron) {
  if (!polyhedron.report().solid()) return;
  for (const SurfaceSample& sample : samplesOf(polyhedron.mesh())) {
    const Vec3 normal = normalOf(polyhedron.mesh().corners(sample.triangle));
    const Real length = glm::length(normal);
    if (!(length > 0.0)) continue;
    const Sphere ball = touchingBallAt(polyhedron, sample.position, -normal / length);
    if (ball.radius > 0.0) balls_.push_back(ball);
  }
  if (!balls_.empty()) build(0, static_cast<std::uint32_t>(balls_.size()));
}

/// Halves the balls along the longest side of the box around their centres.
void InnerBalls::build(std::uint32_t first, std::uint32_t count) {
  constexpr std::uint32_t leafSize = 4;
  const std::span<Sphere> own = std::span(balls_).subspan(first, count);
  Box box;
  for (const Sphere& ball : own) box.include(ball.centre);
  Node node{{box.centre(), 0.0}, 0.0, 0.0, 0, first, count};
  for (const Sphere& ball : own) {
    const Real away = glm::distance(ball.centre, node.around.centre);
    node.around.radius = std::max(node.around.radius, away + ball.radius);
    node.reach = std::max(node.reach, away);
    node.largest = std::max(node.largest, ball.radius);
  }
  const std::size_t at = nodes_.size();
  nodes_.push_back(node);
  if (count <= leafSize) return;
  const int axis = longestAxis(box);
  std::ranges::stable_sort(own, {}, [axis](const Sphere& ball) { return ball.centre[axis]; });
  build(first, count / 2);
  nodes_[at].second = static_cast<std::uint32_t>(nodes_.size());
  build(first + count / 2, count - count / 2);
}

const InnerBalls& innerBallsOf(const Shape& shape) {
  return KeptWithShape::ofMesh(shape).get<InnerBalls>(
      [&shape] { return InnerBalls(shape.polyhedron()); });
}

BallPair deepestPair(const InnerBalls& a, const InnerBalls& b, const Pose& bToA, Real least,
                     std::uint64_t& tests) {
  BallPair best;
  best.overlap = least;
  if (a.nodes().empty() || b.nodes().empty()) return best;
  struct Open {
    std::uint32_t a, b;
    Real most;
  };
  std::array<Open, 128> open;
  std::size_t size = 0;
  const auto push = [&](std::uint32_t nodeA, std::uint32_t nodeB) {
    const InnerBalls::Node &ofA = a.nodes()[nodeA], &ofB = b.nodes()[nodeB];
    const Real away = glm::distance(ofA.around.centre, transformed(bToA, ofB.around.centre));
    const Real most =
        std::min(ofA.around.radius + ofB.around.radius - away,
                 ofA.largest + ofB.largest - std::max(away - ofA.reach - ofB.reach, 0.0));
    ++tests;
    if (most > best.overlap) open[size++] = {nodeA, nodeB, most};
  };
  push(0, 0);
  while (size != 0) {
    const Open at = open[--size];
    if (at.most <= best.overlap) continue;
    const InnerBalls::Node &ofA = a.nodes()[at.a], &ofB = b.nodes()[at.b];
    if (ofA.second == 0 && ofB.second == 0) {
      for (std::uint32_t j = 0; j < ofB.count; ++j) {
        const Sphere& own = b.balls()[ofB.first + j];
        const Sphere other{transformed(bToA, own.centre), own.radius};
        for (std::uint32_t i = 0; i < ofA.count; ++i) {
          const Sphere& ball = a.balls()[ofA.first + i];
          if (const Real depth = overlap(ball, other); depth > best.overlap)
            best = {ball, other, depth};
        }
      }
      tests += std::uint64_t{ofA.count} * ofB.count;
      continue;
    }
    const std::size_t before = size;
    if (ofB.second == 0 || (ofA.second != 0 && ofA.around.radius >= ofB.around.radius)) {
      push(ofA.second, at.b);
      push(at.a + 1, at.b);
    } else {
      push(at.a, ofB.second);
      push(at.a, at.b + 1);
    }
    // The deeper of the two is on top
    if (size == before + 2 && open[before].most > open[before + 1].most)
      std::swap(open[before], open[before + 1]);
  }
  return best;
}

}  // namespace nearmiss
