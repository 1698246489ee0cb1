// SPDX-License-Identifier: MIT
#include <nearmiss/detail/bare_machine.h>
#include <nearmiss/detail/kept_with_shape.h>
#include <nearmiss/detail/out_of_memory.h>
#include <nearmiss/detail/triangle_geometry.h>
#include <nearmiss/shape.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <glm/geometric.hpp>
#include <list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "geometry/mesh_check.h"
#include "geometry/polyhedron_motion.h"
#include "shape/box_hierarchy.h"
#include "shape/search_tree.h"
#include "spheres/tree_refit.h"

namespace nearmiss {
namespace {

constexpr std::string_view cannotRefit = "cannot refit the shape";

Real areaOfAll(const TriangleMesh& mesh) {
  Real area = 0.0;
  for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t) area += areaOf(mesh.corners(t));
  return area;
}

/// Returns the scale of the whole surface, by its area. If a needle becomes a face, that scale is
/// so large that it would enlarge the rounding of the spheres' centres beyond the body; `lengths`,
/// the ratio of the extents, then replaces it.
Real scaleOf(Real areaBefore, Real areaAfter, Real lengths) noexcept {
  constexpr Real maxRatio = 1024.0;
  const Real scale = areaBefore > 0.0 ? std::sqrt(areaAfter / areaBefore) : 1.0;
  return scale > maxRatio * lengths ? lengths : scale;
}

/// Returns the growth of sizes per area; 1 if unknown.
Real growthOf(Real before, Real after, Real areaBefore, Real areaAfter) noexcept {
  const Real perArea = before * areaAfter;
  return perArea > 0.0 ? after * areaBefore / perArea : 1.0;
}

}  // namespace

/// A shape that can be modified while nobody else holds any part of it.
class ShapeFrame {
 public:
  explicit ShapeFrame(const Shape& built)
      : polyhedron_(std::make_shared<Polyhedron>(PolyhedronMotion::copyOf(built.polyhedron()))) {
    shape_.polyhedron_ = polyhedron_;
    shape_.cleaning_ = built.cleaning();
    shape_.keptWithMesh_ = std::make_shared<KeptWithShape>();
    static_cast<void>(
        shape_.keptWithMesh_->get<BoxHierarchy>([&built] { return boxHierarchyOf(built); }));
    if (!built.sphereTree()) return;
    tree_ = std::make_shared<SphereTree>(*built.sphereTree());
    shape_.sphereTree_ = tree_;
    shape_.keptWithTree_ = std::make_shared<KeptWithShape>();
    static_cast<void>(
        shape_.keptWithTree_->get<SearchTree>([&built] { return searchTreeOf(built); }));
  }

  [[nodiscard]] const Shape& shape() const noexcept { return shape_; }
  [[nodiscard]] bool free() const noexcept {
    const bool alone =
        polyhedron_.use_count() == 2 && shape_.keptWithMesh_.use_count() == 1 &&
        (!tree_ || (tree_.use_count() == 2 && shape_.keptWithTree_.use_count() == 1));
    // Synchronises with what other threads did to their copies before dropping them
    if (alone) std::atomic_thread_fence(std::memory_order_acquire);
    return alone;
  }

  [[nodiscard]] Polyhedron& polyhedron() noexcept { return *polyhedron_; }
  [[nodiscard]] SphereTree& tree() noexcept { return *tree_; }
  [[nodiscard]] KeptWithShape& keptWithMesh() noexcept { return *shape_.keptWithMesh_; }
  [[nodiscard]] KeptWithShape& keptWithTree() noexcept { return *shape_.keptWithTree_; }

 private:
  Shape shape_;
  std::shared_ptr<Polyhedron> polyhedron_;
  std::shared_ptr<SphereTree> tree_;  ///< null without one
};

struct DeformableShape::Parts {
  explicit Parts(Shape taken)
      : built(std::move(taken)),
        motion(built.polyhedron()),
        area(areaOfAll(built.polyhedron().mesh())),
        boxArea(boxHierarchyOf(built).leafArea()) {
    if (built.sphereTree()) spheres.emplace(*built.sphereTree(), built.polyhedron());
  }

