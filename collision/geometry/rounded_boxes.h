// SPDX-License-Identifier: MIT
/// The boxes of a tree in single precision: half the memory, and four numbers at once, for descents
/// of two trees that compare thousands of boxes. What they cannot tell apart may still be apart.
#pragma once

#include <nearmiss/math.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <glm/common.hpp>
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
  /// The boxes of a leaf's triangles, one in each lane; where there is none, one that is less than
  /// empty.
  struct Leaf {
    FourVectors centre, half;
    std::array<std::uint32_t, BoxTree::trianglesPerLeaf> triangles;
  };

  std::vector<Rounded> boxes;  ///< by node of the tree
  std::vector<Below> below;    ///< by the same
  std::vector<Leaf> leaves;

  RoundedBoxes(const TriangleMesh& mesh, const BoxTree& tree);
  /// No mesh is as large; what is farther away is as far as that. Its sums are floats.
  static constexpr Real farthest = 1e30;
  [[nodiscard]] static Vec3 within(const Vec3& v) noexcept {
    return glm::clamp(v, -farthest, farthest);
  }
  [[nodiscard]] static FourFloats roundedOf(const Vec3& v) noexcept {
    const Vec3 near = within(v);
    return FourFloats{static_cast<float>(near.x), static_cast<float>(near.y),
                      static_cast<float>(near.z), 0.0f};
  }
};

/// Compares boxes of two trees, those of `b` moved by `bToA` into the frame of `a`. True answers
/// are certain; false ones are not.
class RoundedMotion {
 public:
  /// A body in whose frame the other's boxes are.
  enum Side : std::size_t { inA, inB };
  /// A box of the other body.
  struct Moved {
    FourFloats centre, reach;  ///< in this body's frame
    FourFloats half;           ///< in its own
  };

  /// `size`: the sum of the bodies' radii about their origins. Boxes nearer than `margin` metres
  /// are not apart.
  RoundedMotion(const Pose& bToA, Real size, Real margin) noexcept;

  /// A box of the other body as seen from `side`.
  [[nodiscard]] Moved moved(Side side, const RoundedBoxes::Rounded& other) const noexcept {
    const Into& into = into_[side];
    return {product(into.columns, other.centre) + into.position,
            product(into.sizes, other.half) + slack_, other.half + slack_};
  }
  /// True only where an axis of one of the boxes separates them.
  [[nodiscard]] bool apart(Side side, const RoundedBoxes::Rounded& own,
                           const Moved& other) const noexcept {
    const Into& back = into_[side == inA ? inB : inA];
    const FourFloats way = own.centre - other.centre;
    // Both at once: which one decides is unpredictable, and a branch would cost more
    return (lanesLess(own.half + other.reach, sizeOf(way)) |
            lanesLess(other.half + product(back.sizes, own.half),
                      sizeOf(product(back.columns, way)))) != 0;
  }
  [[nodiscard]] bool apart(const RoundedBoxes::Rounded& a,
                           const RoundedBoxes::Rounded& b) const noexcept {
    return apart(inA, a, moved(inA, b));
  }
  /// Bit k: no axis of its own frame separates triangle k of a leaf from the other body's box.
  [[nodiscard]] static unsigned near(const RoundedBoxes::Leaf& own, const Moved& other) noexcept {
    const auto [centre, reach, half] = other;
    return 15u & ~(lanesLess(own.half.x + four(reach[0]), sizeOf(own.centre.x - four(centre[0]))) |
                   lanesLess(own.half.y + four(reach[1]), sizeOf(own.centre.y - four(centre[1]))) |
                   lanesLess(own.half.z + four(reach[2]), sizeOf(own.centre.z - four(centre[2]))));
  }

 private:
  /// Some 60 roundings of numbers of the bodies' size come to less than half of this share of it.
  static constexpr Real roundingShare = 1e-5;

  /// From the other body's frame.
  struct Into {
    FourFloats columns[3], sizes[3];  ///< of the rotation, and their absolute values
    FourFloats position;
  };

  static FourFloats sizeOf(FourFloats v) noexcept { return greater(v, -v); }
  static FourFloats product(const FourFloats (&m)[3], FourFloats v) noexcept {
    return m[0] * four(v[0]) + m[1] * four(v[1]) + m[2] * four(v[2]);
  }

  Into into_[2];  ///< by Side
  FourFloats slack_;
};

}  // namespace nearmiss
