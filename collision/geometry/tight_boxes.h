// SPDX-License-Identifier: MIT
/// Boxes along the triangles that they hold, beside the axis-aligned boxes of a BoxTree: oblique
/// triangles, needles above all, fill these far better.
#pragma once

#include <nearmiss/triangle_mesh.h>

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "geometry/box_tree.h"

namespace nearmiss {

/// All points p with low[k] <= axes[k] . p <= high[k].
struct TightBox {
  std::array<Vec3, 3> axes;  ///< of unit length and at right angles, within rounding
  Vec3 low{0.0}, high{0.0};
};

/// One for each node of a tree.
class TightBoxes {
 public:
  TightBoxes(const TriangleMesh& mesh, const BoxTree& tree);

  /// False only if nothing in node `a` meets anything in node `b`: an axis of one of the boxes
  /// separates them, by more than rounding.
  [[nodiscard]] bool mayMeet(std::uint32_t a, std::uint32_t b) const noexcept {
    return !parted(boxes_[a], boxes_[b]) && !parted(boxes_[b], boxes_[a]);
  }

 private:
  [[nodiscard]] bool parted(const TightBox& a, const TightBox& b) const noexcept;

  std::vector<TightBox> boxes_;
  Real rounding_ = 0.0;  ///< metres: covers the rounding of products with an axis
};

}  // namespace nearmiss
