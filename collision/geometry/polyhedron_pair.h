// SPDX-License-Identifier: MIT
/// Two polyhedra in one frame: their parts, moved boxes, and pairs of triangles that may intersect.
#pragma once

#include <nearmiss/detail/bare_machine.h>
#include <nearmiss/math.h>
#include <nearmiss/mesh.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <glm/common.hpp>
#include <glm/gtc/quaternion.hpp>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "geometry/box_measures.h"
#include "geometry/leaf_walk.h"
#include "geometry/mesh_check.h"
#include "geometry/rounded_motion.h"
#include "geometry/solid_cells.h"
#include "geometry/surface_boxes.h"
#include "geometry/wide_boxes.h"

namespace nearmiss {

/// An upper bound, with a large margin, on how far rounding moves a point of either body; widens
/// boxes in the other body's frame. Includes the stretch there and back of rotations within the
/// allowed error of unit length.
[[nodiscard]] inline Real slackOf(const Polyhedron& a, const Polyhedron& b,
                                  const Pose& bToA) noexcept {
  constexpr Real rounding = 1e-12;  // far more than the error of products of unit quaternions
  const Real off = std::abs(glm::dot(bToA.rotation, bToA.rotation) - 1.0);
  const Real share = 1e-9 + 8.0 * std::max(off - rounding, 0.0);
  return share * (a.radius() + b.radius() + glm::length(bToA.position));
}

[[nodiscard]] inline Pose inverseOf(const Pose& pose) noexcept {
  const Quat back = glm::conjugate(pose.rotation);
  return {back * -pose.position, back};
}

/// Returns a triangle moved by `pose`. All exact tests use these rounded coordinates.
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

  /// Returns the box around a rotated and moved box, widened by `slack` metres on each side.
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
  Parts(TriangleMesh&& taken, const std::atomic<bool>* cancelled, int workers);
  Parts(const Parts& other);  ///< copies all but the cells

  TriangleMesh mesh;
  SurfaceBoxes surface;
  SurfacePieces pieces;
  WideBoxes piecePoints;     ///< over the vertices of the pieces, if there are several
  MeetingTriangles meeting;  ///< for a closed surface; see checkMesh()
  MeshReport report;
  Box bounds;
  Real radius;
  std::uint64_t hash;
  mutable OnceFlag cellsOnce;
  mutable std::atomic<bool> cellsMade = false;
  mutable SolidCells cells;  ///< see SolidCells::of()
};

/// The pairs of triangles of two meshes that may intersect or be nearer than a margin. Descends
/// both hierarchies at once, the larger of two boxes first.
class TrianglePairs {
 public:
  TrianglePairs(const Polyhedron& a, const Polyhedron& b, const Pose& bToA,
                Real margin = 0.0) noexcept
      : a_(a.parts_->surface),
        b_(b.parts_->surface),
        bToA_(bToA),
        boxes_(a_.boxes(), b_.boxes(), bToA, a.radius() + b.radius(), margin) {}

  /// Calls visit(triangle of a, [triangle of b,] corners of b's triangle in the frame of a) once
  /// for every pair that intersects or is nearer than the margin, and for some other pairs with
  /// near boxes. The order depends only on the meshes and the pose. Returns false once more than
  /// `maxLeafPairs` pairs of leaves were near, as for dense bodies that lie in each other.
  bool forEach(const auto& visit,
               std::size_t maxLeafPairs = std::numeric_limits<std::size_t>::max()) const {
    // Reused per thread, so that later searches do not allocate
    thread_local LeafWalk walk;
    thread_local std::vector<LeafPair> leaves;
    std::array<Moved, keptTriangles> kept;
    std::size_t found = 0;
    for (walk.begin(); !walk.ended();) {
      leaves.clear();
      step(walk, leaves);
      found += leaves.size();
      if (found > maxLeafPairs) return false;
      for (const LeafPair& at : leaves) compare(at, kept, visit);
    }
    return true;
  }

  /// Does a step of a walk through the pairs of leaves, and appends those that it finds. Returns
  /// the number of pairs of boxes tested.
  std::size_t step(LeafWalk& walk, std::vector<LeafPair>& leaves) const {
    return walk.step(a_, b_, boxes_, leaves);
  }
  /// Replaces `pairs` by about `wanted` pairs of boxes, which together contain all leaves. Returns
  /// the number of pairs tested.
  std::size_t split(std::size_t wanted, std::vector<LeafPair>& pairs) const {
    return LeafWalk::split(a_, b_, boxes_, wanted, pairs);
  }
  /// As forEach(), for given leaves that a walk found.
  void forEachOf(std::span<const LeafPair> some, const auto& visit) const {
    std::array<Moved, keptTriangles> kept;
    for (const LeafPair& at : some) compare(at, kept, visit);
  }

 private:
  /// A triangle of b in the frame of a, cached because most are needed again soon.
  struct Moved {
    std::uint32_t triangle = 0xffffffff;
    Triangle corners;
    RoundedMotion::Around box;
  };
  static constexpr std::size_t keptTriangles = 64;

  const Moved& movedTriangle(std::uint32_t triangle, std::span<Moved> kept) const {
    Moved& at = kept[triangle % keptTriangles];
    if (std::exchange(at.triangle, triangle) == triangle) return at;
    at.corners = moved(b_.mesh(), triangle, bToA_);
    at.box = boxes_.around(boxOf(at.corners));
    return at;
  }

  void compare(const LeafPair& leaves, std::span<Moved> kept, const auto& visit) const {
    const std::uint32_t childA = a_.boxes().childOf(leaves.a);
    const auto ofA = a_.boxes().itemsOf(childA);
    const auto ofB = b_.boxes().itemsOf(b_.boxes().childOf(leaves.b));
    for (unsigned ofLeafB = leaves.trianglesB; ofLeafB != 0; ofLeafB &= ofLeafB - 1) {
      const std::uint32_t tb = ofB[static_cast<std::size_t>(std::countr_zero(ofLeafB))];
      const Moved& triangle = movedTriangle(tb, kept);
      unsigned near = leaves.trianglesA & RoundedMotion::near(a_.facets(childA), triangle.box);
      for (; near != 0; near &= near - 1) {
        const std::uint32_t ta = ofA[static_cast<std::size_t>(std::countr_zero(near))];
        if constexpr (requires { visit(ta, tb, triangle.corners); })
          visit(ta, tb, triangle.corners);
        else
          visit(ta, triangle.corners);
      }
    }
  }

  const SurfaceBoxes &a_, &b_;
  const Pose& bToA_;
  RoundedMotion boxes_;
};

}  // namespace nearmiss
