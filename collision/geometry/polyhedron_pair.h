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
#include "geometry/mesh_check.h"

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

/// True if `p` has the longer diagonal: the box to descend.
[[nodiscard]] inline bool larger(const Box& p, const Box& q) noexcept {
  return glm::dot(p.extent(), p.extent()) > glm::dot(q.extent(), q.extent());
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
        bToA_(bToA),
        toA_(bToA),
        toB_(inverseOf(bToA)),
        slack_(slackOf(a, b, bToA) + margin),
        margin_(margin) {}

  /// Calls visit(triangle of a, [triangle of b,] corners of b's in the frame of a) once for every
  /// two that meet or are nearer than the margin, and for some whose boxes are. The order depends
  /// on nothing but the meshes and the pose.
  void forEach(const auto& visit) const {
    struct Pair {
      std::uint32_t a, b;
    };
    // Each step replaces a pair by two, one level deeper on one side
    std::array<Pair, 2 * BoxTree::maxDepth + 1> open;
    std::size_t size = 0;
    open[size++] = {0, 0};
    while (size != 0) {
      const Pair at = open[--size];
      const BoxNode &nodeA = treeA_.nodes[at.a], &nodeB = treeB_.nodes[at.b];
      if (!overlap(nodeA.box, toA_(nodeB.box, slack_)) ||
          !overlap(nodeB.box, toB_(nodeA.box, slack_)))
        continue;
      if (nodeA.count != 0 && nodeB.count != 0) {
        compare(nodeA, nodeB, visit);
      } else if (nodeB.count != 0 || (nodeA.count == 0 && larger(nodeA.box, nodeB.box))) {
        open[size++] = {nodeA.offset, at.b};
        open[size++] = {at.a + 1, at.b};
      } else {
        open[size++] = {at.a, nodeB.offset};
        open[size++] = {at.a, at.b + 1};
      }
    }
  }

 private:
  void compare(const BoxNode& nodeA, const BoxNode& nodeB, const auto& visit) const {
    for (const std::uint32_t tb : treeB_.trianglesOf(nodeB)) {
      const Triangle triangle = moved(b_, tb, bToA_);
      Box box = boxOf(triangle);
      box.low -= margin_;
      box.high += margin_;
      for (const std::uint32_t ta : treeA_.trianglesOf(nodeA))
        if (overlap(box, boxOf(a_.corners(ta)))) {
          if constexpr (requires { visit(ta, tb, triangle); })
            visit(ta, tb, triangle);
          else
            visit(ta, triangle);
        }
    }
  }

  const TriangleMesh &a_, &b_;
  const BoxTree &treeA_, &treeB_;
  const Pose& bToA_;
  BoxMotion toA_, toB_;
  Real slack_, margin_;
};

}  // namespace nearmiss
