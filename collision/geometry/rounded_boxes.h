// SPDX-License-Identifier: MIT
/// The boxes of a tree in single precision, four side by side, for descents of two trees that
/// compare thousands of boxes. What they cannot tell apart may still be apart.
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

/// Every other level of a BoxTree: the children of a node are its children's children, or a child
/// that is a leaf; below a leaf are its triangles.
struct RoundedBoxes {
  /// Rounded to the nearest float; the last lanes are 0.
  struct Rounded {
    FourFloats centre, half;
  };
  struct Node {
    Rounded box;
    /// The boxes below, one in each lane; where there is none, one that is less than empty.
    FourVectors centre, half;
    std::array<std::uint32_t, 4> below{};  ///< nodes; of a leaf triangles
    Real square = 0.0;                     ///< of the box's diagonal
    bool leaf = false;
  };
  static_assert(BoxTree::trianglesPerLeaf == 4);

  std::vector<Node> nodes;  ///< the root is 0

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
  [[nodiscard]] static Rounded roundedOf(const Box& box) noexcept {
    return {roundedOf(box.centre()), roundedOf(0.5 * box.extent())};
  }

 private:
  std::uint32_t add(const TriangleMesh& mesh, const BoxTree& tree, std::uint32_t at);
};

/// Compares boxes of two trees, those of `b` moved by `bToA` into the frame of `a`. Boxes that are
/// called apart are; others may be, too.
class RoundedMotion {
 public:
  /// A body in whose frame the other's boxes are.
  enum Side : std::size_t { inA, inB };
  /// A box in this body's frame, wider by the slack.
  struct Around {
    FourFloats centre, reach;
  };
  /// A box of the other body.
  struct Moved : Around {
    FourFloats half;  ///< in its own frame, wider by the slack
  };

  /// `size`: the sum of the bodies' radii about their origins. Boxes nearer than `margin` metres
  /// are not apart.
  RoundedMotion(const Pose& bToA, Real size, Real margin) noexcept;

  /// A box of the other body as seen from `side`.
  [[nodiscard]] Moved moved(Side side, const RoundedBoxes::Rounded& other) const noexcept {
    const Into& into = into_[side];
    return {{product(into.columns, other.centre) + into.position,
             product(into.sizes, other.half) + slack_},
            other.half + slack_};
  }
  /// A box in this body's frame already.
  [[nodiscard]] Around around(const Box& box) const noexcept {
    const auto [centre, half] = RoundedBoxes::roundedOf(box);
    return {centre, half + slack_};
  }

  /// Bit k: no axis of the own frame separates box k below a node from the other.
  [[nodiscard]] static unsigned near(const RoundedBoxes::Node& own, const Around& other) noexcept {
    return 15u & ~lanesLess(four(0.0f), gap(own, wayFrom(other, own), other));
  }
  /// Bit k: no axis of either frame does.
  [[nodiscard]] unsigned near(Side side, const RoundedBoxes::Node& own,
                              const Moved& other) const noexcept {
    const Into& back = into_[side == inA ? inB : inA];
    const FourVectors way = wayFrom(other, own);
    // All at once: which one decides is unpredictable, and a branch would cost more
    FourFloats widest = gap(own, way, other);
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const auto& to = back.rows[axis];
      const auto& sizes = back.rowSizes[axis];
      const FourFloats along = to.x * way.x + to.y * way.y + to.z * way.z;
      const FourFloats reach = sizes.x * own.half.x + sizes.y * own.half.y + sizes.z * own.half.z;
      widest = greater(widest, sizeOf(along) - (four(other.half[axis]) + reach));
    }
    return 15u & ~lanesLess(four(0.0f), widest);
  }

 private:
  /// Some 60 roundings of numbers of the bodies' size come to less than half of this share of it.
  static constexpr Real roundingShare = 1e-5;

  /// From the other body's frame.
  struct Into {
    FourFloats columns[3], sizes[3];   ///< of the rotation, and their absolute values
    FourVectors rows[3], rowSizes[3];  ///< the same, each number in all lanes
    FourFloats position;
  };

  static FourFloats sizeOf(FourFloats v) noexcept { return greater(v, -v); }
  static FourFloats product(const FourFloats (&m)[3], FourFloats v) noexcept {
    return m[0] * four(v[0]) + m[1] * four(v[1]) + m[2] * four(v[2]);
  }
  static FourVectors wayFrom(const Around& other, const RoundedBoxes::Node& own) noexcept {
    const FourFloats& from = other.centre;
    return own.centre - FourVectors{four(from[0]), four(from[1]), four(from[2])};
  }
  /// The widest gap between boxes along the own axes; not above 0 if there is none.
  static FourFloats gap(const RoundedBoxes::Node& own, const FourVectors& way,
                        const Around& other) noexcept {
    const FourFloats x = sizeOf(way.x) - (own.half.x + four(other.reach[0]));
    const FourFloats y = sizeOf(way.y) - (own.half.y + four(other.reach[1]));
    const FourFloats z = sizeOf(way.z) - (own.half.z + four(other.reach[2]));
    return greater(greater(x, y), z);
  }

  Into into_[2];  ///< by Side
  FourFloats slack_;
};

}  // namespace nearmiss
