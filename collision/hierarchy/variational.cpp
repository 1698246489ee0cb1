// SPDX-License-Identifier: MIT
#include <nearmiss/sphere_tree_builder.h>

#include "hierarchy/parallel_for.h"
#include "hierarchy/piece_clusters.h"
#include "hierarchy/sphere_packing.h"
#include "hierarchy/tree_accuracy.h"

#include <algorithm>
#include <atomic>
#include <utility>

namespace nearmiss {
namespace {

constexpr int mostLevels = 10;
/// How many pieces are divided at least: the border between two balls runs along edges of pieces.
constexpr std::size_t piecesOfRoot = 4000;
constexpr std::size_t piecesOfOthers = 600;

/// A sphere of the level under construction, with the pieces that it owns.
struct Owner {
  Sphere ball;
  Real inaccuracy = 0.0;
  std::vector<SurfacePiece> pieces;
  SphereId id = 0;
};

class VariationalBuild {
 public:
  VariationalBuild(const Polyhedron& polyhedron, const SphereTreeSettings& settings,
                   BuildProgress* progress)
      : polyhedron_(polyhedron),
        settings_(settings),
        progress_(progress),
        field_(polyhedron.mesh()),
        probe_(field_, insideWeight(polyhedron, settings)),
        divisions_(static_cast<std::size_t>(settings.workers), SurfaceDivision(probe_)) {}

  Result<SphereTree> run();

 private:
  static Real insideWeight(const Polyhedron& polyhedron,
                           const SphereTreeSettings& settings) noexcept;
  void plantRoot();
  bool growLevel(int level);
  [[nodiscard]] std::vector<Owner> childrenOf(Owner& parent, SurfaceDivision& division) const;
  void listTriangles();
  static Sphere stored(const Sphere& ball) noexcept;

