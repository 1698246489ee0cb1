// SPDX-License-Identifier: MIT
#include <nearmiss/advanced/predicates.h>

#include "geometry/surface_boxes.h"

#include "base/equal_items.h"
#include "geometry/box_measures.h"

namespace nearmiss {

SurfaceBoxes::SurfaceBoxes(const TriangleMesh& mesh, int workers) : mesh_(&mesh) {
  workers = workersFor(mesh.triangles.size(), workers);
  std::vector<Box> boxes(mesh.triangles.size());
  forChunks(boxes.size(), workers, [&](std::size_t begin, std::size_t end, std::size_t) {
    for (std::size_t t = begin; t < end; ++t) boxes[t] = boxOf(mesh.corners(t));
  });
  boxes_.build(boxes, workers);
  facets_.resize(boxes_.leafCount());
  forChunks(facets_.size(), workers, [&](std::size_t begin, std::size_t end, std::size_t) {
    for (std::size_t leaf = begin; leaf < end; ++leaf) roundFacets(leaf);
  });
}

void SurfaceBoxes::refit(std::span<const Box> leaves) noexcept {
  boxes_.refit(leaves);
  for (std::size_t leaf = 0; leaf < facets_.size(); ++leaf) roundFacets(leaf);
}

void SurfaceBoxes::roundFacets(std::size_t leaf) noexcept {
  const auto triangles = boxes_.itemsOf(static_cast<std::uint32_t>(leaf));
  for (unsigned lane = 0; lane < WideBoxes::width; ++lane) {
    const Triangle corners = mesh_->corners(triangles[lane]);
    for (std::size_t i = 0; i < 3; ++i) {
      const Vec3 p = boxes_.inUnits(corners[i]);
      for (int axis = 0; axis < 3; ++axis)
        facets_[leaf].corner[i][axis][lane] = static_cast<float>(p[axis]);
    }
  }
}

}  // namespace nearmiss
