// SPDX-License-Identifier: MIT
/// When two bounds in space and time meet: no later than the exact oracle says.
#include <gtest/gtest.h>
#include <nearmiss/advanced/space_time_bound.h>
#include <nearmiss/shape.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <optional>
#include <vector>

#include "broad/admissible_motion.h"
#include "oracle/first_meeting.h"
#include "oracle/proven_meeting.h"
#include "support/campaign.h"
#include "support/random.h"

namespace nearmiss {
namespace {

using test::cases;
using test::Random;
using test::Rational;

/// A plane hides where the faces first meet; the bounds meet later beside it (erratum E2).
TEST(EarliestMeeting, IsFoundBehindTheFaceContactThatAPlaneHides) {
  const std::array<CuttingPlane, 1> planes{CuttingPlane{Vec3(0.0, 1.0, 0.0), 0.0}};
  const SpaceTimeBound a{0.0, 1.0, Vec3(0.0), Vec3(0.0), 1.0, 10.0, planes};
  const SpaceTimeBound b{0.0, 1.0, Vec3(3.0, -4.0, 0.0), Vec3(0.0, 4.0, 0.0), 1.0, 0.0, {}};
  const auto faces = trapezoidOverlap(a, b);
  ASSERT_TRUE(faces);
  EXPECT_NEAR(faces->first, 2.0 / 9.0, 1e-9);
  const auto meeting = earliestMeeting(a, b);
  ASSERT_TRUE(meeting);
  EXPECT_NEAR(*meeting, 0.5, 1e-9);
  EXPECT_LE(*meeting, 0.5);
  EXPECT_EQ(*test::firstMeeting(a, b), Rational(1, 2));
  const auto tight = retightenedMeeting(a, b, 1e-6);
  ASSERT_TRUE(tight);
  EXPECT_GE(*tight, *meeting);
  EXPECT_LE(*tight, 0.6) << "with thrust along x the spheres touch then";
}

/// Two bounds that have a fair chance of meeting.
std::array<SpaceTimeBound, 2> randomPair(Random& random,
                                         std::array<std::vector<CuttingPlane>, 2>& planes,
                                         int maxPlanes) {
  std::array<SpaceTimeBound, 2> pair;
  const bool simple = random.chance(0.5);  // whole numbers abound: ties, parallels, equal starts
  const Real offset = random.chance(0.1) ? 1e7 : 0.0;
  const auto number = [&](int most) {
    return simple ? static_cast<Real>(random.whole(-most, most)) : random.between(-most, most);
  };
  for (std::size_t i = 0; i < 2; ++i) {
    SpaceTimeBound& bound = pair[i];
    bound.start = simple || random.chance(0.5) ? 0.0 : random.between(0.0, 0.5);
    bound.end = simple ? 1.0 : random.between(0.6, 2.0);
    bound.position = Vec3(offset + number(5), number(5), number(5));
    bound.velocity = random.chance(0.15) ? Vec3(0.0) : Vec3(number(3), number(3), number(3));
    bound.radius = std::abs(number(1));
    bound.acceleration = std::abs(number(4));
    planes[i].clear();
    const int count = random.whole(0, maxPlanes);
    for (int k = 0; k < count; ++k) {
      Vec3 direction = random.direction();
      if (simple) {
        direction = Vec3(0.0);
        direction[random.whole(0, 2)] = random.chance(0.5) ? 1.0 : -1.0;
      }
      planes[i].push_back({direction, random.chance(0.6) ? 0.0 : std::abs(number(2))});
    }
    bound.planes = planes[i];
  }
  return pair;
}

/// The other one grows far beyond the place where they meet.
TEST(EarliestMeeting, IsFoundWhereOneBoundGrowsFast) {
  const std::array<CuttingPlane, 1> planes{CuttingPlane{Vec3(0.0, 1.0, 0.0), 0.0}};
  const SpaceTimeBound a{0.0, 1.0, Vec3(0.0), Vec3(0.0), 0.5, 0.0, planes};
  const SpaceTimeBound b{0.0, 1.0, Vec3(0.9, 0.0, 0.0), Vec3(0.0), 0.5, 100.0, {}};
  for (const auto& meeting : {earliestMeeting(a, b), earliestMeeting(b, a)}) {
    ASSERT_TRUE(meeting);
    EXPECT_EQ(*meeting, 0.0);
  }
}

/// How much earlier than the true time rounding may make an answer, in seconds.
Real roundingOf(const std::array<SpaceTimeBound, 2>& pair) {
  Real size = 0.0;
  for (const SpaceTimeBound& bound : pair) size += std::abs(bound.position.x) + 30.0;
  return 1e-9 * size;
}

/// Powers of two change no digit of a horn. A program has a room of its own, and is scaled where
/// its numbers are beyond any world.
TEST(EarliestMeeting, IsTheSameInAnyUnitOfLength) {
  Random random(13);
  std::array<std::vector<CuttingPlane>, 2> planes;
  int met = 0, differ = 0;
  const int tried = cases(1000);
  for (int i = 0; i < tried; ++i) {
    const auto pair = randomPair(random, planes, 2);
    const auto meeting = earliestMeeting(pair[0], pair[1]);
    const auto horns = hornMeeting(pair[0], pair[1], 1e-6);
    met += meeting.has_value();
    for (const int power : {-60, 60, 100}) {
      auto scaled = pair;
      for (SpaceTimeBound& bound : scaled) {
        const Real unit = std::ldexp(1.0, power);
        bound.position *= unit;
        bound.velocity *= unit;
        bound.radius *= unit;
        bound.acceleration *= unit;
      }
      ASSERT_EQ(hornMeeting(scaled[0], scaled[1], 1e-6), horns) << i << ", 2^" << power;
      std::array<std::vector<CuttingPlane>, 2> scaledPlanes = planes;
      for (std::size_t k = 0; k < 2; ++k) {
        for (CuttingPlane& plane : scaledPlanes[k])
          plane.reverse = std::ldexp(plane.reverse, power);
        scaled[k].planes = scaledPlanes[k];
      }
      const auto other = earliestMeeting(scaled[0], scaled[1]);
      differ += other.has_value() != meeting.has_value() ||
                (other && std::abs(*other - *meeting) > 1e-6 + roundingOf(pair));
    }
  }
  EXPECT_GT(met, tried / 10);
  EXPECT_LE(differ, tried / 20) << "bounds that graze, or close in slowly";
}

TEST(EarliestMeeting, IsNeverLaterThanTheClosedFormInRationals) {
  Random random(3);
  std::array<std::vector<CuttingPlane>, 2> planes;
  int met = 0, late = 0, farEarly = 0, tried = cases(8000);
  for (int i = 0; i < tried; ++i) {
    const auto pair = randomPair(random, planes, 0);
    const auto truth = test::firstTrapezoidMeeting(pair[0], pair[1]);
    const auto found = earliestMeeting(pair[0], pair[1]);
    const auto other = earliestMeeting(pair[1], pair[0]);
    ASSERT_EQ(found.has_value(), other.has_value());
    met += truth.has_value();
    if (!truth) continue;
    ASSERT_TRUE(found) << "pair " << i;
    late += Rational(*found) > *truth || Rational(*other) > *truth;
    farEarly += *found < static_cast<Real>(*truth) - roundingOf(pair);
  }
  EXPECT_EQ(late, 0);
  // Bounds that close in slowly may meet much sooner for a hair's width more
  EXPECT_LT(farEarly, tried / 200);
  EXPECT_GT(met, tried / 10);
  EXPECT_LT(met, tried * 9 / 10);
}

TEST(ProvenMeeting, SaysWhatTheWholeEliminationSays) {
  Random random(6);
  std::array<std::vector<CuttingPlane>, 2> planes;
  int met = 0, same = 0, never = 0, undecided = 0;
  for (int i = 0; i < 300; ++i) {
    const auto pair = randomPair(random, planes, 2);
    const auto truth = test::firstMeeting(pair[0], pair[1]);
    const auto proof = test::provenMeeting(pair[0], pair[1]);
    undecided += !proof;
    if (!proof) continue;
    if (proof->never) {
      ASSERT_FALSE(truth) << "pair " << i;
      ++never;
    } else if (truth) {
      ASSERT_LE(proof->time, *truth) << "pair " << i;
      ++met;
      same += proof->time == *truth;
    }
  }
  EXPECT_LT(undecided, 10);
  EXPECT_GT(never, 30);
  EXPECT_GT(met, 30);
  EXPECT_GT(same, met * 9 / 10);
}

/// A campaign of a million pairs takes minutes: NEARMISS_CAMPAIGN=667.
TEST(EarliestMeeting, IsNeverLaterThanTheLinearProgramInRationals) {
  Random random(4);
  std::array<std::vector<CuttingPlane>, 2> planes;
  int facing = 0, met = 0, late = 0, missed = 0, farEarly = 0, laterThanFaces = 0,
      hiddenForGood = 0;
  int wholly = 0;
  const int tried = cases(1500);
  for (int i = 0; i < tried; ++i) {
    auto pair = randomPair(random, planes, 2);
    const auto faces = trapezoidOverlap(pair[0], pair[1]);
    facing += faces.has_value();
    const auto found = earliestMeeting(pair[0], pair[1]);
    const auto proof = test::provenMeeting(pair[0], pair[1]);
    std::optional<Rational> truth;
    if (proof && !proof->never) truth = proof->time;
    // Where the proof does not clear what was found, all inequalities decide
    if (!proof || (truth && (!found || Rational(*found) > *truth))) {
      truth = test::firstMeeting(pair[0], pair[1]);
      ++wholly;
    }
    met += truth.has_value();
    hiddenForGood += !truth && !found && faces;
    if (!truth) continue;
    missed += !found;
    if (!found) continue;
    late += Rational(*found) > *truth;
    farEarly += *found < static_cast<Real>(*truth) - roundingOf(pair);
    ASSERT_TRUE(faces);
    laterThanFaces += *found > faces->first + 1e-3;
    ASSERT_GE(*found, faces->first) << "a plane never makes a meeting sooner";
  }
  EXPECT_EQ(missed, 0);
  EXPECT_EQ(late, 0);
  EXPECT_LT(farEarly, tried / 200);
  EXPECT_GT(met, tried / 10);
  EXPECT_GT(laterThanFaces, tried / 200) << "planes matter";
  EXPECT_GT(hiddenForGood, tried / 200);
  EXPECT_LT(wholly, tried / 100 + 10) << "the rest is proven by few inequalities";
  RecordProperty("pairs", tried);
  RecordProperty("with_faces_that_meet", facing);
  RecordProperty("met", met);
  RecordProperty("late_or_missed", late + missed);
  RecordProperty("by_whole_elimination", wholly);
}

TEST(EarliestMeeting, ComesBeforeSpheresTouchInAnyAdmissibleMotion) {
  Random random(5);
  std::array<std::vector<CuttingPlane>, 2> planes;
  int touched = 0, close = 0, hornsClose = 0;
  const int tried = cases(2000);
  for (int i = 0; i < tried; ++i) {
    auto pair = randomPair(random, planes, 2);
    // Most head for each other
    const Vec3 between = pair[0].position - pair[1].position;
    if (random.chance(0.8)) {
      pair[1].velocity = pair[0].velocity + between * random.between(0.3, 1.0);
      planes[1].clear();
      pair[1].planes = planes[1];
    }
    const Real start = std::max(pair[0].start, pair[1].start);
    const Real end = std::min(pair[0].end, pair[1].end);
    const auto meeting = earliestMeeting(pair[0], pair[1]);
    const auto tight = retightenedMeeting(pair[0], pair[1], 1e-3);
    ASSERT_EQ(meeting.has_value() || !tight, true);
    const auto horns = hornMeeting(pair[0], pair[1], 1e-3);
    ASSERT_TRUE(meeting || !horns || !(planes[0].empty() && planes[1].empty()));
    if (meeting && tight) {
      ASSERT_GE(*tight, *meeting);
    }
    for (int motion = 0; motion < 4; ++motion) {
      const test::AdmissibleMotion a(random, pair[0]), b(random, pair[1]);
      for (int step = 0; step <= 50; ++step) {
        const Real time = start + (end - start) * step / 50;
        const Real apart = glm::distance(a.at(time), b.at(time));
        if (apart > pair[0].radius + pair[1].radius) continue;
        ++touched;
        ASSERT_TRUE(tight) << "pair " << i;
        ASSERT_LE(*tight, time);
        ASSERT_TRUE(horns) << "pair " << i;
        ASSERT_LE(*horns, time);
        hornsClose += time - *horns < 0.1 && *horns > start;
        close += time - *tight < 0.1 && *tight > start;
        break;
      }
    }
  }
  EXPECT_GT(touched, tried / 10);
  EXPECT_GT(close, tried / 50) << "the answer is of use";
  EXPECT_GT(hornsClose, tried / 50);
}

TEST(EarliestMeeting, IsTheAnalyticContactOfUnacceleratedBodiesOnALine) {
  const SpaceTimeBound a{0.0, 10.0, Vec3(0.0), Vec3(1.0, 0.0, 0.0), 1.0, 0.0, {}};
  const SpaceTimeBound b{0.0, 10.0, Vec3(10.0, 0.0, 0.0), Vec3(-1.0, 0.0, 0.0), 1.0, 0.0, {}};
  const auto meeting = earliestMeeting(a, b);
  ASSERT_TRUE(meeting);
  EXPECT_LE(*meeting, 4.0);
  EXPECT_NEAR(*meeting, 4.0, 1e-9);
  // They are through each other at 6
  EXPECT_NEAR(trapezoidOverlap(a, b)->last, 6.0, 1e-9);
}

TEST(EarliestMeeting, OfCoincidentBodiesIsAtOnceAndOfStrangersNever) {
  const SpaceTimeBound a{2.0, 3.0, Vec3(1e7, 5.0, 0.0), Vec3(0.0), 0.0, 0.0, {}};
  EXPECT_EQ(earliestMeeting(a, a), std::optional<Real>(2.0));
  EXPECT_EQ(retightenedMeeting(a, a, 0.0), std::optional<Real>(2.0));
  SpaceTimeBound b = a;
  b.position.y += 1.0;
  EXPECT_FALSE(earliestMeeting(a, b)) << "at rest and apart";
  b = a;
  b.start = 4.0;
  b.end = 5.0;
  EXPECT_FALSE(earliestMeeting(a, b)) << "never alive together";
}

TEST(RetightenedMeeting, NearsTheMeetingOfTheHorns) {
  // Along one axis the horns meet when 2 + t^2 = 10 - 2 t: at t = 2
  const SpaceTimeBound a{0.0, 8.0, Vec3(0.0), Vec3(2.0, 0.0, 0.0), 1.0, 1.0, {}};
  const SpaceTimeBound b{0.0, 8.0, Vec3(10.0, 0.0, 0.0), Vec3(0.0), 1.0, 1.0, {}};
  EXPECT_LT(*earliestMeeting(a, b), 1.0);
  const auto tight = retightenedMeeting(a, b, 1e-6);
  ASSERT_TRUE(tight);
  EXPECT_LE(*tight, 2.0);
  EXPECT_NEAR(*tight, 2.0, 1e-3);
}

TEST(HornMeeting, IsThatOfTheSpheresAlongALine) {
  // 2 + t^2 = 10 - 2 t at t = 2, as above
  const SpaceTimeBound a{0.0, 8.0, Vec3(0.0), Vec3(2.0, 0.0, 0.0), 1.0, 1.0, {}};
  const SpaceTimeBound b{0.0, 8.0, Vec3(10.0, 0.0, 0.0), Vec3(0.0), 1.0, 1.0, {}};
  const auto horns = hornMeeting(a, b, 1e-9);
  ASSERT_TRUE(horns);
  EXPECT_LE(*horns, 2.0);
  EXPECT_NEAR(*horns, 2.0, 1e-7);
  // The same seen from later: bounds that began before, at different times
  SpaceTimeBound later = b;
  later.start = 1.0;
  const auto met = hornMeeting(a, later, 1e-9);
  ASSERT_TRUE(met);
  EXPECT_NEAR(*met, 0.5 * (std::sqrt(31.0) - 1.0), 1e-6);
  EXPECT_GT(*met, *horns) << "the younger horn is narrower";
}

TEST(HornMeeting, IsNeverLaterThanTheLeastRootAndNearIt) {
  Random random(11);
  std::array<std::vector<CuttingPlane>, 2> planes;
  int met = 0, never = 0, near = 0, tight = 0;
  const int tried = cases(4000);
  for (int i = 0; i < tried; ++i) {
    const auto pair = randomPair(random, planes, 0);
    const Real start = std::max(pair[0].start, pair[1].start);
    const Real end = std::min(pair[0].end, pair[1].end);
    const auto horns = hornMeeting(pair[0], pair[1], 1e-6);
    const auto trapezoids = earliestMeeting(pair[0], pair[1]);
    ASSERT_TRUE(trapezoids || !horns) << "pair " << i;
    // By small steps
    std::optional<Real> truth;
    for (int step = 0; step <= 2000 && !truth; ++step) {
      const Real time = start + (end - start) * step / 2000;
      const auto radius = [time](const SpaceTimeBound& bound) {
        const Real s = time - bound.start;
        return bound.radius + 0.5 * bound.acceleration * s * s;
      };
      const auto centre = [time](const SpaceTimeBound& bound) {
        return bound.position + bound.velocity * (time - bound.start);
      };
      if (glm::distance(centre(pair[0]), centre(pair[1])) <= radius(pair[0]) + radius(pair[1]))
        truth = time;
    }
    never += !truth && !horns;
    if (!truth) continue;
    ++met;
    ASSERT_TRUE(horns) << "pair " << i;
    ASSERT_LE(*horns, *truth);
    near += *horns >= *truth - (end - start) / 1000 - 1e-3;
    tight += *horns >= *trapezoids - 1e-3;
  }
  EXPECT_GT(met, tried / 25);
  EXPECT_GT(never, tried / 10);
  // Horns that graze are neared but slowly
  EXPECT_GT(near, met * 95 / 100);
  EXPECT_GT(tight, met * 95 / 100);
}

}  // namespace
}  // namespace nearmiss
