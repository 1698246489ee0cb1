// SPDX-License-Identifier: MIT
#include "spheres/inner_spheres.h"

#include <nearmiss/detail/cancellation.h>

#include <algorithm>
#include <numeric>
#include <queue>
#include <span>
#include <utility>

#include "base/parallel_for.h"
#include "geometry/box_measures.h"
#include "spheres/sphere_packing.h"

namespace nearmiss {
namespace {

/// How much a ball would decrease the sum, computed when `kept` balls had been kept. Gains can only
/// decrease.
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
    // Most points have a nearer ball, which is detected without a square root
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
    if (wasCancelled(progress)) return {};
    Gain top = best.top();
    best.pop();
    if (top.gain <= least) break;
    if (top.kept < kept.size()) {
      // Gains never increase, so an up-to-date gain that is still the largest is the largest of all
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

namespace {

using SphereGroup = std::span<std::uint32_t>;  ///< indices in the list of chosen spheres

/// Returns the largest float that is not above `value`, or -1 if that is not positive.
float radiusAtMost(Real value) noexcept { return value > 0.0 ? -floatAtLeast(-value) : -1.0f; }

class HierarchyBuild {
 public:
  explicit HierarchyBuild(const std::vector<Sphere>& chosen) : chosen_(chosen) {}
  InnerSpheres run();

 private:
  std::uint32_t addPack();
  void fill(std::uint32_t pack, int lane, SphereGroup group);
  void halve(SphereGroup group, int times, std::vector<SphereGroup>& parts);

  const std::vector<Sphere>& chosen_;
  InnerSpheres inner_;
};

std::uint32_t HierarchyBuild::addPack() {
  inner_.spheres.push_back(emptyPack());
  inner_.bounds.push_back(emptyPack());
  InnerSpheres::Links links{};
  std::fill(std::begin(links.childPack), std::end(links.childPack), InnerSpheres::none);
  inner_.links.push_back(links);
  return static_cast<std::uint32_t>(inner_.spheres.size() - 1);
}

void HierarchyBuild::fill(std::uint32_t pack, int lane, SphereGroup group) {
  const Sphere& best = chosen_[*std::min_element(group.begin(), group.end())];
  store(inner_.spheres[pack], lane, best);
  inner_.spheres[pack].r[lane] = radiusAtMost(best.radius);
  Box box;
  for (const std::uint32_t i : group) {
    box.include(chosen_[i].centre - chosen_[i].radius);
    box.include(chosen_[i].centre + chosen_[i].radius);
  }
  Sphere bound{roundedToFloat(box.centre()), 0.0};
  for (const std::uint32_t i : group)
    bound.radius =
        std::max(bound.radius, glm::distance(bound.centre, chosen_[i].centre) + chosen_[i].radius);
  // The rounding error of the distance is smaller than this
  bound.radius *= 1.0 + 1e-12;
  store(inner_.bounds[pack], lane, bound);
}

void HierarchyBuild::halve(SphereGroup group, int times, std::vector<SphereGroup>& parts) {
  if (times == 0 || group.size() < 2) {
    if (!group.empty()) parts.push_back(group);
    return;
  }
  Box centres;
  for (const std::uint32_t i : group) centres.include(chosen_[i].centre);
  const int axis = longestAxis(centres);
  const std::size_t middle = (group.size() + 1) / 2;
  std::nth_element(group.begin(), group.begin() + static_cast<std::ptrdiff_t>(middle), group.end(),
                   [&](std::uint32_t a, std::uint32_t b) {
                     const Real x = chosen_[a].centre[axis], y = chosen_[b].centre[axis];
                     return x != y ? x < y : a < b;
                   });
  halve(group.first(middle), times - 1, parts);
  halve(group.subspan(middle), times - 1, parts);
}

InnerSpheres HierarchyBuild::run() {
  if (chosen_.empty()) return {};
  std::vector<std::uint32_t> order(chosen_.size());
  std::iota(order.begin(), order.end(), 0u);
  std::vector<std::pair<SphereId, SphereGroup>> level{{0, SphereGroup(order)}};
  inner_.levelBegin = {0};
  fill(addPack(), 0, order);
  while (!level.empty()) {
    inner_.levelBegin.push_back(static_cast<std::uint32_t>(inner_.spheres.size()));
    std::vector<std::pair<SphereId, SphereGroup>> next;
    for (const auto& [id, group] : level) {
      if (group.size() < 2) continue;
      std::vector<SphereGroup> parts;
      halve(group, 3, parts);
      const std::uint32_t pack = addPack();
      inner_.links[id / SpherePack::width].childPack[id % SpherePack::width] = pack;
      for (std::size_t lane = 0; lane < parts.size(); ++lane) {
        fill(pack, static_cast<int>(lane), parts[lane]);
        next.emplace_back(pack * SpherePack::width + static_cast<SphereId>(lane), parts[lane]);
      }
    }
    level = std::move(next);
  }
  return std::move(inner_);
}

}  // namespace

InnerSpheres innerHierarchy(const std::vector<Sphere>& chosen) {
  return HierarchyBuild(chosen).run();
}

}  // namespace nearmiss
