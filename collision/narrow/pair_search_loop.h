// SPDX-License-Identifier: MIT
/// The loops of the search, compiled once for each instruction set. They are in a namespace of
/// their own and call no inline functions of others, so that a linker cannot mix up the variants.
#pragma once

#include <nearmiss/advanced/body_state.h>

#include "base/lanes.h"
#include "narrow/pair_search.h"
#include "narrow/triangle_lanes.h"
#include "spheres/box_overlap_loop.h"

namespace nearmiss::NEARMISS_PATH {

constexpr std::uint32_t width = SpherePack::width;

struct Ball {
  Point at;
  float r;
};

template <class Pack>
inline Ball ballOf(const Pack& pack, std::uint32_t lane) noexcept {
  return {Point::of(pack.x[lane], pack.y[lane], pack.z[lane]), pack.r[lane]};
}

inline Point turned(const LaneMotion& by, Point p) noexcept {
  return Point::load(by.column[0]) * p.spread<0>() + Point::load(by.column[1]) * p.spread<1>() +
         Point::load(by.column[2]) * p.spread<2>();
}
inline Point toA(const Search& s, Point p) noexcept {
  return turned(s.toA, p) + Point::load(s.toA.position);
}
inline Point toB(const Search& s, Point p) noexcept {
  return turned(s.toB, p + Point::load(s.toB.position));
}

inline float product(Point p, Point q) noexcept {
  const Point all = p * q;
  return all.at<0>() + all.at<1>() + all.at<2>();
}
/// Returns the overlap of each lane of a pack with a ball, as in SearchFrame; negative if they do
/// not overlap.
template <class Pack>
inline Lanes depthsOf(const Pack& pack, Point at, float r) noexcept {
  const Lanes dx = Lanes::load(pack.x) - Lanes::all(at.at<0>());
  const Lanes dy = Lanes::load(pack.y) - Lanes::all(at.at<1>());
  const Lanes dz = Lanes::load(pack.z) - Lanes::all(at.at<2>());
  const Lanes reach = Lanes::load(pack.r) + Lanes::all(r);
  return reach * reach - (dx * dx + dy * dy + dz * dz);
}

/// Returns a point of the side's frame in the units of its facets.
inline Point inUnits(const SearchSide& side, Point p) noexcept {
  const float by = side.perUnit;
  return (p - Point::load(side.middle)) * Point::of(by, by, by);
}
/// Returns a corner of the triangle of slot 8 leaf + lane, metres.
inline Point cornerOf(const SearchSide& side, std::uint32_t slot, int corner) noexcept {
  const auto& at = side.facets[slot / width].corner[corner];
  const std::uint32_t lane = slot % width;
  const float by = side.unit;
  return Point::of(at[0][lane], at[1][lane], at[2][lane]) * Point::of(by, by, by) +
         Point::load(side.middle);
}
/// Returns a mask of the lanes of a leaf that hold triangles.
inline std::uint32_t usedLanes(const SearchSide& side, std::uint32_t leaf) noexcept {
  const std::uint32_t* const triangles = side.triangles + std::size_t{width} * leaf;
  std::uint32_t lanes = 1;
  for (std::uint32_t lane = 1; lane < width; ++lane)
    lanes |= (triangles[lane] != triangles[lane - 1] ? 1u : 0u) << lane;
  return lanes;
}

/// The search over one side. The tree that is descended is known at compile time.
template <bool OfA>
struct Side {
  static const SearchSide& tree(const Search& s) noexcept { return OfA ? s.a : s.b; }
  static const SearchSide& other(const Search& s) noexcept { return OfA ? s.b : s.a; }
  static Point toThis(const Search& s, Point p) noexcept { return OfA ? toA(s, p) : toB(s, p); }

  /// Finds the children of one sphere that overlap the other.
  static void expand(Search& s, const SearchPair& pair) noexcept {
    const std::uint32_t own = OfA ? pair.a : pair.b, theirs = OfA ? pair.b : pair.a;
    const std::uint32_t child = tree(s).packs[own / width].child[own % width];
    const Ball given = ballOf(other(s).packs[theirs / width], theirs % width);
    const Point at = toThis(s, given.at);
    const std::uint32_t* const counts = tree(s).packCounts;
    const std::uint32_t packs = counts ? counts[own] : 1;
    for (std::uint32_t pack = child; pack < child + packs; ++pack)
      push(s, pair, pack, theirs, depthsOf(tree(s).packs[pack], at, given.r + s.slack));
  }

