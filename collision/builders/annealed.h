// SPDX-License-Identifier: MIT
/// Simulated annealing of spheres [H93]: the Metropolis rule, one sphere by itself, and the builder
/// whose spheres of a level share their surface.
#pragma once

#include <nearmiss/build_progress.h>
#include <nearmiss/math.h>
#include <nearmiss/polyhedron.h>
#include <nearmiss/primitives.h>
#include <nearmiss/result.h>
#include <nearmiss/sphere_tree.h>
#include <nearmiss/sphere_tree_builder.h>

#include <cmath>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "spheres/hausdorff_probe.h"
#include "spheres/seeded_random.h"

namespace nearmiss {

/// The energy below which the next move is accepted. Drawn beforehand, so that a move that cannot
/// be accepted need not be measured to the end: one that loses d is accepted with probability
/// exp(-d / T), one that gains always.
[[nodiscard]] inline Real allowedEnergy(Real energy, Real temperature,
                                        SeededRandom& random) noexcept {
  return energy - temperature * std::log(1.0 - random.unit());
}

/// The longest steps, relative to the radius, taken while the temperature is highest.
inline constexpr Real longestAnnealingStep = 0.25;
/// The share of the radius that is added to the distance: deep inside of a solid all balls have the
/// same Hausdorff distance, and only smaller ones lead out of there.
inline constexpr Real annealingRadiusWeight = 0.05;

/// The energy that annealing lowers; any number from `giveUp` up to it where it is more than that.
[[nodiscard]] inline Real annealingEnergy(const HausdorffProbe& probe, const Sphere& ball,
                                          ProbeMemory& memory, Real giveUp) noexcept {
  const Real share = annealingRadiusWeight * ball.radius;
  return share >= giveUp ? share : share + probe.estimate(ball, memory, giveUp - share);
}

/// A move that was tried, for tests of the rule.
struct TriedMove {
  Real loss = 0.0;  ///< energy after it less that before
  Real temperature = 0.0;
  bool taken = false;
};
/// With a watcher, every move is measured to the end.
using MoveWatcher = std::function<void(const TriedMove&)>;

/// One sphere that must go on holding its part of the surface. Moves centres at random. A move is
/// accepted if it lowers the sphere's Hausdorff distance, and with the Metropolis probability
/// exp(-loss / temperature) if it raises it. Keeps scratch memory, so one per thread.
class SphereAnnealing {
 public:
  /// @param probe, watcher must outlive this
  SphereAnnealing(const HausdorffProbe& probe, const AnnealingSchedule& schedule,
                  const MoveWatcher* watcher = nullptr) noexcept
      : probe_(&probe), schedule_(schedule), watcher_(watcher) {}

  /// The best sphere met, by the probe's estimate: `start` or one that holds all `held` and has a
  /// centre representable in float. The same for the same seed.
  [[nodiscard]] Sphere anneal(const Sphere& start, std::span<const Vec3> held, std::uint64_t seed);

 private:
  [[nodiscard]] Real minRadius(const Vec3& centre, Real reach);

  const HausdorffProbe* probe_;
  AnnealingSchedule schedule_;
  const MoveWatcher* watcher_;
  std::span<const Vec3> held_;
  std::vector<Vec3> rim_;  ///< those of held_ that can be farthest from a centre near rimCentre_
  Vec3 rimCentre_{0.0};
  Real rimReach_ = -1.0;  ///< how near
};

/// The octree's spheres, those of a level moved and shrunk together by simulated annealing [H93]:
/// children of one sphere hand patches of surface to each other, and the objective is H, the
/// Hausdorff distance, of the level's set of spheres. The max H of a level is at most the octree's,
/// unless the objective is Outside: where that is not reached, the tree is
/// buildAnnealedSphereTree()'s. Coverage is always Guaranteed; one thread. Errors: as there.
Result<SphereTree> buildAnnealedTogether(const Polyhedron& polyhedron,
                                         const SphereTreeSettings& settings,
                                         BuildProgress* progress);

}  // namespace nearmiss
