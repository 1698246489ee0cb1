// SPDX-License-Identifier: MIT
#include <nearmiss/advanced/fallbacks.h>
#include <nearmiss/detail/cancellation.h>
#include <nearmiss/detail/out_of_memory.h>
#include <nearmiss/rivals/tree_builders.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/parallel_for.h"
#include "builders/octree.h"
#include "rivals/annealed.h"
#include "spheres/build_plan.h"
#include "spheres/enclosing_ball.h"
#include "spheres/hausdorff.h"
#include "spheres/sphere_packing.h"
#include "spheres/triangle_clipping.h"
#include "spheres/usual_size.h"

namespace nearmiss {
namespace {

/// Margin around its patches in which a sphere also contains the surface, relative to the side of a
/// patch's octant. Neighbours then overlap where they share the surface, and every small piece lies
/// completely in one of them.
constexpr Real patchOverlap = 4e-3;

/// Returns the level of the octants whose surface is one patch. Each sphere of a level has about 16
/// patches, and 4 in deep levels.
int patchLevel(int level) noexcept { return level + (level <= 4 ? 2 : 1); }

std::uint64_t keyOf(const std::array<std::uint32_t, 3>& index, int up) noexcept {
  std::uint64_t key = 0;
  for (const std::uint32_t i : index) key = key << 21 | i >> up;
  return key;
}

/// A sphere of the tree under construction.
struct Node {
  SphereId id = 0;
  std::uint32_t parent = 0;  ///< in the level above
  Sphere ball;
};

/// A patch, identified by the sphere above and the octant of the level in which it lies.
struct Start {
  std::uint32_t parent = 0;
  std::uint64_t octant = 0;
  std::uint32_t patch = 0;
  friend auto operator<=>(const Start&, const Start&) = default;
};

class TogetherBuild {
 public:
  TogetherBuild(const Polyhedron& polyhedron, const BuildPlan<AnnealedSettings>& settings,
                BuildProgress* progress)
      : polyhedron_(polyhedron),
        settings_(settings),
        progress_(progress),
        octants_(polyhedron, progress),
        field_(polyhedron.mesh()),
        probe_(field_, insideWeight(polyhedron, settings.objective)) {}

  Result<std::optional<SphereTree>> run();

 private:
  [[nodiscard]] bool cancelled() const noexcept { return wasCancelled(progress_); }
  void gatherPatches();
  void addSpheres(int level);
  void addFamily(int level, std::span<const Start> family, std::vector<Node>& next);
  void annealLevel(int level);
  void listTriangles();
  [[nodiscard]] bool beatsOctree();
  [[nodiscard]] std::uint32_t ownerAbove(const Octant& patch, int up) const noexcept;

