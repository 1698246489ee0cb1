// SPDX-License-Identifier: MIT
/// Two polyhedra in one frame: their parts, moved boxes, pairs of triangles that may meet.
#pragma once

#include <nearmiss/math.h>
#include <nearmiss/mesh.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <glm/common.hpp>
#include <glm/gtc/quaternion.hpp>

#include "geometry/box_tree.h"
#include "geometry/leaf_pairs.h"
#include "geometry/mesh_check.h"
#include "geometry/rounded_boxes.h"

namespace nearmiss {

/// Far more than rounding can move a point of either body: widens boxes in another body's frame.
[[nodiscard]] inline Real slackOf(const Polyhedron& a, const Polyhedron& b,
                                  const Pose& bToA) noexcept {
  return 1e-9 * (a.radius() + b.radius() + glm::length(bToA.position));
}

[[nodiscard]] inline Pose inverseOf(const Pose& pose) noexcept {
  const Quat back = glm::conjugate(pose.rotation);
  return {back * -pose.position, back};
}

/// A triangle in the frame that `pose` moves it to: the doubles that every exact test is about.
[[nodiscard]] inline Triangle moved(const TriangleMesh& mesh, std::uint32_t triangle,
                                    const Pose& pose) noexcept {
  Triangle corners = mesh.corners(triangle);
  for (Vec3& corner : corners) corner = transformed(pose, corner);
  return corners;
}

class BoxMotion {
 public:
  explicit BoxMotion(const Pose& pose) noexcept
      : axes_(glm::mat3_cast(pose.rotation)), position_(pose.position) {}

  /// The box around a box, turned and moved, and `slack` metres wider on each side.
  [[nodiscard]] Box operator()(const Box& box, Real slack = 0.0) const noexcept {
    const Vec3 centre = axes_ * box.centre() + position_;
    const Vec3 half = 0.5 * box.extent();
    const Vec3 reach = glm::abs(axes_[0]) * half.x + glm::abs(axes_[1]) * half.y +
                       glm::abs(axes_[2]) * half.z + Vec3(slack);
    return {centre - reach, centre + reach};
  }

 private:
  glm::dmat3 axes_;
  Vec3 position_;
};

struct Polyhedron::Parts {
  explicit Parts(TriangleMesh&& taken);

  TriangleMesh mesh;
  BoxTree tree;
  RoundedBoxes rounded;  ///< of the same nodes
  SurfacePieces pieces;
  BoxTree piecePoints;  ///< over the vertex of each piece, where there are several
  MeshReport report;
  Box bounds;
  Real radius;
  std::uint64_t hash;
};

/// The pairs of triangles of two meshes that may meet, or be nearer than a margin. Descends both
/// hierarchies at once, of two boxes the larger.
class TrianglePairs {
 public:
  TrianglePairs(const Polyhedron& a, const Polyhedron& b, const Pose& bToA,
                Real margin = 0.0) noexcept
      : a_(a.parts_->mesh),
        b_(b.parts_->mesh),
        treeA_(a.parts_->tree),
        treeB_(b.parts_->tree),
        roundedA_(a.parts_->rounded),
        roundedB_(b.parts_->rounded),
        bToA_(bToA),
        toA_(bToA),
        toB_(inverseOf(bToA)),
        slack_(slackOf(a, b, bToA) + margin),
        margin_(margin),
        rounded_(bToA, a.radius() + b.radius() + glm::length(bToA.position), margin) {}

  /// Calls visit(triangle of a, [triangle of b,] corners of b's in the frame of a) once for every
  /// two that meet or are nearer than the margin, and for some whose boxes are. The order depends
  /// on nothing but the meshes and the pose.
  void forEach(const auto& visit) const {
    const LeafPairs leaves(roundedA_, roundedB_, rounded_);
    for (const LeafPair& at : leaves.all()) compare(at, visit);
  }

 private:
  void compare(const LeafPair& leaves, const auto& visit) const {
    const BoxNode &nodeA = treeA_.nodes[leaves.a], &nodeB = treeB_.nodes[leaves.b];
    if (!overlap(nodeA.box, toA_(nodeB.box, slack_)) ||
        !overlap(nodeB.box, toB_(nodeA.box, slack_)))
      return;
    for (std::uint32_t kb = 0; kb < nodeB.count; ++kb) {
      if ((leaves.trianglesB >> kb & 1u) == 0) continue;
      const std::uint32_t tb = treeB_.order[nodeB.offset + kb];
      const Triangle triangle = moved(b_, tb, bToA_);
      Box box = boxOf(triangle);
      box.low -= margin_;
      box.high += margin_;
      for (std::uint32_t ka = 0; ka < nodeA.count; ++ka) {
        if ((leaves.trianglesA >> ka & 1u) == 0) continue;
        const std::uint32_t ta = treeA_.order[nodeA.offset + ka];
        if (!overlap(box, boxOf(a_.corners(ta)))) continue;
        if constexpr (requires { visit(ta, tb, triangle); })
          visit(ta, tb, triangle);
        else
          visit(ta, triangle);
      }
    }
  }

  const TriangleMesh &a_, &b_;
  const BoxTree &treeA_, &treeB_;
  const RoundedBoxes &roundedA_, &roundedB_;
  const Pose& bToA_;
  BoxMotion toA_, toB_;
  Real slack_, margin_;
  RoundedMotion rounded_;
};

}  // namespace nearmiss
