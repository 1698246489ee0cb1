// SPDX-License-Identifier: MIT
#include <nearmiss/advanced/tree_builders.h>
#include <nearmiss/detail/cancellation.h>
#include <nearmiss/detail/out_of_memory.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/parallel_for.h"
#include "builders/piece_owners.h"
#include "builders/tree_levels.h"
#include "geometry/box_measures.h"
#include "geometry/surface_area_split.h"
#include "spheres/build_plan.h"
#include "spheres/enclosing_ball.h"
#include "spheres/hausdorff.h"
#include "spheres/node_boxes.h"
#include "spheres/sphere_packing.h"
#include "spheres/surface_samples.h"
#include "spheres/usual_size.h"

namespace nearmiss {
namespace {

/// More children per sphere gain nothing compared with another level.
constexpr std::size_t maxFastChildren = 32;
/// Spheres of the deepest level per triangle: more would say little that triangles do not.
constexpr std::size_t spheresPerTriangle = 1, spheresAtLeast = 64;
/// Number of pieces per sphere of the deepest level.
constexpr std::size_t piecesPerSphere = 4;

/// A range of the pieces, and its ball.
struct Part {
  std::size_t begin = 0, end = 0;
  Sphere ball;
  std::array<std::unique_ptr<Part>, 2> halves;  ///< null: not halved yet

  [[nodiscard]] std::size_t size() const noexcept { return end - begin; }
};

/// The whole surface as a tree of halves, halved on demand.
class SurfaceHalves {
 public:
  SurfaceHalves(const TriangleMesh& mesh, std::size_t spheres) : pieces_(surfacePieces(mesh)) {
    cutEvenly(pieces_, piecesPerSphere * spheres);
    whole_.end = pieces_.size();
    enclose(whole_);
  }

  [[nodiscard]] Part& whole() noexcept { return whole_; }
  [[nodiscard]] std::span<const SurfacePiece> piecesOf(const Part& part) const noexcept {
    return std::span(pieces_).subspan(part.begin, part.size());
  }
  /// Returns false if the part has only one piece.
  bool halve(Part& part) {
    if (part.halves[0]) return true;
    if (part.size() < 2) return false;
    const std::size_t middle = parted(part);
    for (std::size_t i = 0; i < 2; ++i) {
      part.halves[i] = std::make_unique<Part>();
      part.halves[i]->begin = i == 0 ? part.begin : middle;
      part.halves[i]->end = i == 0 ? middle : part.end;
      enclose(*part.halves[i]);
    }
    return true;
  }
  /// Halves the part and its halves, `times` levels down.
  void halve(Part& part, int times) {
    if (times == 0 || !halve(part)) return;
    for (const auto& half : part.halves) halve(*half, times - 1);
  }

 private:
  void enclose(Part& part) const;
  [[nodiscard]] std::size_t parted(const Part& part);

