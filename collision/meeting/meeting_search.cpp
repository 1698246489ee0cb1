// SPDX-License-Identifier: MIT
#include <nearmiss/methods/meeting_search.h>

#include <cmath>
#include <string>
#include <utility>

#include "meeting/projection_sweep.h"
#include "meeting/sliced_sweep.h"
#include "meeting/subdivision.h"

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

Result<std::unique_ptr<MeetingSearch>> makeSubdivisionSearchChecked(Real resolution,
                                                                    PairLists lists) {
  if (!(resolution > 0.0 && std::isfinite(resolution)))
    return Error{ErrorCode::Unsupported, "the resolution of a search is " +
                                             std::to_string(resolution) +
                                             ", but must be finite and above 0"};
  return makeSubdivisionSearch(resolution, lists);
}

Result<Success> checkSearch(std::span<const SpaceTimeBound> bounds, Real from, Real until) {
  const auto refusal = [](std::string sentence) {
    return Error{ErrorCode::Unsupported, std::move(sentence)};
  };
  const auto span = [](Real first, Real last) {
    return "from " + std::to_string(first) + " to " + std::to_string(last);
  };
  if (bounds.size() >= std::size_t{1} << 31)
    return refusal(std::to_string(bounds.size()) +
                   " bounds are too many: fewer than 2147483648 can be told apart");
  if (!std::isfinite(from) || !(until >= from))
    return refusal("a search goes " + span(from, until) +
                   ", but must end no sooner than it begins");
  for (std::size_t i = 0; i < bounds.size(); ++i) {
    if (const char* field = faultOf(bounds[i]))
      return refusal("bound " + std::to_string(i) + ": " + field + " makes no bound");
    if (!(bounds[i].start <= from && bounds[i].end >= until))
      return refusal("bound " + std::to_string(i) + " holds " +
                     span(bounds[i].start, bounds[i].end) + ", but must hold " + span(from, until));
  }
  return Success{};
}

}  // namespace nearmiss
