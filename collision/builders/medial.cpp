// SPDX-License-Identifier: MIT
#include "builders/medial.h"

#include <nearmiss/advanced/tree_builders.h>
#include <nearmiss/detail/cancellation.h>
#include <nearmiss/detail/out_of_memory.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <numeric>
#include <optional>
#include <utility>

#include "base/parallel_for.h"
#include "builders/sphere_merging.h"
#include "builders/surface_partition.h"
#include "spheres/coverage.h"
#include "spheres/hausdorff.h"
#include "spheres/hausdorff_probe.h"
#include "spheres/sphere_packing.h"
#include "spheres/usual_size.h"

namespace nearmiss {
namespace {

/// The overlap of spheres by the safest policy, relative to the radii. Greater than rounding
/// errors, and enough for a proof by subdividing the surface.
constexpr Real safely = 1e-4;

/// A sphere of the tree under construction.
struct MergedNode {
  PieceHolder owner;                   ///< has pieces only if coverage is guaranteed
  std::vector<std::uint32_t> spheres;  ///< indices of the axis' spheres that merged into it
  SphereId id = 0;
};

class MergedBuild {
 public:
  MergedBuild(const Polyhedron& polyhedron, const BuildPlan<MedialSettings>& settings,
              const FindAxis& findAxis, BuildProgress* progress)
      : polyhedron_(polyhedron),
        settings_(settings),
        findAxis_(findAxis),
        progress_(progress),
        field_(polyhedron.mesh()),
        probe_(field_, insideWeight(polyhedron, settings.objective)) {}

  Result<SphereTree> run();

 private:
  [[nodiscard]] bool cancelled() const noexcept { return wasCancelled(progress_); }
  /// Returns true if spheres own pieces of the surface.
  [[nodiscard]] bool partition() const noexcept {
    return settings_.coverage == Coverage::Guaranteed &&
           settings_.guarantee == CoverageGuarantee::Partition;
  }
  [[nodiscard]] bool closeEnough(const Sphere& ball) const noexcept {
    ProbeMemory memory;
    return settings_.errorBound > 0.0 && probe_.explore(ball, memory) <= settings_.errorBound;
  }
  void addRoot();
  bool growLevel(int level);
  [[nodiscard]] std::vector<MergedNode> childrenOf(MergedNode& parent, int level) const;
  [[nodiscard]] std::vector<SphereCluster> merged(const MergedNode& parent, bool byArea) const;
  [[nodiscard]] Real figureOf(const std::vector<SphereCluster>& clusters) const;
  [[nodiscard]] std::vector<SphereCluster> bestMerged(const MergedNode& parent) const;
  void coverLevel();
  void coverParent(const Sphere& parent, std::vector<MergedNode>& children) const;
  void listTriangles();

