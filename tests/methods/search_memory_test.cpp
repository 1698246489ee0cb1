// SPDX-License-Identifier: MIT
/// Searches for the meetings of bounds keep their memory: the second time they take none.
#include <gtest/gtest.h>
#include <nearmiss/methods/meeting_search.h>

#include <array>
#include <cmath>
#include <memory>
#include <vector>

#include "methods/bound_sets.h"
#include "methods/horn_pairs.h"
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
      makeSubdivisionSearch(0.02, PairLists::Kept), makeSubdivisionSearch(0.02, PairLists::None)};
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

}  // namespace
}  // namespace nearmiss
