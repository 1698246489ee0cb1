// SPDX-License-Identifier: MIT
/// Times so short that they vanish: promises, resolutions and steps next to 0, and clocks so late
/// that a step is less than their last digit. Every search comes to its end, and every answer is
/// right.
#include <gtest/gtest.h>
#include <nearmiss/rivals/catalog.h>
#include <nearmiss/rivals/meeting_search.h>
#include <sys/resource.h>

#include <cmath>
#include <cstdlib>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "support/broad_phases.h"
#include "support/random.h"
#include "support/test_name.h"
#include "support/untrapped.h"

namespace nearmiss {
namespace {

using test::Random;

constexpr Real least = std::numeric_limits<Real>::denorm_min();

/// Bodies about a point, some of which touch, most of which are going to.
std::vector<BodyState> bodiesAt(Random& random, int count) {
  std::vector<BodyState> bodies(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    BodyState& body = bodies[i];
    body.key = static_cast<std::uint32_t>(i + 1);
    body.pose.position = random.chance(0.5) ? random.inCube(3.0) : random.onLattice(2);
    body.velocity = -body.pose.position * (random.chance(0.3) ? 1e12 : 1.0);
    body.shape = ShapeRef::ofRadius(random.between(0.1, 0.6));
    body.accelerationBound = random.chance(0.5) ? 0.0 : 1.0;
  }
  return bodies;
}

void limitProcessorTime() {
  const rlimit seconds{20, 20};
  (void)setrlimit(RLIMIT_CPU, &seconds);
}

/// First in a process of its own that may take so many seconds of a processor: a search that never
/// ends turns red there instead of staying silent here.
template <class Work>
void runToTheEnd(const Work& work) {
  ASSERT_EXIT(
      {
        limitProcessorTime();
        work();
        std::exit(0);
      },
      testing::ExitedWithCode(0), "");
  work();
}

class VanishingTimes : public testing::TestWithParam<std::string_view> {};

/// How many bound tests a call for so few bodies may take, by far.
constexpr std::uint64_t maxTests = 100'000;

void callOften(std::string_view name) {
  Random random(5);
  std::vector<BodyPair> found, truth;
  const auto reference = makeAllPairsBroadPhase();
  std::size_t touching = 0, calls = 0;
  for (const Real start : {0.0, least, -least, 1e-300, 1.0, 1e9, 1e17, -1e17, 1e300})
    for (const Real promise : {least, 20.0 * least, 1e-310, 1e-300, 1e-17, 1.0, 1e300})
      for (const Real resolution : {0.0, least, 1e-310, 1e-17, 0.05, 1e300}) {
        const auto tried = findBroadPhase(name)->make();
        if (resolution > 0.0) tried->setResolution(resolution);
        auto bodies = bodiesAt(random, 12);
        // One bound alone is so short, or all
        const bool all = random.chance(0.5);
        Real time = start;
        for (int call = 0; call < 6; ++call) {
          for (BodyState& body : bodies)
            body.boundHoldsUntil = all || body.key == 3 ? time + promise : time + 1.0;
          const Real noContactBefore = tried->findPairs(bodies, time, found);
          reference->findPairs(bodies, time, truth);
          ASSERT_EQ(found, truth) << start << ", " << promise << ", " << resolution;
          ASSERT_GE(noContactBefore, time);
          // A bound so short of one body limits the contact-free time
          ASSERT_LE(noContactBefore, time + promise)
              << start << ", " << promise << ", " << resolution;
          ASSERT_LT(tried->work().boundTests, maxTests);
          touching += found.size();
          ++calls;
          // On by as little as a clock can, by the contact-free time, by the step
          const Real next = std::nextafter(time, std::numeric_limits<Real>::infinity());
          time = call % 3 == 0   ? next
                 : call % 3 == 1 ? std::max(next, noContactBefore)
                                 : time + promise;
          if (random.chance(0.2)) ++bodies[0].motionEpoch;
        }
      }
  EXPECT_GT(touching, calls / 4);
}

TEST_P(VanishingTimes, EndNoSearch) {
  const nearmiss::test::Untrapped endsOfTheRange;
  const std::string_view name = GetParam();
  runToTheEnd([name] { callOften(name); });
}

INSTANTIATE_TEST_SUITE_P(Catalog, VanishingTimes, testing::ValuesIn(test::lookingAhead()),
                         [](const auto& tested) { return test::testName(tested.param); });

/// The searches on their own, each from beginning to end.
void searchToTheEnd(MeetingSearch& search, Real longest) {
  Random random(6);
  std::size_t told = 0;
  for (const auto& [from, until] :
       {std::pair{0.0, least}, std::pair{0.0, 63.0 * least}, std::pair{0.0, 1e-310},
        std::pair{1.0, std::nextafter(1.0, 2.0)}, std::pair{1e17, std::nextafter(1e17, 1e18)},
        std::pair{-1e17, std::nextafter(-1e17, 0.0)}, std::pair{0.0, 1e300}})
    for (int round = 0; round < 20 && until - from <= longest; ++round) {
      const auto bodies = bodiesAt(random, 12);
      std::vector<SpaceTimeBound> bounds;
      for (const BodyState& body : bodies) bounds.push_back(spaceTimeBound(body, from, until));
      search.start(bounds, from, until);
      std::size_t meetings = search.overlapping().size();
      while (const auto meeting = search.next()) {
        ASSERT_GE(meeting->time, from);
        ASSERT_LE(meeting->time, until);
        ASSERT_LE(++meetings, 66u) << "each pair is told once";
      }
      ASSERT_LT(search.counts().crossings, maxTests);
      told += meetings;
    }
  EXPECT_GT(told, 1000u);
}

TEST(MeetingSearches, EndThoughTheTimeIsTooShortToDivide) {
  const nearmiss::test::Untrapped endsOfTheRange;
  for (const auto crossings : {Crossings::Queued, Crossings::Sliced})
    runToTheEnd([&] { searchToTheEnd(*makeProjectionSearch(crossings), 1e300); });
  for (const auto lists : {PairLists::Kept, PairLists::None})
    runToTheEnd([&] {
      // Of any length, and down to where halves are whole
      searchToTheEnd(**makeSubdivisionSearch(1e297, lists), 1e300);
      searchToTheEnd(**makeSubdivisionSearch(least, lists), 100.0);
    });
}

}  // namespace
}  // namespace nearmiss
