// SPDX-License-Identifier: MIT
/// How much of the view from a point a surface takes up, signed: inside and outside of any set of
/// triangles, open ones too.
#pragma once

#include <nearmiss/mesh.h>

#include <vector>

#include "geometry/wide_boxes.h"

namespace nearmiss {

/// The generalised winding number, with far parts of the surface seen as one small plate each.
class WindingField {
 public:
  /// @param mesh must outlive this
  explicit WindingField(const TriangleMesh& mesh);

  /// 1 inside of a closed surface and 0 outside of it, within a hundredth; in between near holes.
  [[nodiscard]] Real winding(const Vec3& point) const noexcept;

  /// Whichever way the surface is turned.
  [[nodiscard]] bool inside(const Vec3& point) const noexcept {
    const Real w = winding(point);
    return w > 0.5 || w < -0.5;
  }

 private:
  /// All triangles below a slot as one plate.
  struct Plate {
    Vec3 area{0.0};    ///< sum of the triangles' area vectors
    Vec3 middle{0.0};  ///< mean of the triangles by area
    Real radius = 0.0;
    Real weight = 0.0;
  };
  const TriangleMesh* mesh_;
  WideBoxes boxes_;
  std::vector<Plate> plates_;  ///< per slot
};

}  // namespace nearmiss
