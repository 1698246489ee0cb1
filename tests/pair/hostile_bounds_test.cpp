// SPDX-License-Identifier: MIT
/// Two hostile numbers at once in space-time bounds: a search is refused by name, or reports all
/// that bodies without thrust would touch.
#include <gtest/gtest.h>
#include <nearmiss/advanced/space_time_bound.h>
#include <nearmiss/rivals/meeting_search.h>

#include <array>
#include <cmath>
#include <memory>
#include <optional>
#include <vector>

#include "support/hostile_pairs.h"

namespace nearmiss {
namespace {

using test::HostileNumbers;
using test::put;
using test::Told;

/// One with a cutting plane, one without; they meet after some time.
struct HostileBounds {
  std::array<CuttingPlane, 1> planes{CuttingPlane{{0.0, 0.6, 0.8}, 0.5}};
  std::array<SpaceTimeBound, 2> bounds;
  Real from = 0.5, until = 2.0, resolution = 0.01;

  HostileBounds() {
    bounds[0] = {0.25, 3.0, {0.0, 0.5, 0.0}, {1.0, 0.0, 0.0}, 0.5, 1.0, planes};
    bounds[1] = {0.0, 4.0, {4.0, 0.0, 0.0}, {-1.0, 0.0, 0.0}, 0.5, 0.5, {}};
  }
  HostileNumbers numbers() {
    HostileNumbers all;
    for (SpaceTimeBound& bound : bounds)
      all.number("start|end|hold", bound.start)
          .number("end|hold", bound.end)
          .vector("position", bound.position)
          .vector("velocity", bound.velocity)
          .number("radius", bound.radius)
          .number("acceleration", bound.acceleration);
    return all.vector("plane direction", planes[0].direction)
        .number("plane reverse", planes[0].reverse)
        .number("a search goes|hold", from)
        .number("a search goes|hold", until);
  }
  /// Two spheres without thrust, at `time`.
  [[nodiscard]] bool touchAt(Real time) const {
    const auto at = [time](const SpaceTimeBound& b) {
      return b.position + b.velocity * (time - b.start);
    };
    const Vec3 apart = at(bounds[1]) - at(bounds[0]);
    const Real size = std::max({std::abs(apart.x), std::abs(apart.y), std::abs(apart.z)});
    return 2.0 * size <= bounds[0].radius + bounds[1].radius;
  }
};

/// Every report of a search, and what is wrong with them.
void tellMeetings(Told& told, MeetingSearch& search, const HostileBounds& given) {
  search.start(given.bounds, given.from, given.until);
  const bool overlaps = !search.overlapping().empty();
  std::optional<Real> met;
  int count = 0;
  while (const auto meeting = search.next()) {
    met = meeting->time;
    put(told.numbers, meeting->time);
    if (++count > 1) told.fault = "one pair meets twice";
    if (!(meeting->time >= given.from && meeting->time <= given.until))
      told.fault = "a meeting outside of the time of the search";
    if (count > 3) return;
  }
  if (given.touchAt(given.from) && !overlaps) told.fault = "a pair that touches is overlooked";
  if (given.touchAt(given.until) && !overlaps && !met) told.fault = "a meeting is missed";
}

void trySearch(const auto& make) {
  HostileBounds given;
  HostileNumbers numbers = given.numbers();
  numbers.tryAll([&] {
    Told told;
    const auto sound = checkSearch(given.bounds, given.from, given.until);
    told.refused = !sound;
    if (!sound)
      told.sentence = sound.error().message;
    else
      tellMeetings(told, *make(), given);
    return told;
  });
}

TEST(HostileBounds, OfAProjection) {
  trySearch([] { return makeProjectionSearch(Crossings::Queued); });
}

TEST(HostileBounds, OfAProjectionInSlices) {
  trySearch([] { return makeProjectionSearch(Crossings::Sliced); });
}

TEST(HostileBounds, OfASubdivision) {
  trySearch([] { return *makeSubdivisionSearch(0.01); });
}

TEST(HostileBounds, OfASubdivisionOfAllPairs) {
  trySearch([] { return *makeSubdivisionSearch(0.01, PairLists::None); });
}

/// The resolution with each other number.
TEST(HostileBounds, OfAResolution) {
  HostileBounds given;
  HostileNumbers numbers;
  numbers.number("resolution", given.resolution)
      .number("start|end|hold", given.bounds[0].start)
      .number("end|hold", given.bounds[0].end)
      .vector("position", given.bounds[0].position)
      .vector("velocity", given.bounds[0].velocity)
      .number("acceleration", given.bounds[0].acceleration)
      .number("a search goes|hold", given.from)
      .number("a search goes|hold", given.until);
  numbers.tryAll([&] {
    Told told;
    const auto sound = checkSearch(given.bounds, given.from, given.until);
    auto made = makeSubdivisionSearch(given.resolution);
    told.refused = !sound || !made;
    if (told.refused)
      told.sentence = sound ? made.error().message : sound.error().message;
    else
      tellMeetings(told, **made, given);
    return told;
  });
}

}  // namespace
}  // namespace nearmiss
