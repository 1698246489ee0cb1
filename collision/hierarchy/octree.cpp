// SPDX-License-Identifier: MIT
#include <nearmiss/sphere_tree_builder.h>

#include "hierarchy/sphere_packing.h"
#include "hierarchy/tree_accuracy.h"
#include "hierarchy/triangle_box.h"

#include <algorithm>
#include <array>
#include <utility>

namespace nearmiss {
namespace {

constexpr int mostLevels = 10;
/// Beyond this a tree costs gigabytes: more likely a mistake in the settings than a wish.
constexpr std::size_t mostSpheres = std::size_t{1} << 24;
constexpr std::size_t mostLeafTriangles = std::size_t{1} << 28;

/// Which octant of its level an octant is, along each axis.
using OctantIndex = std::array<std::uint32_t, 3>;

/// An occupied octant of the level under construction.
struct Octant {
  OctantIndex index{};
  std::vector<std::uint32_t> triangles;  ///< those that meet it, ascending
  std::size_t pack = 0;                  ///< where its sphere lies
  int lane = 0;
};

/// The cube around the object and its halvings.
class OctantGrid {
 public:
  explicit OctantGrid(const Box& bounds) noexcept {
    const Vec3 extent = bounds.extent();
    Real greatest = 0.0;
    for (int axis = 0; axis < 3; ++axis)
      greatest = std::max({greatest, std::abs(bounds.low[axis]), std::abs(bounds.high[axis])});
    side_ = std::max({extent.x, extent.y, extent.z}) + 1e-12 * greatest;
    low_ = bounds.centre() - 0.5 * side_;
  }

  /// Neighbours and children share faces to the bit: the border between two octants is always the
  /// same product, because halving a double is exact.
  [[nodiscard]] Box box(int level, const OctantIndex& index) const noexcept {
    const Real cell = side_ / static_cast<Real>(1u << level);
    Box box;
    for (int axis = 0; axis < 3; ++axis) {
      const auto i = static_cast<std::size_t>(axis);
      box.low[axis] = low_[axis] + cell * index[i];
      box.high[axis] = low_[axis] + cell * (index[i] + 1);
    }
    return box;
  }

 private:
  Vec3 low_{0.0};
  Real side_ = 0.0;
};

/// The least sphere about a centre representable in float that holds `box`, and a millionth more:
/// eight octants meet in one point, where their spheres would only just touch, and no piece of
/// surface around that point would lie wholly in one of them.
Sphere circumscribed(const Box& box) noexcept {
  Sphere sphere{roundedToFloat(box.centre()), 0.0};
  const Vec3 reach = glm::max(box.high - sphere.centre, sphere.centre - box.low);
  sphere.radius = glm::length(reach) * (1.0 + 1e-6);
  return sphere;
}

class OctreeBuild {
 public:
  OctreeBuild(const Polyhedron& polyhedron, const SphereTreeSettings& settings,
              BuildProgress* progress)
      : polyhedron_(polyhedron),
        settings_(settings),
        progress_(progress),
        grid_(polyhedron.bounds()) {}

  Result<SphereTree> run();

 private:
  [[nodiscard]] bool cancelled() const noexcept { return progress_ && progress_->cancelled; }
  void plantRoot();
  bool growLevel(int level);
  bool addChildren(int level, const Octant& parent, std::vector<Octant>& children);
  void listTriangles();