  std::vector<SurfacePiece> pieces_;
  Part whole_;
};

void SurfaceHalves::enclose(Part& part) const {
  std::vector<Vec3> corners;
  corners.reserve(3 * part.size());
  for (const SurfacePiece& piece : piecesOf(part))
    corners.insert(corners.end(), piece.corners.begin(), piece.corners.end());
  part.ball = smallestEnclosingBall(corners);
}

/// Divides the pieces of a part in two. Returns where the second half begins.
std::size_t SurfaceHalves::parted(const Part& part) {
  const std::span<SurfacePiece> pieces = std::span(pieces_).subspan(part.begin, part.size());
  Box middles;
  for (const SurfacePiece& piece : pieces) middles.include(piece.middle);
  const std::size_t first = splitBySurfaceArea(
      pieces, middles, [](const SurfacePiece& piece) { return boxOf(piece.corners); },
      [](const SurfacePiece& piece) { return piece.middle; });
  return part.begin + (first != 0 ? first : part.size() / 2);
}

/// Maximum number of spheres of a level.
constexpr std::size_t spheresOf(int level) noexcept { return std::size_t{1} << 3 * level; }

/// A part that becomes a sphere of the level below `parent`.
struct Child {
  Part* part;
  std::uint32_t parent;
};

/// Returns the parts of the next level. Halves the part with the largest ball until there are
/// `most` parts.
std::vector<Child> divided(std::span<Part* const> parents, std::size_t most,
                           SurfaceHalves& surface) {
  struct Open {
    Real radius;
    std::uint32_t number;
    bool operator<(const Open& other) const noexcept {
      return radius != other.radius ? radius < other.radius : number > other.number;
    }
  };
  std::vector<Child> children;
  std::vector<Open> open;
  std::vector<std::size_t> childCount(parents.size(), 2);
  const auto add = [&](Part& part, std::uint32_t parent) {
    open.push_back({part.ball.radius, static_cast<std::uint32_t>(children.size())});
    children.push_back({&part, parent});
  };
  for (std::uint32_t i = 0; i < parents.size(); ++i)
    if (surface.halve(*parents[i]))
      for (const auto& half : parents[i]->halves) add(*half, i);
  std::make_heap(open.begin(), open.end());
  while (children.size() < most && !open.empty()) {
    std::pop_heap(open.begin(), open.end());
    const Child whole = children[open.back().number];
    const std::uint32_t number = open.back().number;
    open.pop_back();
    if (childCount[whole.parent] == maxFastChildren || !surface.halve(*whole.part)) continue;
    ++childCount[whole.parent];
    children[number].part = whole.part->halves[0].get();
    open.push_back({children[number].part->ball.radius, number});
    std::push_heap(open.begin(), open.end());
    add(*whole.part->halves[1], whole.parent);
    std::push_heap(open.begin(), open.end());
  }
  std::stable_sort(children.begin(), children.end(),
                   [](const Child& a, const Child& b) { return a.parent < b.parent; });
  return children;
}

Result<SphereTree> built(const Polyhedron& polyhedron, const SphereTreeSettings& settings,
                         BuildProgress* progress) {
  const Error cancelled{ErrorCode::Cancelled, "building the sphere tree was cancelled"};
  if (progress) progress->enter(BuildStage::Structure);
  const TriangleMesh& mesh = polyhedron.mesh();
  const std::size_t last =
      std::min(spheresOf(settings.levels),
               std::max(spheresAtLeast, spheresPerTriangle * mesh.triangles.size()));
  SurfaceHalves surface(mesh, last);
  std::vector<Part*> level{&surface.whole()};
  TreeLevels levels(rootBall(polyhedron, level[0]->ball));
  std::vector<SphereId> ids{0};
  const auto listLeaf = [&](std::size_t i) {
    levels.addLeaf(ids[i], trianglesOf(surface.piecesOf(*level[i])));
  };
  NodeBoxes boxes;
  const auto fitBoxes = [&] {
    if (!(settings.nodeBoxRatio > 0.0)) return;
    std::vector<std::optional<NodeBox>> found(level.size());
    parallelFor(level.size(), settings.workers, [&](std::size_t i, int) {
      std::vector<Triangle> pieces;
      for (const SurfacePiece& piece : surface.piecesOf(*level[i])) pieces.push_back(piece.corners);
      found[i] = roughBox(pieces, storedBall(level[i]->ball));
    });
    for (std::size_t i = 0; i < level.size(); ++i) {
      if (!found[i]) continue;
      boxes.boxOf.resize(ids[i] + 1, NodeBoxes::none);
      boxes.boxOf[ids[i]] = static_cast<std::uint32_t>(boxes.boxes.size());
      boxes.boxes.push_back(*found[i]);
    }
  };
  for (int l = 1; l <= settings.levels && !level.empty() && level.size() < last; ++l) {
    if (wasCancelled(progress)) return cancelled;
    const std::size_t most = std::min(last, spheresOf(l));
    // Halve each part as often as is certainly needed, on all threads
    const int times = static_cast<int>(std::bit_width(most / level.size())) - 1;
    parallelFor(level.size(), settings.workers,
                [&](std::size_t i, int) { surface.halve(*level[i], times); });
    const std::vector<Child> children = divided(level, most, surface);
    for (std::size_t i = 0; i < level.size(); ++i)
      if (!level[i]->halves[0]) listLeaf(i);
    std::vector<TreeLevels::Place> places;
    level.clear();
    for (const Child& child : children) {
      places.push_back({child.part->ball, child.parent});
      level.push_back(child.part);
    }
    if (places.empty()) break;
    ids = levels.add(places, ids);
    fitBoxes();
  }
  for (std::size_t i = 0; i < level.size(); ++i) listLeaf(i);
  SphereTree::Data data = std::move(levels).take(progress);
  if (!boxes.empty()) {
    boxes.boxOf.resize(data.packs.size() * SpherePack::width, NodeBoxes::none);
    data.boxes = std::move(boxes);
  }
  if (!measureHausdorff(polyhedron, DistanceField(mesh), settings, data, progress))
    return cancelled;
  return SphereTree(std::move(data));
}

}  // namespace

Result<SphereTree> buildSurfaceAreaSphereTree(const Polyhedron& polyhedron,
                                              const SphereTreeSettings& settings,
                                              BuildProgress* progress) {
  if (auto sound = checkCommon(fastSphereTreeBuilder, settings); !sound) return sound.error();
  if (const int exponent = exponentToUsualSize(polyhedron))
    return builtAtUsualSize(exponent, polyhedron, settings, progress, buildSurfaceAreaSphereTree);
  return orOutOfMemory("cannot build the sphere tree",
                       [&] { return built(polyhedron, settings, progress); });
}

}  // namespace nearmiss