  ShapeFrame& freeFrame() {
    const auto found = std::ranges::find_if(frames, &ShapeFrame::free);
    return found != frames.end() ? *found : frames.emplace_back(built);
  }

  Result<Refit> move(std::span<const Vec3> positions) {
    if (auto sound = check(positions); !sound) return sound.error();
    ShapeFrame& frame = freeFrame();
    NEARMISS_TRY { return move(positions, frame); }
    NEARMISS_CATCH(...) {
      // Half of it may have moved
      frames.remove_if([&frame](const ShapeFrame& each) { return &each == &frame; });
      NEARMISS_RETHROW;
    }
  }

  [[nodiscard]] Result<Success> check(std::span<const Vec3> positions) const {
    const Polyhedron& before = built.polyhedron();
    if (positions.size() != before.mesh().positions.size())
      return Error{ErrorCode::Mismatch,
                   "there are " + std::to_string(positions.size()) + " positions for the " +
                       std::to_string(before.mesh().positions.size()) + " vertices of the shape"};
    return checkPositions(positions);
  }

  Result<Refit> move(std::span<const Vec3> positions, ShapeFrame& frame) {
    Polyhedron& body = frame.polyhedron();
    motion.move(body, positions);
    const Real areaAfter = areaOfAll(body.mesh());

    BoxHierarchy& boxes = *frame.keptWithMesh().toChange<BoxHierarchy>();
    boxes.refit(body, motion);
    frame.keptWithMesh().forgetAllBut<BoxHierarchy>();
    Real growth = growthOf(boxArea, boxes.leafArea(), area, areaAfter);
    if (spheres) {
      const Real lengths =
          glm::length(body.bounds().extent()) / glm::length(built.polyhedron().bounds().extent());
      spheres->move(body, scaleOf(area, areaAfter, lengths), frame.tree());
      if (const char* fault = SphereTree::validate(
              frame.tree().data(), static_cast<std::uint32_t>(body.mesh().triangles.size())))
        return Error{ErrorCode::Unsupported,
                     std::string("the shape cannot be refitted: of its sphere tree, ") + fault};
      frame.keptWithTree().toChange<SearchTree>()->take(body, frame.tree());
      frame.keptWithTree().forgetAllBut<SearchTree>();
      growth = std::max(growth,
                        growthOf(spheres->leavesBefore(), spheres->leavesAfter(), area, areaAfter));
    }
    return Refit{frame.shape(), growth, growth > maxRefitGrowth};
  }

  Shape built;
  PolyhedronMotion motion;
  Real area, boxArea;
  std::optional<TreeRefit> spheres;
  std::list<ShapeFrame> frames;
};

DeformableShape::DeformableShape(std::unique_ptr<Parts> parts) noexcept
    : parts_(std::move(parts)) {}
DeformableShape::DeformableShape(DeformableShape&&) noexcept = default;
DeformableShape& DeformableShape::operator=(DeformableShape&&) noexcept = default;
DeformableShape::~DeformableShape() = default;

Result<DeformableShape> DeformableShape::of(Shape built) {
  return orOutOfMemory(cannotRefit, [&]() -> Result<DeformableShape> {
    if (built.sphereTree() && built.sphereTree()->coverage() != Coverage::Guaranteed)
      return Error{ErrorCode::Unsupported,
                   "only a tree whose coverage is guaranteed can be refitted: build it again"};
    return DeformableShape(std::make_unique<Parts>(std::move(built)));
  });
}

Result<Refit> DeformableShape::refit(std::span<const Vec3> positions) {
  return orOutOfMemory(cannotRefit, [&]() -> Result<Refit> { return parts_->move(positions); });
}

const Shape& DeformableShape::built() const noexcept { return parts_->built; }

Result<Refit> refit(const Shape& shape, std::span<const Vec3> positions) {
  auto deformable = DeformableShape::of(shape);
  if (!deformable) return deformable.error();
  return deformable->refit(positions);
}

}  // namespace nearmiss
