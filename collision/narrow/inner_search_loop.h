// SPDX-License-Identifier: MIT
/// The search for two overlapping inner spheres. Compiled once for each instruction set, like
/// pair_search_loop.h.
#pragma once

#include "narrow/pair_search_loop.h"

namespace nearmiss::NEARMISS_PATH {

/// Compares the children of one slot with another slot. Returns true if two spheres overlap.
template <bool OfA>
inline bool proveBelow(const Search& motion, InnerSearch& s, std::uint32_t theirs,
                       std::uint32_t child) noexcept {
  const InnerSide& tree = OfA ? s.a : s.b;
  const InnerSide& other = OfA ? s.b : s.a;
  const std::uint32_t pack = theirs / width, lane = theirs % width;
  const auto toThis = [&motion](Point p) { return OfA ? toA(motion, p) : toB(motion, p); };
  s.effort -= 2 * width;
  const Ball sphere = ballOf(other.spheres[pack], lane);
  std::uint32_t perhaps =
      unsignedLanes(depthsOf(tree.spheres[child], toThis(sphere.at), sphere.r - motion.slack));
  for (; perhaps != 0; perhaps &= perhaps - 1) {
    const std::uint32_t slot = child * width + static_cast<std::uint32_t>(__builtin_ctz(perhaps));
    if (tree.spheres[child].r[slot % width] >= 0.0f &&
        s.spheresMeet(motion.caller, OfA ? slot : theirs, OfA ? theirs : slot))
      return true;
  }
  const Ball bound = ballOf(other.bounds[pack], lane);
  const SpherePack& bounds = tree.bounds[child];
  const Lanes depth = depthsOf(bounds, toThis(bound.at), bound.r + motion.slack);
  std::uint32_t meeting = unsignedLanes(depth) & atMost(Lanes::all(0.0f), Lanes::load(bounds.r));
  if (meeting == 0) return false;
  SearchFrame& frame = s.stack[s.size++];
  depth.store(frame.depth);
  for (std::uint32_t k = 0; k < width; ++k)
    if (!(meeting >> k & 1)) frame.depth[k] = SearchFrame::gone;
  frame.pack = child;
  frame.other = theirs;
  frame.ofA = OfA;
  return false;
}

SearchEnd prove(const Search& motion, InnerSearch& s) {
  for (;;) {
    const Deepest at = deepestOf(s);
    if (at.frame == nullptr) return SearchEnd::Exhausted;
    if (s.effort <= 0) return SearchEnd::Unfinished;
    if (s.capacity == s.size) return SearchEnd::Full;
    const SearchFrame& frame = *at.frame;
    const std::uint32_t slot = frame.pack * width + at.lane;
    const std::uint32_t a = frame.ofA ? slot : frame.other, b = frame.ofA ? frame.other : slot;
    take(s, at);
    const std::uint32_t childA = s.a.links[a / width].childPack[a % width];
    const std::uint32_t childB = s.b.links[b / width].childPack[b % width];
    if (childA == InnerSpheres::none && childB == InnerSpheres::none) continue;
    const bool ofA = childB == InnerSpheres::none ||
                     (childA != InnerSpheres::none &&
                      s.a.bounds[a / width].r[a % width] >= s.b.bounds[b / width].r[b % width]);
    if (ofA ? proveBelow<true>(motion, s, b, childA) : proveBelow<false>(motion, s, a, childB))
      return SearchEnd::Meet;
  }
}

}  // namespace nearmiss::NEARMISS_PATH
