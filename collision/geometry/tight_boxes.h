// SPDX-License-Identifier: MIT
/// Boxes oriented along the triangles that they contain, for the slots of a hierarchy.
#pragma once

#include <nearmiss/advanced/predicates.h>
#include <nearmiss/math.h>
#include <nearmiss/mesh.h>

#include <array>
#include <cstdint>
#include <vector>

#include "geometry/wide_boxes.h"

namespace nearmiss {

/// A box oriented along the triangles that it contains: all points p with low[k] <= axes[k] . p <=
/// high[k]. Oblique triangles, especially needles, fill such boxes far better than axis-aligned
/// ones.
struct TightBox {
  std::array<Vec3, 3> axes;  ///< orthonormal, up to rounding
  Vec3 low{0.0}, high{0.0};
};

/// One oriented box for each slot of a hierarchy.
class TightBoxes {
 public:
  TightBoxes(const TriangleMesh& mesh, const WideBoxes& boxes);

  /// Returns false only if nothing below slot `a` meets anything below slot `b`: an axis of one of
  /// the boxes separates them by more than rounding errors.
  [[nodiscard]] bool mayMeet(std::uint32_t a, std::uint32_t b) const noexcept {
    return !parted(boxes_[a], boxes_[b]) && !parted(boxes_[b], boxes_[a]);
  }
  /// Returns false only if the triangle meets nothing below the slot.
  [[nodiscard]] bool mayMeet(std::uint32_t slot, const Triangle& triangle) const noexcept;

 private:
  [[nodiscard]] bool parted(const TightBox& a, const TightBox& b) const noexcept;

  std::vector<TightBox> boxes_;
  Real rounding_ = 0.0;  ///< metres: upper bound of the rounding error of products with an axis
};

}  // namespace nearmiss
