// SPDX-License-Identifier: MIT
#include <nearmiss/detail/cancellation.h>
#include <nearmiss/detail/out_of_memory.h>
#include <nearmiss/rivals/tree_builders.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "builders/dag_storage.h"
#include "builders/medial.h"
#include "builders/piece_owners.h"
#include "builders/sphere_merging.h"
#include "builders/surface_partition.h"
#include "spheres/coverage.h"
#include "spheres/hausdorff.h"
#include "spheres/hausdorff_probe.h"
#include "spheres/sphere_packing.h"
#include "spheres/usual_size.h"

namespace nearmiss {
namespace {

/// Share of the radii by which the spheres of a level overlap: more than rounding, and enough for a
/// proof by subdividing the surface.
constexpr Real overlapOfLevels = 1e-4;
/// Maximum for all levels together. A child is stored again under each of its parents.
constexpr std::size_t maxChildrenListed = std::size_t{1} << 24;

class MedialDagBuild {
 public:
  MedialDagBuild(const Polyhedron& polyhedron, const BuildPlan<MedialSettings>& settings,
                 BuildProgress* progress)
      : polyhedron_(polyhedron),
        settings_(settings),
        progress_(progress),
        field_(polyhedron.mesh()),
        probe_(field_, insideWeight(polyhedron, settings.objective)) {}

  Result<SphereTree> run();

 private:
  [[nodiscard]] bool cancelled() const noexcept { return wasCancelled(progress_); }
  [[nodiscard]] std::size_t countOf(int level) const noexcept;
  [[nodiscard]] bool closeEnough(const std::vector<Sphere>& balls) const;
  void merge();
  void cover(DagSpheres& level) const;
  void link(DagSpheres& parents, const DagSpheres& level);

  const Polyhedron& polyhedron_;
  const BuildPlan<MedialSettings>& settings_;
  BuildProgress* progress_;
  DistanceField field_;
  HausdorffProbe probe_;
  MedialAxis axis_;
  std::vector<DagSpheres> levels_;  ///< the root first
  std::size_t children_ = 0;        ///< for all spheres so far
  SphereTree::Data data_;
};

/// Returns the number of spheres that a tree may have on that level.
std::size_t MedialDagBuild::countOf(int level) const noexcept {
  return static_cast<std::size_t>(std::pow(static_cast<Real>(settings_.branching), level));
}

/// Merges the spheres of the whole axis down to the number of each level. Each level starts with
/// all of them [H96 §8]. The cheapest merge does not depend on the target number, so one sequence
/// of merges passes through all levels, deepest first.
void MedialDagBuild::merge() {
  std::vector<std::uint32_t> all(axis_.spheres.size());
  std::iota(all.begin(), all.end(), 0u);
  SphereMerging merging(axis_, all, false, SphereMerging::usualExactVisits,
                        cancellationOf(progress_));
  levels_.resize(static_cast<std::size_t>(settings_.levels) + 1);
  for (int l = settings_.levels; l > 0; --l) {
    while (merging.liveCount() > countOf(l)) {
      if (cancelled()) return;
      if (!merging.mergeCheapest()) merging.widen();
    }
    for (const SphereCluster& cluster : merging.live())
      levels_[static_cast<std::size_t>(l)].balls.push_back(storedBall(cluster.ball));
  }
  const Sphere around = storedBall(ritterBall(polyhedron_.mesh().positions));
  levels_[0].balls = {rootBall(polyhedron_, around)};
  // The root contains the whole surface, with room for rounding
  levels_[0].balls[0].radius *= 1.0 + overlapOfLevels;

  // Drop levels that would repeat the one above, or divide what is already close enough
  std::size_t kept = 1;
  while (kept < levels_.size() &&
         !(kept > 1 && (levels_[kept].balls.size() == levels_[kept - 1].balls.size() ||
                        closeEnough(levels_[kept - 1].balls))))
    ++kept;
  levels_.resize(kept);
}

bool MedialDagBuild::closeEnough(const std::vector<Sphere>& balls) const {
  return settings_.errorBound > 0.0 && std::ranges::all_of(balls, [this](const Sphere& ball) {
           ProbeMemory memory;
           return probe_.explore(ball, memory) <= settings_.errorBound;
         });
}

/// Enlarges the spheres of a level until together they cover the whole surface [H96 §9.1].
void MedialDagBuild::cover(DagSpheres& level) const {
  std::vector<Sphere*> balls;
  for (Sphere& ball : level.balls) balls.push_back(&ball);
  enlargeUntilCovered(polyhedron_, balls, {nullptr, overlapOfLevels}, cancellationOf(progress_));
}

/// Makes a sphere the child of every sphere that it overlaps [H96 §9.1]: a point of the surface
/// lies in a sphere of each level, and these overlap there.
void MedialDagBuild::link(DagSpheres& parents, const DagSpheres& level) {
  parents.children.assign(parents.balls.size(), {});
  for (std::size_t i = 0; i < parents.balls.size() && !cancelled(); ++i) {
    for (std::uint32_t k = 0; k < level.balls.size(); ++k)
      if (overlap(parents.balls[i], level.balls[k]) >= 0.0) parents.children[i].push_back(k);
    children_ += parents.children[i].size();
    if (children_ > maxChildrenListed) return;
  }
}

Result<SphereTree> MedialDagBuild::run() {
  const Error stopped{ErrorCode::Cancelled, "building the sphere-DAG was cancelled"};
  // On an open surface, all spheres that appear to lie inside count
  axis_ = medialAxis(polyhedron_, axisPoints(settings_), settings_.adjacency, progress_);
  if (cancelled()) return stopped;
  if (progress_) progress_->enter(BuildStage::Structure);
  merge();
  if (cancelled()) return stopped;
  for (std::size_t l = 1; l < levels_.size(); ++l) {
    cover(levels_[l]);
    if (cancelled()) return stopped;
    link(levels_[l - 1], levels_[l]);
    if (cancelled()) return stopped;
    if (children_ > maxChildrenListed)
      return Error{ErrorCode::TooLarge,
                   "the spheres of the sphere-DAG have more than 16 million children: expected "
                   "fewer levels"};
    if (progress_)
      progress_->fraction = static_cast<float>(l) / static_cast<float>(levels_.size() - 1);
  }

  if (progress_) progress_->enter(BuildStage::Triangles);
  std::vector<const DagSpheres*> levels;
  for (const DagSpheres& level : levels_) levels.push_back(&level);
  const std::vector<SphereId> ids = storeDag(levels, data_);
  std::vector<std::vector<std::uint32_t>> lists;
  for (const Sphere& ball : levels_.back().balls)
    lists.push_back(trianglesMeeting(polyhedron_, ball));
  listDagLeaves(ids, lists, data_);
  settleSharing(data_);
  if (!measureHausdorff(polyhedron_, field_, settings_, data_, progress_)) return stopped;
  return SphereTree(std::move(data_));
}

}  // namespace

Result<SphereTree> buildMedialDag(const Polyhedron& polyhedron, const SphereTreeSettings& settings,
                                  BuildProgress* progress) {
  const auto plan = planOf("medial-dag", settings, settings.medial);
  if (!plan) return plan.error();
  if (const int exponent = exponentToUsualSize(polyhedron))
    return builtAtUsualSize(exponent, polyhedron, settings, progress, buildMedialDag);
  return orOutOfMemory("cannot build the sphere-DAG",
                       [&] { return MedialDagBuild(polyhedron, *plan, progress).run(); });
}

}  // namespace nearmiss
