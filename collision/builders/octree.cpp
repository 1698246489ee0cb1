// SPDX-License-Identifier: MIT
#include "builders/octree.h"

#include <nearmiss/advanced/tree_builders.h>
#include <nearmiss/detail/cancellation.h>
#include <nearmiss/detail/out_of_memory.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "geometry/box_measures.h"
#include "spheres/build_plan.h"
#include "spheres/hausdorff.h"
#include "spheres/sphere_packing.h"
#include "spheres/triangle_clipping.h"
#include "spheres/usual_size.h"

namespace nearmiss {
namespace {

/// A larger tree would take gigabytes, and is more likely a mistake in the settings than intended.
constexpr std::size_t maxSpheres = std::size_t{1} << 24;
constexpr std::size_t maxLeafTriangles = std::size_t{1} << 28;

}  // namespace

OctantGrid::OctantGrid(const Box& bounds) noexcept {
  const Vec3 extent = bounds.extent();
  side_ = std::max({extent.x, extent.y, extent.z}) + 1e-12 * largestCoordinate(bounds);
  low_ = bounds.centre() - 0.5 * side_;
}

/// Computes the border between two octants by the same product from both sides. This is exact,
/// because halving a double is exact.
Box OctantGrid::box(int level, const Octant& octant) const noexcept {
  const Real cell = side_ / static_cast<Real>(1u << level);
  Box box;
  for (int axis = 0; axis < 3; ++axis) {
    const auto i = static_cast<std::size_t>(axis);
    box.low[axis] = low_[axis] + cell * octant.index[i];
    box.high[axis] = low_[axis] + cell * (octant.index[i] + 1);
  }
  return box;
}

Sphere circumscribed(const Box& box) noexcept {
  Sphere sphere{roundedToFloat(box.centre()), 0.0};
  const Vec3 reach = glm::max(box.high - sphere.centre, sphere.centre - box.low);
  sphere.radius = glm::length(reach) * (1.0 + 1e-6);
  return sphere;
}

OctantGrowth::OctantGrowth(const Polyhedron& polyhedron, BuildProgress* progress)
    : polyhedron_(polyhedron), progress_(progress), grid_(polyhedron.bounds()) {
  addRoot();
}

void OctantGrowth::addRoot() {
  // Level 0 is the bounding sphere about the body's origin, which the broad phase uses as well. If
  // the body lies far from its origin and the cube's own sphere is smaller, that one is used
  Octant whole;
  Sphere root = circumscribed(grid_.box(0, whole));
  const Sphere bounding{Vec3(0.0), polyhedron_.radius() * (1.0 + 1e-6)};
  if (bounding.radius <= root.radius) root = bounding;
  addPack(data_);
  store(data_.packs[0], 0, root);
  data_.levelBegin = {0, 1};
  whole.triangles.resize(polyhedron_.mesh().triangles.size());
  for (std::size_t t = 0; t < whole.triangles.size(); ++t)
    whole.triangles[t] = static_cast<std::uint32_t>(t);
  octants_.push_back(std::move(whole));
}

Result<Success> OctantGrowth::grow() {
  ++level_;
  std::vector<Octant> children;
  leafTriangles_ = 0;
  for (Octant& parent : octants_) {
    if (!addChildren(parent, children)) {
      if (wasCancelled(progress_))
        return Error{ErrorCode::Cancelled, "building the octree was cancelled"};
      return Error{ErrorCode::TooLarge,
                   "the octree grows beyond 16 million spheres, or 268 million triangles that "
                   "they list: expected fewer levels"};
    }
    parent.triangles = {};
  }
  octants_ = std::move(children);
  data_.levelBegin.push_back(static_cast<std::uint32_t>(data_.packs.size()));
  return Success{};
}

/// Returns false if there are too many octants, or if cancelled.
bool OctantGrowth::addChildren(const Octant& parent, std::vector<Octant>& children) {
  const std::size_t pack = data_.packs.size();
  if ((pack + 1) * SpherePack::width > maxSpheres) return false;
  addPack(data_);
  data_.links[parent.id / SpherePack::width].childPack[parent.id % SpherePack::width] =
      static_cast<std::uint32_t>(pack);
  int lane = 0;
  for (std::uint32_t octant = 0; octant < 8; ++octant) {
    // Keep the octant iff a triangle meets it
    Octant child;
    for (std::size_t axis = 0; axis < 3; ++axis)
      child.index[axis] = 2 * parent.index[axis] + (octant >> axis & 1);
    const Box box = grid_.box(level_, child);
    for (std::size_t i = 0; i < parent.triangles.size(); ++i) {
      if (i % 1024 == 0 && wasCancelled(progress_)) return false;
      const std::uint32_t t = parent.triangles[i];
      if (triangleMayMeetBox(polyhedron_.mesh().corners(t), box)) child.triangles.push_back(t);
    }
    if (child.triangles.empty()) continue;
    leafTriangles_ += child.triangles.size();
    if (leafTriangles_ > maxLeafTriangles) return false;
    child.id = static_cast<SphereId>(pack * SpherePack::width) + static_cast<SphereId>(lane);
    store(data_.packs[pack], lane++, circumscribed(box));
    children.push_back(std::move(child));
  }
  return true;
}

void OctantGrowth::listTriangles() {
  const std::size_t spheres = data_.packs.size() * SpherePack::width;
  data_.triangleBegin.assign(spheres + 1, 0);
  data_.leafTriangles.reserve(leafTriangles_);
  std::size_t id = 0;
  for (const Octant& leaf : octants_) {
    // Slots up to and including the leaf's own start after the triangles of the previous leaf
    for (; id <= leaf.id; ++id)
      data_.triangleBegin[id] = static_cast<std::uint32_t>(data_.leafTriangles.size());
    data_.leafTriangles.insert(data_.leafTriangles.end(), leaf.triangles.begin(),
                               leaf.triangles.end());
  }
  for (; id <= spheres; ++id)
    data_.triangleBegin[id] = static_cast<std::uint32_t>(data_.leafTriangles.size());
}

namespace {

Result<SphereTree> grownOctree(const Polyhedron& polyhedron, const SphereTreeSettings& settings,
                               BuildProgress* progress) {
  if (progress) progress->enter(BuildStage::Structure);
  OctantGrowth growth(polyhedron, progress);
  for (int level = 1; level <= settings.levels; ++level) {
    if (const auto grown = growth.grow(); !grown) return grown.error();
    if (progress)
      progress->advance(static_cast<std::size_t>(level), static_cast<std::size_t>(settings.levels));
  }
  if (progress) progress->enter(BuildStage::Triangles);
  growth.listTriangles();
  if (!measureHausdorff(polyhedron, DistanceField(polyhedron.mesh()), settings, growth.data(),
                        progress))
    return Error{ErrorCode::Cancelled, "building the octree was cancelled"};
  return SphereTree(std::move(growth.data()));
}

}  // namespace

Result<SphereTree> buildOctreeSphereTree(const Polyhedron& polyhedron,
                                         const SphereTreeSettings& settings,
                                         BuildProgress* progress) {
  if (auto sound = checkCommon("octree", settings); !sound) return sound.error();
  if (const int exponent = exponentToUsualSize(polyhedron))
    return builtAtUsualSize(exponent, polyhedron, settings, progress, buildOctreeSphereTree);
  return orOutOfMemory("cannot build the octree",
                       [&] { return grownOctree(polyhedron, settings, progress); });
}

}  // namespace nearmiss
