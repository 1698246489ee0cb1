// SPDX-License-Identifier: MIT
/// The search state of a pair of bodies, and the data that the search reads from their shapes.
#pragma once

#include <nearmiss/advanced/sphere_tree.h>
#include <nearmiss/ray.h>
#include <nearmiss/shape.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

#include "base/four_floats.h"
#include "narrow/pair_search.h"
#include "narrow/pair_setup.h"
#include "narrow/piece_searches.h"
#include "shape/box_hierarchy.h"
#include "shape/search_tree.h"
#include "spheres/moved_packs.h"

namespace nearmiss {

/// The state of a pair of bodies, from its first step to its final result.
struct PairSearchWork {
  BodyPair bodies;
  PairFrame setup;
  PackMotion motion;
  Refinement known;  ///< without the parts that are computed on request: the colliding spheres
  /// The colliding spheres of the last level that has any, and the maximum distance of their parts,
  /// metres.
  std::uint32_t foundA = noSphere, foundB = noSphere;
  Real bound = 0.0;
  std::uint32_t open = 0, openInner = 0;  ///< used entries of the stacks
  bool atRoots = false;                   ///< as in Search
  std::vector<SearchFrame> stack;         ///< keeps its maximum size
  std::vector<SearchFrame> innerStack;
  bool innerFresh = false;  ///< inner spheres were not compared at all yet
  bool cutShort = false;    ///< in the middle of a step that has used its share of inner spheres
  std::int64_t effort = 0;  ///< spent on the current step, in bound tests
  bool byBoxes = false;     ///< the step is the last one: the stack contains boxes
  bool searched = false;    ///< all is searched except for pieces of one body inside the other
  std::uint32_t pieces = PieceSearches::none;  ///< an unfinished search for such pieces
  static constexpr std::uint32_t noSphere = 0xffffffff, described = 0xfffffffe;

  /// Resets to the state before the first step, without the parts computed on request.
  void startOver(bool conservative) noexcept {
    known.verdict = Verdict::Possible;
    known.canRefine = true;
    known.conservative = conservative;
    known.stage = Stage::Bounds;
    known.level = 0;
    known.separationBound = known.separationEstimate = std::numeric_limits<Real>::infinity();
    known.betweenSolids = known.byInnerSpheres = false;
    known.collidingSpheres = 1;
    known.triangleA = known.triangleB = Refinement::noTriangle;
    foundA = foundB = noSphere;
    open = openInner = 0;
    cutShort = byBoxes = searched = false;
    pieces = PieceSearches::none;
  }
};

/// Gives a search a quantum of effort; countWork() takes back the rest.
inline void grantQuantum(Search& search) noexcept {
  search.effort = WorkMeter::quantum;
  search.triangleTests = 0;
}

/// Counts the work of a search since grantQuantum(), and returns it in bound tests.
inline std::int64_t countWork(const Search& search, WorkMeter& meter) noexcept {
  const std::int64_t spent = std::int64_t{WorkMeter::quantum} - search.effort;
  meter.open().boundTests +=
      static_cast<std::uint64_t>(spent) - WorkMeter::triangleTest * search.triangleTests;
  meter.open().triangleTests += search.triangleTests;
  return spent;
}

/// Runs find(search) for at most one quantum. The stack grows as needed; its earlier size affects
/// neither the progress of a quantum nor the counted work. Full: the list is full.
[[nodiscard]] inline SearchEnd searchForQuantum(Search& search, std::vector<SearchFrame>& stack,
                                                SearchEnd (*find)(Search&)) {
  grantQuantum(search);
  for (;;) {
    search.stack = stack.data();
    search.capacity = static_cast<std::uint32_t>(stack.size());
    const SearchEnd end = find(search);
    if (end != SearchEnd::Full) return end;
    if (search.list != nullptr && search.list->size == search.list->capacity) return end;
    stack.resize(2 * stack.size() + search.maxAdded);
  }
}

/// Returns the frame of both roots.
[[nodiscard]] inline SearchFrame rootFrame() noexcept {
  SearchFrame frame{};
  std::ranges::fill(frame.depth, SearchFrame::gone);
  frame.depth[0] = 0.0f;
  frame.ofA = true;
  return frame;
}

/// Sets the motion, and its inverse by the transpose.
inline void setMotion(Search& search, const PackMotion& motion) noexcept {
  // Store four at a time; otherwise each search would wait for a dozen stores to be combined
  const auto row = [](const float(&from)[4]) {
    FourFloats four;
    std::memcpy(&four, from, sizeof four);
    return four;
  };
  const auto put = [](float(&to)[4], FourFloats from) { std::memcpy(to, &from, sizeof from); };
  const FourFloats x = row(motion.rotation[0]), y = row(motion.rotation[1]),
                   z = row(motion.rotation[2]), at = row(motion.position);
  put(search.toB.column[0], x);
  put(search.toB.column[1], y);
  put(search.toB.column[2], z);
  put(search.toB.position, FourFloats{} - at);
  const FourFloats low = __builtin_shufflevector(x, y, 0, 4, 1, 5);   // x0 y0 x1 y1
  const FourFloats high = __builtin_shufflevector(x, y, 2, 6, 3, 7);  // x2 y2 0 0
  put(search.toA.column[0], __builtin_shufflevector(low, z, 0, 1, 4, 7));
  put(search.toA.column[1], __builtin_shufflevector(low, z, 2, 3, 5, 7));
  put(search.toA.column[2], __builtin_shufflevector(high, z, 0, 1, 6, 7));
  put(search.toA.position, at);
  search.slack = motion.slack;
  search.boxSlack = boxSlack * motion.slack;
}

/// Returns the data of a shape that a search reads.
[[nodiscard]] inline SearchSide sideOf(const SearchTree& tree, const Shape& shape) noexcept {
  const std::vector<std::uint32_t>& counts = shape.sphereTree()->data().childPackCount;
  SearchSide side;
  side.packs = tree.packs();
  side.packCounts = counts.empty() ? nullptr : counts.data();
  const NodeBoxes& boxes = shape.sphereTree()->data().boxes;
  if (!boxes.empty()) {
    side.nodeBoxes = tree.boxes().data();
    side.boxOf = boxes.boxOf.data();
  }
  return side;
}

/// Returns the data of a shape that a search by boxes reads.
/// @param surface that of the body for which `boxes` were built
[[nodiscard]] inline SearchSide sideOf(const BoxHierarchy& boxes,
                                       const SurfaceBoxes& surface) noexcept {
  SearchSide side;
  side.boxes = boxes.packs();
  side.facets = surface.facets();
  side.triangles = surface.boxes().items();
  for (int axis = 0; axis < 3; ++axis)
    side.middle[axis] = static_cast<float>(surface.boxes().middle()[axis]);
  side.unit = static_cast<float>(surface.boxes().unit());
  side.perUnit = 1.0f / side.unit;
  return side;
}

[[nodiscard]] inline InnerSide innerSideOf(const Shape& shape) noexcept {
  const InnerSpheres& inner = shape.sphereTree()->data().inner;
  return {inner.spheres.data(), inner.bounds.data(), inner.links.data()};
}

}  // namespace nearmiss
