// SPDX-License-Identifier: MIT
#include <nearmiss/advanced/tree_builders.h>
#include <nearmiss/detail/out_of_memory.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "builders/dag_storage.h"
#include "builders/piece_owners.h"
#include "spheres/build_plan.h"
#include "spheres/hausdorff.h"
#include "spheres/sphere_packing.h"
#include "spheres/usual_size.h"

namespace nearmiss {
namespace {

/// Approximate share of the first divisions in the time until all spheres are found.
constexpr float shareOfDivisions = 0.1f;

/// The spheres of one level, and the owner of each piece.
struct DagLevel : DagSpheres {
  std::vector<std::uint32_t> ownerOf;  ///< per piece
};

class DagBuild {
 public:
  DagBuild(const Polyhedron& polyhedron, const BuildPlan<VariationalSettings>& settings,
           BuildProgress* progress)
      : polyhedron_(polyhedron),
        settings_(settings),
        progress_(progress),
        partition_(polyhedron, settings, progress, shareOfDivisions) {}

  Result<SphereTree> run();

 private:
  bool divide();
  void fitLevel(int l);
  void show(int l, Real share) const noexcept;
  static void link(DagLevel& parents, const DagLevel& children);
  void listLeaves(const DagLevel& level, std::span<const SphereId> ids);

  const Polyhedron& polyhedron_;
  const BuildPlan<VariationalSettings>& settings_;
  BuildProgress* progress_;
  PieceOwners partition_;
  std::vector<SurfacePiece> pieces_;
  std::vector<DagLevel> levels_;
  SphereTree::Data data_;
};

/// Divides as for a tree. This cuts the pieces and gives every level its first owners.
bool DagBuild::divide() {
  std::vector<PieceOwner> level, next;
  level.push_back(partition_.whole());
  const Sphere root = level[0].ball;
  std::vector<std::vector<std::size_t>> parents;  // per level, per owner
  for (int l = 1; l <= settings_.levels; ++l) {
    // An owner that is not divided is passed on to the next level, so none is settled
    if (!partition_.divide(level, l, 0, next)) return false;
    for (std::size_t i = 0; i < level.size(); ++i)
      if (!level[i].pieces.empty()) {
        next.push_back(std::move(level[i]));
        next.back().parent = i;
      }
    auto& parentOf = parents.emplace_back();
    for (const PieceOwner& owner : next) parentOf.push_back(owner.parent);
    std::swap(level, next);
  }
  levels_.resize(parents.size() + 1);
  levels_[0].balls = {root};
  for (std::size_t i = 0; i < level.size(); ++i)
    for (const SurfacePiece& piece : level[i].pieces) {
      pieces_.push_back(piece);
      std::size_t owner = i;
      for (std::size_t l = parents.size(); l > 0; --l) {
        levels_[l].ownerOf.push_back(static_cast<std::uint32_t>(owner));
        owner = parents[l - 1][owner];
      }
      levels_[0].ownerOf.push_back(0);
    }
  for (std::size_t l = 1; l < levels_.size(); ++l) levels_[l].balls.resize(parents[l - 1].size());
  return true;
}

/// Fits the spheres of a level to the whole surface, starting from those of the tree. May cut
/// pieces; in the other levels both parts keep the owner of the whole.
void DagBuild::fitLevel(int l) {
  DagLevel& level = levels_[static_cast<std::size_t>(l)];
  std::vector<PieceCluster> clusters(level.balls.size());
  for (std::uint32_t i = 0; i < pieces_.size(); ++i) clusters[level.ownerOf[i]].pieces.push_back(i);
  std::vector<std::uint32_t> cutFrom;
  clusters = partition_.division().even(pieces_, std::move(clusters), partition_.effort(l), cutFrom,
                                        [this, l](Real share) { show(l, share); });
  for (DagLevel& any : levels_)
    for (const std::uint32_t whole : cutFrom) any.ownerOf.push_back(any.ownerOf[whole]);
  level.balls.clear();
  for (const PieceCluster& cluster : clusters) {
    for (const std::uint32_t i : cluster.pieces)
      level.ownerOf[i] = static_cast<std::uint32_t>(level.balls.size());
    level.balls.push_back(cluster.ball);
  }
}

/// Updates the progress. A level takes several times as long as the one above.
void DagBuild::show(int l, Real share) const noexcept {
  if (!progress_) return;
  const Real above = std::pow(0.25, settings_.levels - l);
  const Real fitted = above * (0.25 + 0.75 * share);
  progress_->fraction = shareOfDivisions + (1.0f - shareOfDivisions) * static_cast<float>(fitted);
}

/// Each piece makes its owner a child of its owner in the level above.
void DagBuild::link(DagLevel& parents, const DagLevel& children) {
  parents.children.assign(parents.balls.size(), {});
  for (std::size_t i = 0; i < children.ownerOf.size(); ++i)
    parents.children[parents.ownerOf[i]].push_back(children.ownerOf[i]);
  for (std::vector<std::uint32_t>& list : parents.children) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
  }
}

void DagBuild::listLeaves(const DagLevel& level, std::span<const SphereId> ids) {
  std::vector<std::vector<SurfacePiece>> owned(level.balls.size());
  for (std::size_t i = 0; i < pieces_.size(); ++i) owned[level.ownerOf[i]].push_back(pieces_[i]);
  std::vector<std::vector<std::uint32_t>> lists;
  for (const std::vector<SurfacePiece>& pieces : owned) lists.push_back(trianglesOf(pieces));
  listDagLeaves(ids, lists, data_);
}

Result<SphereTree> DagBuild::run() {
  const Error cancelled{ErrorCode::Cancelled, "building the sphere-DAG was cancelled"};
  if (!divide()) return cancelled;
  for (int l = 1; l <= settings_.levels; ++l) {
    fitLevel(l);
    if (partition_.cancelled()) return cancelled;
  }
  for (std::size_t l = 1; l < levels_.size(); ++l) link(levels_[l - 1], levels_[l]);

  if (progress_) progress_->enter(BuildStage::Triangles);
  std::vector<const DagSpheres*> levels;
  for (DagLevel& level : levels_) {
    for (Sphere& ball : level.balls)
      ball = &level == &levels_.front() ? rootBall(polyhedron_, ball) : storedBall(ball);
    levels.push_back(&level);
  }
  const std::vector<SphereId> ids = storeDag(levels, data_);
  listLeaves(levels_.back(), ids);
  if (!measureHausdorff(polyhedron_, partition_.field(), settings_, data_, progress_))
    return cancelled;
  return SphereTree(std::move(data_));
}

}  // namespace

Result<SphereTree> buildSphereDag(const Polyhedron& polyhedron, const SphereTreeSettings& settings,
                                  BuildProgress* progress) {
  // Levels that are fitted as a whole must not have outliers anywhere
  VariationalSettings own = clusterSettings(settings.dag);
  if (own.objective == SphereObjective::Exposed) own.objective = SphereObjective::Largest;
  const auto plan = planOf("dag", settings, own);
  if (!plan) return plan.error();
  if (const int exponent = exponentToUsualSize(polyhedron))
    return builtAtUsualSize(exponent, polyhedron, settings, progress, buildSphereDag);
  return orOutOfMemory("cannot build the sphere-DAG",
                       [&] { return DagBuild(polyhedron, *plan, progress).run(); });
}

}  // namespace nearmiss
