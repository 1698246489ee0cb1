// SPDX-License-Identifier: MIT
/// Simulated annealing of one sphere that must go on holding its part of the surface [H93].
#pragma once

#include "octree/metropolis.h"
#include "spheres/hausdorff_probe.h"

#include <nearmiss/primitives.h>
#include <nearmiss/sphere_tree_builder.h>

#include <cstdint>
#include <span>
#include <vector>

namespace nearmiss {

/// Moves centres at random. A move is accepted if it lowers the sphere's Hausdorff distance, and
/// with the Metropolis probability exp(-loss / temperature) if it raises it. Keeps scratch memory,
/// so one per thread.
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

}  // namespace nearmiss
