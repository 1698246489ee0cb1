// SPDX-License-Identifier: MIT
#include "geometry/leaf_walk.h"

#include <algorithm>
#include <array>

namespace nearmiss {
namespace {

bool areLeaves(const RoundedBoxes& a, const RoundedBoxes& b, const LeafPair& at) noexcept {
  return a.nodes[at.a].leaf && b.nodes[at.b].leaf;
}

/// Writes the pairs that the larger node of a pair leads to, at most four, and returns their end.
LeafPair* below(const RoundedBoxes& a, const RoundedBoxes& b, const RoundedMotion& bToA,
                const LeafPair& at, LeafPair* out) noexcept {
  const RoundedBoxes::Node &nodeA = a.nodes[at.a], &nodeB = b.nodes[at.b];
  const bool intoA = nodeB.leaf || (!nodeA.leaf && nodeA.square > nodeB.square);
  const RoundedMotion::Side side = intoA ? RoundedMotion::inA : RoundedMotion::inB;
  const RoundedBoxes::Node &own = intoA ? nodeA : nodeB, &other = intoA ? nodeB : nodeA;
  // The box of a leaf may be large, as that of both sides of a floor, and its triangles are flat
  if (other.leaf) {
    const RoundedMotion::Side back = intoA ? RoundedMotion::inB : RoundedMotion::inA;
    if (bToA.near(back, other, bToA.moved(back, own.box)) == 0) return out;
  }
  const unsigned near = bToA.near(side, own, bToA.moved(side, other.box));
  // No branch depends on the test
  for (unsigned k = 0; k < 4; ++k) {
    *out = intoA ? LeafPair{own.below[k], at.b, 0, 0} : LeafPair{at.a, own.below[k], 0, 0};
    out += near >> k & 1u;
  }
  return out;
}

/// The same leaves with the triangles that may be near.
LeafPair withTriangles(const RoundedBoxes& a, const RoundedBoxes& b, const RoundedMotion& bToA,
                       const LeafPair& at) noexcept {
  const RoundedBoxes::Node &leafA = a.nodes[at.a], &leafB = b.nodes[at.b];
  return {at.a, at.b,
          bToA.near(RoundedMotion::inA, leafA, bToA.moved(RoundedMotion::inA, leafB.box)),
          bToA.near(RoundedMotion::inB, leafB, bToA.moved(RoundedMotion::inB, leafA.box))};
}

}  // namespace

std::size_t LeafWalk::step(const RoundedBoxes& a, const RoundedBoxes& b, const RoundedMotion& bToA,
                           std::vector<LeafPair>& leaves) {
  constexpr std::size_t atOnce = 32;
  std::array<LeafPair, 4 * atOnce + 4> lower;  // below() writes up to four beyond its end
  const std::size_t count = std::min(atOnce, waiting_.size());
  std::size_t next = 0;
  const auto at = [&](std::size_t i) { return waiting_[waiting_.size() - 1 - i]; };
  for (; next < count && areLeaves(a, b, at(next)); ++next) {
    const LeafPair pair = withTriangles(a, b, bToA, at(next));
    if (pair.trianglesA != 0 && pair.trianglesB != 0) leaves.push_back(pair);
  }
  LeafPair* end = lower.data();
  for (; next < count; ++next) {
    const LeafPair pair = at(next);
    if (areLeaves(a, b, pair))
      *end++ = pair;
    else
      end = below(a, b, bToA, pair, end);
  }
  waiting_.resize(waiting_.size() - count);
  while (end != lower.data()) waiting_.push_back(*--end);
  return count;
}

std::size_t LeafWalk::split(const RoundedBoxes& a, const RoundedBoxes& b, const RoundedMotion& bToA,
                            std::size_t wanted, std::vector<LeafPair>& pairs) {
  std::size_t looked = 0;
  pairs.assign(1, {0, 0, 0, 0});
  for (bool inner = true; inner && pairs.size() < wanted;) {
    inner = false;
    // Behind the level stands the next one
    const std::size_t count = pairs.size();
    for (std::size_t i = 0; i < count; ++i) {
      const LeafPair at = pairs[i];
      if (areLeaves(a, b, at)) {
        pairs.push_back(at);
        continue;
      }
      inner = true;
      ++looked;
      std::array<LeafPair, 8> lower;
      LeafPair* const end = below(a, b, bToA, at, lower.data());
      pairs.insert(pairs.end(), lower.data(), end);
    }
    pairs.erase(pairs.begin(), pairs.begin() + static_cast<std::ptrdiff_t>(count));
  }
  return looked;
}

}  // namespace nearmiss
