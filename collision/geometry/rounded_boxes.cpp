// SPDX-License-Identifier: MIT
#include "geometry/rounded_boxes.h"

#include <algorithm>
#include <glm/geometric.hpp>
#include <glm/gtc/quaternion.hpp>

namespace nearmiss {

RoundedBoxes::RoundedBoxes(const TriangleMesh& mesh, const BoxTree& tree) {
  nodes.reserve(tree.nodes.size() / 3 * 2 + 1);
  add(mesh, tree, 0);
  nodes.shrink_to_fit();
}

/// Adds a node of the tree and all below it; returns its index.
std::uint32_t RoundedBoxes::add(const TriangleMesh& mesh, const BoxTree& tree, std::uint32_t at) {
  const BoxNode& node = tree.nodes[at];
  const auto own = static_cast<std::uint32_t>(nodes.size());
  Node& made = nodes.emplace_back();
  const Vec3 extent = node.box.extent();
  made.box = roundedOf(node.box);
  made.square = glm::dot(extent, extent);
  made.leaf = node.count != 0;
  // So much that no reach makes up for it, and that sums of three are floats
  made.half = {four(-1e37f), four(-1e37f), four(-1e37f)};
  std::size_t lane = 0;
  const auto putBelow = [&](const Box& box) {
    put(nodes[own].centre, lane, within(box.centre()));
    put(nodes[own].half, lane, within(0.5 * box.extent()));
    return lane++;
  };
  if (made.leaf) {
    for (const std::uint32_t triangle : tree.trianglesOf(node))
      nodes[own].below[putBelow(boxOf(mesh.corners(triangle)))] = triangle;
    return own;
  }
  const auto addChild = [&](std::uint32_t child) {
    const std::size_t to = putBelow(tree.nodes[child].box);
    const std::uint32_t below = add(mesh, tree, child);
    nodes[own].below[to] = below;
  };
  for (const std::uint32_t child : {at + 1, node.offset}) {
    if (tree.nodes[child].count != 0) {
      addChild(child);
      continue;
    }
    addChild(child + 1);
    addChild(tree.nodes[child].offset);
  }
  return own;
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
  for (Into& into : into_)
    for (std::size_t row = 0; row < 3; ++row) {
      const auto in = [row](const FourFloats(&columns)[3]) {
        return FourVectors{four(columns[0][row]), four(columns[1][row]), four(columns[2][row])};
      };
      into.rows[row] = in(into.columns);
      into.rowSizes[row] = in(into.sizes);
    }
}

}  // namespace nearmiss
