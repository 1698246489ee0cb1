// SPDX-License-Identifier: MIT
#include "octree/sphere_annealing.h"

#include "spheres/enclosing_ball.h"
#include "spheres/sphere_packing.h"

#include <cmath>
#include <limits>

namespace nearmiss {
namespace {

/// Of the radius: the longest steps, taken while the temperature is highest.
constexpr Real longestStep = 0.25;
/// Of the radius, counted beside the distance: deep inside of a solid all balls have the same
/// Hausdorff distance, and only smaller ones lead out of there.
constexpr Real radiusWeight = 0.05;

}  // namespace

/// The least radius with which a ball about `centre` holds what it must. The rim is gathered anew
/// where the centre has left its neighbourhood, and then for centres within `reach`.
Real SphereAnnealing::minRadius(const Vec3& centre, Real reach) {
  if (!(glm::distance(centre, rimCentre_) <= rimReach_)) {
    rimCentre_ = centre;
    rimReach_ = reach;
    // A centre that moves by `reach` comes that much nearer to one point and farther from another
    const Real farthest = std::sqrt(maxSquaredDistance(centre, held_));
    const Real inner = farthest * (1.0 - 1e-9) - 2.0 * reach;
    rim_.clear();
    for (const Vec3& p : held_)
      if (inner <= 0.0 || glm::distance(p, centre) >= inner) rim_.push_back(p);
  }
  return std::sqrt(maxSquaredDistance(centre, rim_)) * (1.0 + 1e-9);
}

Sphere SphereAnnealing::anneal(const Sphere& start, std::span<const Vec3> held,
                               std::uint64_t seed) {
  held_ = held;
  rimReach_ = -1.0;
  if (held.empty() || schedule_.steps == 0) return start;
  ProbeMemory memory;
  const auto energyOf = [&](const Sphere& ball, Real giveUp) {
    const Real share = radiusWeight * ball.radius;
    return share >= giveUp ? share : share + probe_->estimate(ball, memory, giveUp - share);
  };

  SeededRandom random(seed);
  Sphere now = start, best = start;
  Real energy = radiusWeight * start.radius + probe_->explore(start, memory);
  Real least = energy;
  const Real hottest = schedule_.heat * energy;
  const Real cooling = std::pow(schedule_.cooled, 1.0 / schedule_.steps);
  Real heat = 1.0;  // of the highest temperature
  for (int step = 0; step < schedule_.steps; ++step, heat *= cooling) {
    // Move the centre, the less the cooler, and take the least radius there
    const Real length = longestStep * std::sqrt(heat) * now.radius;
    Sphere moved{roundedToFloat(now.centre + length * random.inBall()), 0.0};
    moved.radius = minRadius(moved.centre, 2.0 * length);
    // The random number first: a ball of greater Hausdorff distance than it allows need not be
    // measured further
    const Real allowed = allowedEnergy(energy, hottest * heat, random);
    const Real tried = energyOf(moved, watcher_ ? std::numeric_limits<Real>::infinity() : allowed);
    const bool taken = tried < allowed;
    if (watcher_) (*watcher_)({tried - energy, hottest * heat, taken});
    if (!taken) continue;
    now = moved;
    energy = tried;
    if (energy >= least) continue;
    best = now;
    least = energy;
  }
  return best;
}

}  // namespace nearmiss
