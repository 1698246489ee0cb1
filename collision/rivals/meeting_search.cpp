// SPDX-License-Identifier: MIT
#include <nearmiss/detail/number_text.h>
#include <nearmiss/rivals/broad_phases.h>
#include <nearmiss/rivals/meeting_search.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "broad/projection_sweep.h"
#include "broad/space_time_broad_phase.h"
#include "rivals/horn_pairs.h"
#include "rivals/sliced_sweep.h"
#include "rivals/subdivision.h"

namespace nearmiss {
namespace {

template <class Search>
class Found : public MeetingSearch {
 public:
  explicit Found(Search search = {}) : search_(std::move(search)) {}
  std::span<const BodyPair> overlapping() const noexcept override { return search_.overlapping(); }
  std::optional<BoundMeeting> next() override { return search_.next(); }
  const MeetingCounts& counts() const noexcept override { return search_.counts(); }

 protected:
  Search search_;
};

template <class Sweep>
class ProjectionSearch final : public Found<Sweep> {
 public:
  void start(std::span<const SpaceTimeBound> bounds, Real from, Real until) override {
    this->search_.start(bounds, {}, from, until);
  }
};

class SubdivisionSearch final : public Found<Subdivision> {
 public:
  SubdivisionSearch(Real resolution, PairLists lists)
      : Found(Subdivision(lists)), resolution_(resolution) {}
  void start(std::span<const SpaceTimeBound> bounds, Real from, Real until) override {
    search_.start(bounds, {}, from, until, resolution_);
  }

 private:
  Real resolution_;
};

}  // namespace

// Searches with a resolution, started as by SpaceTimeBroadPhase
inline void startSearch(Subdivision& search, std::span<const SpaceTimeBound> bounds,
                        std::span<const std::uint32_t> assemblies, Real from, Real until,
                        Real step) {
  search.start(bounds, assemblies, from, until, std::max(step, (until - from) * 0x1p-16));
}

inline void startSearch(HornPairs& search, std::span<const SpaceTimeBound> bounds,
                        std::span<const std::uint32_t> assemblies, Real from, Real until,
                        Real step) {
  search.start(bounds, assemblies, from, until, 0.25 * step);
}

std::unique_ptr<MeetingSearch> makeProjectionSearch(Crossings crossings) {
  if (crossings == Crossings::Queued) return std::make_unique<ProjectionSearch<ProjectionSweep>>();
  return std::make_unique<ProjectionSearch<SlicedSweep>>();
}

Result<std::unique_ptr<MeetingSearch>> makeSubdivisionSearch(Real resolution, PairLists lists) {
  if (!(resolution > 0.0 && std::isfinite(resolution)))
    return Error{ErrorCode::Unsupported, "the resolution of a search is " + textOf(resolution) +
                                             ", but must be finite and above 0"};
  return std::unique_ptr<MeetingSearch>(std::make_unique<SubdivisionSearch>(resolution, lists));
}

std::unique_ptr<BroadPhase> makeSpaceTimeSlicesBroadPhase(Promises promises) {
  return std::make_unique<SpaceTimeBroadPhase<SlicedSweep>>("space-time-slices", promises);
}

std::unique_ptr<BroadPhase> makeSpaceTimeHalvesBroadPhase(Promises promises) {
  return std::make_unique<SpaceTimeBroadPhase<Subdivision>>("space-time-halves", promises);
}

std::unique_ptr<BroadPhase> makeSpaceTimeHornBroadPhase(Promises promises) {
  return std::make_unique<SpaceTimeBroadPhase<HornPairs>>("space-time-horns", promises);
}

}  // namespace nearmiss
