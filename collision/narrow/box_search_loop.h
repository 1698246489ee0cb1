// SPDX-License-Identifier: MIT
/// The search for intersecting triangles in two hierarchies of oriented boxes. Compiled once for
/// each instruction set, like pair_search_loop.h.
#pragma once

#include "narrow/pair_search_loop.h"
#include "shape/box_hierarchy.h"

namespace nearmiss::NEARMISS_PATH {

/// One box, in any frame.
struct TurnedBox {
  Point centre, axis[3];
  float half[3];
};

inline TurnedBox boxAt(const BoxPack& pack, std::uint32_t lane) noexcept {
  TurnedBox box;
  box.centre = Point::of(pack.centre[0][lane], pack.centre[1][lane], pack.centre[2][lane]);
  for (int k = 0; k < 3; ++k) {
    box.axis[k] = Point::of(pack.axis[k][0][lane], pack.axis[k][1][lane], pack.axis[k][2][lane]);
    box.half[k] = pack.half[k][lane];
  }
  return box;
}

inline Lanes magnitude(Lanes p) noexcept { return larger(p, Lanes::all(0.0f) - p); }

/// Three coordinates; each lane is one vector.
struct VectorLanes {
  Lanes x, y, z;
};
inline Lanes product(const VectorLanes& p, const VectorLanes& q) noexcept {
  return p.x * q.x + p.y * q.y + p.z * q.z;
}
inline VectorLanes allOf(Point p) noexcept {
  return {Lanes::all(p.at<0>()), Lanes::all(p.at<1>()), Lanes::all(p.at<2>())};
}
inline VectorLanes loaded(const float (&from)[3][width]) noexcept {
  return {Lanes::load(from[0]), Lanes::load(from[1]), Lanes::load(from[2])};
}

/// Returns by how much each lane of a pack overlaps a box of the same frame: the minimum over their
/// six face normals. Negative if a normal separates them by more than `slack`.
inline Lanes depthsOf(const BoxPack& pack, const TurnedBox& box, float slack) noexcept {
  const VectorLanes centre = loaded(pack.centre), other = allOf(box.centre);
  const VectorLanes way{other.x - centre.x, other.y - centre.y, other.z - centre.z};
  const VectorLanes axes[3] = {allOf(box.axis[0]), allOf(box.axis[1]), allOf(box.axis[2])};
  const Lanes room = Lanes::all(slack);
  Lanes reach[3];
  for (int j = 0; j < 3; ++j) reach[j] = Lanes::all(box.half[j]) + room;
  Lanes depth = Lanes::all(0.0f);
  for (int i = 0; i < 3; ++i) {
    const VectorLanes own = loaded(pack.axis[i]);
    const Lanes half = Lanes::load(pack.half[i]);
    Lanes along = half + room;
    for (int j = 0; j < 3; ++j) {
      const Lanes cosine = magnitude(product(own, axes[j]));
      along = along + Lanes::all(box.half[j]) * cosine;
      reach[j] = reach[j] + half * cosine;
    }
    const Lanes here = along - magnitude(product(own, way));
    depth = i == 0 ? here : smaller(depth, here);
  }
  for (int j = 0; j < 3; ++j) depth = smaller(depth, reach[j] - magnitude(product(axes[j], way)));
  return depth;
}

/// Returns bit k if no face normal of the box separates it from triangle k of the leaf.
inline std::uint32_t trianglesAtBox(const SearchSide& side, std::uint32_t leaf,
                                    const TurnedBox& box, float slack) noexcept {
  const VectorLanes centre = allOf(inUnits(side, box.centre));
  float half[3], size = 0.0f;
  for (int j = 0; j < 3; ++j) {
    half[j] = side.perUnit * (box.half[j] + slack);
    size += half[j];
  }
  const Lanes all =
      Lanes::all(size) + magnitude(centre.x) + magnitude(centre.y) + magnitude(centre.z);
  // Infinite products would be classified as apart
  if (atMost(all, Lanes::all(maxSize)) != 0xff) return usedLanes(side, leaf);
  VectorLanes corner[3];
  for (int k = 0; k < 3; ++k) {
    corner[k] = loaded(side.facets[leaf].corner[k]);
    corner[k] = {corner[k].x - centre.x, corner[k].y - centre.y, corner[k].z - centre.z};
  }
  std::uint32_t perhaps = 0xff;
  for (int j = 0; j < 3; ++j) {
    const VectorLanes axis = allOf(box.axis[j]);
    const Lanes p = product(axis, corner[0]), q = product(axis, corner[1]),
                r = product(axis, corner[2]);
    const Lanes room = Lanes::all(half[j]);
    perhaps &= atMost(smaller(smaller(p, q), r), room) &
               atMost(Lanes::all(0.0f) - room, larger(larger(p, q), r));
  }
  return perhaps == 0 ? 0 : perhaps & usedLanes(side, leaf);
}

template <bool OfA>
struct BoxSideSearch {
  static TurnedBox moved(const Search& s, const TurnedBox& box) noexcept {
    TurnedBox here = box;
    here.centre = Side<OfA>::toThis(s, box.centre);
    for (int k = 0; k < 3; ++k) here.axis[k] = turned(OfA ? s.toA : s.toB, box.axis[k]);
    return here;
  }

