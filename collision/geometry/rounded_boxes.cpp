// SPDX-License-Identifier: MIT
#include "geometry/rounded_boxes.h"

#include <algorithm>
#include <glm/geometric.hpp>
#include <glm/gtc/quaternion.hpp>

namespace nearmiss {

RoundedBoxes::RoundedBoxes(const TriangleMesh& mesh, const BoxTree& tree) {
  boxes.reserve(tree.nodes.size());
  below.reserve(tree.nodes.size());
  for (const BoxNode& node : tree.nodes) {
    const Vec3 extent = node.box.extent();
    boxes.push_back({roundedOf(node.box.centre()), roundedOf(0.5 * extent)});
    const bool leaf = node.count != 0;
    below.push_back({glm::dot(extent, extent),
                     leaf ? static_cast<std::uint32_t>(leaves.size()) : node.offset, leaf});
    if (!leaf) continue;
    Leaf& triangles = leaves.emplace_back();
    // So much that no reach makes up for it
    triangles.half = {four(-3e38f), four(-3e38f), four(-3e38f)};
    for (std::size_t k = 0; k < node.count; ++k) {
      const std::uint32_t triangle = tree.trianglesOf(node)[k];
      triangles.triangles[k] = triangle;
      const Box box = boxOf(mesh.corners(triangle));
      put(triangles.centre, k, within(box.centre()));
      put(triangles.half, k, within(0.5 * box.extent()));
    }
  }
}

RoundedMotion::RoundedMotion(const Pose& bToA, Real size, Real margin) noexcept {
  const Vec3 position = RoundedBoxes::within(bToA.position);
  const Real slack = 1.001 * (roundingShare * (size + glm::length(position)) + margin);
  slack_ = four(static_cast<float>(std::min(slack, 1e6 * RoundedBoxes::farthest)));
  const glm::dmat3 axes = glm::mat3_cast(bToA.rotation);
  const glm::dmat3 back = glm::transpose(axes);
  into_[inA].position = RoundedBoxes::roundedOf(position);
  into_[inB].position = RoundedBoxes::roundedOf(-(back * position));
  for (int i = 0; i < 3; ++i) {
    into_[inA].columns[i] = RoundedBoxes::roundedOf(axes[i]);
    into_[inB].columns[i] = RoundedBoxes::roundedOf(back[i]);
    for (Into& into : into_) into.sizes[i] = sizeOf(into.columns[i]);
  }
}

}  // namespace nearmiss
