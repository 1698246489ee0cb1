// SPDX-License-Identifier: MIT
#include "broad/projection_sweep.h"

namespace nearmiss {

void ProjectionSweep::start(std::span<const SpaceTimeBound> bounds,
                            std::span<const std::uint32_t> assemblies, Real from, Real until) {
  begin(bounds, assemblies, from, until);
  queue_.clear();
  for (std::uint32_t axis = 0; axis < 3; ++axis) sortFaces(bounds, axis);
  findOverlapping();
  expectAll();
}

void ProjectionSweep::startApart(std::span<const SpaceTimeBound> bounds,
                                 std::span<const Real> radii,
                                 std::span<const std::uint32_t> assemblies, Real from, Real until) {
  begin(bounds, assemblies, from, until);
  queue_.clear();
  for (std::uint32_t axis = 0; axis < 3; ++axis) {
    projectFaces(bounds, axis, from, axes_[axis].faces);
    sortFacesApart(radii, axis);
  }
  expectAll();
}

void ProjectionSweep::expectAll() {
  for (std::uint32_t axis = 0; axis < 3; ++axis)
    for (std::size_t index = 0; index + 1 < axes_[axis].order.size(); ++index)
      expectCrossing(axis, index);
}

void ProjectionSweep::sortFaces(std::span<const SpaceTimeBound> bounds, std::uint32_t axis) {
  std::vector<ProjectedFace>& faces = axes_[axis].faces;
  std::vector<std::uint32_t>& order = axes_[axis].order;
  projectFaces(bounds, axis, from_, faces);
  order.clear();
  for (std::uint32_t face = 0; face < faces.size(); ++face) order.push_back(face);
  std::sort(order.begin(), order.end(), [&f = faces](std::uint32_t a, std::uint32_t b) {
    return isBelow(f[a].at, a, f[b].at, b);
  });
  rankFaces(axis);
}

/// Sorts by the cubes of the bodies themselves. If values are equal, high faces come before low
/// ones, so that the crossing of touching cubes is still to come.
void ProjectionSweep::sortFacesApart(std::span<const Real> radii, std::uint32_t axis) {
  places_.clear();
  for (std::size_t body = 0; body < bounds_.size(); ++body)
    for (const Real sign : {-1.0, 1.0})
      places_.push_back(bounds_[body].position[static_cast<int>(axis)] + sign * radii[body]);
  std::vector<std::uint32_t>& order = axes_[axis].order;
  order.clear();
  for (std::uint32_t face = 0; face < places_.size(); ++face) order.push_back(face);
  std::sort(order.begin(), order.end(), [this](std::uint32_t a, std::uint32_t b) {
    if (places_[a] != places_[b]) return places_[a] < places_[b];
    if (isHighFace(a) != isHighFace(b)) return isHighFace(a);
    return a < b;
  });
  rankFaces(axis);
}

void ProjectionSweep::rankFaces(std::uint32_t axis) {
  const std::vector<std::uint32_t>& order = axes_[axis].order;
  std::vector<std::uint32_t>& rank = axes_[axis].rank;
  rank.resize(order.size());
  for (std::uint32_t index = 0; index < order.size(); ++index) rank[order[index]] = index;
}

bool ProjectionSweep::overlapOn(std::uint32_t axis, const BodyPair& pair) const noexcept {
  const auto& rank = axes_[axis].rank;
  return rank[2 * pair.a] < rank[2 * pair.b + 1] && rank[2 * pair.b] < rank[2 * pair.a + 1];
}

bool ProjectionSweep::overlapElsewhere(std::uint32_t axis, const BodyPair& pair) const noexcept {
  return overlapOn((axis + 1) % 3, pair) && overlapOn((axis + 2) % 3, pair);
}

void ProjectionSweep::findOverlapping() {
  for (const std::uint32_t face : axes_[0].order) {
    const std::uint32_t body = face / 2;
    if (isHighFace(face)) {
      open_.erase(std::find(open_.begin(), open_.end(), body));
      continue;
    }
    for (const std::uint32_t other : open_) {
      const BodyPair pair = pairOf(body, other);
      ++counts_.pairTests;
      if (overlapElsewhere(0, pair) && !sameAssembly(assemblies_, pair)) decide(pair);
    }
    open_.push_back(body);
  }
  takeOverlapping();
}

void ProjectionSweep::expectCrossing(std::uint32_t axis, std::size_t index) {
  const Axis& list = axes_[axis];
  const std::uint32_t lower = list.order[index], upper = list.order[index + 1];
  const ProjectedFace& low = list.faces[lower];
  const ProjectedFace& high = list.faces[upper];
  const Real closing = low.slope - high.slope;
  if (!(closing > 0.0)) return;
  // Never go back in time: a crossing that rounding puts before the present happens now
  const Real time = std::max(now_, (high.at - low.at) / closing);
  if (!(time <= duration_)) return;
  queue_.add({time, lower, upper, axis});
}

void ProjectionSweep::cross(const Crossing& crossing) {
  Axis& list = axes_[crossing.axis];
  const std::uint32_t index = list.rank[crossing.lower];
  // The crossing was predicted while the two faces were neighbours; they may have been separated
  // since, or have crossed
  if (list.rank[crossing.upper] != index + 1) return;
  now_ = crossing.time;
  ++counts_.crossings;
  list.order[index] = crossing.upper;
  list.order[index + 1] = crossing.lower;
  list.rank[crossing.upper] = index;
  list.rank[crossing.lower] = index + 1;
  if (index > 0) expectCrossing(crossing.axis, index - 1);
  if (index + 2 < list.order.size()) expectCrossing(crossing.axis, index + 1);

  // Only a high face that rises above the low face of another bound begins an overlap
  if (!isHighFace(crossing.lower) || isHighFace(crossing.upper)) return;
  const BodyPair pair = pairOf(crossing.lower / 2, crossing.upper / 2);
  if (pair.a == pair.b) return;
  ++counts_.pairTests;
  if (overlapElsewhere(crossing.axis, pair) && !sameAssembly(assemblies_, pair)) decide(pair);
}

void ProjectionSweep::decide(const BodyPair& pair) {
  const SpaceTimeBound& a = bounds_[pair.a];
  const SpaceTimeBound& b = bounds_[pair.b];
  Real time = from_ + now_;
  if (!a.planes.empty() || !b.planes.empty()) {
    // A plane may only delay the overlap: solve for its time instead of discarding the pair
    ++counts_.programs;
    const auto meeting = earliestMeeting(a, b);
    if (!meeting) return;
    time = *meeting;
  } else if (const auto overlap = trapezoidOverlap(a, b)) {
    // The list has the time only up to rounding, so use the one that is rounded down
    time = std::min(time, overlap->first);
  }
  meeting_.add({std::max(from_, time), pair});
}

std::optional<BoundMeeting> ProjectionSweep::next() {
  while (!queue_.empty() &&
         (meeting_.empty() || from_ + queue_.first().time < meeting_.first().time))
    cross(queue_.takeFirst());
  if (meeting_.empty()) return std::nullopt;
  const BoundMeeting first = meeting_.takeFirst();
  if (first.time > from_ + duration_) return std::nullopt;
  return first;
}

}  // namespace nearmiss
