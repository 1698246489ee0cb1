// SPDX-License-Identifier: MIT
/// The triangles of a shape in a hierarchy of boxes, for rays and points.
#pragma once

#include <nearmiss/mesh.h>
#include <nearmiss/shape.h>

#include <cstdint>
#include <vector>

#include "geometry/four_floats.h"
#include "query/wide_boxes.h"

namespace nearmiss {

class SurfaceBoxes {
 public:
  /// The triangles of a leaf as rays see them first: corners rounded, in the units of boxes().
  struct Facets {
    FourFloats corner[3][3];  ///< by corner and axis
  };

  /// @param mesh must outlive this
  explicit SurfaceBoxes(const TriangleMesh& mesh);

  [[nodiscard]] const WideBoxes& boxes() const noexcept { return boxes_; }
  [[nodiscard]] const TriangleMesh& mesh() const noexcept { return *mesh_; }
  [[nodiscard]] const Facets& facets(std::uint32_t leaf) const noexcept { return facets_[leaf]; }

  /// Calls visit(triangle, lane) for each triangle of a leaf.
  void forEachIn(std::uint32_t leaf, const auto& visit) const {
    const auto things = boxes_.thingsOf(leaf);
    for (unsigned lane = 0; lane < WideBoxes::width; ++lane)
      if (lane == 0 || things[lane] != things[lane - 1]) visit(things[lane], lane);
  }

 private:
  const TriangleMesh* mesh_;
  WideBoxes boxes_;
  std::vector<Facets> facets_;  ///< by leaf
};

/// Made when it is first asked for, and kept with the shape.
[[nodiscard]] const SurfaceBoxes& surfaceBoxesOf(const Shape& shape);

}  // namespace nearmiss
