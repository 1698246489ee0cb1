// SPDX-License-Identifier: MIT
/// The earliest intersection of many bounds, by projection and by subdivision, against the closed
/// form over every pair.
#include <gtest/gtest.h>
#include <nearmiss/rivals/meeting_search.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "broad/projection_sweep.h"
#include "oracle/first_meeting.h"
#include "rivals/bound_sets.h"
#include "rivals/sliced_sweep.h"
#include "rivals/subdivision.h"
#include "support/campaign.h"
#include "support/random.h"

namespace nearmiss {
namespace {

using test::BoundSet;
using test::cases;
using test::Kind;
using test::Random;
using test::randomSet;
using test::Rational;

struct Truth {
  std::vector<BodyPair> atOnce, later, doubtful;
  std::optional<Rational> first;  ///< of `later`
};

/// Every pair by the exact oracle, after a look at who could be first.
Truth truthOf(const BoundSet& set) {
  Truth truth;
  struct Candidate {
    BodyPair pair;
    Real first;
  };
  std::vector<Candidate> candidates;
  const auto count = static_cast<std::uint32_t>(set.bounds.size());
  for (std::uint32_t i = 0; i < count; ++i)
    for (std::uint32_t j = i + 1; j < count; ++j) {
      const BodyPair pair{i, j};
      const auto overlap = trapezoidOverlap(set.bounds[i], set.bounds[j]);
      if (!overlap || overlap->last < set.from) continue;
      const bool planes = !set.bounds[i].planes.empty() || !set.bounds[j].planes.empty();
      const auto near = earliestMeeting(set.bounds[i], set.bounds[j]);
      // Pairs that only just touch, at the beginning or ever, may be reported or left out
      SpaceTimeBound smaller = set.bounds[i];
      smaller.radius -= 1e-4;
      smaller.acceleration *= 1.0 - 1e-4;
      const auto less = trapezoidOverlap(smaller, set.bounds[j]);
      const bool clear = near && less && less->last > set.from + 1e-3 && !planes;
      if (near && *near <= set.from && clear && less->first <= set.from)
        truth.atOnce.push_back(pair);
      else if (near && *near > set.from + 1e-3 && clear)
        truth.later.push_back(pair);
      else
        truth.doubtful.push_back(pair);
      if (near && *near > set.from) candidates.push_back({pair, *near});
    }
  // The exact first among those that come close to it
  Real least = set.until + 1.0;
  for (const Candidate& c : candidates) least = std::min(least, c.first);
  for (const Candidate& c : candidates) {
    if (c.first > least + 1e-5) continue;
    const auto time = test::exactMeeting(set.bounds[c.pair.a], set.bounds[c.pair.b]);
    if (time && *time > Rational(set.from) && (!truth.first || *time < *truth.first))
      truth.first = time;
  }
  return truth;
}

bool holds(const std::vector<BodyPair>& pairs, const BodyPair& pair) {
  return std::find(pairs.begin(), pairs.end(), pair) != pairs.end();
}

struct Tally {
  int sets = 0, met = 0, late = 0, early = 0, atOnce = 0, laterMeetings = 0;
};

/// One search from the first to the last meeting.
template <class Search>
void reference(const BoundSet& set, const Truth& truth, Search& search, Real allowance,
               Tally& tally) {
  ++tally.sets;
  std::set<BodyPair> seen(search.overlapping().begin(), search.overlapping().end());
  ASSERT_EQ(seen.size(), search.overlapping().size());
  ASSERT_TRUE(std::is_sorted(search.overlapping().begin(), search.overlapping().end()));
  for (const BodyPair& pair : truth.atOnce) ASSERT_TRUE(seen.contains(pair));
  for (const BodyPair& pair : truth.later) ASSERT_FALSE(seen.contains(pair));
  tally.atOnce += static_cast<int>(seen.size());

  Real size = 0.0;
  for (const SpaceTimeBound& bound : set.bounds) size = std::max(size, std::abs(bound.position.x));
  const auto first = search.next();
  if (truth.first) {
    ASSERT_TRUE(first);
    ++tally.met;
    tally.late += Rational(first->time) > *truth.first;
    tally.early += first->time < static_cast<Real>(*truth.first) - allowance - 1e-6 - 1e-11 * size;
  }
  Real time = set.from;
  for (auto meeting = first; meeting; meeting = search.next()) {
    ASSERT_LT(meeting->pair.a, meeting->pair.b);
    ASSERT_TRUE(seen.insert(meeting->pair).second) << "a pair is told once";
    ASSERT_GE(meeting->time, time - 1e-9 * (1.0 + size)) << "never back in time";
    time = meeting->time;
    ++tally.laterMeetings;
    const auto own = earliestMeeting(set.bounds[meeting->pair.a], set.bounds[meeting->pair.b]);
    if (own) {
      ASSERT_LE(meeting->time, std::max(set.from, *own) + 1e-12);
    }
    if (allowance == 0.0) {
      ASSERT_TRUE(holds(truth.later, meeting->pair) || holds(truth.doubtful, meeting->pair));
    }
  }
  for (const BodyPair& pair : truth.later) ASSERT_TRUE(seen.contains(pair));
}

template <class Sweep>
class Projection : public testing::Test {};
using Sweeps = testing::Types<ProjectionSweep, SlicedSweep>;
TYPED_TEST_SUITE(Projection, Sweeps);

TYPED_TEST(Projection, FindsTheMeetingsOfTheClosedForm) {
  TypeParam sweep;
  for (int k = 0; k <= static_cast<int>(Kind::Last); ++k) {
    Random random(static_cast<std::uint64_t>(k) + 1);
    Tally tally;
    for (int round = 0; round < cases(500); ++round) {
      const int count = random.whole(0, round % 50 == 0 ? 60 : 14);
      const auto set = randomSet(random, static_cast<Kind>(k), count, 2.0 + 0.25 * count);
      const Truth truth = truthOf(set);
      sweep.start(set.bounds, {}, set.from, set.until);
      ASSERT_NO_FATAL_FAILURE(reference(set, truth, sweep, 0.0, tally)) << k << ", " << round;
    }
    EXPECT_EQ(tally.late, 0) << k;
    EXPECT_LT(tally.early, tally.sets / 100) << k;
    EXPECT_GT(tally.met, tally.sets / 5) << k;
    EXPECT_LT(tally.met, tally.sets) << k;
    EXPECT_GT(tally.atOnce, tally.sets / 5) << k;
    EXPECT_GT(tally.laterMeetings, tally.met * 3 / 2) << k;
  }
}

class SubdivisionOf : public testing::TestWithParam<PairLists> {};

TEST_P(SubdivisionOf, FindsTheMeetingsOfTheClosedFormALittleEarly) {
  Subdivision subdivision(GetParam());
  for (int k = 0; k <= static_cast<int>(Kind::Last); ++k) {
    Random random(static_cast<std::uint64_t>(k) + 101);
    Tally tally;
    const Real resolution = 1.0 / 64.0;
    int falsely = 0;
    for (int round = 0; round < cases(300); ++round) {
      const auto set =
          randomSet(random, static_cast<Kind>(k), random.whole(0, 14), random.between(2.0, 6.0));
      const Truth truth = truthOf(set);
      subdivision.start(set.bounds, {}, set.from, set.until, resolution);
      Tally one;
      ASSERT_NO_FATAL_FAILURE(reference(set, truth, subdivision, resolution, one))
          << k << ", " << round;
      // Earlier by more than the resolution only for a pair that comes near and never meets
      tally.late += one.late;
      falsely += one.early;
      tally.met += one.met;
      tally.sets += one.sets;
    }
    EXPECT_EQ(tally.late, 0) << k;
    EXPECT_GT(tally.met, tally.sets / 5) << k;
    EXPECT_LT(falsely, tally.sets / 4) << k;
  }
}

INSTANTIATE_TEST_SUITE_P(Lists, SubdivisionOf, testing::Values(PairLists::Kept, PairLists::None),
                         [](const auto& tested) {
                           return tested.param == PairLists::Kept ? "kept" : "none";
                         });

TEST(ProjectionSweep, LeavesOutPairsOfOneAssembly) {
  Random random(8);
  ProjectionSweep sweep;
  SlicedSweep sliced;
  Subdivision subdivision;
  const auto set = randomSet(random, Kind::Plain, 30, 5.0);
  std::vector<std::uint32_t> assemblies;
  for (std::uint32_t i = 0; i < 30; ++i) assemblies.push_back(i % 3);
  std::size_t told = 0;
  const auto check = [&](auto& search) {
    for (const BodyPair& pair : search.overlapping()) EXPECT_FALSE(sameAssembly(assemblies, pair));
    while (const auto meeting = search.next()) {
      EXPECT_FALSE(sameAssembly(assemblies, meeting->pair));
      ++told;
    }
  };
  sweep.start(set.bounds, assemblies, set.from, set.until);
  check(sweep);
  sliced.start(set.bounds, assemblies, set.from, set.until);
  check(sliced);
  subdivision.start(set.bounds, assemblies, set.from, set.until, 0.01);
  check(subdivision);
  EXPECT_GT(told, 30u);
}

TEST(ProjectionSweep, CountsTheCrossingsOfTwoBodies) {
  // Along x four faces become two pairs that cross; y and z never move
  std::vector<SpaceTimeBound> bounds(2);
  bounds[0] = {0.0, 10.0, Vec3(0.0), Vec3(1.0, 0.0, 0.0), 1.0, 0.0, {}};
  bounds[1] = {0.0, 10.0, Vec3(10.0, 0.0, 0.0), Vec3(0.0), 1.0, 0.0, {}};
  ProjectionSweep sweep;
  sweep.start(bounds, {}, 0.0, 10.0);
  const auto meeting = sweep.next();
  ASSERT_TRUE(meeting);
  EXPECT_NEAR(meeting->time, 8.0, 1e-9);
  EXPECT_LE(meeting->time, 8.0);
  EXPECT_EQ(sweep.counts().crossings, 1u);
  EXPECT_EQ(sweep.counts().pairTests, 1u);
  EXPECT_FALSE(sweep.next());
  EXPECT_EQ(sweep.counts().crossings, 3u) << "low past low and high past high at ten seconds";

  // Slices find what crosses in them, not when
  SlicedSweep sliced;
  sliced.start(bounds, {}, 0.0, 9.5);
  const auto again = sliced.next();
  ASSERT_TRUE(again);
  EXPECT_NEAR(again->time, meeting->time, 1e-9);
  EXPECT_LE(again->time, 8.0);
  EXPECT_FALSE(sliced.next());
  EXPECT_EQ(sliced.counts().crossings, 1u);
}

/// Where a plane delays a meeting of bounds that hold for longer, the search ends before it.
TEST(ProjectionSweep, TellsOfNoMeetingAfterItsEnd) {
  const std::array<CuttingPlane, 1> planes{CuttingPlane{Vec3(0.0, 1.0, 0.0), 0.0}};
  const std::vector<SpaceTimeBound> bounds{
      {0.0, 1.0, Vec3(0.0), Vec3(0.0), 1.0, 10.0, planes},
      {0.0, 1.0, Vec3(3.0, -4.0, 0.0), Vec3(0.0, 4.0, 0.0), 1.0, 0.0, {}}};
  ProjectionSweep sweep;
  sweep.start(bounds, {}, 0.0, 0.4);
  EXPECT_FALSE(sweep.next()) << "the faces meet at 2/9 of a second, the bounds at a half";
  sweep.start(bounds, {}, 0.0, 0.6);
  EXPECT_TRUE(sweep.next());
}

/// Bodies that are apart may touch by their faces: those cross at once.
TEST(ProjectionSweep, StartsWithBodiesThatTouchAndWithPoints) {
  std::vector<SpaceTimeBound> bounds(3);
  bounds[0] = {0.0, 1.0, Vec3(0.0), Vec3(1.0, 0.0, 0.0), 1.0, 0.0, {}};
  bounds[1] = {0.0, 1.0, Vec3(2.0, 0.0, 0.0), Vec3(0.0), 1.0, 0.0, {}};
  bounds[2] = {0.0, 1.0, Vec3(9.0, 0.5, 0.0), Vec3(0.0), 0.0, 4.0, {}};
  const std::vector<Real> radii{1.0, 1.0, 0.0};
  ProjectionSweep sweep;
  sweep.startApart(bounds, radii, {}, 0.0, 1.0);
  const auto meeting = sweep.next();
  ASSERT_TRUE(meeting);
  EXPECT_EQ(meeting->pair, (BodyPair{0, 1}));
  EXPECT_EQ(meeting->time, 0.0);
  EXPECT_FALSE(sweep.next());
}

TEST(MeetingSearchDoor, RefusesBoundsThatNoSearchCanStartWith) {
  const auto refusalOf = [](std::span<const SpaceTimeBound> bounds, Real from, Real until) {
    const auto checked = checkSearch(bounds, from, until);
    return checked ? std::string() : checked.error().message;
  };
  std::vector<SpaceTimeBound> bounds(3);
  for (SpaceTimeBound& bound : bounds) bound.end = 10.0;
  EXPECT_EQ(refusalOf(bounds, 0.0, 10.0), "");
  EXPECT_EQ(refusalOf({}, 0.0, 0.0), "");
  EXPECT_EQ(refusalOf(bounds, 2.0, 1.0),
            "a search goes from 2 to 1, but must end no sooner than it begins");
  EXPECT_NE(refusalOf(bounds, std::numeric_limits<Real>::quiet_NaN(), 1.0), "");
  bounds[1].end = 5.0;
  EXPECT_EQ(refusalOf(bounds, 0.0, 10.0), "bound 1 holds from 0 to 5, but must hold from 0 to 10");
  EXPECT_EQ(refusalOf(bounds, -1e-9, 5.0),
            "bound 0 holds from 0 to 10, but must hold from -1e-09 to 5");
  bounds[1].end = 1.0 - 0x1p-40;
  EXPECT_EQ(refusalOf(bounds, 0.0, 1.0),
            "bound 1 holds from 0 to 0.99999999999909051, but must hold from 0 to 1");
  bounds[1].end = 5.0;
  EXPECT_EQ(refusalOf(bounds, 0.0, 5.0), "");
  EXPECT_EQ(refusalOf(bounds, -1.0, 5.0), "bound 0 holds from 0 to 10, but must hold from -1 to 5");
  bounds[2].radius = -1.0;
  EXPECT_EQ(refusalOf(bounds, 0.0, 5.0), "bound 2: radius makes no bound");
  // Only the count of this span is real
  const std::span<const SpaceTimeBound> endless(bounds.data(), std::size_t{1} << 31);
  EXPECT_EQ(refusalOf(endless, 0.0, 5.0),
            "2147483648 bounds are too many: fewer than 2147483648 can be told apart");
}

TEST(MeetingSearchDoor, TakesAResolutionAboveZero) {
  EXPECT_TRUE(makeSubdivisionSearch(1e-3));
  for (const Real resolution :
       {0.0, -1.0, std::numeric_limits<Real>::quiet_NaN(), std::numeric_limits<Real>::infinity()}) {
    const auto refused = makeSubdivisionSearch(resolution);
    ASSERT_FALSE(refused);
    EXPECT_NE(refused.error().message.find("must be finite and above 0"), std::string::npos);
  }
}

/// Rounding moves none inwards, of bodies far larger than they are far away too.
TEST(ProjectedFaces, HoldTheExactOnes) {
  Random random(15);
  for (int i = 0; i < cases(2000); ++i) {
    SpaceTimeBound bound;
    const auto number = [&] {
      return std::ldexp(random.between(-1.0, 1.0), random.whole(-20, 20));
    };
    bound.start = random.between(0.0, 1.0);
    bound.end = bound.start + random.between(0.0, 2.0);
    bound.position = {number(), number(), number()};
    bound.velocity = {number(), number(), number()};
    bound.radius = std::abs(number());
    bound.acceleration = std::abs(number());
    const Real from = random.between(bound.start, bound.end);
    std::vector<ProjectedFace> faces;
    for (std::uint32_t axis = 0; axis < 3; ++axis) {
      projectFaces(std::span(&bound, 1), axis, from, faces);
      const auto k = static_cast<int>(axis);
      const Rational passed = Rational(from) - Rational(bound.start);
      const Rational growth =
          Rational(bound.acceleration) / 2 * (Rational(bound.end) - Rational(bound.start));
      const Rational centre = Rational(bound.position[k]) + Rational(bound.velocity[k]) * passed;
      const Rational half = Rational(bound.radius) + growth * passed;
      EXPECT_LE(Rational(faces[0].at), centre - half) << i;
      EXPECT_GE(Rational(faces[1].at), centre + half) << i;
    }
  }
}

}  // namespace
}  // namespace nearmiss
