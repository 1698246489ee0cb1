// SPDX-License-Identifier: MIT
#include "query/near_edges.h"

#include <algorithm>

#include "geometry/polyhedron_pair.h"

namespace nearmiss {
namespace {

/// Left by searches of this thread that have listed their pairs.
thread_local std::unique_ptr<EdgePairSet> unusedPairSet;

}  // namespace

void NearEdges::begin(const TwoBodies& bodies, const SurfaceEdges& edgesA,
                      const SurfaceEdges& edgesB, Real margin, Real slack, std::size_t maxLeafPairs,
                      const Progress& begin) noexcept {
  bodies_ = &bodies;
  edgesA_ = &edgesA;
  edgesB_ = &edgesB;
  margin_ = margin;
  slack_ = slack;
  maxLeafPairs_ = maxLeafPairs;
  begin_ = begin;
  skip_ = begin.pairs;
  way_ = Way::Unknown;
  place_ = 0;
  neighbours_.clear();
  triangles_.clear();
  pairs_.clear();
  taken_ = batch_ = placeOfBatch_ = skipped_ = 0;
}

NearEdges::Progress NearEdges::progress() const noexcept {
  if (someLeft() || neighbours_.someLeft() || place_ == 0)
    return {placeOfBatch_, skip_ + taken_ - batch_};
  return {place_, 0};
}

/// Passes over what the search before has taken: that comes last.
void NearEdges::skipTaken() noexcept {
  const std::size_t skipped = std::min(skip_, pairs_.size() - taken_);
  skip_ -= skipped;
  taken_ += skipped;
  skipped_ += skipped;
}

bool NearEdges::listSome(WorkCount& work) {
  triangles_.clear();
  switch (way_) {
    case Way::Unknown:
      listLeaves(work);
      return listSome(work);
    case Way::ByLeaves:
      return listEdgesOfLeaves();
    case Way::OneByOne:
      return listOneByOne(work);
  }
  return false;
}

/// Lists the leaves whose boxes are near, unless they are too many.
void NearEdges::listLeaves(WorkCount& work) {
  const LeafPairs near =
      TrianglePairs(bodies_->a(), bodies_->b(), bodies_->bToA(), margin_).leaves(maxLeafPairs_);
  leaves_.assign(near.all().begin(), near.all().end());
  const std::size_t looked = near.complete() ? near.all().size() : maxLeafPairs_;
  work.boundTests += WorkMeter::boxTest * looked;
  way_ = near.complete() ? Way::ByLeaves : Way::OneByOne;
  if (way_ == Way::OneByOne) return;
  if (!leaves_.empty()) {
    const auto first = static_cast<std::ptrdiff_t>(begin_.places % leaves_.size());
    std::rotate(leaves_.begin(), leaves_.begin() + first, leaves_.end());
  }
  // Most pairs are met again in the neighbours of their triangles
  if (!visited_) visited_ = std::move(unusedPairSet);
  if (!visited_) visited_ = std::make_unique<EdgePairSet>();
  visited_->begin(edgesA_->edges().size(), edgesB_->edges().size());
}

void NearEdges::addPairs(std::uint32_t ta, std::uint32_t tb, const auto& isNew) {
  triangles_.emplace_back(ta, tb);
  for (const std::uint32_t ea : edgesA_->of(ta))
    for (const std::uint32_t eb : edgesB_->of(tb))
      if (ea != SurfaceEdges::none && eb != SurfaceEdges::none && isNew(ea, eb))
        pairs_.push_back(std::uint64_t{ea} << 32 | eb);
}

/// Lists the edges of triangles whose boxes are near, of some leaves, each pair once.
bool NearEdges::listEdgesOfLeaves() {
  constexpr std::size_t atOnce = 8;
  if (!visited_) return listSkipped();
  const std::span<const LeafPair> left = std::span(leaves_).subspan(place_);
  const std::span<const LeafPair> some = left.first(std::min(atOnce, left.size()));
  batch_ = taken_;
  placeOfBatch_ = place_;
  TrianglePairs(bodies_->a(), bodies_->b(), bodies_->bToA(), margin_)
      .forEachOf(some, [&](std::uint32_t ta, std::uint32_t tb, const Triangle&) {
        addPairs(ta, tb, [&](std::uint32_t ea, std::uint32_t eb) { return visited_->add(ea, eb); });
      });
  skipTaken();
  place_ += some.size();
  if (some.size() < left.size()) return true;
  visited_->forget(pairs_);
  unusedPairSet = std::move(visited_);
  return true;
}

/// The pairs of the first leaves that were passed over.
bool NearEdges::listSkipped() {
  if (skipped_ == 0) return false;
  pairs_.resize(std::exchange(skipped_, 0));
  placeOfBatch_ = place_;
  batch_ = taken_ = 0;
  return true;
}

bool NearEdges::ofFinerA() const noexcept {
  return bodies_->a().mesh().triangles.size() >= bodies_->b().mesh().triangles.size();
}

/// Lists all edges near those of each triangle of the finer body, some at once.
bool NearEdges::listOneByOne(WorkCount& work) {
  constexpr std::size_t atOnce = 16;
  const bool ofA = ofFinerA();
  const std::size_t count = (ofA ? bodies_->a() : bodies_->b()).mesh().triangles.size();
  if (!neighbours_.someLeft()) {
    // The first triangle once more, if pairs of it were passed over
    if (place_ == count + (skipped_ > 0 ? 1 : 0)) return false;
    listNeighbours(static_cast<std::uint32_t>((begin_.places + place_++) % count), work);
    return true;
  }
  for (const std::uint32_t other : neighbours_.take(atOnce))
    addPairs(ofA ? triangle_ : other, ofA ? other : triangle_,
             [](std::uint32_t, std::uint32_t) { return true; });
  skipTaken();
  return true;
}

void NearEdges::listNeighbours(std::uint32_t triangle, WorkCount& work) {
  triangle_ = triangle;
  placeOfBatch_ = place_ - 1;
  if (placeOfBatch_ > 0) skip_ = 0;
  pairs_.clear();
  taken_ = 0;
  const bool ofA = ofFinerA();
  const Polyhedron &a = bodies_->a(), &b = bodies_->b();
  const Pose& bToA = bodies_->bToA();
  neighbours_.list((ofA ? a : b).mesh(), triangle, ofA ? inverseOf(bToA) : bToA, ofA ? b : a,
                   margin_ + slack_);
  work.boundTests += neighbours_.size();
}

}  // namespace nearmiss
