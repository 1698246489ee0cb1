// SPDX-License-Identifier: MIT
#include "query/near_triangle_pairs.h"

#include <algorithm>
#include <cstddef>

#include "geometry/polyhedron_pair.h"

namespace nearmiss {

void NearTrianglePairs::begin(const Polyhedron& a, const Polyhedron& b, const Pose& bToA,
                              Real margin, Real slack, std::size_t maxLeafPairs,
                              const Progress& begin) noexcept {
  a_ = &a;
  b_ = &b;
  bToA_ = bToA;
  margin_ = margin;
  slack_ = slack;
  maxLeafPairs_ = maxLeafPairs;
  begin_ = begin;
  way_ = Way::Unknown;
  place_ = 0;
  neighbours_.clear();
  pairs_.clear();
}

NearTrianglePairs::Progress NearTrianglePairs::progress() const noexcept {
  if (way_ == Way::OneByOne && neighbours_.someLeft()) return {place_ - 1, neighbours_.taken()};
  return {place_, 0};
}

bool NearTrianglePairs::listSome(WorkCount& work) {
  pairs_.clear();
  if (way_ == Way::Unknown) listLeaves(work);
  return way_ == Way::ByLeaves ? listOfLeaves() : listOneByOne(work);
}

/// Lists the leaves whose boxes are near, unless they are too many.
void NearTrianglePairs::listLeaves(WorkCount& work) {
  const LeafPairs near = TrianglePairs(*a_, *b_, bToA_, margin_).leaves(maxLeafPairs_);
  leaves_.assign(near.all().begin(), near.all().end());
  const std::size_t looked = near.complete() ? near.all().size() : maxLeafPairs_;
  work.boundTests += WorkMeter::boxTest * looked;
  way_ = near.complete() ? Way::ByLeaves : Way::OneByOne;
  if (way_ == Way::OneByOne || leaves_.empty()) return;
  const auto first = static_cast<std::ptrdiff_t>(begin_.places % leaves_.size());
  std::rotate(leaves_.begin(), leaves_.begin() + first, leaves_.end());
}

bool NearTrianglePairs::listOfLeaves() {
  constexpr std::size_t atOnce = 8;
  const std::span<const LeafPair> left = std::span(leaves_).subspan(place_);
  if (left.empty()) return false;
  const std::span<const LeafPair> some = left.first(std::min(atOnce, left.size()));
  TrianglePairs(*a_, *b_, bToA_, margin_)
      .forEachOf(some, [&](std::uint32_t ta, std::uint32_t tb, const Triangle& cornersB) {
        pairs_.push_back({ta, tb, cornersB});
      });
  place_ += some.size();
  return true;
}

bool NearTrianglePairs::listOneByOne(WorkCount& work) {
  constexpr std::size_t atOnce = 16;
  const bool ofA = finerIsA();
  const std::size_t count = (ofA ? a_ : b_)->mesh().triangles.size();
  if (!neighbours_.someLeft()) {
    if (place_ == count) return false;
    triangle_ = static_cast<std::uint32_t>((begin_.places + place_++) % count);
    listNeighbours(work);
    return true;
  }
  for (const std::uint32_t other : neighbours_.take(atOnce)) {
    const std::uint32_t ta = ofA ? triangle_ : other, tb = ofA ? other : triangle_;
    pairs_.push_back({ta, tb, moved(b_->mesh(), tb, bToA_)});
  }
  return true;
}

void NearTrianglePairs::listNeighbours(WorkCount& work) {
  const bool ofA = finerIsA();
  neighbours_.list((ofA ? a_ : b_)->mesh(), triangle_, ofA ? inverseOf(bToA_) : bToA_,
                   ofA ? *b_ : *a_, margin_ + slack_);
  // A search that was cut within this triangle goes on there
  if (place_ == 1) neighbours_.rotate(begin_.neighbours);
  work.boundTests += neighbours_.size();
}

}  // namespace nearmiss
