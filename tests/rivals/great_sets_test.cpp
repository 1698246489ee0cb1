// SPDX-License-Identifier: MIT
/// Sets of up to a thousand bounds: no search is later than the exact oracle over every pair, and
/// no broad phase's contact-free time lasts beyond the first touch that is possible. A campaign of
/// ten thousand sets: NEARMISS_CAMPAIGN=500 meeting_search_test --gtest_filter='GreatSets.*'
#include <gtest/gtest.h>
#include <nearmiss/rivals/catalog.h>
#include <nearmiss/rivals/meeting_search.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "oracle/first_meeting.h"
#include "rivals/bound_sets.h"
#include "support/broad_phases.h"
#include "support/campaign.h"

namespace nearmiss {
namespace {

using test::BoundSet;
using test::cases;
using test::exactMeeting;
using test::Kind;
using test::Random;
using test::randomSet;
using test::Rational;

/// Few more often than many, up to a thousand.
int randomCount(Random& random) {
  return static_cast<int>(std::pow(10.0, random.between(std::log10(2.0), 3.0)));
}

/// A pair, and when its hyper-trapezoids first overlap by extended precision.
struct Candidate {
  long double first = 0.0L;
  BodyPair pair;
};

/// Rounding in extended precision stays below this part of the numbers at hand.
constexpr long double slack = 1e-15L;

/// When two hyper-trapezoids overlap first, early by rounding and no more; nothing if clearly never
/// after `from`. Independent of the code under test.
std::optional<long double> roughMeeting(const SpaceTimeBound& a, const SpaceTimeBound& b,
                                        long double from) {
  long double first = std::max(a.start, b.start), last = std::min(a.end, b.end);
  for (int axis = 0; axis < 3; ++axis)
    for (const long double sign : {1.0L, -1.0L}) {
      // sign (difference) <= half-widths, as offset + slope t <= 0
      long double offset = 0.0L, slope = 0.0L, size = 0.0L;
      for (const auto& [bound, side] : {std::pair{&a, -sign}, std::pair{&b, sign}}) {
        const long double growth = 0.5L * bound->acceleration * (bound->end - bound->start);
        const long double speed = side * bound->velocity[axis] - growth;
        offset += side * bound->position[axis] - bound->radius - speed * bound->start;
        slope += speed;
        size += std::abs(bound->position[axis]) + bound->radius + std::abs(speed) * bound->end;
      }
      offset -= slack * size;
      if (slope > 0.0L) last = std::min(last, -offset / slope);
      if (slope < 0.0L) first = std::max(first, -offset / slope);
      if (slope == 0.0L && offset > 0.0L) return std::nullopt;
    }
  if (last < from - 1e-9L || first > last + 1e-9L) return std::nullopt;
  return first;
}

/// Every pair that may meet after `from`, the earliest first.
std::vector<Candidate> candidatesOf(const BoundSet& set, long double from) {
  std::vector<Candidate> candidates;
  const auto count = static_cast<std::uint32_t>(set.bounds.size());
  for (std::uint32_t i = 0; i < count; ++i)
    for (std::uint32_t j = i + 1; j < count; ++j)
      if (const auto first = roughMeeting(set.bounds[i], set.bounds[j], from))
        candidates.push_back({*first, {i, j}});
  std::sort(candidates.begin(), candidates.end(), [](const Candidate& a, const Candidate& b) {
    return a.first != b.first ? a.first < b.first : a.pair < b.pair;
  });
  return candidates;
}

/// The first meeting after set.from, over every pair, exactly. At once are those that meet before.
std::optional<Rational> exactFirst(const BoundSet& set) {
  const std::vector<Candidate> candidates = candidatesOf(set, set.from);
  std::optional<Rational> best;
  for (const Candidate& candidate : candidates) {
    // A plane may put a meeting off, never forward
    if (best && static_cast<long double>(*best) < candidate.first - 1e-6L) break;
    const SpaceTimeBound& a = set.bounds[candidate.pair.a];
    const SpaceTimeBound& b = set.bounds[candidate.pair.b];
    const bool plain = a.planes.empty() && b.planes.empty();
    if (plain && candidate.first < set.from - 1e-6L) continue;
    const auto time = exactMeeting(a, b);
    if (time && *time > Rational(set.from) && (!best || *time < *best)) best = time;
  }
  return best;
}

struct SearchTally {
  int late = 0, early = 0;
};

void reference(MeetingSearch& search, const BoundSet& set, const std::optional<Rational>& truth,
               Real allowance, SearchTally& tally) {
  search.start(set.bounds, set.from, set.until);
  const auto first = search.next();
  if (!truth) return;
  const Real time = first ? first->time : set.until + 1.0;
  tally.early += time < static_cast<Real>(*truth) - allowance - 1e-4;
  if (Rational(time) <= *truth) return;
  // Pairs that overlap at the start by rounding outwards are reported no later than the true time
  tally.late += std::none_of(search.overlapping().begin(), search.overlapping().end(),
                             [&](const BodyPair& pair) {
                               return exactMeeting(set.bounds[pair.a], set.bounds[pair.b]) == truth;
                             });
}

TEST(GreatSets, NoSearchIsLaterThanTheExactOracle) {
  Random random(21);
  const auto queued = makeProjectionSearch(Crossings::Queued);
  const auto sliced = makeProjectionSearch(Crossings::Sliced);
  const auto subdivision = *makeSubdivisionSearch(1.0 / 64.0);
  SearchTally ofQueued, ofSliced, ofSubdivision;
  int sets = 0, met = 0;
  for (int round = 0; round < cases(20); ++round) {
    const auto kind = static_cast<Kind>(round % (static_cast<int>(Kind::Last) + 1));
    const int count = kind == Kind::Planes ? random.whole(2, 60) : randomCount(random);
    const Real room = std::cbrt(static_cast<Real>(count)) * random.between(1.5, 6.0);
    const auto set = randomSet(random, kind, count, std::max(2.0, room));
    const auto truth = exactFirst(set);
    ++sets;
    met += truth.has_value();
    reference(*queued, set, truth, 0.0, ofQueued);
    reference(*sliced, set, truth, 0.0, ofSliced);
    reference(*subdivision, set, truth, 1.0 / 64.0, ofSubdivision);
  }
  EXPECT_EQ(ofQueued.late, 0);
  EXPECT_EQ(ofSliced.late, 0);
  EXPECT_EQ(ofSubdivision.late, 0);
  // Bounds far away that close in slowly meet sooner for a hair's width more
  EXPECT_LE(ofQueued.early + ofSliced.early, sets / 10);
  EXPECT_GT(met, sets / 2);
  EXPECT_LT(ofSubdivision.early, sets / 4) << "pairs that only come near";
  RecordProperty("sets", sets);
  RecordProperty("met", met);
  RecordProperty("late", ofQueued.late + ofSliced.late + ofSubdivision.late);
}

/// True if the spheres around two bodies may touch before `time`: their horns, at many instants.
bool mayTouchBefore(const SpaceTimeBound& a, const SpaceTimeBound& b, Real time) {
  constexpr int steps = 400;
  for (int step = 0; step < steps; ++step) {
    const long double s = static_cast<long double>(time) * step / steps;
    long double square = 0.0L, reach = 0.0L;
    for (int axis = 0; axis < 3; ++axis) {
      const long double apart = static_cast<long double>(b.position[axis]) - a.position[axis] +
                                (static_cast<long double>(b.velocity[axis]) - a.velocity[axis]) * s;
      square += apart * apart;
    }
    for (const SpaceTimeBound* bound : {&a, &b})
      reach += bound->radius + 0.5L * bound->acceleration * s * s;
    if (square <= reach * reach) return true;
  }
  return false;
}

TEST(GreatSets, NoBroadPhasePromisesSilenceBeyondTheFirstPossibleTouch) {
  const std::vector<std::string_view> names = test::lookingAhead();
  Random random(22);
  int promised = 0, sets = 0;
  std::int64_t tested = 0;
  std::vector<BodyPair> pairs;
  for (int round = 0; round < cases(20); ++round) {
    const auto kind = round % 3 == 0 ? Kind::Far : round % 3 == 1 ? Kind::Still : Kind::Plain;
    const int count = randomCount(random);
    const Real room = std::cbrt(static_cast<Real>(count)) * random.between(2.0, 8.0);
    const auto set = randomSet(random, kind, count, room);
    ++sets;
    std::vector<BodyState> bodies;
    for (const SpaceTimeBound& bound : set.bounds) {
      BodyState& body = bodies.emplace_back();
      body.key = static_cast<std::uint32_t>(bodies.size());
      body.pose.position = bound.position;
      body.velocity = bound.velocity;
      body.shape = ShapeRef::ofRadius(bound.radius);
      body.accelerationBound = bound.acceleration;
      body.boundHoldsUntil = bound.end;
    }
    const std::vector<Candidate> candidates = candidatesOf(set, 0.0L);
    for (const std::string_view name : names) {
      const Real noContactBefore = findBroadPhase(name)->make()->findPairs(bodies, 0.0, pairs);
      // Where all pairs touch there is none that could begin to
      if (pairs.size() < bodies.size() * (bodies.size() - 1) / 2) {
        ASSERT_LE(noContactBefore, set.until)
            << name << " beyond what the bodies promise, set " << round;
      }
      promised += noContactBefore > 0.0;
      for (const auto& [first, pair] : candidates) {
        if (first > noContactBefore || noContactBefore <= 0.0) break;
        ++tested;
        if (std::binary_search(pairs.begin(), pairs.end(), pair)) continue;
        ASSERT_FALSE(mayTouchBefore(set.bounds[pair.a], set.bounds[pair.b], noContactBefore))
            << name << ", set " << round << ", pair " << pair.a << ", " << pair.b;
      }
    }
  }
  EXPECT_GT(promised, sets) << "there is contact-free time to check";
  EXPECT_GT(tested, sets);
  RecordProperty("sets", sets);
  RecordProperty("promises", promised);
  RecordProperty("pairs_tested", std::to_string(tested));
}

}  // namespace
}  // namespace nearmiss
