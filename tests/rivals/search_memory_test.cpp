// SPDX-License-Identifier: MIT
/// Searches for the meetings of bounds keep their memory: the second time they take none. And a
/// schedule that lacked memory once.
#include <gtest/gtest.h>
#include <nearmiss/rivals/catalog.h>
#include <nearmiss/rivals/meeting_search.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <memory>
#include <new>
#include <vector>

#include "rivals/bound_sets.h"
#include "rivals/horn_pairs.h"
#include "rivals/promised_flight.h"
#include "support/allocations.h"

namespace nearmiss {
namespace {

using test::Random;

std::vector<test::BoundSet> someSets() {
  Random random(33);
  std::vector<test::BoundSet> sets;
  for (const auto kind : {test::Kind::Plain, test::Kind::Planes, test::Kind::Lattice})
    for (const int count : {20, 200})
      sets.push_back(test::randomSet(random, kind, count, 2.0 * std::cbrt(count)));
  return sets;
}

TEST(MeetingSearches, TakeNoMemoryTheSecondTime) {
  const auto sets = someSets();
  const std::array<std::unique_ptr<MeetingSearch>, 4> searches{
      makeProjectionSearch(Crossings::Queued), makeProjectionSearch(Crossings::Sliced),
      *makeSubdivisionSearch(0.02, PairLists::Kept), *makeSubdivisionSearch(0.02, PairLists::None)};
  for (std::size_t i = 0; i < searches.size(); ++i) {
    std::size_t told = 0;
    const auto search = [&] {
      for (const test::BoundSet& set : sets) {
        searches[i]->start(set.bounds, set.from, set.until);
        for (int meeting = 0; meeting < 20 && searches[i]->next(); ++meeting) ++told;
      }
    };
    EXPECT_GT(test::allocationsIn(search), 0u);
    EXPECT_EQ(test::allocationsIn(search), 0u) << "search " << i;
    EXPECT_GT(told, 100u);
  }
}

TEST(HornPairs, TakeNoMemoryTheSecondTime) {
  const auto sets = someSets();
  HornPairs pairs;
  std::size_t told = 0;
  const auto search = [&] {
    for (const test::BoundSet& set : sets) {
      pairs.start(set.bounds, {}, set.from, set.until, 0.01);
      while (pairs.next()) ++told;
    }
  };
  EXPECT_GT(test::allocationsIn(search), 0u);
  EXPECT_EQ(test::allocationsIn(search), 0u);
  EXPECT_GT(told, 100u);
}

/// Each allocation of the first calls fails once; the call made again finds all pairs.
TEST(Schedule, FindsAllPairsAfterALackOfMemory) {
  std::size_t failed = 0, after = 0;
  for (std::size_t before = 0; after == 0 || failed > before; ++after) {
    before = failed;
    test::PromisedFlight flight(3, {.count = 20, .arena = 2.0});
    const auto schedule = findBroadPhase("schedule")->make(), judge = makeAllPairsBroadPhase();
    std::vector<BodyPair> found, expected;
    const auto call = [&] { schedule->findPairs(flight.bodies(), flight.time(), found); };
    const auto lacksMemory = [&] {
      try {
        call();
        return false;
      } catch (const std::bad_alloc&) {
        return true;
      }
    };
    for (int frame = 0; frame < 3; ++frame) {
      failed += test::shortOfMemory(after, 1, lacksMemory);
      call();
      judge->findPairs(flight.bodies(), flight.time(), expected);
      ASSERT_EQ(found, expected) << after << ", " << frame;
      flight.advance(0.3);
    }
  }
  EXPECT_GT(failed, 5u);
}

}  // namespace
}  // namespace nearmiss
