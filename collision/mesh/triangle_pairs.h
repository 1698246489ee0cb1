// SPDX-License-Identifier: MIT
/// The pairs of triangles of two meshes that may meet.
#pragma once

#include <nearmiss/triangle_intersection.h>

#include <array>
#include <cstddef>
#include <cstdint>

#include "mesh/moved_box.h"
#include "mesh/polyhedron_parts.h"

namespace nearmiss {

/// Descends both hierarchies at once, of two boxes the larger.
class TrianglePairs {
 public:
  TrianglePairs(const Polyhedron& a, const Polyhedron& b, const Pose& bToA) noexcept
      : a_(a.parts_->mesh),
        b_(b.parts_->mesh),
        treeA_(a.parts_->tree),
        treeB_(b.parts_->tree),
        bToA_(bToA),
        toA_(bToA),
        toB_(inverseOf(bToA)),
        slack_(slackOf(a, b, bToA)) {}

  /// Calls visit(triangle of a, triangle of b in the frame of a) once for every two that meet, and
  /// for some whose boxes meet. The order depends on nothing but the meshes and the pose.
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
      const Box box = boxOf(triangle);
      for (const std::uint32_t ta : treeA_.trianglesOf(nodeA))
        if (overlap(box, boxOf(a_.corners(ta)))) visit(ta, triangle);
    }
  }

  const TriangleMesh &a_, &b_;
  const BoxTree &treeA_, &treeB_;
  const Pose& bToA_;
  BoxMotion toA_, toB_;
  Real slack_;
};

}  // namespace nearmiss
