// SPDX-License-Identifier: MIT
#include <nearmiss/meeting_search.h>

#include <utility>

#include "broad/projection_sweep.h"
#include "broad/sliced_sweep.h"
#include "broad/subdivision.h"

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

std::unique_ptr<MeetingSearch> makeProjectionSearch(Crossings crossings) {
  if (crossings == Crossings::Queued) return std::make_unique<ProjectionSearch<ProjectionSweep>>();
  return std::make_unique<ProjectionSearch<SlicedSweep>>();
}

std::unique_ptr<MeetingSearch> makeSubdivisionSearch(Real resolution, PairLists lists) {
  return std::make_unique<SubdivisionSearch>(resolution, lists);
}

}  // namespace nearmiss