  const Polyhedron& polyhedron_;
  const SphereTreeSettings& settings_;
  BuildProgress* progress_;
  OctantGrid grid_;
  std::vector<Octant> level_;  ///< the deepest level so far
  SphereTree::Data data_;
  std::size_t leafTriangles_ = 0;  ///< in the lists of level_
  bool tooLarge_ = false;
};

Result<SphereTree> OctreeBuild::run() {
  const auto stopped = [this] {
    return tooLarge_ ? Error{ErrorCode::TooLarge,
                             "the octree grows beyond 16 million spheres: expected fewer levels"}
                     : Error{ErrorCode::Cancelled, "building the octree was cancelled"};
  };
  if (progress_) progress_->stage = BuildStage::Structure;
  plantRoot();
  for (int level = 1; level <= settings_.levels; ++level) {
    if (!growLevel(level)) return stopped();
    if (progress_)
      progress_->fraction = static_cast<float>(level) / static_cast<float>(settings_.levels);
  }
  if (progress_) progress_->stage = BuildStage::Triangles;
  listTriangles();
  if (!measureAccuracy(polyhedron_, settings_, data_, progress_)) return stopped();
  if (progress_) progress_->stage = BuildStage::Done;
  return SphereTree(std::move(data_));
}

void OctreeBuild::plantRoot() {
  // Level 0 is the bounding sphere about the body's origin, which the broad phase uses as well, or
  // the cube's own sphere where the body lies far from its origin and that one is smaller
  Sphere root = circumscribed(grid_.box(0, {0, 0, 0}));
  const Sphere bounding{Vec3(0.0), polyhedron_.radius() * (1.0 + 1e-6)};
  if (bounding.radius <= root.radius) root = bounding;
  data_.packs.push_back(emptyPack());
  data_.links.push_back(emptyLinks());
  store(data_.packs[0], 0, root);
  data_.levelBegin = {0, 1};
  Octant whole;
  whole.triangles.resize(polyhedron_.mesh().triangles.size());
  for (std::size_t t = 0; t < whole.triangles.size(); ++t)
    whole.triangles[t] = static_cast<std::uint32_t>(t);
  level_.push_back(std::move(whole));
}

bool OctreeBuild::growLevel(int level) {
  std::vector<Octant> children;
  leafTriangles_ = 0;
  for (Octant& parent : level_) {
    if (!addChildren(level, parent, children)) return false;
    parent.triangles = {};
  }
  level_ = std::move(children);
  data_.levelBegin.push_back(static_cast<std::uint32_t>(data_.packs.size()));
  return true;
}

bool OctreeBuild::addChildren(int level, const Octant& parent, std::vector<Octant>& children) {
  const std::size_t pack = data_.packs.size();
  if ((pack + 1) * SpherePack::width > mostSpheres) {
    tooLarge_ = true;
    return false;
  }
  data_.packs.push_back(emptyPack());
  data_.links.push_back(emptyLinks());
  data_.links[parent.pack].childPack[parent.lane] = static_cast<std::uint32_t>(pack);
  int lane = 0;
  for (std::uint32_t octant = 0; octant < 8; ++octant) {
    // Keep the octant iff a triangle meets it
    Octant child;
    for (std::size_t axis = 0; axis < 3; ++axis)
      child.index[axis] = 2 * parent.index[axis] + (octant >> axis & 1);
    const Box box = grid_.box(level, child.index);
    for (std::size_t i = 0; i < parent.triangles.size(); ++i) {
      if (i % 1024 == 0 && cancelled()) return false;
      const std::uint32_t t = parent.triangles[i];
      if (triangleMayMeetBox(polyhedron_.mesh().corners(t), box)) child.triangles.push_back(t);
    }
    if (child.triangles.empty()) continue;
    leafTriangles_ += child.triangles.size();
    if (leafTriangles_ > mostLeafTriangles) {
      tooLarge_ = true;
      return false;
    }
    child.pack = pack;
    child.lane = lane++;
    store(data_.packs[pack], child.lane, circumscribed(box));
    children.push_back(std::move(child));
  }
  return true;
}

void OctreeBuild::listTriangles() {
  const std::size_t spheres = data_.packs.size() * SpherePack::width;
  data_.triangleBegin.assign(spheres + 1, 0);
  data_.leafTriangles.reserve(leafTriangles_);
  std::size_t id = 0;
  for (const Octant& leaf : level_) {
    // Places up to the leaf's own have no triangles after those of the leaf before
    const std::size_t own = leaf.pack * SpherePack::width + static_cast<std::size_t>(leaf.lane);
    for (; id <= own; ++id)
      data_.triangleBegin[id] = static_cast<std::uint32_t>(data_.leafTriangles.size());
    data_.leafTriangles.insert(data_.leafTriangles.end(), leaf.triangles.begin(),
                               leaf.triangles.end());
  }
  for (; id <= spheres; ++id)
    data_.triangleBegin[id] = static_cast<std::uint32_t>(data_.leafTriangles.size());
}

}  // namespace

Result<SphereTree> buildOctreeSphereTree(const Polyhedron& polyhedron,
                                         const SphereTreeSettings& settings,
                                         BuildProgress* progress) {
  if (settings.branching != SpherePack::width)
    return Error{ErrorCode::Unsupported, "the octree builder expects a branching of 8"};
  if (settings.levels < 1 || settings.levels > mostLevels)
    return Error{ErrorCode::Unsupported, "the octree builder expects 1 to 10 levels"};
  if (!(settings.hausdorffTolerance > 0.0 && settings.hausdorffTolerance <= 1.0))
    return Error{ErrorCode::Unsupported,
                 "the octree builder expects a tolerance of H above 0 and at most 1"};
  return OctreeBuild(polyhedron, settings, progress).run();
}

}  // namespace nearmiss
