// SPDX-License-Identifier: MIT
#include "tools/robot/link_curve.h"

#include <algorithm>
#include <glm/geometric.hpp>
#include <limits>

#include "tools/robot/sphere_budget.h"

namespace nearmiss::app::robot {
namespace {

Real cubed(Real x) noexcept { return x * x * x; }

/// Merges the two spheres whose common ball exceeds them by the least volume.
void mergeOnce(std::vector<Sphere>& spheres) {
  std::size_t first = 0, second = 1;
  Real least = std::numeric_limits<Real>::infinity();
  for (std::size_t i = 0; i < spheres.size(); ++i)
    for (std::size_t j = i + 1; j < spheres.size(); ++j) {
      const Real more = cubed(ballAround(spheres[i], spheres[j]).radius) -
                        cubed(spheres[i].radius) - cubed(spheres[j].radius);
      if (more >= least) continue;
      least = more;
      first = i;
      second = j;
    }
  spheres[first] = ballAround(spheres[first], spheres[second]);
  spheres.erase(spheres.begin() + static_cast<std::ptrdiff_t>(second));
}

}  // namespace

Sphere ballAround(const Sphere& a, const Sphere& b) noexcept {
  const Sphere &larger = a.radius >= b.radius ? a : b, &other = a.radius >= b.radius ? b : a;
  const Real distance = glm::distance(a.centre, b.centre);
  if (distance + other.radius <= larger.radius) return larger;
  constexpr Real rounded = 1.0 + 1e-12;
  const Real radius = 0.5 * (distance + a.radius + b.radius);
  const Real along = (radius - larger.radius) / distance;
  return {larger.centre + along * (other.centre - larger.centre), radius * rounded};
}

Result<Success> LinkCurve::reach(std::size_t count, const Fit& fit) {
  while (sets_.size() < count) {
    const std::size_t next = std::min(sets_.empty() ? 1 : nextCount(sets_.size()), count);
    FlatSetSettings settings = settings_;
    settings.count = next;
    const std::size_t before = sets_.size();
    if (before > 0) settings.start = sets_.back().spheres;
    auto found = fit(settings);
    if (!found) return found.error();
    LinkSpheres larger = *std::move(found);
    if (before > 0 && larger.volume.outside >= sets_.back().volume.outside) larger = sets_.back();

    // In descending order, as balls are merged
    std::vector<LinkSpheres> between;
    std::vector<Sphere> merged = larger.spheres;
    for (std::size_t size = next - 1; size > before; --size) {
      while (merged.size() > size) mergeOnce(merged);
      between.push_back({merged, volumeOf(body_, merged),
                         larger.exact && merged.size() == larger.spheres.size()});
    }
    // A larger number of balls must never be worse
    std::ranges::reverse(between);
    between.push_back(std::move(larger));
    for (LinkSpheres& set : between)
      sets_.push_back(!sets_.empty() && sets_.back().volume.outside <= set.volume.outside
                          ? sets_.back()
                          : std::move(set));
  }
  return Success{};
}

}  // namespace nearmiss::app::robot