  const Polyhedron& polyhedron_;
  const BuildPlan<MedialSettings>& settings_;
  const FindAxis& findAxis_;
  BuildProgress* progress_;
  DistanceField field_;
  HausdorffProbe probe_;
  MedialAxis axis_;
  std::vector<Vec3> positions_;  ///< positions of the axis' points
  std::optional<SurfacePartition> partition_;
  std::vector<MergedNode> level_;   ///< the deepest level so far
  std::vector<MergedNode> leaves_;  ///< leaves of the levels above
  SphereTree::Data data_;
};

Result<SphereTree> MergedBuild::run() {
  const Error stopped{ErrorCode::Cancelled, "building the tree was cancelled"};
  axis_ = findAxis_(axisPoints(settings_));
  if (cancelled()) return stopped;
  if (progress_) progress_->enter(BuildStage::Structure);
  addRoot();
  for (int level = 1; level <= settings_.levels && !level_.empty(); ++level)
    if (!growLevel(level)) return stopped;
  for (MergedNode& leaf : level_) leaves_.push_back(std::move(leaf));
  if (progress_) progress_->enter(BuildStage::Triangles);
  listTriangles();
  data_.coverage = settings_.coverage;
  if (!measureHausdorff(polyhedron_, field_, settings_, data_, progress_)) return stopped;
  return SphereTree(std::move(data_));
}

void MergedBuild::addRoot() {
  positions_ = positionsOf(axis_.points);
  MergedNode& whole = level_.emplace_back();
  whole.spheres.resize(axis_.spheres.size());
  std::iota(whole.spheres.begin(), whole.spheres.end(), 0u);
  // Level 0 is the bounding sphere about the body's origin, which the broad phase uses as well. If
  // the body lies far from its origin, it is the vertices' own sphere
  Sphere root = storedBall(ritterBall(polyhedron_.mesh().positions));
  const Sphere bounding{Vec3(0.0), polyhedron_.radius() * (1.0 + 1e-6)};
  if (bounding.radius <= 1.1 * root.radius) root = bounding;
  // The safest policy clips at the root, so the clip must contain everything
  root.radius *= 1.0 + (settings_.guarantee == CoverageGuarantee::Safest ? safely : 1e-6);
  whole.owner.ball = root;
  if (partition()) {
    // Points on a needle form a row, farther apart than its area suggests
    const Vec3 extent = polyhedron_.bounds().extent();
    const Real inARow =
        std::max({extent.x, extent.y, extent.z}) / static_cast<Real>(positions_.size());
    partition_.emplace(polyhedron_.mesh(), positions_,
                       std::max(evenSpacing(polyhedron_.mesh(), positions_.size()), inARow));
    whole.owner.pieces = partition_->wholeSurface();
  }
  addPack(data_);
  store(data_.packs[0], 0, root);
  data_.levelBegin = {0, 1};
}

bool MergedBuild::growLevel(int level) {
  std::vector<std::vector<MergedNode>> children(level_.size());
  std::atomic<std::size_t> done{0};
  parallelFor(level_.size(), settings_.workers, [&](std::size_t i, int) {
    children[i] = childrenOf(level_[i], level);
    if (progress_)
      progress_->fraction = (static_cast<float>(level - 1) +
                             static_cast<float>(++done) / static_cast<float>(level_.size())) /
                            static_cast<float>(settings_.levels);
  });
  if (cancelled()) return false;

  std::vector<MergedNode> next;
  for (std::size_t i = 0; i < level_.size(); ++i) {
    if (children[i].empty()) {
      leaves_.push_back(std::move(level_[i]));
      continue;
    }
    const auto pack = static_cast<std::uint32_t>(data_.packs.size());
    const SphereId parent = level_[i].id;
    data_.links[parent / SpherePack::width].childPack[parent % SpherePack::width] = pack;
    addPack(data_);
    for (std::size_t lane = 0; lane < children[i].size(); ++lane) {
      children[i][lane].id = pack * SpherePack::width + static_cast<SphereId>(lane);
      next.push_back(std::move(children[i][lane]));
    }
  }
  level_ = std::move(next);
  if (level_.empty()) return true;
  data_.levelBegin.push_back(static_cast<std::uint32_t>(data_.packs.size()));
  if (settings_.coverage == Coverage::Paper) coverLevel();
  if (cancelled()) return false;
  for (const auto* nodes : {&leaves_, &level_})
    for (const MergedNode& node : *nodes)
      store(data_.packs[node.id / SpherePack::width], static_cast<int>(node.id % SpherePack::width),
            node.owner.ball);
  return true;
}

/// Returns at most as many clusters as a sphere may have children, or the fewest that all stay
/// within the error bound.
std::vector<SphereCluster> MergedBuild::merged(const MergedNode& parent, bool byArea) const {
  // Start over with the spheres that merged into the parent
  SphereMerging merging(axis_, parent.spheres, byArea, SphereMerging::usualExactVisits,
                        cancellationOf(progress_));
  while (merging.liveCount() > static_cast<std::size_t>(settings_.branching)) {
    if (cancelled()) return {};
    if (!merging.mergeCheapest()) merging.widen();
  }
  std::vector<SphereCluster> clusters = merging.live();
  while (settings_.errorBound > 0.0 && merging.liveCount() > 2 && !cancelled()) {
    if (!merging.mergeCheapest()) merging.widen();
    std::vector<SphereCluster> fewer = merging.live();
    if (!std::all_of(fewer.begin(), fewer.end(),
                     [this](const SphereCluster& c) { return closeEnough(c.ball); }))
      break;
    clusters = std::move(fewer);
  }
  return clusters;
}

/// The quantity that the objective minimises: the maximum Hausdorff distance, or the mean over the
/// forming points of the smallest Hausdorff distance of a ball that contains the point.
Real MergedBuild::figureOf(const std::vector<SphereCluster>& clusters) const {
  std::vector<Real> distances;
  for (const SphereCluster& cluster : clusters) {
    ProbeMemory memory;
    distances.push_back(probe_.explore(cluster.ball, memory));
  }
  if (settings_.objective != SphereObjective::AreaWeighted)
    return *std::max_element(distances.begin(), distances.end());
  Real sum = 0.0, count = 0.0;
  for (std::size_t i = 0; i < clusters.size(); ++i)
    for (const std::uint32_t p : clusters[i].points) {
      Real least = distances[i];
      for (std::size_t k = 0; k < clusters.size(); ++k)
        if (glm::distance(positions_[p], clusters[k].ball.centre) <= clusters[k].ball.radius)
          least = std::min(least, distances[k]);
      sum += least;
      ++count;
    }
  return sum / count;
}

/// Merges by the paper's cost, which minimises the largest Hausdorff distance. For objectives that
/// are weighted by area or count only the outside, also merges by a cost weighted by area, and
/// returns the better result.
std::vector<SphereCluster> MergedBuild::bestMerged(const MergedNode& parent) const {
  std::vector<SphereCluster> papers = merged(parent, false);
  if (settings_.objective != SphereObjective::AreaWeighted &&
      settings_.objective != SphereObjective::Outside)
    return papers;
  std::vector<SphereCluster> byArea = merged(parent, true);
  if (cancelled()) return {};
  return figureOf(byArea) < figureOf(papers) ? byArea : papers;
}

/// Empty if the sphere stays a leaf.
std::vector<MergedNode> MergedBuild::childrenOf(MergedNode& parent, int level) const {
  if (parent.spheres.size() < 2 || closeEnough(parent.owner.ball)) return {};
  std::vector<MergedNode> children;
  for (SphereCluster& cluster : bestMerged(parent)) {
    MergedNode& child = children.emplace_back();
    child.owner.ball = storedBall(cluster.ball);
    child.owner.points = std::move(cluster.points);
    child.spheres = std::move(cluster.spheres);
  }
  if (children.empty() || settings_.coverage != Coverage::Guaranteed) return children;
  if (!partition()) {
    coverParent(parent.owner.ball, children);
    return children;
  }

  std::vector<PieceHolder> owners;
  for (MergedNode& child : children) owners.push_back(std::move(child.owner));
  partition_->distribute(std::move(parent.owner.pieces), level == settings_.levels, owners);
  parent.owner.pieces = {};
  for (std::size_t i = 0; i < children.size(); ++i) children[i].owner = std::move(owners[i]);
  std::erase_if(children, [](const MergedNode& child) { return child.owner.pieces.empty(); });
  return children;
}

/// Applies the sphere-DAG's policy to a tree: the level, together with the leaves above it, covers
/// every triangle.
void MergedBuild::coverLevel() {
  std::vector<Sphere*> balls;
  for (auto* nodes : {&leaves_, &level_})
    for (MergedNode& node : *nodes) balls.push_back(&node.owner.ball);
  enlargeUntilCovered(polyhedron_, balls, {}, cancellationOf(progress_));
}

/// The safest policy: the children cover all of the surface that their parent covers.
void MergedBuild::coverParent(const Sphere& parent, std::vector<MergedNode>& children) const {
  std::vector<Sphere*> balls;
  for (MergedNode& child : children) balls.push_back(&child.owner.ball);
  // The part of the parent that its siblings rely on, and a little more
  const Sphere clip{parent.centre, parent.radius * (1.0 - 0.5 * safely)};
  enlargeUntilCovered(polyhedron_, balls, {&clip, safely}, cancellationOf(progress_));
  // A child larger than its parent covers no more than the parent itself would
  for (Sphere* ball : balls)
    if (ball->radius > parent.radius) *ball = {parent.centre, parent.radius * (1.0 + safely)};
}

void MergedBuild::listTriangles() {
  std::sort(leaves_.begin(), leaves_.end(),
            [](const MergedNode& a, const MergedNode& b) { return a.id < b.id; });
  const std::size_t spheres = data_.packs.size() * SpherePack::width;
  data_.triangleBegin.assign(spheres + 1, 0);
  std::vector<std::uint32_t> triangles;
  for (const MergedNode& leaf : leaves_) {
    triangles.clear();
    if (partition()) {
      for (const OwnedPiece& owned : leaf.owner.pieces) triangles.push_back(owned.piece.triangle);
      std::sort(triangles.begin(), triangles.end());
      triangles.erase(std::unique(triangles.begin(), triangles.end()), triangles.end());
    } else {
      triangles = trianglesMeeting(polyhedron_, leaf.owner.ball);
    }
    data_.triangleBegin[leaf.id + 1] = static_cast<std::uint32_t>(triangles.size());
    data_.leafTriangles.insert(data_.leafTriangles.end(), triangles.begin(), triangles.end());
  }
  for (std::size_t id = 0; id < spheres; ++id)
    data_.triangleBegin[id + 1] += data_.triangleBegin[id];
}

}  // namespace

Result<SphereTree> buildMergedTree(const Polyhedron& polyhedron,
                                   const BuildPlan<MedialSettings>& plan, const FindAxis& findAxis,
                                   BuildProgress* progress) {
  return orOutOfMemory("cannot build a tree of merged spheres",
                       [&] { return MergedBuild(polyhedron, plan, findAxis, progress).run(); });
}

std::size_t axisPoints(const BuildPlan<MedialSettings>& plan) noexcept {
  if (plan.surfacePoints > 0) return plan.surfacePoints;
  const Real leaves = std::pow(static_cast<Real>(plan.branching), plan.levels);
  return static_cast<std::size_t>(std::clamp(4.0 * leaves, 4000.0, 10000.0));
}

Result<SphereTree> buildMedialSphereTree(const Polyhedron& polyhedron,
                                         const SphereTreeSettings& settings,
                                         BuildProgress* progress) {
  const auto plan = planOf("medial", settings, settings.medial);
  if (!plan) return plan.error();
  if (const int exponent = exponentToUsualSize(polyhedron))
    return builtAtUsualSize(exponent, polyhedron, settings, progress, buildMedialSphereTree);
  // The paper's rule uses every Voronoi vertex that seems to lie inside, which is meaningless if
  // the mesh is not a solid. For the largest H, which counts on both sides of the surface, no ball
  // may reach far into a solid
  const bool inner = polyhedron.report().solid() && plan->objective != SphereObjective::Largest;
  const bool sided = inner || plan->coverage != Coverage::Guaranteed ||
                     plan->guarantee != CoverageGuarantee::Partition;
  const auto findAxis = [&](std::size_t count) {
    if (!sided) return pointAxis(polyhedron, count, progress);
    return medialAxis(polyhedron, count, plan->adjacency, progress);
  };
  return buildMergedTree(polyhedron, *plan, findAxis, progress);
}

}  // namespace nearmiss
