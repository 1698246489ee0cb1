// SPDX-License-Identifier: MIT
#include <nearmiss/detail/out_of_memory.h>
#include <nearmiss/refit.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "geometry/closest_points.h"
#include "spheres/hausdorff.h"
#include "spheres/sphere_packing.h"

namespace nearmiss {
namespace {

/// Moves the spheres of a tree along with the vertices of its mesh.
class TreeRefit {
 public:
  TreeRefit(const SphereTree& tree, const TriangleMesh& before, const Polyhedron& after, Real scale)
      : tree_(tree), before_(before), after_(after), scale_(scale), data_(tree.data()) {
    data_.boxes = {};
    data_.inner = {};
    data_.outside.assign(after.report().solid() ? slots() : 0, 0.0f);
    motion_.resize(slots());
    moved_.resize(slots());
  }

  SphereTree::Data run() && {
    // Children lie in later packs than their parents
    for (SphereId id = static_cast<SphereId>(slots()); id-- > 0;)
      if (used(id) && tree_.identity(id) == id) refit(id);
    for (SphereId id = 0; id < slots(); ++id)
      if (used(id)) put(id, tree_.identity(id));
    return std::move(data_);
  }

  /// The sums of the squared radii of all leaves, before and after.
  [[nodiscard]] Real leavesBefore() const noexcept { return leavesBefore_; }
  [[nodiscard]] Real leavesAfter() const noexcept { return leavesAfter_; }

 private:
  [[nodiscard]] std::size_t slots() const noexcept {
    return data_.packs.size() * SpherePack::width;
  }
  [[nodiscard]] bool used(SphereId id) const noexcept {
    return data_.packs[id / SpherePack::width].r[id % SpherePack::width] >= 0.0f;
  }

  void forEachChild(SphereId id, const auto& visit) const {
    const std::uint32_t first =
        tree_.data().links[id / SpherePack::width].childPack[id % SpherePack::width];
    const std::uint32_t count = tree_.childPackCount(id) * SpherePack::width;
    for (std::uint32_t i = 0; i < count; ++i)
      if (const SphereId child = first * SpherePack::width + i; used(child))
        visit(tree_.identity(child));
  }

  /// A point that the sphere has to hold moves, beside the scale, as the corners of its triangle
  /// do: no farther from the middle of their motions than the farthest of these is. Or else the
  /// sphere is as large as what is below needs.
  void refit(SphereId id) {
    const Sphere old = tree_.sphere(id);
    Box& motion = motion_[id];
    const auto& now = after_.mesh().positions;
    for (const std::uint32_t t : tree_.trianglesOf(id))
      for (const std::uint32_t v : before_.triangles[t])
        motion.include(now[v] - scale_ * before_.positions[v]);
    forEachChild(id, [&](SphereId child) { motion.include(motion_[child]); });
    const bool holds = !motion.empty();
    const Vec3 middle = scale_ * old.centre + (holds ? motion.centre() : Vec3(0.0));
    const Vec3 centre = roundedToFloat(middle);
    Real radius = scale_ * old.radius + glm::distance(centre, middle) +
                  (holds ? 0.5 * glm::length(motion.extent()) : 0.0);
    Real needed = 0.0;
    for (const std::uint32_t t : tree_.trianglesOf(id))
      for (const std::uint32_t v : before_.triangles[t])
        needed = std::max(needed, glm::distance(now[v], centre));
    forEachChild(id, [&](SphereId child) {
      needed = std::max(needed, glm::distance(moved_[child].centre, centre) + moved_[child].radius);
    });
    if (holds) radius = std::min(radius, needed);
    // More than rounding, and than a proof of coverage keeps clear, could take away
    constexpr Real roundedUp = 1.0 + 1e-6;
    moved_[id] = {centre, Real{floatAtLeast(radius * roundedUp)}};
    if (tree_.childPackCount(id) != 0) return;
    leavesBefore_ += old.radius * old.radius;
    leavesAfter_ += moved_[id].radius * moved_[id].radius;
  }

