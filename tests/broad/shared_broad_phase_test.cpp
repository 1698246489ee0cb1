// SPDX-License-Identifier: MIT
/// A broad phase whose calls the workers of a pool share: answers, times and counted work are those
/// of one worker, and of all pairs.
#include <gtest/gtest.h>
#include <nearmiss/advanced/broad_phase.h>
#include <nearmiss/advanced/worker_pool.h>

#include <atomic>
#include <memory>
#include <vector>

#include "broad/shared_parts.h"
#include "rivals/promised_flight.h"
#include "support/campaign.h"

namespace nearmiss {
namespace {

/// Enough for every part of a call to be shared.
test::FlightSettings crowd() {
  test::FlightSettings settings;
  settings.count = 6000;
  settings.arena = 10.0;
  settings.jumpRate = 2.0;
  return settings;
}

TEST(SharedBroadPhase, FindsWhatOneWorkerFinds) {
  std::vector<std::unique_ptr<WorkerPool>> pools;
  std::vector<std::unique_ptr<BroadPhase>> shared;
  for (const int workers : {1, 2, 3, 5}) {
    pools.push_back(std::make_unique<WorkerPool>(workers));
    shared.push_back(makeSpaceTimeGridBroadPhase());
    shared.back()->shareWork(pools.back().get());
  }
  const auto alone = makeSpaceTimeGridBroadPhase(), reference = makeAllPairsBroadPhase();
  test::PromisedFlight flight(31, crowd());
  std::vector<BodyPair> found, expected, truth;
  std::size_t meetings = 0;
  for (int call = 0; call < test::cases(40); ++call) {
    flight.advance(0.01);
    const Real until = alone->findPairs(flight.bodies(), flight.time(), expected);
    for (const auto& phase : shared) {
      ASSERT_EQ(phase->findPairs(flight.bodies(), flight.time(), found), until) << call;
      ASSERT_EQ(found, expected) << call;
      ASSERT_EQ(phase->work().boundTests, alone->work().boundTests) << call;
    }
    meetings += expected.size();
    if (call % 8 != 0) continue;
    reference->findPairs(flight.bodies(), flight.time(), truth);
    ASSERT_EQ(expected, truth) << call;
  }
  EXPECT_GT(meetings, 1000u * static_cast<std::size_t>(test::cases(40)));
}

TEST(SharedParts, AreDoneOnceEach) {
  WorkerPool pool(3);
  for (const std::size_t items : {0u, 1u, 7u, 8u, 9u, 1000u})
    for (WorkerPool* const used : {&pool, static_cast<WorkerPool*>(nullptr)}) {
      std::vector<std::atomic<int>> done(items);
      std::vector<std::atomic<int>> parts(partCount(items, 8));
      forEachPart(used, items, 8, [&](std::size_t part, std::size_t first, std::size_t end) {
        EXPECT_EQ(first, 8 * part);
        EXPECT_LT(first, end);
        ++parts[part];
        for (std::size_t i = first; i < end; ++i) ++done[i];
      });
      for (const auto& times : done) ASSERT_EQ(times, 1) << items;
      for (const auto& times : parts) ASSERT_EQ(times, 1) << items;
    }
}

}  // namespace
}  // namespace nearmiss