  static void push(Search& s, const SearchPair& pair, std::uint32_t pack, std::uint32_t theirs,
                   Lanes depth) noexcept {
    s.effort -= width;
    if (unsignedLanes(depth) == 0) return;
    SearchFrame& frame = s.stack[s.size++];
    depth.store(frame.depth);
    frame.pack = pack;
    frame.other = theirs;
    const std::uint8_t level = OfA ? pair.levelA : pair.levelB;
    frame.level = level == Search::leafLevel ? level : static_cast<std::uint8_t>(level + 1);
    frame.otherLevel = OfA ? pair.levelB : pair.levelA;
    frame.compared = 0;
    frame.ofA = OfA;
  }

  /// Returns false if there is no room.
  static bool list(const Search& s, std::uint32_t leaf, std::uint32_t theirs,
                   std::uint32_t perhaps) noexcept {
    if (perhaps == 0) return true;
    NearGroups& near = *s.list;
    if (near.size == near.capacity) return false;
    near.first[near.size++] = {leaf, theirs, static_cast<std::uint8_t>(perhaps), OfA};
    return true;
  }

  /// Compares triangles of a leaf with one of the other tree, 8 leaf + lane. Returns false if two
  /// intersect. Lanes that hold no triangle are ignored.
  static bool compareTriangles(Search& s, std::uint32_t leaf, std::uint32_t theirs,
                               std::uint32_t perhaps) noexcept {
    s.effort -= width;
    if (perhaps == 0) return true;
    const SearchSide &own = tree(s), &its = other(s);
    Point corner[3];
    for (int k = 0; k < 3; ++k) corner[k] = inUnits(own, toThis(s, cornerOf(its, theirs, k)));
    s.effort -= 8 * width;
    // That test requires twice the slack, but the margin only once
    const float slack = own.perUnit * (s.slack - 0.5f * s.margin);
    perhaps = trianglesThatMayMeet(own.facets[leaf], corner, slack, perhaps);
    if (perhaps != 0) perhaps &= usedLanes(own, leaf);
    if (s.list != nullptr) return list(s, leaf, theirs, perhaps);
    for (; perhaps != 0; perhaps &= perhaps - 1) {
      const auto lane = static_cast<std::uint32_t>(__builtin_ctz(perhaps));
      const std::uint32_t mine = own.triangles[width * leaf + lane], given = its.triangles[theirs];
      ++s.triangleTests;
      s.effort -= WorkMeter::triangleTest;
      s.triangleA = OfA ? mine : given;
      s.triangleB = OfA ? given : mine;
      if (s.trianglesMeet(s.caller, s.triangleA, s.triangleB)) return false;
    }
    return true;
  }
};

/// Returns the pair of a frame's lane.
inline SearchPair pairOf(const Search& s, const SearchFrame& frame, std::uint32_t lane) noexcept {
  const std::uint32_t slot = frame.pack * width + lane;
  const SearchSide& tree = frame.ofA ? s.a : s.b;
  const bool leaf = tree.packs[frame.pack].child[lane] == SphereLinks::none;
  const std::uint8_t level = leaf ? Search::leafLevel : frame.level;
  return frame.ofA ? SearchPair{slot, frame.other, level, frame.otherLevel}
                   : SearchPair{frame.other, slot, frame.otherLevel, level};
}

/// Returns which of two spheres to descend: the one that is not a leaf, or the larger one. At least
/// one is not a leaf.
inline bool descendsA(const Search& s, const SearchPair& pair) noexcept {
  if (pair.levelA == Search::leafLevel) return false;
  if (pair.levelB == Search::leafLevel) return true;
  return s.a.packs[pair.a / width].r[pair.a % width] >= s.b.packs[pair.b / width].r[pair.b % width];
}

inline void descend(Search& s, const SearchPair& pair) noexcept {
  if (descendsA(s, pair))
    Side<true>::expand(s, pair);
  else
    Side<false>::expand(s, pair);
}

/// Returns the box of a sphere of the tree, or null.
inline const BoxLanes* boxBeside(const SearchSide& tree, std::uint32_t slot) noexcept {
  if (tree.boxOf == nullptr || tree.boxOf[slot] == NodeBoxes::none) return nullptr;
  return &tree.nodeBoxes[tree.boxOf[slot]];
}

/// Returns true if the boxes of two spheres, or a box and a sphere, are certainly apart, rounding
/// included.
inline bool boxesOfApart(Search& s, const SearchPair& pair) noexcept {
  const BoxLanes* const boxA = boxBeside(s.a, pair.a);
  const BoxLanes* const boxB = boxBeside(s.b, pair.b);
  if (!boxA && !boxB) return false;
  s.effort -= WorkMeter::boxTest;
  if (!boxB) {
    const Ball ball = ballOf(s.b.packs[pair.b / width], pair.b % width);
    const Point at = toA(s, ball.at);
    return ballApart(*boxA, {at.at<0>(), at.at<1>(), at.at<2>(), ball.r}, s.boxSlack);
  }
  const BoxLanes moved = movedBox(s.toB.column, s.toA.position, *boxB);
  if (boxA) return boxLanesApart(*boxA, moved, s.boxSlack);
  const Ball ball = ballOf(s.a.packs[pair.a / width], pair.a % width);
  return ballApart(moved, {ball.at.at<0>(), ball.at.at<1>(), ball.at.at<2>(), ball.r}, s.boxSlack);
}

/// Returns true if this pair of spheres can be pruned.
inline bool passesOver(Search& s, const SearchPair& pair) noexcept {
  // A pair visited before, from other parents, was already searched completely
  return (s.metBefore != nullptr && s.metBefore(s.caller, pair)) || boxesOfApart(s, pair);
}

/// The last frame of a stack, its open lanes, and the deepest of them.
struct Deepest {
  SearchFrame* frame;
  std::uint32_t open, lane;
};

/// First removes frames without open lanes; `frame` is null if none is left.
template <class AnySearch>
inline Deepest deepestOf(AnySearch& s) noexcept {
  for (; s.size != 0; --s.size) {
    SearchFrame& frame = s.stack[s.size - 1];
    const Lanes depths = Lanes::load(frame.depth);
    const std::uint32_t open = unsignedLanes(depths);
    if (open != 0) return {&frame, open, largestLane(depths)};
  }
  return {nullptr, 0, 0};
}

/// Removes the lane from the stack, and its frame with its last lane.
template <class AnySearch>
inline void take(AnySearch& s, const Deepest& at) noexcept {
  if ((at.open & (at.open - 1)) == 0)
    --s.size;
  else
    at.frame->depth[at.lane] = SearchFrame::gone;
}

/// Returns the level of a root, which may also be a leaf.
inline std::uint8_t rootLevel(const SearchSide& tree) noexcept {
  return tree.packs[0].child[0] == SphereLinks::none ? Search::leafLevel : 0;
}

/// Starts with the roots.
inline void openRoots(Search& s) noexcept {
  s.atRoots = false;
  const SearchPair roots{0, 0, rootLevel(s.a), rootLevel(s.b)};
  const bool there = roots.levelA >= s.level && roots.levelB >= s.level;
  if (!s.everyPair && !there) return descend(s, roots);
  SearchFrame& frame = s.stack[s.size++];
  Lanes::all(SearchFrame::gone).store(frame.depth);
  frame.depth[0] = 0.0f;
  frame.pack = frame.other = 0;
  frame.level = 0;
  frame.otherLevel = roots.levelB;
  frame.compared = 0;
  frame.ofA = true;
}

SearchEnd find(Search& s) {
  if (s.atRoots) {
    if (s.capacity - s.size < s.maxAdded) return SearchEnd::Full;
    openRoots(s);
  }
  const bool comparesPairs = s.metBefore != nullptr || s.a.boxOf != nullptr || s.b.boxOf != nullptr;
  for (;;) {
    const Deepest at = deepestOf(s);
    if (at.frame == nullptr) return SearchEnd::Exhausted;
    SearchFrame& frame = *at.frame;
    const std::uint32_t lane = at.lane;
    const SearchPair pair = pairOf(s, frame, lane);
    const bool there = pair.levelA >= s.level && pair.levelB >= s.level;
    if (comparesPairs && (there || s.everyPair) && !(frame.compared >> lane & 1)) {
      if (passesOver(s, pair)) {
        frame.depth[lane] = SearchFrame::gone;
        continue;
      }
      frame.compared |= static_cast<std::uint8_t>(1u << lane);
    }
    if (there) {
      s.found = pair;
      return SearchEnd::Witness;
    }
    if (s.effort <= 0) return SearchEnd::Unfinished;
    if (s.capacity - s.size < s.maxAdded) return SearchEnd::Full;
    take(s, at);
    descend(s, pair);
  }
}

/// Compares the listed triangles.
SearchEnd compare(Search& s, const NearGroups& near) {
  for (std::uint32_t i = 0; i < near.size; ++i) {
    const NearGroup& at = near.first[i];
    const bool apart = at.ofA ? Side<true>::compareTriangles(s, at.leaf, at.other, at.lanes)
                              : Side<false>::compareTriangles(s, at.leaf, at.other, at.lanes);
    if (!apart) return SearchEnd::Meet;
  }
  return SearchEnd::Exhausted;
}

}  // namespace nearmiss::NEARMISS_PATH
