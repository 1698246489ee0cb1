// SPDX-License-Identifier: MIT
/// A binary hierarchy of turned boxes over the triangles of a mesh, fitted and split as Gottschalk,
/// Lin and Manocha do [GLM96].
#pragma once

#include <nearmiss/mesh.h>

#include <glm/mat3x3.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "methods/bounding_volumes.h"
#include "methods/box_tree.h"

namespace nearmiss {

/// The eigenvectors of the covariance of the points' convex hull as columns, the largest spread
/// first. Every point of the hull's surface weighs the same, so that neither points within nor the
/// number of points in one place turn the box [GLM96 §4]. Where all points lie in one plane the
/// hull is a polygon; on a line it is the points.
[[nodiscard]] glm::dmat3 hullAxes(std::span<const Vec3> points);

/// A node's box lies along hullAxes() of its triangles. It is split across its longest side at the
/// mean of the corners, and triangles go to the side of their middles; where all are on one side,
/// it is split across the next side; where no side splits, it is a leaf. Other leaves have one
/// triangle each.
///
/// It has the parts of a VolumeTree, for the same descent; all boxes are made at once, since each
/// split depends on the box.
class ObbTree {
 public:
  explicit ObbTree(const TriangleMesh& mesh);

  [[nodiscard]] const TurnedBoxVolume& volume(std::uint32_t node) const noexcept {
    return volumes_[node];
  }
  /// No point of the box is farther from the surface within it.
  [[nodiscard]] Real reach(std::uint32_t node) const noexcept { return reach_[node]; }
  [[nodiscard]] bool leaf(std::uint32_t node) const noexcept {
    return boxes.nodes[node].count != 0;
  }

  BoxTree boxes;

 private:
  void build(const TriangleMesh& mesh, std::uint32_t begin, std::uint32_t end, int depth);
  void gather(const TriangleMesh& mesh, std::uint32_t begin, std::uint32_t end);
  void add(std::uint32_t begin, std::uint32_t end);
  std::uint32_t split(std::uint32_t begin, std::uint32_t end, int depth);

  std::vector<TurnedBoxVolume> volumes_;  ///< by node of `boxes`
  std::vector<Real> reach_;
  std::vector<Vec3> middles_;  ///< of triangles, while the tree is built
  Vec3 mean_{0.0};             ///< of the corners of the node that is being made
  std::vector<std::uint32_t> listed_;
  std::vector<Vec3> corners_;  ///< of that node, each once
};

}  // namespace nearmiss
