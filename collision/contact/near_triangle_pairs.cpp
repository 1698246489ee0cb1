// SPDX-License-Identifier: MIT
#include "contact/near_triangle_pairs.h"

#include <algorithm>
#include <cstddef>

#include "geometry/polyhedron_pair.h"

namespace nearmiss {
namespace {

/// The cost of comparing two boxes, and two triangles, in bound tests.
constexpr std::uint64_t boxPrice = 8, trianglePrice = 8;

}  // namespace

void NearTrianglePairs::begin(const Polyhedron& a, const Polyhedron& b, const Pose& bToA,
                              Real margin, const Progress& begin) noexcept {
  a_ = &a;
  b_ = &b;
  bToA_ = bToA;
  margin_ = margin;
  begin_ = begin;
  split_ = false;
  place_ = next_ = walked_ = 0;
  leaves_.clear();
  pairs_.clear();
}

NearTrianglePairs::Progress NearTrianglePairs::progress() const noexcept {
  if (place_ == 0) return {0, begin_.leaves};
  const bool placeIsDone = next_ == leaves_.size() && walk_.ended();
  // A slow place must not keep others from their turn
  return placeIsDone || !listed_ ? Progress{place_, 0} : Progress{place_ - 1, walked_};
}

bool NearTrianglePairs::listSome(WorkCount& work) {
  pairs_.clear();
  const TrianglePairs boxes(*a_, *b_, bToA_, margin_);
  if (next_ == leaves_.size()) {
    leaves_.clear();
    next_ = 0;
    if ((!split_ || walk_.ended()) && !enterPlace(boxes, work)) return false;
    walkOn(boxes, work);
  }
  listLeaves(boxes, work);
  return true;
}

/// Enters the next place. The place in which the search began comes again at the end, for the
/// leaves that were skipped. Returns false if none is left.
bool NearTrianglePairs::enterPlace(const TrianglePairs& boxes, WorkCount& work) {
  constexpr std::size_t wanted = 192;
  if (!split_) {
    work.boundTests += boxPrice * boxes.split(wanted, places_);
    split_ = true;
  }
  const std::size_t count = places_.size() + (begin_.leaves != 0 && !places_.empty() ? 1 : 0);
  if (place_ == count) return false;
  walk_.begin(places_[(begin_.places + place_++) % places_.size()]);
  walked_ = 0;
  listed_ = false;
  return true;
}

/// Finds the next leaves. Continues until there are some, up to a limit, and skips earlier ones in
/// one step; otherwise a search that is cut short would never get past them.
void NearTrianglePairs::walkOn(const TrianglePairs& boxes, WorkCount& work) {
  const std::size_t passOver = place_ == 1 ? begin_.leaves : 0;
  constexpr std::size_t mostSteps = 16;
  for (std::size_t step = 0; leaves_.empty() && !walk_.ended(); ++step) {
    if (step >= mostSteps && walked_ >= passOver) return;
    work.boundTests += boxPrice * boxes.step(walk_, leaves_);
    const std::size_t over = std::min(leaves_.size(), passOver - std::min(passOver, walked_));
    leaves_.erase(leaves_.begin(), leaves_.begin() + static_cast<std::ptrdiff_t>(over));
    walked_ += over;
  }
  // At the end only skipped leaves remain
  const bool again = place_ > places_.size();
  if (!again || walked_ + leaves_.size() < begin_.leaves) return;
  leaves_.resize(begin_.leaves - walked_);
  walk_.end();
}

void NearTrianglePairs::listLeaves(const TrianglePairs& boxes, WorkCount& work) {
  constexpr std::size_t atOnce = 8;
  const std::span<const LeafPair> left = std::span(leaves_).subspan(next_);
  const std::span<const LeafPair> some = left.first(std::min(atOnce, left.size()));
  if (some.empty()) return;
  boxes.forEachOf(some, [&](std::uint32_t ta, std::uint32_t tb, const Triangle& cornersB) {
    pairs_.push_back({ta, tb, cornersB});
  });
  listed_ = listed_ || !pairs_.empty();
  next_ += some.size();
  walked_ += some.size();
  work.boundTests += boxPrice * some.size() + trianglePrice * pairs_.size();
}

}  // namespace nearmiss
