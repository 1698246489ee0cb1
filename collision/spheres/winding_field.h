// SPDX-License-Identifier: MIT
/// The signed share of the view from a point that a surface covers: distinguishes inside from
/// outside for any set of triangles, including open ones.
#pragma once

#include <nearmiss/mesh.h>

#include <vector>

#include "geometry/wide_boxes.h"

namespace nearmiss {

/// The generalised winding number, with distant parts of the surface approximated by one small
/// plate each.
class WindingField {
 public:
  /// @param mesh must outlive this
  explicit WindingField(const TriangleMesh& mesh);

  /// Returns 1 inside a closed surface and 0 outside it, accurate to a hundredth; values in between
  /// near holes.
  [[nodiscard]] Real winding(const Vec3& point) const noexcept;

  /// Independent of the orientation of the surface.
  [[nodiscard]] bool inside(const Vec3& point) const noexcept {
    const Real w = winding(point);
    return w > 0.5 || w < -0.5;
  }

 private:
  /// All triangles below a slot, as one plate.
  struct Plate {
    Vec3 area{0.0};    ///< sum of the triangles' area vectors
    Vec3 middle{0.0};  ///< area-weighted mean of the triangles
    Real radius = 0.0;
    Real weight = 0.0;
  };
  const TriangleMesh* mesh_;
  WideBoxes boxes_;
  std::vector<Plate> plates_;  ///< per slot
};

}  // namespace nearmiss