  /// Finds the children of one box that overlap the other.
  static void expand(Search& s, std::uint32_t child, std::uint32_t theirs) noexcept {
    const TurnedBox given =
        moved(s, boxAt(Side<OfA>::other(s).boxes[theirs / width], theirs % width));
    const Lanes depth = depthsOf(Side<OfA>::tree(s).boxes[child], given, s.boxSlack);
    s.effort -= 2 * width;
    if (unsignedLanes(depth) == 0) return;
    SearchFrame& frame = s.stack[s.size++];
    depth.store(frame.depth);
    frame.pack = child;
    frame.other = theirs;
    frame.ofA = OfA;
  }
};

/// Opens two leaves: pushes the triangles of b that may intersect one of a, to be compared one by
/// one, so that time can run out between two of them.
inline void openLeaves(Search& s, std::uint32_t a, std::uint32_t b) noexcept {
  const BoxPack& packA = s.a.boxes[a / width];
  const BoxPack& packB = s.b.boxes[b / width];
  const std::uint32_t leafA = packA.child[a % width] & ~BoxPack::isLeaf;
  const std::uint32_t leafB = packB.child[b % width] & ~BoxPack::isLeaf;
  s.effort -= 3 * width;
  if (trianglesAtBox(s.a, leafA, BoxSideSearch<true>::moved(s, boxAt(packB, b % width)),
                     s.boxSlack) == 0)
    return;
  const std::uint32_t ofB = trianglesAtBox(
      s.b, leafB, BoxSideSearch<false>::moved(s, boxAt(packA, a % width)), s.boxSlack);
  if (ofB == 0) return;
  SearchFrame& frame = s.stack[s.size++];
  for (std::uint32_t lane = 0; lane < width; ++lane)
    frame.depth[lane] = ofB >> lane & 1 ? 0.0f : SearchFrame::gone;
  frame.pack = leafB | BoxPack::isLeaf;
  frame.other = a;
  frame.ofA = false;
}

/// Compares the triangles of a leaf of a with one of b. Returns false if two intersect.
inline bool compareWithLeaf(Search& s, std::uint32_t a, std::uint32_t triangleOfB) noexcept {
  const std::uint32_t leaf = s.a.boxes[a / width].child[a % width] & ~BoxPack::isLeaf;
  return Side<true>::compareTriangles(s, leaf, triangleOfB, 0xff);
}

SearchEnd findByBoxes(Search& s) {
  for (;;) {
    const Deepest at = deepestOf(s);
    if (at.frame == nullptr) return SearchEnd::Exhausted;
    if (s.effort <= 0) return SearchEnd::Unfinished;
    if (s.capacity == s.size) return SearchEnd::Full;
    const SearchFrame& frame = *at.frame;
    const bool triangles = (frame.pack & BoxPack::isLeaf) != 0;
    const std::uint32_t slot = (frame.pack & ~BoxPack::isLeaf) * width + at.lane;
    const std::uint32_t a = frame.ofA ? slot : frame.other, b = frame.ofA ? frame.other : slot;
    take(s, at);
    if (triangles) {
      if (!compareWithLeaf(s, a, b)) return s.list == nullptr ? SearchEnd::Meet : SearchEnd::Full;
      continue;
    }
    const std::uint32_t childA = s.a.boxes[a / width].child[a % width];
    const std::uint32_t childB = s.b.boxes[b / width].child[b % width];
    const bool leafA = (childA & BoxPack::isLeaf) != 0, leafB = (childB & BoxPack::isLeaf) != 0;
    if (leafA && leafB) {
      openLeaves(s, a, b);
    } else if (leafB || (!leafA && s.a.boxes[a / width].half[2][a % width] >=
                                       s.b.boxes[b / width].half[2][b % width])) {
      BoxSideSearch<true>::expand(s, childA, b);
    } else {
      BoxSideSearch<false>::expand(s, childB, a);
    }
  }
}

}  // namespace nearmiss::NEARMISS_PATH
