// SPDX-License-Identifier: MIT
/// A binary hierarchy of oriented boxes over the triangles of a mesh, fitted and split as by
/// Gottschalk, Lin and Manocha [GLM96].
#pragma once

#include <nearmiss/mesh.h>

#include <glm/mat3x3.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "rivals/bounding_volumes.h"
#include "rivals/box_tree.h"

namespace nearmiss {

/// Returns the eigenvectors of the covariance of the points' convex hull as columns, largest spread
/// first. Every point of the hull's surface has the same weight, so neither interior points nor
/// clusters of points rotate the box [GLM96 §4]. For coplanar points the hull is a polygon; for
/// collinear points, the points themselves are used.
[[nodiscard]] glm::dmat3 hullAxes(std::span<const Vec3> points);

/// A tree of oriented boxes. The box of a node lies along hullAxes() of its triangles. It is split
/// across its longest side at the mean of the corners, and triangles go to the side of their
/// centroids. If all are on one side, it is split across the next side; if no side splits it, it is
/// a leaf. Other leaves have one triangle each.
///
/// It has the interface of a VolumeTree, for the same traversal. All boxes are built at once,
/// because each split depends on the box.
class ObbTree {
 public:
  explicit ObbTree(const TriangleMesh& mesh);

  [[nodiscard]] const TurnedBoxVolume& volume(std::uint32_t node) const noexcept {
    return volumes_[node];
  }
  /// Returns a bound on the distance of any point of the box from the surface in it.
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

  std::vector<TurnedBoxVolume> volumes_;  ///< per node of `boxes`
  std::vector<Real> reach_;
  std::vector<Vec3> middles_;  ///< centroids of triangles, during the build
  Vec3 mean_{0.0};             ///< of the corners of the node being built
  std::vector<std::uint32_t> listed_;
  std::vector<Vec3> corners_;  ///< of that node, without duplicates
};

}  // namespace nearmiss
