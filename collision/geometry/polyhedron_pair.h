// SPDX-License-Identifier: MIT
/// Two polyhedra in one frame: their parts, moved boxes, pairs of triangles that may meet.
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

/// Far more than rounding can move a point of either body: widens boxes in another body's frame. A
/// rotation off unit length, as two that are allowed give, stretches on the way there and back.
[[nodiscard]] inline Real slackOf(const Polyhedron& a, const Polyhedron& b,
                                  const Pose& bToA) noexcept {
  constexpr Real rounding = 1e-12;  // of products of unit quaternions: far more
  const Real off = std::abs(glm::dot(bToA.rotation, bToA.rotation) - 1.0);
  const Real share = 1e-9 + 8.0 * std::max(off - rounding, 0.0);
  return share * (a.radius() + b.radius() + glm::length(bToA.position));
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
  Parts(TriangleMesh&& taken, const std::atomic<bool>* cancelled, int workers);
  Parts(const Parts& other);  ///< without cells

  TriangleMesh mesh;
  SurfaceBoxes surface;
  SurfacePieces pieces;
  WideBoxes piecePoints;     ///< over the vertex of each piece, where there are several
  MeetingTriangles meeting;  ///< of a closed surface; see checkMesh()
  MeshReport report;
  Box bounds;
  Real radius;
  std::uint64_t hash;
  mutable OnceFlag cellsOnce;
  mutable std::atomic<bool> cellsMade = false;
  mutable SolidCells cells;  ///< see SolidCells::of()
};

/// The pairs of triangles of two meshes that may meet, or be nearer than a margin. Descends both
/// hierarchies at once, of two boxes the larger.
class TrianglePairs {
 public:
  TrianglePairs(const Polyhedron& a, const Polyhedron& b, const Pose& bToA,
                Real margin = 0.0) noexcept
      : a_(a.parts_->surface),
        b_(b.parts_->surface),
        bToA_(bToA),
        boxes_(a_.boxes(), b_.boxes(), bToA, a.radius() + b.radius(), margin) {}

  /// Calls visit(triangle of a, [triangle of b,] corners of b's in the frame of a) once for every
  /// two that meet or are nearer than the margin, and for some whose boxes are. The order depends
  /// on nothing but the meshes and the pose. Returns false once more than `maxLeafPairs` pairs of
  /// leaves were near: dense bodies that lie in each other.
  bool forEach(const auto& visit,
               std::size_t maxLeafPairs = std::numeric_limits<std::size_t>::max()) const {
    // The thread's: another search allocates nothing
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

  /// Takes a step of a walk through the pairs of leaves, and appends those that it finds. Returns
  /// how many pairs of boxes it looked at.
  std::size_t step(LeafWalk& walk, std::vector<LeafPair>& leaves) const {
    return walk.step(a_, b_, boxes_, leaves);
  }
  /// Replaces `pairs` by about as many pairs of boxes as are wanted, below which all leaves are.
  /// Returns how many it looked at.
  std::size_t split(std::size_t wanted, std::vector<LeafPair>& pairs) const {
    return LeafWalk::split(a_, b_, boxes_, wanted, pairs);
  }
  /// As forEach(), for some leaves that a walk found.
  void forEachOf(std::span<const LeafPair> some, const auto& visit) const {
    std::array<Moved, keptTriangles> kept;
    for (const LeafPair& at : some) compare(at, kept, visit);
  }

 private:
  /// A triangle of b in the frame of a, kept since most are met again soon.
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
