// SPDX-License-Identifier: MIT
#include "pair/inner_balls.h"

#include <nearmiss/detail/kept_with_shape.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "geometry/box_measures.h"
#include "geometry/closest_points.h"

namespace nearmiss {
namespace {

constexpr std::size_t minSamples = 200, maxSamples = 1000;

/// Returns the largest ball inside that touches the surface at `point`, by shrinking until nothing
/// is nearer to its centre. The radius is negative if there is none.
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

/// Returns points distributed over the surface, plus the centre of each triangle if there are few.
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

void InnerBalls::add(const Polyhedron& solid, const SurfaceSample& sample) {
  const Vec3 normal = normalOf(solid.mesh().corners(sample.triangle));
  const Real length = glm::length(normal);
  if (!(length > 0.0)) return;
  const Sphere ball = touchingBallAt(solid, sample.position, -normal / length);
  if (ball.radius > 0.0) balls_.push_back(ball);
}

void InnerBalls::finish() {
  nodes_.reserve(balls_.size());  // sufficient, so that build() cannot fail halfway
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

/// Makes one ball, or does the work before the first or after the last.
void InnerBallsMaking::step(const Polyhedron& polyhedron) const {
  const LockGuard lock(taking_);
  if (finished_) return;
  if (!sampled_) {
    if (polyhedron.report().solid()) samples_ = samplesOf(polyhedron.mesh());
    sampled_ = true;
    return;
  }
  if (next_ < samples_.size()) {
    balls_.add(polyhedron, samples_[next_]);
    ++next_;  // skips a sample if memory ran out
    return;
  }
  balls_.finish();
  samples_ = {};
  finished_ = true;
}

const InnerBalls* InnerBallsMaking::refine(const Polyhedron& polyhedron,
                                           const TimeBudget& budget) const {
  bool late = false;
  while (!finished_ && !late) {
    step(polyhedron);
    late = budget.exhausted();
  }
  return finished_ ? &balls_ : nullptr;
}

const InnerBalls* innerBallsOf(const Shape& shape, const TimeBudget& budget) {
  using Kept = std::unique_ptr<const InnerBallsMaking>;
  const auto& making = KeptWithShape::ofMesh(shape).get<Kept>(
      [] { return std::make_unique<const InnerBallsMaking>(); });
  return making->refine(shape.polyhedron(), budget);
}

void DeepestPair::begin(const InnerBalls& a, const InnerBalls& b, const Pose& bToA, Real least) {
  a_ = &a;
  b_ = &b;
  bToA_ = bToA;
  best_ = {};
  best_.overlap = least;
  size_ = tests_ = 0;
  if (!a.nodes().empty() && !b.nodes().empty()) push(0, 0);
}

void DeepestPair::push(std::uint32_t nodeA, std::uint32_t nodeB) {
  const InnerBalls::Node &ofA = a_->nodes()[nodeA], &ofB = b_->nodes()[nodeB];
  const Real away = glm::distance(ofA.around.centre, transformed(bToA_, ofB.around.centre));
  const Real most =
      std::min(ofA.around.radius + ofB.around.radius - away,
               ofA.largest + ofB.largest - std::max(away - ofA.reach - ofB.reach, 0.0));
  ++tests_;
  if (most > best_.overlap) open_[size_++] = {nodeA, nodeB, most};
}

/// Compares every ball of one leaf with every ball of another.
void DeepestPair::compare(const InnerBalls::Node& ofA, const InnerBalls::Node& ofB) {
  for (std::uint32_t j = 0; j < ofB.count; ++j) {
    const Sphere& own = b_->balls()[ofB.first + j];
    const Sphere other{transformed(bToA_, own.centre), own.radius};
    for (std::uint32_t i = 0; i < ofA.count; ++i) {
      const Sphere& ball = a_->balls()[ofA.first + i];
      if (const Real depth = overlap(ball, other); depth > best_.overlap)
        best_ = {ball, other, depth};
    }
  }
  tests_ += std::uint64_t{ofA.count} * ofB.count;
}

bool DeepestPair::step(std::uint64_t& tests) {
  constexpr std::uint64_t batch = 1024;
  while (size_ != 0 && tests_ < batch) {
    const Open at = open_[--size_];
    if (at.most <= best_.overlap) continue;
    const InnerBalls::Node &ofA = a_->nodes()[at.a], &ofB = b_->nodes()[at.b];
    const std::size_t before = size_;
    if (ofA.second == 0 && ofB.second == 0) {
      compare(ofA, ofB);
    } else if (ofB.second == 0 || (ofA.second != 0 && ofA.around.radius >= ofB.around.radius)) {
      push(ofA.second, at.b);
      push(at.a + 1, at.b);
    } else {
      push(at.a, ofB.second);
      push(at.a, at.b + 1);
    }
    // The deeper of the two goes on top
    if (size_ == before + 2 && open_[before].most > open_[before + 1].most)
      std::swap(open_[before], open_[before + 1]);
  }
  tests += std::exchange(tests_, 0);
  return size_ != 0;
}

}  // namespace nearmiss