  void put(SphereId id, SphereId identity) {
    const std::size_t pack = id / SpherePack::width;
    const auto lane = static_cast<int>(id % SpherePack::width);
    const Sphere& ball = moved_[identity];
    store(data_.packs[pack], lane, ball);
    // No point of the ball is farther from the surface than by way of its centre
    constexpr Real roundedUp = 1.0 + 1e-9;
    const Real away = after_.nearest(ball.centre).distance;
    // Of coordinates, which may be far greater than the body
    const Real roundedBy = 0x1p-50 * after_.radius();
    const Real whole = ball.radius + away + roundedBy;
    data_.links[pack].hausdorff[lane] = floatAtLeast(whole * roundedUp);
    if (data_.outside.empty()) return;
    const Real depth = away - depthRounding * glm::length(after_.bounds().extent()) - roundedBy;
    const bool deep = depth > 0.0 && after_.contains(ball.centre);
    const Real outside = deep ? std::max(ball.radius - depth + roundedBy, 0.0) : whole;
    data_.outside[id] = floatAtLeast(outside * roundedUp);
  }

  const SphereTree& tree_;
  const TriangleMesh& before_;
  const Polyhedron& after_;
  Real scale_;  ///< that all of the surface has, so that only what differs from it counts
  SphereTree::Data data_;
  std::vector<Box> motion_;    ///< of all that a sphere has to hold; by identity
  std::vector<Sphere> moved_;  ///< likewise
  Real leavesBefore_ = 0.0, leavesAfter_ = 0.0;
};

Real areaOfAll(const TriangleMesh& mesh) {
  Real area = 0.0;
  for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t) area += areaOf(mesh.corners(t));
  return area;
}

/// The scale of the whole surface, by its area. Where a needle becomes a face that scale is so
/// large that it would enlarge the rounding of the spheres' centres beyond the body: `lengths`, the
/// ratio of the extents, replaces it.
Real scaleOf(Real areaBefore, Real areaAfter, Real lengths) noexcept {
  constexpr Real maxRatio = 1024.0;
  const Real scale = areaBefore > 0.0 ? std::sqrt(areaAfter / areaBefore) : 1.0;
  return scale > maxRatio * lengths ? lengths : scale;
}

Result<Refit> refitted(const Shape& shape, std::span<const Vec3> positions,
                       const std::atomic<bool>* cancelled) {
  const SphereTree* tree = shape.sphereTree();
  if (!tree)
    return Error{ErrorCode::Unsupported, "a shape without a sphere tree cannot be refitted"};
  if (tree->coverage() != Coverage::Guaranteed)
    return Error{ErrorCode::Unsupported,
                 "only a tree whose coverage is guaranteed can be refitted: build it again"};
  const TriangleMesh& before = shape.polyhedron().mesh();
  if (positions.size() != before.positions.size())
    return Error{ErrorCode::Mismatch,
                 "there are " + std::to_string(positions.size()) + " positions for the " +
                     std::to_string(before.positions.size()) + " vertices of the shape"};
  TriangleMesh mesh;
  mesh.positions.assign(positions.begin(), positions.end());
  mesh.triangles = before.triangles;
  Result<Polyhedron> polyhedron = makePolyhedron(std::move(mesh), cancelled);
  if (!polyhedron) return polyhedron.error();
  const Real areaBefore = areaOfAll(before), areaAfter = areaOfAll(polyhedron->mesh());
  const Real lengths = glm::length(polyhedron->bounds().extent()) /
                       glm::length(shape.polyhedron().bounds().extent());
  TreeRefit refit(*tree, before, *polyhedron, scaleOf(areaBefore, areaAfter, lengths));
  SphereTree::Data moved = std::move(refit).run();
  if (const char* fault =
          SphereTree::validate(moved, static_cast<std::uint32_t>(before.triangles.size())))
    return Error{ErrorCode::Unsupported,
                 std::string("the shape cannot be refitted: of its sphere tree, ") + fault};
  Refit out{Shape::of(*std::move(polyhedron), shape.cleaning())};
  Result<Shape> with = out.shape.with(SphereTree(std::move(moved)));
  if (!with) return with.error();
  out.shape = *std::move(with);
  const Real perArea = refit.leavesBefore() * areaAfter;
  out.growth = perArea > 0.0 ? refit.leavesAfter() * areaBefore / perArea : 1.0;
  out.rebuildPays = out.growth > maxRefitGrowth;
  return out;
}

}  // namespace

Result<Refit> refit(const Shape& shape, std::span<const Vec3> positions,
                    const std::atomic<bool>* cancelled) {
  return orOutOfMemory("cannot refit the shape",
                       [&]() -> Result<Refit> { return refitted(shape, positions, cancelled); });
}

}  // namespace nearmiss
