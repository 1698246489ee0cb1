// SPDX-License-Identifier: MIT
/// Simulated annealing of spheres [H93]: the Metropolis rule, annealing of single spheres, and the
/// builder whose spheres of a level share their surface.
#pragma once

#include <nearmiss/advanced/build_progress.h>
#include <nearmiss/advanced/sphere_tree.h>
#include <nearmiss/advanced/tree_builders.h>
#include <nearmiss/math.h>
#include <nearmiss/mesh.h>
#include <nearmiss/result.h>

#include <atomic>
#include <cmath>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "base/seeded_random.h"
#include "spheres/hausdorff_probe.h"

namespace nearmiss {

/// Returns the energy below which the next move is accepted. It is drawn before the move, so that
/// hopeless moves need not be measured completely. A move that loses d is accepted with probability
/// exp(-d / T); one that gains is always accepted.
[[nodiscard]] inline Real allowedEnergy(Real energy, Real temperature,
                                        SeededRandom& random) noexcept {
  return energy - temperature * std::log(1.0 - random.unit());
}

/// Maximum step length relative to the radius, at the highest temperature.
inline constexpr Real longestAnnealingStep = 0.25;
/// Weight of the radius that is added to the distance. Deep inside a solid all balls have the same
/// Hausdorff distance, and only smaller ones lead out.
inline constexpr Real annealingRadiusWeight = 0.05;

/// Returns the energy that annealing minimises. If it is above `giveUp`, returns any number from
/// `giveUp` up to it.
[[nodiscard]] inline Real annealingEnergy(const HausdorffProbe& probe, const Sphere& ball,
                                          ProbeMemory& memory, Real giveUp) noexcept {
  const Real share = annealingRadiusWeight * ball.radius;
  return share >= giveUp ? share : share + probe.estimate(ball, memory, giveUp - share);
}

/// A move that was tried, for tests of the rule.
struct TriedMove {
  Real loss = 0.0;  ///< energy after the move minus energy before
  Real temperature = 0.0;
  bool taken = false;
};
/// Called for every move that is tried; every move is then measured completely.
using MoveWatcher = std::function<void(const TriedMove&)>;

/// Anneals one sphere, which must keep containing its part of the surface. Moves the centre at
/// random. Accepts a move if it lowers the sphere's Hausdorff distance, and with the Metropolis
/// probability exp(-loss / temperature) if it raises it. Has scratch memory, so use one instance
/// per thread.
class SphereAnnealing {
 public:
  /// @param probe, watcher must outlive this
  SphereAnnealing(const HausdorffProbe& probe, const AnnealingSchedule& schedule,
                  const MoveWatcher* watcher = nullptr) noexcept
      : probe_(&probe), schedule_(schedule), watcher_(watcher) {}

  /// Returns the best sphere found, by the probe's estimate: `start`, or one that contains all of
  /// `held` and has a centre representable in float. Deterministic for a given seed. Returns soon
  /// after `cancelled` is set.
  [[nodiscard]] Sphere anneal(const Sphere& start, std::span<const Vec3> held, std::uint64_t seed,
                              const std::atomic<bool>* cancelled = nullptr);

 private:
  [[nodiscard]] Real minRadius(const Vec3& centre, Real reach);

  const HausdorffProbe* probe_;
  AnnealingSchedule schedule_;
  const MoveWatcher* watcher_;
  std::span<const Vec3> held_;
  std::vector<Vec3> rim_;  ///< points of held_ that can be farthest from a centre near rimCentre_
  Vec3 rimCentre_{0.0};
  Real rimReach_ = -1.0;  ///< maximum distance of such a centre
};

/// Checks the settings. Errors: Unsupported, in a sentence with the setting, its value and its
/// range.
Result<Success> checkOwn(std::string_view builder, const SphereTreeSettings& settings,
                         const AnnealedSettings& own);

/// Builds an octree whose spheres of a level are moved and shrunk together by simulated annealing
/// [H93]. Children of one sphere exchange patches of surface, and the objective is H, the Hausdorff
/// distance, of the level's set of spheres. The maximum H of a level is at most the octree's,
/// unless the objective is Outside. If that is not achieved, or if there are too many patches,
/// returns the tree of buildAnnealedSphereTree(). Coverage is always Guaranteed; uses one thread.
/// Errors: those of buildAnnealedSphereTree().
Result<SphereTree> buildAnnealedTogether(const Polyhedron& polyhedron,
                                         const SphereTreeSettings& settings,
                                         BuildProgress* progress);

/// A surface cut into patches. Each patch belongs to one sphere that contains it. It is defined by
/// points: a ball that contains them contains the patch.
struct SharedSurface {
  struct Patch {
    std::uint32_t begin = 0, end = 0;  ///< range of points
    std::uint32_t owner = 0;           ///< sphere of the level
    Sphere bounds;                     ///< bounding sphere of its points
  };
  std::vector<Vec3> points;
  std::vector<Patch> patches;

  /// Returns the maximum distance of a point of `patch` from `centre`, or any number up to `enough`
  /// if it is at most that.
  [[nodiscard]] Real reach(const Patch& patch, const Vec3& centre, Real enough) const noexcept;
};

/// Anneals all spheres of a level together. Moves centres, and exchanges patches between spheres of
/// one family, at random. The objective is the maximum Hausdorff distance of the spheres plus a
/// small share of every single one, without which only the worst would improve. Accepts a move that
/// lowers it, and any other with the Metropolis probability.
class SetAnnealing {
 public:
  /// Both arguments must outlive this.
  SetAnnealing(const HausdorffProbe& probe, const AnnealingSchedule& schedule,
               const MoveWatcher* watcher = nullptr) noexcept
      : probe_(&probe), schedule_(&schedule), watcher_(watcher) {}

  /// @param families per sphere, ascending: only spheres of the same family exchange patches
  /// @param spheres at first at least as large as their patches need; finally the best set found,
  /// each sphere with patches, as large as they need and with a centre representable in float
  /// @param from, to the progress at the start and at the end
  void anneal(std::span<Sphere> spheres, std::span<const std::uint32_t> families,
              SharedSurface& surface, std::uint64_t seed, BuildProgress* progress = nullptr,
              float from = 0.0f, float to = 1.0f);

 private:
  struct Member {
    Sphere ball, best;
    Real energy = 0.0;
    std::vector<std::uint32_t> patches;
    ProbeMemory memory;
    std::uint32_t familyBegin = 0, familyEnd = 0;  ///< range of spheres
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
  std::vector<std::uint32_t> first_, second_;  ///< candidate patches of two spheres
  std::vector<std::uint32_t> bestOwner_;       ///< per patch
  std::vector<std::uint32_t> changedSpheres_;  ///< since the best set
  std::vector<std::uint32_t> changedPatches_;
  Real energy_ = 0.0, least_ = 0.0;
  Real sum_ = 0.0;           ///< of the members' energies
  std::uint32_t worst_ = 0;  ///< the member with the maximum Hausdorff distance
};

}  // namespace nearmiss
