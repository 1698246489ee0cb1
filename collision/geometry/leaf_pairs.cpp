// SPDX-License-Identifier: MIT
#include "geometry/leaf_pairs.h"

namespace nearmiss {

namespace {

/// Left by descents of this thread that have ended.
thread_local std::vector<LeafPair> unusedPairs, unusedNext;

}  // namespace

/// Level by level: each pair gives way to the two that its larger box leads to. Order and result
/// are those of going down first, but the tests of a level wait for nothing, and no branch depends
/// on them.
LeafPairs::LeafPairs(const RoundedBoxes& a, const RoundedBoxes& b, const RoundedMotion& bToA) {
  pairs_.swap(unusedPairs);
  next_.swap(unusedNext);
  if (pairs_.empty()) pairs_.resize(1);
  pairs_[0] = {0, 0, 0, 0};
  count_ = bToA.apart(a.boxes[0], b.boxes[0]) ? 0 : 1;
  for (bool inner = count_ != 0; inner;) {
    if (next_.size() < 2 * count_) next_.resize(4 * count_);
    LeafPair* out = next_.data();
    inner = false;
    for (const LeafPair at : all()) {
      const RoundedBoxes::Below &belowA = a.below[at.a], &belowB = b.below[at.b];
      if (belowA.leaf && belowB.leaf) {
        *out++ = at;
        continue;
      }
      inner = true;
      // Into the larger, both parts of which meet one box of the other body
      if (belowB.leaf || (!belowA.leaf && belowA.square > belowB.square)) {
        const auto other = bToA.moved(RoundedMotion::inA, b.boxes[at.b]);
        for (const std::uint32_t child : {at.a + 1, belowA.second}) {
          *out = {child, at.b, 0, 0};
          out += bToA.apart(RoundedMotion::inA, a.boxes[child], other) ? 0 : 1;
        }
      } else {
        const auto other = bToA.moved(RoundedMotion::inB, a.boxes[at.a]);
        for (const std::uint32_t child : {at.b + 1, belowB.second}) {
          *out = {at.a, child, 0, 0};
          out += bToA.apart(RoundedMotion::inB, b.boxes[child], other) ? 0 : 1;
        }
      }
    }
    count_ = static_cast<std::size_t>(out - next_.data());
    pairs_.swap(next_);
  }
  keepNearTriangles(a, b, bToA);
}

void LeafPairs::keepNearTriangles(const RoundedBoxes& a, const RoundedBoxes& b,
                                  const RoundedMotion& bToA) noexcept {
  LeafPair* out = pairs_.data();
  for (const LeafPair at : all()) {
    const std::uint32_t leafA = a.below[at.a].second, leafB = b.below[at.b].second;
    *out = {leafA, leafB,
            RoundedMotion::near(a.leaves[leafA], bToA.moved(RoundedMotion::inA, b.boxes[at.b])),
            RoundedMotion::near(b.leaves[leafB], bToA.moved(RoundedMotion::inB, a.boxes[at.a]))};
    out += out->trianglesA != 0 && out->trianglesB != 0 ? 1 : 0;
  }
  count_ = static_cast<std::size_t>(out - pairs_.data());
}

LeafPairs::~LeafPairs() {
  pairs_.swap(unusedPairs);
  next_.swap(unusedNext);
}

}  // namespace nearmiss
