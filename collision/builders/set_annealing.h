// SPDX-License-Identifier: MIT
/// Simulated annealing of all spheres of a level together [H93].
#pragma once

#include <nearmiss/build_progress.h>
#include <nearmiss/primitives.h>
#include <nearmiss/sphere_tree_builder.h>

#include <cstdint>
#include <span>
#include <vector>

#include "builders/annealed.h"
#include "spheres/hausdorff_probe.h"

namespace nearmiss {

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

/// Moves centres, and hands patches from sphere to sphere of one family, at random. The objective
/// is the max Hausdorff distance of the spheres, plus a small share of every single one, without
/// which only the worst would improve. A move that lowers it is accepted, another with the
/// Metropolis probability.
class SetAnnealing {
 public:
  /// Both must outlive this.
  SetAnnealing(const HausdorffProbe& probe, const AnnealingSchedule& schedule,
               const MoveWatcher* watcher = nullptr) noexcept
      : probe_(&probe), schedule_(&schedule), watcher_(watcher) {}

  /// @param families per sphere, ascending: only spheres of the same one hand patches to each other
  /// @param spheres at the start as large as their patches need, or larger; in the end the best set
  /// met, each sphere with patches, as large as they need and with a centre representable in float
  void anneal(std::span<Sphere> spheres, std::span<const std::uint32_t> families,
              SharedSurface& surface, std::uint64_t seed, BuildProgress* progress = nullptr);

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
