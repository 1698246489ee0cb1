// SPDX-License-Identifier: MIT
/// Moves the spheres of a tree together with the vertices of its mesh.
#pragma once

#include <nearmiss/advanced/polyhedron.h>
#include <nearmiss/advanced/sphere_tree.h>
#include <nearmiss/math.h>
#include <nearmiss/mesh.h>

#include <cstdint>
#include <vector>

#include "geometry/vertex_groups.h"

namespace nearmiss {

/// Refits a built tree to other surfaces with the same triangles.
class TreeRefit {
 public:
  /// Both must outlive this.
  /// @pre built.coverage() is Guaranteed
  TreeRefit(const SphereTree& built, const Polyhedron& before);

  /// Sets `tree` to the refitted one. Does not allocate if `tree` is a copy of the built one or was
  /// refitted before. Its tree may be invalid if numbers are out of range.
  /// @param scale of the whole surface; only motions relative to it enlarge spheres
  void move(const Polyhedron& after, Real scale, SphereTree& tree);

  /// Sums of the squared radii of all leaves, before and after the last move.
  [[nodiscard]] Real leavesBefore() const noexcept { return leavesBefore_; }
  [[nodiscard]] Real leavesAfter() const noexcept { return leavesAfter_; }

 private:
  /// The new values of a sphere, and of the balls at one position in the tree.
  struct Moved {
    Sphere ball;
    Box motion;  ///< of all contents, apart from the scale
    float hausdorff = 0.0f;
    float outside = 0.0f;
    std::uint32_t anchor = 0;  ///< triangle nearest to the centre of the built sphere
  };

  [[nodiscard]] bool used(SphereId id) const noexcept;
  void forEachChild(SphereId id, const auto& visit) const;
  [[nodiscard]] Vec3 motionOf(std::uint32_t vertex) const noexcept {
    return after_->mesh().positions[vertex] - scale_ * before_->mesh().positions[vertex];
  }
  /// Bounds for a point, metres: it is at most `away` from the surface, and at least `depth` deep
  /// inside a solid, or 0.
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
  VertexGroups vertices_;                    ///< by sphere
  std::vector<Moved> moved_;                 ///< by identity
  std::vector<std::uint32_t> innerAnchors_;  ///< by inner sphere: its nearest triangle
  std::vector<Sphere> innerMoved_;  ///< by inner sphere; the radius is below 0 if there is no room
  Real leavesBefore_ = 0.0, leavesAfter_ = 0.0;
};

}  // namespace nearmiss
