// SPDX-License-Identifier: MIT
#include <nearmiss/advanced/bsp_tree.h>
#include <nearmiss/detail/fingerprint.h>

#include <cmath>
#include <utility>

#include "builders/bsp_polygon.h"

namespace nearmiss {

BspTree::BspTree(Data data) noexcept : data_(std::move(data)) {}

const char* BspTree::validate(const Data& data, std::uint32_t triangleCount) {
  const std::size_t count = data.nodes.size();
  if (count == 0) return "it has no node";
  if (count >= BspNode::out) return "it has too many nodes";

  // It is a tree if children come after parents, and each node but the root has one parent
  std::vector<bool> hasParent(count, false);
  std::size_t facesDone = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const BspNode& node = data.nodes[i];
    for (const std::uint32_t child : {node.front, node.back}) {
      if (child == BspNode::in || child == BspNode::out) continue;
      if (child >= count) return "a child is out of range";
      if (child <= i) return "a child stands before its parent";
      if (hasParent[child]) return "a node has two parents";
      hasParent[child] = true;
    }
    if (i > 0 && !hasParent[i]) return "a node has no parent";

    // A comparison with NaN is false
    if (!(std::abs(glm::dot(node.normal, node.normal) - 1.0) < 1e-6))
      return "a normal is not of unit length";
    if (!std::isfinite(node.offset)) return "an offset is not finite";
    if (node.facesBegin != facesDone || node.facesEnd < node.facesBegin ||
        node.facesEnd > data.faces.size())
      return "the faces of a node are out of range";
    facesDone = node.facesEnd;
  }
  if (facesDone != data.faces.size()) return "a face belongs to no node";
  for (const std::uint32_t face : data.faces)
    if (face >= triangleCount) return "a face is no triangle of the mesh";
  return nullptr;
}

bool BspTree::inside(const Vec3& point) const noexcept {
  if (data_.nodes.empty()) return false;
  std::uint32_t at = 0;
  while (at < data_.nodes.size()) {
    const BspNode& node = data_.nodes[at];
    at = distanceTo(node, point) > 0.0 ? node.front : node.back;
  }
  return at == BspNode::in;
}

std::uint64_t hashOf(const BspSettings& settings) {
  Fingerprint print;
  print.add("bsp");
  print.add(static_cast<std::uint64_t>(settings.candidates));
  print.add(std::uint64_t{settings.maxFragments});
  return print.value();
}

}  // namespace nearmiss