  const Polyhedron& polyhedron_;
  const SphereTreeSettings& settings_;
  BuildProgress* progress_;
  DistanceField field_;
  InaccuracyProbe probe_;
  std::vector<SurfaceDivision> divisions_;  ///< one per worker
  std::vector<Owner> level_;                ///< the deepest level so far
  std::vector<Owner> leaves_;               ///< of the levels above
  SphereTree::Data data_;
};

Result<SphereTree> VariationalBuild::run() {
  const Error cancelled{ErrorCode::Cancelled, "building the variational tree was cancelled"};
  if (progress_) progress_->stage = BuildStage::Structure;
  plantRoot();
  for (int level = 1; level <= settings_.levels && !level_.empty(); ++level)
    if (!growLevel(level)) return cancelled;
  for (Owner& leaf : level_) leaves_.push_back(std::move(leaf));
  if (progress_) progress_->stage = BuildStage::Triangles;
  listTriangles();
  if (!measureAccuracy(polyhedron_, settings_, data_, progress_)) return cancelled;
  if (progress_) progress_->stage = BuildStage::Done;
  return SphereTree(std::move(data_));
}

Real VariationalBuild::insideWeight(const Polyhedron& polyhedron,
                                    const SphereTreeSettings& settings) noexcept {
  if (!polyhedron.report().solid()) return 1.0;
  if (settings.objective == SphereObjective::Outside) return 0.0;
  return 1.0;
}

/// The ball as it is stored: its centre rounded to float, its radius such that it still holds all
/// corners, and more than rounding could take away from it.
Sphere VariationalBuild::stored(const Sphere& ball) noexcept {
  const Vec3 centre = roundedToFloat(ball.centre);
  return {centre, (ball.radius + glm::distance(centre, ball.centre)) * (1.0 + 1e-9)};
}

void VariationalBuild::plantRoot() {
  // Level 0 is the bounding sphere about the body's origin, which the broad phase uses as well, or
  // the smallest ball where the body lies far from its origin
  Owner& whole = level_.emplace_back();
  whole.pieces = surfacePieces(polyhedron_.mesh());
  const PieceCluster all = divisions_[0].enclose(whole.pieces);
  whole.ball = all.ball;
  whole.inaccuracy = all.inaccuracy;
  Sphere root = stored(whole.ball);
  const Sphere bounding{Vec3(0.0), polyhedron_.radius() * (1.0 + 1e-6)};
  if (bounding.radius <= 1.1 * root.radius) root = bounding;
  data_.packs.push_back(emptyPack());
  data_.links.push_back(emptyLinks());
  store(data_.packs[0], 0, root);
  data_.levelBegin = {0, 1};
}

bool VariationalBuild::growLevel(int level) {
  std::vector<std::vector<Owner>> children(level_.size());
  std::atomic<std::size_t> done{0};
  parallelFor(level_.size(), settings_.workers, [&](std::size_t i, int worker) {
    if (progress_ && progress_->cancelled) return;
    children[i] = childrenOf(level_[i], divisions_[static_cast<std::size_t>(worker)]);
    if (progress_)
      progress_->fraction = (static_cast<float>(level - 1) +
                             static_cast<float>(++done) / static_cast<float>(level_.size())) /
                            static_cast<float>(settings_.levels);
  });
  if (progress_ && progress_->cancelled) return false;

  std::vector<Owner> next;
  for (std::size_t i = 0; i < level_.size(); ++i) {
    Owner& parent = level_[i];
    if (children[i].empty()) {
      leaves_.push_back(std::move(parent));
      continue;
    }
    const auto pack = static_cast<std::uint32_t>(data_.packs.size());
    data_.links[parent.id / SpherePack::width].childPack[parent.id % SpherePack::width] = pack;
    data_.packs.push_back(emptyPack());
    data_.links.push_back(emptyLinks());
    for (std::size_t lane = 0; lane < children[i].size(); ++lane) {
      Owner& child = children[i][lane];
      store(data_.packs[pack], static_cast<int>(lane), stored(child.ball));
      child.id = pack * SpherePack::width + static_cast<SphereId>(lane);
      next.push_back(std::move(child));
    }
  }
  level_ = std::move(next);
  if (!level_.empty()) data_.levelBegin.push_back(static_cast<std::uint32_t>(data_.packs.size()));
  return true;
}

/// None where the sphere stays a leaf. Otherwise takes the pieces from the parent.
std::vector<Owner> VariationalBuild::childrenOf(Owner& parent, SurfaceDivision& division) const {
  if (parent.inaccuracy <= settings_.errorBound) return {};
  DivisionEffort effort;
  if (settings_.objective == SphereObjective::AreaWeighted) effort.norm = 2.0;
  std::vector<SurfacePiece> pieces = std::move(parent.pieces);
  parent.pieces.clear();
  cutEvenly(pieces, parent.id == 0 ? piecesOfRoot : piecesOfOthers);
  // The fewest children that all stay within the bound, if any number does
  const auto most = static_cast<std::size_t>(settings_.branching);
  std::vector<PieceCluster> clusters;
  for (std::size_t count = settings_.errorBound > 0.0 ? 2 : most; count <= most; ++count) {
    clusters = division.divide(pieces, count, effort);
    if (std::all_of(clusters.begin(), clusters.end(),
                    [this](const PieceCluster& c) { return c.inaccuracy <= settings_.errorBound; }))
      break;
  }
  std::vector<Owner> children;
  for (const PieceCluster& cluster : clusters) {
    Owner& child = children.emplace_back();
    child.ball = cluster.ball;
    child.inaccuracy = cluster.inaccuracy;
    for (const std::uint32_t i : cluster.pieces) child.pieces.push_back(pieces[i]);
  }
  return children;
}

void VariationalBuild::listTriangles() {
  std::sort(leaves_.begin(), leaves_.end(),
            [](const Owner& a, const Owner& b) { return a.id < b.id; });
  const std::size_t spheres = data_.packs.size() * SpherePack::width;
  data_.triangleBegin.assign(spheres + 1, 0);
  std::vector<std::uint32_t> triangles;
  for (const Owner& leaf : leaves_) {
    triangles.clear();
    for (const SurfacePiece& piece : leaf.pieces) triangles.push_back(piece.triangle);
    std::sort(triangles.begin(), triangles.end());
    triangles.erase(std::unique(triangles.begin(), triangles.end()), triangles.end());
    data_.triangleBegin[leaf.id + 1] = static_cast<std::uint32_t>(triangles.size());
    data_.leafTriangles.insert(data_.leafTriangles.end(), triangles.begin(), triangles.end());
  }
  for (std::size_t id = 0; id < spheres; ++id)
    data_.triangleBegin[id + 1] += data_.triangleBegin[id];
}

}  // namespace

Result<SphereTree> buildVariationalSphereTree(const Polyhedron& polyhedron,
                                              const SphereTreeSettings& settings,
                                              BuildProgress* progress) {
  if (settings.branching < 2 || settings.branching > SpherePack::width)
    return Error{ErrorCode::Unsupported, "the variational builder expects a branching of 2 to 8"};
  if (settings.levels < 1 || settings.levels > mostLevels)
    return Error{ErrorCode::Unsupported, "the variational builder expects 1 to 10 levels"};
  if (!(settings.hausdorffTolerance > 0.0 && settings.hausdorffTolerance <= 1.0))
    return Error{ErrorCode::Unsupported,
                 "the variational builder expects a tolerance of H above 0 and at most 1"};
  if (!(settings.errorBound >= 0.0))
    return Error{ErrorCode::Unsupported, "the variational builder expects no negative error bound"};
  if (settings.workers < 1 || settings.workers > 1024)
    return Error{ErrorCode::Unsupported, "the variational builder expects 1 to 1024 workers"};
  return VariationalBuild(polyhedron, settings, progress).run();
}

}  // namespace nearmiss
