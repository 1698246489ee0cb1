// SPDX-License-Identifier: MIT
#include "rivals/sliced_sweep.h"

#include <cmath>

namespace nearmiss {
namespace {

/// Initial number of slices of the whole time: the first meeting is often early.
constexpr Real firstSlices = 64.0;

}  // namespace

void SlicedSweep::start(std::span<const SpaceTimeBound> bounds,
                        std::span<const std::uint32_t> assemblies, Real from, Real until) {
  begin(bounds, assemblies, from, until);
  slice_ = duration_ / firstSlices;
  for (std::uint32_t axis = 0; axis < 3; ++axis) {
    auto& [faces, order] = axes_[axis];
    projectFaces(bounds, axis, from, faces);
    order.clear();
    for (std::uint32_t face = 0; face < faces.size(); ++face)
      order.push_back({faces[face].at, face});
    std::sort(order.begin(), order.end(), comesBefore);
  }
  findOverlapping();
}

void SlicedSweep::findOverlapping() {
  const auto apartAtFirst = [this](std::uint32_t axis, std::uint32_t a, std::uint32_t b) {
    const auto& faces = axes_[axis].faces;
    return faces[2 * a].at > faces[2 * b + 1].at || faces[2 * b].at > faces[2 * a + 1].at;
  };
  for (const SweptFace& swept : axes_[0].order) {
    const std::uint32_t body = swept.face / 2;
    if (isHighFace(swept.face)) {
      *std::find(open_.begin(), open_.end(), body) = open_.back();
      open_.pop_back();
      continue;
    }
    for (const std::uint32_t other : open_) {
      ++counts_.pairTests;
      if (!apartAtFirst(1, body, other) && !apartAtFirst(2, body, other)) tryPair(body, other);
    }
    open_.push_back(body);
  }
  takeOverlapping();
  reported_ = overlapping_;
}

/// Tests one axis from the start to the end of a slice: the gap is linear in time.
bool SlicedSweep::apartThroughout(std::uint32_t axis, std::uint32_t a,
                                  std::uint32_t b) const noexcept {
  const auto& faces = axes_[axis].faces;
  const auto staysAbove = [&](std::uint32_t low, std::uint32_t high) {
    const Real gap = faces[low].at - faces[high].at;
    return gap > 0.0 && gap + (faces[low].slope - faces[high].slope) * duration_ > 0.0;
  };
  return staysAbove(2 * a, 2 * b + 1) || staysAbove(2 * b, 2 * a + 1);
}

void SlicedSweep::tryPair(std::uint32_t a, std::uint32_t b) {
  const BodyPair pair = pairOf(a, b);
  if (sameAssembly(assemblies_, pair)) return;
  const SpaceTimeBound& p = bounds_[pair.a];
  const SpaceTimeBound& q = bounds_[pair.b];
  counts_.programs += !p.planes.empty() || !q.planes.empty();
  // Solves a linear program with planes, and the closed form without
  const auto meeting = earliestMeeting(p, q);
  if (!meeting) return;
  meeting_.add({std::max(from_, *meeting), pair});
}

void SlicedSweep::sortAxis(std::uint32_t axis) {
  auto& [faces, order] = axes_[axis];
  for (SweptFace& swept : order) swept.at = faces[swept.face].at + faces[swept.face].slope * now_;
  for (std::size_t i = 1; i < order.size(); ++i) {
    const SweptFace moved = order[i];
    std::size_t at = i;
    for (; at > 0 && comesBefore(moved, order[at - 1]); --at) {
      const std::uint32_t risen = order[at - 1].face;
      order[at] = order[at - 1];
      ++counts_.crossings;
      // Only a high face that rises above the low face of another begins an overlap
      if (!isHighFace(risen) || isHighFace(moved.face)) continue;
      const std::uint32_t a = risen / 2, b = moved.face / 2;
      ++counts_.pairTests;
      if (apartThroughout((axis + 1) % 3, a, b) || apartThroughout((axis + 2) % 3, a, b)) continue;
      tryPair(a, b);
    }
    order[at] = moved;
  }
}

void SlicedSweep::sweepSlice() {
  const std::uint64_t before = counts_.crossings;
  // A slice that vanishes relative to the time already swept still advances by the smallest
  // possible step
  const Real next = std::max(now_ + slice_, std::nextafter(now_, duration_));
  now_ = duration_ - now_ > 1.5 * slice_ ? next : duration_;
  for (std::uint32_t axis = 0; axis < 3; ++axis) sortAxis(axis);

  // Traversing the lists should cost about as much as the crossings in them
  const std::uint64_t crossings = counts_.crossings - before, faces = 6 * bounds_.size();
  if (crossings * 2 < faces) slice_ *= 2.0;
  if (crossings > faces * 2) slice_ *= 0.5;
}

std::optional<BoundMeeting> SlicedSweep::next() {
  for (;;) {
    // A slice is swept as a whole; a pair that crosses in it may meet later
    while (now_ < duration_ && (meeting_.empty() || meeting_.first().time > from_ + now_))
      sweepSlice();
    if (meeting_.empty() || meeting_.first().time > from_ + duration_) return std::nullopt;
    const BoundMeeting first = meeting_.takeFirst();
    // It may have crossed on several axes before it met
    const auto at = std::lower_bound(reported_.begin(), reported_.end(), first.pair);
    if (at != reported_.end() && *at == first.pair) continue;
    reported_.insert(at, first.pair);
    return first;
  }
}

}  // namespace nearmiss
