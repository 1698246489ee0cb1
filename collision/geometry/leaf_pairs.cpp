// SPDX-License-Identifier: MIT
#include "geometry/leaf_pairs.h"

namespace nearmiss {
namespace {

constexpr std::size_t usualPairs = 2048;

/// Left by descents of this thread that have ended.
thread_local std::vector<LeafPair> unusedPairs, unusedNext;

}  // namespace

/// Level by level: each pair gives way to those that its larger node leads to, at most four. Order
/// and result are those of going down first, but the tests of a level wait for nothing, and no
/// branch depends on them.
LeafPairs::LeafPairs(const RoundedBoxes& a, const RoundedBoxes& b, const RoundedMotion& bToA,
                     std::size_t maxPairs) {
  pairs_.swap(unusedPairs);
  next_.swap(unusedNext);
  // Few descents need more, so that later ones allocate nothing either
  for (auto* const pairs : {&pairs_, &next_})
    if (pairs->empty()) pairs->resize(usualPairs);
  pairs_[0] = {0, 0, 0, 0};
  count_ = 1;
  for (bool inner = true; inner;) {
    if (next_.size() < 4 * count_) next_.resize(8 * count_);
    LeafPair* out = next_.data();
    inner = false;
    for (const LeafPair at : all()) {
      const RoundedBoxes::Node &nodeA = a.nodes[at.a], &nodeB = b.nodes[at.b];
      if (nodeA.leaf && nodeB.leaf) {
        *out++ = at;
        continue;
      }
      inner = true;
      if (nodeB.leaf || (!nodeA.leaf && nodeA.square > nodeB.square)) {
        const unsigned near =
            bToA.near(RoundedMotion::inA, nodeA, bToA.moved(RoundedMotion::inA, nodeB.box));
        for (unsigned k = 0; k < 4; ++k) {
          *out = {nodeA.below[k], at.b, 0, 0};
          out += near >> k & 1u;
        }
      } else {
        const unsigned near =
            bToA.near(RoundedMotion::inB, nodeB, bToA.moved(RoundedMotion::inB, nodeA.box));
        for (unsigned k = 0; k < 4; ++k) {
          *out = {at.a, nodeB.below[k], 0, 0};
          out += near >> k & 1u;
        }
      }
    }
    count_ = static_cast<std::size_t>(out - next_.data());
    pairs_.swap(next_);
    if (count_ > maxPairs) {
      complete_ = false;
      count_ = 0;
      return;
    }
  }
  keepNearTriangles(a, b, bToA);
}

void LeafPairs::keepNearTriangles(const RoundedBoxes& a, const RoundedBoxes& b,
                                  const RoundedMotion& bToA) noexcept {
  LeafPair* out = pairs_.data();
  for (const LeafPair at : all()) {
    const RoundedBoxes::Node &leafA = a.nodes[at.a], &leafB = b.nodes[at.b];
    *out = {at.a, at.b,
            bToA.near(RoundedMotion::inA, leafA, bToA.moved(RoundedMotion::inA, leafB.box)),
            bToA.near(RoundedMotion::inB, leafB, bToA.moved(RoundedMotion::inB, leafA.box))};
    out += out->trianglesA != 0 && out->trianglesB != 0 ? 1 : 0;
  }
  count_ = static_cast<std::size_t>(out - pairs_.data());
}

LeafPairs::~LeafPairs() {
  pairs_.swap(unusedPairs);
  next_.swap(unusedNext);
}

}  // namespace nearmiss
