// SPDX-License-Identifier: MIT
#include "extras/inner_choice.h"

#include "sampling/parallel_for.h"

#include <algorithm>
#include <queue>

namespace nearmiss {
namespace {

/// What a ball would lessen the sum by, as of when `kept` balls were kept. It can only fall later.
struct Gain {
  Real gain = 0.0;
  std::size_t ball = 0;
  std::size_t kept = 0;
  friend bool operator<(const Gain& a, const Gain& b) noexcept {
    return a.gain != b.gain ? a.gain < b.gain : a.ball > b.ball;
  }
};

Real gainOf(const Sphere& ball, const std::vector<Vec3>& points, const std::vector<Real>& gaps) {
  Real gain = 0.0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    // Most points have a nearer ball, which needs no root to be seen
    const Vec3 from = points[i] - ball.centre;
    const Real reach = ball.radius + gaps[i];
    const Real squared = glm::dot(from, from);
    if (squared < reach * reach) gain += gaps[i] - gapTo(ball, points[i]);
  }
  return gain;
}

}  // namespace

Real gapTo(const Sphere& ball, const Vec3& point) noexcept {
  return std::max(0.0, glm::distance(point, ball.centre) - ball.radius);
}

std::vector<Sphere> chooseBalls(const std::vector<Sphere>& balls, const std::vector<Vec3>& points,
                                std::size_t count, Real farthest, Real least, int workers,
                                const BuildProgress* progress) {
  std::vector<Real> gaps(points.size(), farthest);
  std::vector<Gain> first(balls.size());
  parallelFor(balls.size(), workers, [&](std::size_t i, int) {
    if (!progress || !progress->cancelled) first[i] = {gainOf(balls[i], points, gaps), i, 0};
  });
  std::priority_queue<Gain> best({}, std::move(first));
  std::vector<Sphere> kept;
  while (!best.empty() && kept.size() < count) {
    if (progress && progress->cancelled) return {};
    Gain top = best.top();
    best.pop();
    if (top.gain <= least) break;
    if (top.kept < kept.size()) {
      // Gains never rise, so one that is still the greatest when it is new is the greatest of all
      top.gain = gainOf(balls[top.ball], points, gaps);
      top.kept = kept.size();
      best.push(top);
      continue;
    }
    kept.push_back(balls[top.ball]);
    for (std::size_t i = 0; i < points.size(); ++i)
      gaps[i] = std::min(gaps[i], gapTo(kept.back(), points[i]));
  }
  return kept;
}

}  // namespace nearmiss