  const Polyhedron& polyhedron_;
  const BuildPlan<AnnealedSettings>& settings_;
  BuildProgress* progress_;
  OctantGrowth octants_;  ///< ahead of the current level: its deepest octants contain the patches
  DistanceField field_;
  HausdorffProbe probe_;
  std::vector<Node> level_;
  SharedSurface surface_;
  std::vector<std::pair<std::uint64_t, std::uint32_t>> owners_;  ///< of the level above, by octant
  SphereTree::Data data_;
};

Result<std::optional<SphereTree>> TogetherBuild::run() {
  const Error stopped{ErrorCode::Cancelled, "building the annealed tree was cancelled"};
  if (progress_) progress_->enter(BuildStage::Structure);
  addPack(data_);
  data_.packs[0] = octants_.data().packs[0];
  data_.levelBegin = {0, 1};
  level_.assign(1, {});
  owners_.assign(1, {0, 0});
  for (int level = 1; level <= settings_.levels; ++level) {
    const int steps = patchLevel(level) - (level > 1 ? patchLevel(level - 1) : 0);
    for (int step = 0; step < steps; ++step)
      if (const auto grown = octants_.grow(); !grown) {
        // The octants are ahead of the tree: the octree itself may be small enough
        if (grown.error().code == ErrorCode::TooLarge) return std::optional<SphereTree>{};
        return grown.error();
      }
    gatherPatches();
    addSpheres(level);
    annealLevel(level);
    if (cancelled()) return stopped;
  }
  if (progress_) progress_->enter(BuildStage::Triangles);
  listTriangles();
  if (!measureHausdorff(polyhedron_, field_, settings_, data_, progress_)) return stopped;
  // With objective Outside, H was not minimised
  const bool kept = settings_.objective == SphereObjective::Outside || beatsOctree();
  if (cancelled()) return stopped;
  if (!kept) return std::optional<SphereTree>{};
  return std::optional(SphereTree(std::move(data_)));
}

/// Returns the sphere of the level above that owns the surface in a patch's octant.
std::uint32_t TogetherBuild::ownerAbove(const Octant& patch, int up) const noexcept {
  const std::uint64_t key = keyOf(patch.index, up);
  return std::lower_bound(owners_.begin(), owners_.end(), std::pair{key, std::uint32_t{0}})->second;
}

void TogetherBuild::gatherPatches() {
  surface_ = {};
  std::vector<Vec3> corners;
  for (const Octant& octant : octants_.octants()) {
    const Box box = widened(octants_.boxOf(octant), patchOverlap);
    findCorners(polyhedron_.mesh(), octant.triangles, box, corners);
    SharedSurface::Patch& patch = surface_.patches.emplace_back();
    patch.begin = static_cast<std::uint32_t>(surface_.points.size());
    surface_.points.insert(surface_.points.end(), corners.begin(), corners.end());
    patch.end = static_cast<std::uint32_t>(surface_.points.size());
    patch.bounds.centre = box.centre();
    patch.bounds.radius = std::sqrt(std::max(0.0, maxSquaredDistance(box.centre(), corners)));
  }
}

void TogetherBuild::addSpheres(int level) {
  const std::vector<Octant>& octants = octants_.octants();
  const int up = patchLevel(level) - (level > 1 ? patchLevel(level - 1) : 0);
  std::vector<Start> starts;
  for (std::uint32_t p = 0; p < octants.size(); ++p)
    starts.push_back(
        {ownerAbove(octants[p], up), keyOf(octants[p].index, patchLevel(level) - level), p});
  std::sort(starts.begin(), starts.end());
  std::vector<Node> next;
  const auto otherParent = [](const Start& a, const Start& b) { return a.parent != b.parent; };
  for (auto begin = starts.begin(); begin != starts.end();) {
    const auto end = std::adjacent_find(begin, starts.end(), otherParent);
    const auto after = end == starts.end() ? end : end + 1;
    addFamily(level, {begin, after}, next);
    begin = after;
  }
  level_ = std::move(next);
  data_.levelBegin.push_back(static_cast<std::uint32_t>(data_.packs.size()));
}

/// Adds the children of a sphere: the octants in which its patches lie. If there are more than
/// eight, the eight with most patches; the other patches go to the nearest child.
void TogetherBuild::addFamily(int level, std::span<const Start> family, std::vector<Node>& next) {
  struct Group {
    std::size_t first, count;
  };
  std::vector<Group> groups;
  for (std::size_t i = 0; i < family.size(); ++i) {
    if (i == 0 || family[i].octant != family[i - 1].octant) groups.push_back({i, 0});
    ++groups.back().count;
  }
  std::stable_sort(groups.begin(), groups.end(),
                   [](const Group& a, const Group& b) { return a.count > b.count; });

  const std::uint32_t parent = family[0].parent;
  const SphereId above = level_[parent].id;
  const auto pack = static_cast<std::uint32_t>(data_.packs.size());
  data_.links[above / SpherePack::width].childPack[above % SpherePack::width] = pack;
  addPack(data_);
  const std::size_t first = next.size();
  for (std::size_t g = 0; g < groups.size(); ++g) {
    Octant octant;
    for (std::size_t axis = 0; axis < 3; ++axis)
      octant.index[axis] = octants_.octants()[family[groups[g].first].patch].index[axis] >>
                           (patchLevel(level) - level);
    const Vec3 centre = circumscribed(octants_.boxOf(octant, level)).centre;
    std::size_t at = next.size();
    if (g < SpherePack::width) {
      next.push_back({pack * SpherePack::width + static_cast<SphereId>(g), parent, {centre, 0.0}});
    } else {
      const auto nearest = std::ranges::min_element(
          next.begin() + static_cast<std::ptrdiff_t>(first), next.end(), {},
          [&centre](const Node& node) { return glm::distance(node.ball.centre, centre); });
      at = static_cast<std::size_t>(nearest - next.begin());
    }
    Sphere& ball = next[at].ball;
    for (const Start& start : family.subspan(groups[g].first, groups[g].count)) {
      SharedSurface::Patch& patch = surface_.patches[start.patch];
      patch.owner = static_cast<std::uint32_t>(at);
      ball.radius =
          std::max(ball.radius, surface_.reach(patch, ball.centre, ball.radius) * (1.0 + 1e-9));
    }
  }
}

void TogetherBuild::annealLevel(int level) {
  std::vector<Sphere> spheres;
  std::vector<std::uint32_t> families;
  for (const Node& node : level_) {
    spheres.push_back(node.ball);
    families.push_back(node.parent);
  }
  SetAnnealing annealing(probe_, settings_.schedule);
  // Each level takes about four times as long as the one above
  const float done = std::pow(0.25f, static_cast<float>(settings_.levels - level));
  annealing.anneal(spheres, families, surface_,
                   settings_.schedule.seed + static_cast<std::uint64_t>(level), progress_,
                   0.25f * done, done);
  for (std::size_t i = 0; i < level_.size(); ++i) {
    level_[i].ball = spheres[i];
    const SphereId id = level_[i].id;
    store(data_.packs[id / SpherePack::width], static_cast<int>(id % SpherePack::width),
          spheres[i]);
  }
  owners_.clear();
  for (std::size_t p = 0; p < surface_.patches.size(); ++p)
    owners_.emplace_back(keyOf(octants_.octants()[p].index, 0), surface_.patches[p].owner);
  std::sort(owners_.begin(), owners_.end());
}

/// Lists in each leaf the triangles of its patches' octants.
void TogetherBuild::listTriangles() {
  std::vector<std::vector<std::uint32_t>> lists(level_.size());
  for (std::size_t p = 0; p < surface_.patches.size(); ++p) {
    std::vector<std::uint32_t>& list = lists[surface_.patches[p].owner];
    const std::vector<std::uint32_t>& triangles = octants_.octants()[p].triangles;
    list.insert(list.end(), triangles.begin(), triangles.end());
  }
  const std::size_t spheres = data_.packs.size() * SpherePack::width;
  data_.triangleBegin.assign(spheres + 1, 0);
  for (std::size_t i = 0; i < level_.size(); ++i) {
    std::sort(lists[i].begin(), lists[i].end());
    lists[i].erase(std::unique(lists[i].begin(), lists[i].end()), lists[i].end());
    // Leaves are in the order of their ids
    data_.leafTriangles.insert(data_.leafTriangles.end(), lists[i].begin(), lists[i].end());
    data_.triangleBegin[level_[i].id + 1] = static_cast<std::uint32_t>(lists[i].size());
  }
  for (std::size_t id = 0; id < spheres; ++id)
    data_.triangleBegin[id + 1] += data_.triangleBegin[id];
}

/// Returns true if the maximum H of each level is at most that of the same level of the octree.
/// Compares proven bounds. The result is meaningless if the build was cancelled.
bool TogetherBuild::beatsOctree() {
  const SphereTree::Data& octree = octants_.data();
  FarthestPointSearch search(polyhedron_, &field_);
  for (std::size_t l = 1; l + 1 < data_.levelBegin.size(); ++l) {
    float most = 0.0f;
    for (std::uint32_t pack = data_.levelBegin[l]; pack < data_.levelBegin[l + 1]; ++pack)
      for (int lane = 0; lane < SpherePack::width; ++lane)
        most = std::max(most, data_.links[pack].hausdorff[lane]);
    // One sphere with that H suffices; usually the octree has many
    bool beaten = false;
    for (std::uint32_t pack = octree.levelBegin[l]; pack < octree.levelBegin[l + 1] && !beaten;
         ++pack)
      for (int lane = 0; lane < SpherePack::width && !beaten; ++lane) {
        const SpherePack& p = octree.packs[pack];
        if (p.r[lane] < 0.0f) continue;
        if (cancelled()) return false;
        const Sphere ball{Vec3(p.x[lane], p.y[lane], p.z[lane]), p.r[lane]};
        // No point of a ball is farther away than the distance of its centre plus its radius
        if (ball.radius + polyhedron_.nearest(ball.centre).distance < Real{most}) continue;
        const Real bound = search.search(ball, settings_.hausdorffTolerance * ball.radius).atMost;
        beaten = floatAtLeast(bound) >= most;
      }
    if (!beaten) return false;
  }
  return true;
}

}  // namespace

Result<SphereTree> buildAnnealedTogether(const Polyhedron& polyhedron,
                                         const SphereTreeSettings& settings,
                                         BuildProgress* progress) {
  const auto plan = planOf("annealed", settings, settings.annealed);
  if (!plan) return plan.error();
  if (const int exponent = exponentToUsualSize(polyhedron))
    return builtAtUsualSize(exponent, polyhedron, settings, progress, buildAnnealedTogether);
  return orOutOfMemory("cannot build the annealed tree", [&]() -> Result<SphereTree> {
    if (plan->schedule.steps > 0) {
      auto tree = TogetherBuild(polyhedron, *plan, progress).run();
      if (!tree) return tree.error();
      if (*tree) return std::move(**tree);
      countFallback(Fallback::AnnealedApart);
    }
    return buildAnnealedSphereTree(polyhedron, settings, progress);
  });
}

}  // namespace nearmiss
