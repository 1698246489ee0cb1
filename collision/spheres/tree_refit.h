// SPDX-License-Identifier: MIT
/// Moves the spheres of a tree along with the vertices of its mesh.
#pragma once

#include <nearmiss/math.h>
#include <nearmiss/mesh.h>
#include <nearmiss/sphere_tree.h>

#include <cstdint>
#include <span>
#include <vector>

namespace nearmiss {

/// From one tree that was built, to the trees of any surfaces with the same triangles.
class TreeRefit {
 public:
  /// Both must outlive it. @pre built.coverage() is Guaranteed
  TreeRefit(const SphereTree& built, const Polyhedron& before);

  /// Makes `tree` the refitted one; allocates nothing if it is a copy of the built one or was
  /// refitted before. Its tree may be invalid if numbers are out of range.
  /// @param scale that all of the surface has, so that only what differs from it counts
  void move(const Polyhedron& after, Real scale, SphereTree& tree);

  /// The sums of the squared radii of all leaves, before and after the last move.
  [[nodiscard]] Real leavesBefore() const noexcept { return leavesBefore_; }
  [[nodiscard]] Real leavesAfter() const noexcept { return leavesAfter_; }

 private:
  /// What a sphere, and the balls at one place in the tree, become.
  struct Moved {
    Sphere ball;
    Box motion;  ///< of all that it has to hold, beside the scale
    float hausdorff = 0.0f;
    float outside = 0.0f;
    std::uint32_t anchor = 0;  ///< triangle that is nearest to the centre of the built sphere
  };

  [[nodiscard]] bool used(SphereId id) const noexcept;
  void forEachChild(SphereId id, const auto& visit) const;
  [[nodiscard]] std::span<const std::uint32_t> verticesOf(SphereId id) const noexcept {
    return std::span(vertices_).subspan(begins_[id], begins_[id + 1] - begins_[id]);
  }
  [[nodiscard]] Vec3 motionOf(std::uint32_t vertex) const noexcept {
    return after_->mesh().positions[vertex] - scale_ * before_->mesh().positions[vertex];
  }
  /// Of a point, metres: it is no farther from the surface than `away`, and at least `depth` deep
  /// inside of a solid, or 0.
  struct Clearance {
    Real away, depth;
  };
  [[nodiscard]] Clearance clearanceOf(const Vec3& centre, std::uint32_t anchor) const;
  void moveBall(SphereId id);
  void measure(Moved& moved) const;
  [[nodiscard]] NodeBox movedBox(SphereId id, const NodeBox& box) const noexcept;
  void moveBoxes(SphereTree::Data& data) const;
  [[nodiscard]] bool moveInner(InnerSpheres& inner);

  const SphereTree* built_;
  const Polyhedron* before_;
  const Polyhedron* after_ = nullptr;
  Real scale_ = 1.0;
  std::vector<std::uint32_t> begins_;  ///< by sphere and one more: in vertices_
  std::vector<std::uint32_t> vertices_;
  std::vector<Moved> moved_;                 ///< by identity
  std::vector<std::uint32_t> innerAnchors_;  ///< likewise, by inner sphere
  std::vector<Sphere> innerMoved_;  ///< by inner sphere; without room its radius is below 0
  Real leavesBefore_ = 0.0, leavesAfter_ = 0.0;
};

}  // namespace nearmiss
