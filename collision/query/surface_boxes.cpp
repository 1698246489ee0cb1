// SPDX-License-Identifier: MIT
#include "query/surface_boxes.h"

#include <nearmiss/detail/kept_with_shape.h>

#include "geometry/box_tree.h"

namespace nearmiss {

SurfaceBoxes::SurfaceBoxes(const TriangleMesh& mesh) : mesh_(&mesh) {
  std::vector<Box> boxes;
  boxes.reserve(mesh.triangles.size());
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) boxes.push_back(boxOf(mesh.corners(t)));
  boxes_.build(boxes);
  facets_.resize(boxes_.leafCount());
  for (std::uint32_t leaf = 0; leaf < facets_.size(); ++leaf) {
    const auto triangles = boxes_.thingsOf(leaf);
    for (unsigned lane = 0; lane < WideBoxes::width; ++lane) {
      const Triangle corners = mesh.corners(triangles[lane]);
      for (std::size_t i = 0; i < 3; ++i) {
        const Vec3 p = boxes_.inUnits(corners[i]);
        for (int axis = 0; axis < 3; ++axis)
          facets_[leaf].corner[i][axis][lane] = static_cast<float>(p[axis]);
      }
    }
  }
}

const SurfaceBoxes& surfaceBoxesOf(const Shape& shape) {
  return KeptWithShape::ofMesh(shape).get<SurfaceBoxes>(
      [&shape] { return SurfaceBoxes(shape.polyhedron().mesh()); });
}

}  // namespace nearmiss
