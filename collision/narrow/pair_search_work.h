// SPDX-License-Identifier: MIT
/// The state that the search keeps per pair of bodies, and how it reads their shapes.
#pragma once

#include <nearmiss/shape.h>
#include <nearmiss/sphere_tree.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "narrow/moved_packs.h"
#include "narrow/pair_search.h"
#include "narrow/pair_setup.h"
#include "narrow/search_tree.h"

namespace nearmiss {

/// A pair of bodies, from its first step to its final answer.
struct PairSearchWork {
  BodyPair bodies;
  PairSetup setup;
  PackMotion motion;
  Refinement known;
  std::uint32_t open = 0, openInner = 0;  ///< entries of the stacks in use
  std::vector<SearchFrame> stack;         ///< as large as it ever was
  std::vector<SearchFrame> innerStack;
  bool innerFresh = false;  ///< not even the first two inner spheres were compared
  bool cutShort = false;    ///< in the middle of a step, which has had its share of inner spheres
};

[[nodiscard]] inline SphereF ballOf(const SearchTree& tree, std::uint32_t slot) noexcept {
  const SearchPack& pack = tree.packs()[slot / SpherePack::width];
  const std::uint32_t lane = slot % SpherePack::width;
  return {pack.x[lane], pack.y[lane], pack.z[lane], pack.r[lane]};
}

[[nodiscard]] inline SphereF movedBall(const PackMotion& by, const SearchTree& tree,
                                       std::uint32_t slot) noexcept {
  const SphereF own = ballOf(tree, slot);
  const auto row = [&](int k) {
    return by.rotation[k][0] * own.x + by.rotation[k][1] * own.y + by.rotation[k][2] * own.z +
           by.position[k];
  };
  return {row(0), row(1), row(2), own.r};
}

/// The root of a against the root of b.
[[nodiscard]] inline SearchFrame rootFrame() noexcept {
  SearchFrame frame{};
  std::ranges::fill(frame.depth, SearchFrame::gone);
  frame.depth[0] = 0.0f;
  frame.ofA = true;
  return frame;
}

/// The data of a shape that a search reads.
[[nodiscard]] inline SearchSide sideOf(const SearchTree& tree, const Shape& shape) noexcept {
  const std::vector<std::uint32_t>& counts = shape.sphereTree()->data().childPackCount;
  return {tree.packs(), tree.groups(), counts.empty() ? nullptr : counts.data(), tree.ownPacks()};
}

[[nodiscard]] inline InnerSide innerSideOf(const Shape& shape) noexcept {
  const InnerSpheres& inner = shape.sphereTree()->data().inner;
  return {inner.spheres.data(), inner.bounds.data(), inner.links.data()};
}

/// The box beside a sphere of the tree, or null.
[[nodiscard]] inline const BoxLanes* boxBeside(const SearchTree& tree, const Shape& shape,
                                               std::uint32_t slot) noexcept {
  const NodeBoxes& boxes = shape.sphereTree()->data().boxes;
  if (boxes.empty() || boxes.boxOf[slot] == NodeBoxes::none) return nullptr;
  return &tree.boxes()[boxes.boxOf[slot]];
}

}  // namespace nearmiss
