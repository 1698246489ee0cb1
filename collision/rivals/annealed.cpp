// SPDX-License-Identifier: MIT
#include "rivals/annealed.h"

#include <nearmiss/detail/cancellation.h>
#include <nearmiss/detail/out_of_memory.h>
#include <nearmiss/rivals/tree_builders.h>

#include <atomic>
#include <cmath>
#include <limits>
#include <string>
#include <string_view>
#include <utility>

#include "base/parallel_for.h"
#include "base/range_check.h"
#include "builders/octree.h"
#include "spheres/build_plan.h"
#include "spheres/enclosing_ball.h"
#include "spheres/hausdorff.h"
#include "spheres/sphere_packing.h"
#include "spheres/triangle_clipping.h"
#include "spheres/usual_size.h"

namespace nearmiss {
/// Returns the minimum radius with which a ball about `centre` contains its points. Rebuilds the
/// rim when the centre has left its neighbourhood; it is then valid for centres within `reach`.
Real SphereAnnealing::minRadius(const Vec3& centre, Real reach) {
  if (!(glm::distance(centre, rimCentre_) <= rimReach_)) {
    rimCentre_ = centre;
    rimReach_ = reach;
    // A centre that moves by `reach` may come that much nearer to one point and farther from
    // another
    const Real farthest = std::sqrt(maxSquaredDistance(centre, held_));
    const Real inner = farthest * (1.0 - 1e-9) - 2.0 * reach;
    rim_.clear();
    for (const Vec3& p : held_)
      if (inner <= 0.0 || glm::distance(p, centre) >= inner) rim_.push_back(p);
  }
  return std::sqrt(maxSquaredDistance(centre, rim_)) * (1.0 + 1e-9);
}

Sphere SphereAnnealing::anneal(const Sphere& start, std::span<const Vec3> held, std::uint64_t seed,
                               const std::atomic<bool>* cancelled) {
  constexpr int stepsBetweenLooks = 64;
  held_ = held;
  rimReach_ = -1.0;
  if (held.empty() || schedule_.steps == 0) return start;
  ProbeMemory memory;

  SeededRandom random(seed);
  Sphere now = start, best = start;
  Real energy = annealingRadiusWeight * start.radius + probe_->explore(start, memory);
  Real least = energy;
  const Real hottest = schedule_.heat * energy;
  const Real cooling = std::pow(schedule_.cooled, 1.0 / schedule_.steps);
  Real heat = 1.0;  // relative to the highest temperature
  for (int step = 0; step < schedule_.steps; ++step, heat *= cooling) {
    if (step % stepsBetweenLooks == 0 && wasCancelled(cancelled)) break;
    // Move the centre, by less at lower temperatures, and use the minimum radius there
    const Real length = longestAnnealingStep * std::sqrt(heat) * now.radius;
    Sphere moved{roundedToFloat(now.centre + length * random.inBall()), 0.0};
    moved.radius = minRadius(moved.centre, 2.0 * length);
    // Draw the random number first, so that a ball whose Hausdorff distance exceeds the allowed
    // energy need not be measured further
    const Real allowed = allowedEnergy(energy, hottest * heat, random);
    const Real tried = annealingEnergy(*probe_, moved, memory,
                                       watcher_ ? std::numeric_limits<Real>::infinity() : allowed);
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

namespace {

/// Margin around its octant in which a sphere also contains the surface, relative to the octant's
/// side. Neighbours then overlap where they share the surface, and every small piece lies
/// completely in one of them.
constexpr Real octantOverlap = 1e-3;

class AnnealedBuild {
 public:
  AnnealedBuild(const Polyhedron& polyhedron, const BuildPlan<AnnealedSettings>& settings,
                BuildProgress* progress)
      : polyhedron_(polyhedron),
        settings_(settings),
        progress_(progress),
        growth_(polyhedron, progress),
        field_(polyhedron.mesh()),
        probe_(field_, insideWeight(polyhedron, settings.objective)),
        workers_(static_cast<std::size_t>(settings.workers),
                 Worker{SphereAnnealing(probe_, settings.schedule), {}}) {}

  Result<SphereTree> run();

 private:
  struct Worker {
    SphereAnnealing annealing;
    std::vector<Vec3> held;
  };
  [[nodiscard]] bool cancelled() const noexcept { return wasCancelled(progress_); }
  void annealLevel(int level);
  [[nodiscard]] Sphere annealed(const Octant& octant, Worker& worker) const;
  void takeBackLosses();

  const Polyhedron& polyhedron_;
  const BuildPlan<AnnealedSettings>& settings_;
  BuildProgress* progress_;
  OctantGrowth growth_;
  DistanceField field_;
  HausdorffProbe probe_;
  std::vector<Worker> workers_;
  std::vector<std::pair<SphereId, Sphere>> starts_;  ///< the annealed spheres before annealing
};

Result<SphereTree> AnnealedBuild::run() {
  const Error stopped{ErrorCode::Cancelled, "building the annealed tree was cancelled"};
  if (progress_) progress_->enter(BuildStage::Structure);
  for (int level = 1; level <= settings_.levels; ++level) {
    if (const auto grown = growth_.grow(); !grown) return grown.error();
    annealLevel(level);
    if (cancelled()) return stopped;
  }
  if (progress_) progress_->enter(BuildStage::Triangles);
  growth_.listTriangles();
  if (!measureHausdorff(polyhedron_, field_, settings_, growth_.data(), progress_)) return stopped;
  if (settings_.objective != SphereObjective::Outside) takeBackLosses();
  if (cancelled()) return stopped;
  return SphereTree(std::move(growth_.data()));
}

/// Anneals every sphere of a level by itself. Each sphere must cover the surface in its own octant
/// regardless of the others, so the maximum Hausdorff distance of a level is minimal if each one
/// is.
void AnnealedBuild::annealLevel(int level) {
  const std::vector<Octant>& octants = growth_.octants();
  std::vector<Sphere> spheres(octants.size());
  std::atomic<std::size_t> done{0};
  parallelFor(octants.size(), settings_.workers, [&](std::size_t i, int worker) {
    if (cancelled()) return;
    spheres[i] = annealed(octants[i], workers_[static_cast<std::size_t>(worker)]);
    // Each level takes about four times as long as the one above
    const float share = static_cast<float>(++done) / static_cast<float>(octants.size());
    if (progress_)
      progress_->fraction =
          std::pow(0.25f, static_cast<float>(settings_.levels - level)) * (0.25f + 0.75f * share);
  });
  if (cancelled()) return;
  for (std::size_t i = 0; i < octants.size(); ++i) {
    const SphereId id = octants[i].id;
    starts_.emplace_back(id, circumscribed(growth_.boxOf(octants[i])));
    store(growth_.data().packs[id / SpherePack::width], static_cast<int>(id % SpherePack::width),
          spheres[i]);
  }
}

Sphere AnnealedBuild::annealed(const Octant& octant, Worker& worker) const {
  // A ball that contains the corners of the surface in the octant contains that surface
  const Box box = growth_.boxOf(octant);
  findCorners(polyhedron_.mesh(), octant.triangles, widened(box, octantOverlap), worker.held);
  return worker.annealing.anneal(circumscribed(box), worker.held,
                                 settings_.schedule.seed + octant.id, cancellationOf(progress_));
}

/// Restores the original sphere if the proven bound is worse, because the probe only estimates. No
/// sphere of the tree is thus worse than the octree's.
void AnnealedBuild::takeBackLosses() {
  SphereTree::Data& data = growth_.data();
  std::vector<FarthestPointSearch> searches(workers_.size(),
                                            FarthestPointSearch(polyhedron_, &field_));
  parallelFor(starts_.size(), settings_.workers, [&](std::size_t i, int worker) {
    if (cancelled()) return;
    const auto& [id, start] = starts_[i];
    const auto lane = static_cast<int>(id % SpherePack::width);
    float& stored = data.links[id / SpherePack::width].hausdorff[lane];
    // A lower bound for the original sphere is found quickly, and nearly always suffices
    ProbeMemory memory;
    if (stored <= probe_.estimate(start, memory, stored) * (1.0 - 1e-5)) return;
    SpherePack& pack = data.packs[id / SpherePack::width];
    SpherePack octree = emptyPack();
    store(octree, lane, start);
    const Sphere ball{start.centre, octree.r[lane]};
    const float bound = floatAtLeast(searches[static_cast<std::size_t>(worker)]
                                         .search(ball, settings_.hausdorffTolerance * ball.radius)
                                         .atMost);
    if (stored <= bound) return;
    // Lanes of one pack belong to different calls: write only this one
    pack.x[lane] = octree.x[lane];
    pack.y[lane] = octree.y[lane];
    pack.z[lane] = octree.z[lane];
    pack.r[lane] = octree.r[lane];
    stored = bound;
  });
}

}  // namespace

Result<Success> checkOwn(std::string_view builder, const SphereTreeSettings&,
                         const AnnealedSettings& own) {
  RangeCheck check(builder);
  check.oneOf("an objective", own.objective, SphereObjective::Exposed);
  check.within("annealing steps", own.schedule.steps, 0, maxAnnealingSteps);
  check.within("an annealing heat", own.schedule.heat, 0.0, 1.0);
  check.aboveZero("an annealing end", own.schedule.cooled, 1.0);
  return check.outcome();
}

Result<SphereTree> buildAnnealedSphereTree(const Polyhedron& polyhedron,
                                           const SphereTreeSettings& settings,
                                           BuildProgress* progress) {
  const auto plan = planOf("annealed-apart", settings, settings.annealed);
  if (!plan) return plan.error();
  if (const int exponent = exponentToUsualSize(polyhedron))
    return builtAtUsualSize(exponent, polyhedron, settings, progress, buildAnnealedSphereTree);
  return orOutOfMemory("cannot build the annealed tree",
                       [&] { return AnnealedBuild(polyhedron, *plan, progress).run(); });
}

}  // namespace nearmiss
