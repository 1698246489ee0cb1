// SPDX-License-Identifier: MIT
/// The boxes of two bodies in single precision, eight at a time, for descents of both hierarchies
/// that compare thousands of boxes. What they cannot tell apart may still be apart.
#pragma once

#include <nearmiss/math.h>

#include <cstddef>
#include <cstdint>

#include "geometry/four_floats.h"
#include "geometry/surface_boxes.h"

namespace nearmiss {

/// Compares boxes of two hierarchies, those of `b` moved by `bToA` into the frame of `a`. Boxes
/// that are called apart are; others may be, too.
class RoundedMotion {
 public:
  /// A body, in whose units the other's boxes are.
  enum Side : std::size_t { inA, inB };
  /// A box along this body's axes, wider by the slack; the last lane is 0.
  struct Around {
    FourFloats centre, reach;
  };
  /// A box of the other body.
  struct Moved : Around {
    FourFloats half;  ///< along its own axes, wider by the slack
  };

  /// `size`: the sum of the bodies' radii about their origins. Boxes nearer than `margin` metres
  /// are not apart. Both must outlive it.
  RoundedMotion(const WideBoxes& a, const WideBoxes& b, const Pose& bToA, Real size,
                Real margin) noexcept;

  /// A box of the other body as seen from `side`.
  [[nodiscard]] Moved moved(Side side, std::uint32_t slot) const noexcept;
  /// A box in the frame of `a` already, metres.
  [[nodiscard]] Around around(const Box& box) const noexcept;
  /// The square of the diagonal of a box, square metres.
  [[nodiscard]] Real squareOf(Side side, std::uint32_t slot) const noexcept;

  /// Bit k: no axis of either frame separates box k from the other.
  [[nodiscard]] unsigned near(Side side, const WideBoxes::Node& own,
                              const Moved& other) const noexcept;
  /// The same of the boxes of triangles.
  [[nodiscard]] unsigned near(Side side, const SurfaceBoxes::Facets& own,
                              const Moved& other) const noexcept;
  /// Bit k: no axis of the own frame separates the box of triangle k from the other.
  [[nodiscard]] static unsigned near(const SurfaceBoxes::Facets& own, const Around& other) noexcept;

 private:
  /// From the other body's frame and units.
  struct Into {
    FourFloats columns[3], sizes[3];   ///< of the rotation and scale, and their absolute values
    FourVectors rows[3], rowSizes[3];  ///< of the rotation alone, each number in all lanes
    FourFloats position;
    FourFloats slack;
    float scale = 1.0f;
  };
  template <class Boxes>
  [[nodiscard]] unsigned nearOf(Side side, const Boxes& own, const Moved& other) const noexcept;

  const WideBoxes* boxes_[2];
  Into into_[2];  ///< by Side
};

}  // namespace nearmiss
