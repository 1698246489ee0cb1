// SPDX-License-Identifier: MIT
/// The boxes of a tree in single precision: half the memory, and four numbers at once, for descents
/// of two trees that compare thousands of boxes. What they cannot tell apart may still be apart.
#pragma once

#include <nearmiss/math.h>

#include <cstdint>
#include <glm/gtc/quaternion.hpp>
#include <vector>

#include "geometry/box_tree.h"
#include "geometry/four_floats.h"

namespace nearmiss {

struct RoundedBoxes {
  /// Rounded to the nearest float; the last lanes are 0.
  struct Rounded {
    FourFloats centre, half;
  };
  /// What a descent asks of a node besides.
  struct Below {
    Real square = 0.0;         ///< of the box's diagonal
    std::uint32_t second = 0;  ///< child; of a leaf its index in `leaves`
    bool leaf = false;
  };
  /// The boxes of a leaf's triangles, one in each lane.
  struct Leaf {
    FourVectors centre, half;
  };

  std::vector<Rounded> boxes;  ///< by node of the tree
  std::vector<Below> below;    ///< by the same
  std::vector<Leaf> leaves;

  RoundedBoxes(const TriangleMesh& mesh, const BoxTree& tree);
  [[nodiscard]] static FourFloats roundedOf(const Vec3& v) noexcept {
    return FourFloats{static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z),
                      0.0f};
  }
};

/// Compares boxes of two trees, those of `b` moved by `bToA` into the frame of `a`.
class RoundedMotion {
 public:
  /// `reach`: no coordinate of either body, in either frame, is larger. Boxes nearer than `margin`
  /// metres are not apart.
  RoundedMotion(const Pose& bToA, Real reach, Real margin) noexcept
      : position_(RoundedBoxes::roundedOf(bToA.position)),
        slack_(four(static_cast<float>(1.001 * (roundingShare * reach + margin)))) {
    const glm::dmat3 axes = glm::mat3_cast(bToA.rotation);
    const glm::dmat3 back = glm::transpose(axes);
    for (int i = 0; i < 3; ++i) {
      columns_[i] = RoundedBoxes::roundedOf(axes[i]);
      rows_[i] = RoundedBoxes::roundedOf(back[i]);
      columnSizes_[i] = sizes(columns_[i]);
      rowSizes_[i] = sizes(rows_[i]);
    }
  }

  /// True only where an axis of one of the boxes separates them, for certain.
  [[nodiscard]] bool apart(const RoundedBoxes::Rounded& a,
                           const RoundedBoxes::Rounded& b) const noexcept {
    const FourFloats way = product(columns_, b.centre) + position_ - a.centre;
    // Both, since nobody can foresee which tells
    return (lanesLess(a.half + product(columnSizes_, b.half) + slack_, sizes(way)) |
            lanesLess(b.half + product(rowSizes_, a.half) + slack_, sizes(product(rows_, way)))) !=
           0;
  }

  /// Bit k: along the axes of a's frame, triangle k of a leaf of `a` is not known to be apart from
  /// a box of `b`. Lanes without a triangle say nothing.
  [[nodiscard]] unsigned nearA(const RoundedBoxes::Leaf& a,
                               const RoundedBoxes::Rounded& b) const noexcept {
    return nearLanes(a, product(columns_, b.centre) + position_,
                     product(columnSizes_, b.half) + slack_);
  }
  /// The same the other way round.
  [[nodiscard]] unsigned nearB(const RoundedBoxes::Rounded& a,
                               const RoundedBoxes::Leaf& b) const noexcept {
    return nearLanes(b, product(rows_, a.centre - position_), product(rowSizes_, a.half) + slack_);
  }

 private:
  static unsigned nearLanes(const RoundedBoxes::Leaf& leaf, FourFloats centre,
                            FourFloats reach) noexcept {
    return 15u & ~(lanesLess(leaf.half.x + four(reach[0]), sizes(leaf.centre.x - four(centre[0]))) |
                   lanesLess(leaf.half.y + four(reach[1]), sizes(leaf.centre.y - four(centre[1]))) |
                   lanesLess(leaf.half.z + four(reach[2]), sizes(leaf.centre.z - four(centre[2]))));
  }

  /// Some 60 roundings of numbers of the bodies' size come to less than half of this share of it.
  static constexpr Real roundingShare = 1e-5;

  static FourFloats sizes(FourFloats v) noexcept { return greater(v, -v); }
  static FourFloats product(const FourFloats (&m)[3], FourFloats v) noexcept {
    return m[0] * four(v[0]) + m[1] * four(v[1]) + m[2] * four(v[2]);
  }

  FourFloats columns_[3], rows_[3];          ///< of the rotation of bToA
  FourFloats columnSizes_[3], rowSizes_[3];  ///< absolute values of those
  FourFloats position_, slack_;
};

}  // namespace nearmiss
