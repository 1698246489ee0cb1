// SPDX-License-Identifier: MIT
/// The state that the search keeps per pair of bodies, and how it reads their shapes.
#pragma once

#include <nearmiss/shape.h>
#include <nearmiss/sphere_tree.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

#include "geometry/four_floats.h"
#include "narrow/box_hierarchy.h"
#include "narrow/moved_packs.h"
#include "narrow/pair_search.h"
#include "narrow/pair_setup.h"
#include "narrow/search_tree.h"

namespace nearmiss {

/// A pair of bodies, from its first step to its final answer.
struct PairSearchWork {
  BodyPair bodies;
  PairFrame setup;
  PackMotion motion;
  Refinement known;  ///< but for what describe() adds
  /// The spheres that meet on the last level where any do, and how far apart their parts are at
  /// most, metres.
  std::uint32_t foundA = noSphere, foundB = noSphere;
  Real bound = 0.0;
  std::uint32_t open = 0, openInner = 0;  ///< entries of the stacks in use
  std::vector<SearchFrame> stack;         ///< as large as it ever was
  std::vector<SearchFrame> innerStack;
  bool innerFresh = false;  ///< not even the first two inner spheres were compared
  bool cutShort = false;    ///< in the middle of a step, which has had its share of inner spheres
  std::int64_t effort = 0;  ///< spent on the current step, in tests of bounds
  bool byBoxes = false;     ///< that step has gone on by boxes
  static constexpr std::uint32_t noSphere = 0xffffffff;
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

/// Gives a search a quantum of effort; countWork() takes it back.
inline void grantQuantum(Search& search) noexcept {
  search.effort = WorkMeter::quantum;
  search.triangleTests = 0;
}

/// Counts the work of a search since grantQuantum(), and returns it in tests of bounds.
inline std::int64_t countWork(const Search& search, WorkMeter& meter) noexcept {
  const std::int64_t spent = std::int64_t{WorkMeter::quantum} - search.effort;
  meter.open().boundTests +=
      static_cast<std::uint64_t>(spent) - WorkMeter::triangleTest * search.triangleTests;
  meter.open().triangleTests += search.triangleTests;
  return spent;
}

/// The root of a against the root of b.
[[nodiscard]] inline SearchFrame rootFrame() noexcept {
  SearchFrame frame{};
  std::ranges::fill(frame.depth, SearchFrame::gone);
  frame.depth[0] = 0.0f;
  frame.ofA = true;
  return frame;
}

/// There, and by the transpose back.
inline void setMotion(Search& search, const PackMotion& motion) noexcept {
  const auto& m = motion.rotation;
  const float* const p = motion.position;
  // Four at a time: one by one, each search would wait for a dozen stores to be put together
  const auto put = [](float(&to)[4], FourFloats from) { std::memcpy(to, &from, sizeof from); };
  for (int k = 0; k < 3; ++k) {
    put(search.toA.column[k], FourFloats{m[0][k], m[1][k], m[2][k], 0.0f});
    put(search.toB.column[k], FourFloats{m[k][0], m[k][1], m[k][2], 0.0f});
  }
  put(search.toA.position, FourFloats{p[0], p[1], p[2], 0.0f});
  put(search.toB.position, FourFloats{-p[0], -p[1], -p[2], 0.0f});
  search.slack = motion.slack;
  search.boxSlack = boxSlack * motion.slack;
}

/// The data of a shape that a search reads.
[[nodiscard]] inline SearchSide sideOf(const SearchTree& tree, const Shape& shape) noexcept {
  const std::vector<std::uint32_t>& counts = shape.sphereTree()->data().childPackCount;
  return {tree.packs(), tree.groups(), counts.empty() ? nullptr : counts.data(), tree.ownPacks(),
          nullptr};
}

/// The data of a shape that a search by boxes reads.
[[nodiscard]] inline SearchSide sideOf(const BoxHierarchy& boxes) noexcept {
  return {nullptr, boxes.groups(), nullptr, 0, boxes.packs()};
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

/// A sphere of a tree, and the box beside it, if it has one.
struct BoxedSphere {
  const SearchTree& tree;
  const Shape& shape;
  std::uint32_t slot;
};

/// True if the boxes of two spheres, or a box and a sphere, are farther apart than `margin` metres
/// whatever rounding did.
[[nodiscard]] inline bool boxesApart(const PackMotion& motion, const BoxedSphere& a,
                                     const BoxedSphere& b, float margin = 0.0f) noexcept {
  const BoxLanes* const boxA = boxBeside(a.tree, a.shape, a.slot);
  const BoxLanes* const boxB = boxBeside(b.tree, b.shape, b.slot);
  if (!boxA && !boxB) return false;
  const float slack = boxSlack * motion.slack + margin;
  if (!boxB) return boxApart(*boxA, movedBall(motion, b.tree, b.slot), slack);
  BoxLanes moved;
  move(motion, *boxB, moved);
  return boxA ? boxesApart(*boxA, moved, slack) : boxApart(moved, ballOf(a.tree, a.slot), slack);
}

}  // namespace nearmiss
