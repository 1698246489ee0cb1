// SPDX-License-Identifier: MIT
/// The boxes of two bodies in single precision, eight at a time, for dual-tree traversals that
/// compare thousands of boxes. The test is conservative: boxes it cannot separate may still be
/// disjoint.
#pragma once

#include <nearmiss/math.h>

#include <cstddef>
#include <cstdint>

#include "base/four_floats.h"
#include "geometry/surface_boxes.h"

namespace nearmiss {

/// Compares boxes of two hierarchies. Boxes of `b` are moved by `bToA` into the frame of `a`. Boxes
/// reported as separate are separate; others may be, too.
class RoundedMotion {
 public:
  /// The body in whose units a box of the other body is given.
  enum Side : std::size_t { inA, inB };
  /// A box along this body's axes, widened by the slack; the last lane is 0.
  struct Around {
    FourFloats centre, reach;
  };
  /// A box of the other body.
  struct Moved : Around {
    FourFloats half;  ///< along its own axes, widened by the slack
  };

  /// @param size sum of the bodies' radii about their origins
  /// @param margin metres; boxes nearer than this are not separate
  /// Both hierarchies must outlive this.
  RoundedMotion(const WideBoxes& a, const WideBoxes& b, const Pose& bToA, Real size,
                Real margin) noexcept;

  /// Returns a box of the other body as seen from `side`.
  [[nodiscard]] Moved moved(Side side, std::uint32_t slot) const noexcept;
  /// Converts a box that is already in the frame of `a`, metres.
  [[nodiscard]] Around around(const Box& box) const noexcept;
  /// Returns the squared diagonal of a box, square metres.
  [[nodiscard]] Real squareOf(Side side, std::uint32_t slot) const noexcept;

  /// Bit k: no axis of either frame separates box k from the other box.
  [[nodiscard]] unsigned near(Side side, const WideBoxes::Node& own,
                              const Moved& other) const noexcept;
  /// The same for the boxes of triangles.
  [[nodiscard]] unsigned near(Side side, const SurfaceBoxes::Facets& own,
                              const Moved& other) const noexcept;
  /// Bit k: no axis of the own frame separates the box of triangle k from the other box.
  [[nodiscard]] static unsigned near(const SurfaceBoxes::Facets& own, const Around& other) noexcept;

 private:
  /// The transformation from the other body's frame and units.
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
  Into into_[2];  ///< indexed by Side
};

}  // namespace nearmiss
