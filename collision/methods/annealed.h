// SPDX-License-Identifier: MIT
/// Simulated annealing of spheres [H93]: the Metropolis rule, one sphere by itself, and the builder
/// whose spheres of a level share their surface.
#pragma once

#include <nearmiss/build_progress.h>
#include <nearmiss/math.h>
#include <nearmiss/mesh.h>
#include <nearmiss/result.h>
#include <nearmiss/sphere_tree.h>
#include <nearmiss/tree_builders.h>

#include <atomic>
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
/// Called for every move that is tried; every move is then measured to the end.
using MoveWatcher = std::function<void(const TriedMove&)>;

/// Annealing of one sphere, which must still hold its part of the surface. Moves the centre at
/// random. A move is accepted if it lowers the sphere's Hausdorff distance, and with the Metropolis
/// probability exp(-loss / temperature) if it raises it. Keeps scratch memory, so one per thread.
class SphereAnnealing {
 public:
  /// @param probe, watcher must outlive this
  SphereAnnealing(const HausdorffProbe& probe, const AnnealingSchedule& schedule,
                  const MoveWatcher* watcher = nullptr) noexcept
      : probe_(&probe), schedule_(schedule), watcher_(watcher) {}

  /// The best sphere met, by the probe's estimate: `start` or one that holds all `held` and has a
  /// centre representable in float. The same for the same seed. Ends soon once `cancelled` is set.
  [[nodiscard]] Sphere anneal(const Sphere& start, std::span<const Vec3> held, std::uint64_t seed,
                              const std::atomic<bool>* cancelled = nullptr);

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

/// Errors: Unsupported, in a sentence with the setting, its value and its range.
Result<Success> checkOwn(std::string_view builder, const SphereTreeSettings& settings,
                         const AnnealedSettings& own);

/// The octree's spheres, those of a level moved and shrunk together by simulated annealing [H93]:
/// children of one sphere hand patches of surface to each other, and the objective is H, the
/// Hausdorff distance, of the level's set of spheres. The max H of a level is at most the octree's,
/// unless the objective is Outside: where that is not reached, or the patches are too many, the
/// tree is buildAnnealedSphereTree()'s. Coverage is always Guaranteed; one thread. Errors: as
/// there.
Result<SphereTree> buildAnnealedTogether(const Polyhedron& polyhedron,
                                         const SphereTreeSettings& settings,
                                         BuildProgress* progress);

/// A surface cut into patches. Each is given by points that a ball must hold to hold the patch, and
/// belongs to one sphere that does.
struct SharedSurface {
  struct Patch {
    std::uint32_t begin = 0, end = 0;  ///< in points
    std::uint32_t owner = 0;           ///< sphere of the level
    Sphere bounds;                     ///< around its points
  };
  std::vector<Vec3> points;
  std::vector<Patch> patches;

  /// The max distance of a point of `patch` from `centre`, or any number up to `enough` where it is
  /// at most that.
  [[nodiscard]] Real reach(const Patch& patch, const Vec3& centre, Real enough) const noexcept;
};

/// Annealing of all spheres of a level together. Moves centres, and hands patches from sphere to
/// sphere of one family, at random. The objective is the max Hausdorff distance of the spheres,
/// plus a small share of every single one, without which only the worst would improve. A move that
/// lowers it is accepted, any other with the Metropolis probability.
class SetAnnealing {
 public:
  /// Both must outlive this.
  SetAnnealing(const HausdorffProbe& probe, const AnnealingSchedule& schedule,
               const MoveWatcher* watcher = nullptr) noexcept
      : probe_(&probe), schedule_(&schedule), watcher_(watcher) {}

  /// @param families per sphere, ascending: only spheres of the same one hand patches to each other
  /// @param spheres at the start as large as their patches need, or larger; in the end the best set
  /// met, each sphere with patches, as large as they need and with a centre representable in float
  /// @param from, to the progress at the start and in the end
  void anneal(std::span<Sphere> spheres, std::span<const std::uint32_t> families,
              SharedSurface& surface, std::uint64_t seed, BuildProgress* progress = nullptr,
              float from = 0.0f, float to = 1.0f);

 private:
  struct Member {
    Sphere ball, best;
    Real energy = 0.0;
    std::vector<std::uint32_t> patches;
    ProbeMemory memory;
    std::uint32_t familyBegin = 0, familyEnd = 0;  ///< spheres
    bool changed = false;                          ///< since the best set
  };
  /// A sphere as it would be after a move.
  struct Proposal {
    std::uint32_t sphere = 0;
    Sphere ball;
    Real energy = 0.0;
  };
  [[nodiscard]] Real minRadius(std::span<const std::uint32_t> patches,
                               const Vec3& centre) const noexcept;
  [[nodiscard]] std::uint32_t outermost(const Member& member) const noexcept;
  struct SetEnergy {
    Real greatest = 0.0, sum = 0.0;
    [[nodiscard]] Real energy() const noexcept;
  };
  [[nodiscard]] SetEnergy energyOfSet(std::span<const Proposal> instead) const noexcept;
  void shift(std::uint32_t sphere, Real heat, Real temperature);
  [[nodiscard]] std::uint32_t sibling(std::uint32_t sphere) noexcept;
  void handOver(std::uint32_t sphere, Real temperature);
  void shareOut(std::uint32_t one, std::uint32_t other, Real temperature);
  void exchange(std::uint32_t one, std::uint32_t other, Real temperature);
  /// Measures the proposals and applies them if the rule accepts.
  bool decide(std::span<Proposal> proposals, Real temperature);
  void move(std::uint32_t sphere, Real heat, Real temperature);
  void findWorst() noexcept;
  void keepBest();

  const HausdorffProbe* probe_;
  const AnnealingSchedule* schedule_;
  const MoveWatcher* watcher_;
  SeededRandom random_{0};
  SharedSurface* surface_ = nullptr;
  std::vector<Member> members_;
  std::vector<std::uint32_t> first_, second_;  ///< what two spheres might have
  std::vector<std::uint32_t> bestOwner_;       ///< per patch
  std::vector<std::uint32_t> changedSpheres_;  ///< since the best set
  std::vector<std::uint32_t> changedPatches_;
  Real energy_ = 0.0, least_ = 0.0;
  Real sum_ = 0.0;           ///< of the members' energies
  std::uint32_t worst_ = 0;  ///< the member with the largest Hausdorff distance
};

}  // namespace nearmiss
