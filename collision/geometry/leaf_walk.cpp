// SPDX-License-Identifier: MIT
#include "geometry/leaf_walk.h"

#include <algorithm>
#include <array>

namespace nearmiss {
namespace {

constexpr std::size_t width = WideBoxes::width;

bool isLeaf(const SurfaceBoxes& surface, std::uint32_t slot) noexcept {
  return (surface.boxes().childOf(slot) & WideBoxes::isLeaf) != 0;
}

bool areLeaves(const SurfaceBoxes& a, const SurfaceBoxes& b, const LeafPair& at) noexcept {
  return isLeaf(a, at.a) && isLeaf(b, at.b);
}

unsigned trianglesNear(const SurfaceBoxes& surface, std::uint32_t leaf, RoundedMotion::Side side,
                       const RoundedMotion& bToA, std::uint32_t other) noexcept {
  const std::uint32_t child = surface.boxes().childOf(leaf);
  return bToA.near(side, surface.facets(child), bToA.moved(side, other)) &
         surface.boxes().lanesOf(child);
}

/// Writes the child pairs of a pair, obtained by descending the larger box, at most eight. Returns
/// their end.
LeafPair* below(const SurfaceBoxes& a, const SurfaceBoxes& b, const RoundedMotion& bToA,
                const LeafPair& at, LeafPair* out) noexcept {
  const bool leafA = isLeaf(a, at.a), leafB = isLeaf(b, at.b);
  const bool intoA = leafB || (!leafA && bToA.squareOf(RoundedMotion::inA, at.a) >
                                             bToA.squareOf(RoundedMotion::inB, at.b));
  const RoundedMotion::Side side = intoA ? RoundedMotion::inA : RoundedMotion::inB;
  const std::uint32_t own = intoA ? at.a : at.b, other = intoA ? at.b : at.a;
  // The box of a leaf may be large, such as that of both sides of a floor, although its triangles
  // are flat
  if (intoA ? leafB : leafA) {
    const RoundedMotion::Side back = intoA ? RoundedMotion::inB : RoundedMotion::inA;
    if (trianglesNear(intoA ? b : a, other, back, bToA, own) == 0) return out;
  }
  const std::uint32_t node = (intoA ? a : b).boxes().childOf(own);
  const unsigned near =
      bToA.near(side, (intoA ? a : b).boxes().node(node), bToA.moved(side, other));
  // Branch-free: the number of pairs written depends on the test, but no jump does
  for (std::uint32_t lane = 0; lane < width; ++lane) {
    const auto slot = static_cast<std::uint32_t>(width * node + lane);
    *out = intoA ? LeafPair{slot, at.b} : LeafPair{at.a, slot};
    out += near >> lane & 1u;
  }
  return out;
}

/// Returns the same leaves with the triangles that may be near.
LeafPair withTriangles(const SurfaceBoxes& a, const SurfaceBoxes& b, const RoundedMotion& bToA,
                       const LeafPair& at) noexcept {
  return {at.a, at.b, trianglesNear(a, at.a, RoundedMotion::inA, bToA, at.b),
          trianglesNear(b, at.b, RoundedMotion::inB, bToA, at.a)};
}

}  // namespace

std::size_t LeafWalk::step(const SurfaceBoxes& a, const SurfaceBoxes& b, const RoundedMotion& bToA,
                           std::vector<LeafPair>& leaves) {
  constexpr std::size_t batch = 32;
  std::array<LeafPair, width*(batch + 1)> lower;  // below() writes up to eight beyond its end
  const std::size_t count = std::min(batch, waiting_.size());
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

std::size_t LeafWalk::split(const SurfaceBoxes& a, const SurfaceBoxes& b, const RoundedMotion& bToA,
                            std::size_t wanted, std::vector<LeafPair>& pairs) {
  std::size_t looked = 0;
  pairs.assign(1, {});
  for (bool inner = true; inner && pairs.size() < wanted;) {
    inner = false;
    // The next level is appended after the current one
    const std::size_t count = pairs.size();
    for (std::size_t i = 0; i < count; ++i) {
      const LeafPair at = pairs[i];
      if (areLeaves(a, b, at)) {
        pairs.push_back(at);
        continue;
      }
      inner = true;
      ++looked;
      std::array<LeafPair, 2 * width> lower;
      LeafPair* const end = below(a, b, bToA, at, lower.data());
      pairs.insert(pairs.end(), lower.data(), end);
    }
    pairs.erase(pairs.begin(), pairs.begin() + static_cast<std::ptrdiff_t>(count));
  }
  return looked;
}

}  // namespace nearmiss
