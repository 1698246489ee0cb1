// SPDX-License-Identifier: MIT
/// Detections that several threads share, against those of one.
#include <gtest/gtest.h>
#include <nearmiss/advanced/detector.h>
#include <nearmiss/rivals/catalog.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <stdexcept>
#include <thread>
#include <vector>

#include "support/campaign.h"
#include "support/narrow.h"
#include "support/pairs.h"
#include "support/shapes.h"

namespace nearmiss {
namespace {

using namespace std::chrono_literals;
using test::cases;
using test::Random;

const test::ShapeKit& shapes() {
  static const test::ShapeKit kit({test::torus(12, 6), test::sphere(7, 9), test::cube()}, 3);
  return kit;
}

/// Enough bodies for pairs to be shared.
std::vector<BodyState> clump(std::uint64_t seed) {
  Random random(seed);
  auto bodies = test::clumpOf(shapes().polyhedra, random, 40, 2.5);
  for (BodyState& body : bodies) {
    body.velocity = random.inCube(3.0);
    body.importance = static_cast<std::uint32_t>(random.bits() % 100);
  }
  return bodies;
}

std::unique_ptr<Detector> detectorOf(const NarrowPhaseEntry& entry, WorkerPool* pool) {
  auto detector =
      std::make_unique<Detector>(makeAllPairsBroadPhase(), entry.make(shapes().tables()));
  detector->shareWork(pool);
  return detector;
}

void expectSame(const Detection& found, const Detection& expected) {
  ASSERT_EQ(found.pairs.size(), expected.pairs.size());
  for (std::size_t i = 0; i < found.pairs.size(); ++i) {
    ASSERT_EQ(found.pairs[i].bodies, expected.pairs[i].bodies);
    test::expectSame(found.pairs[i].refinement, expected.pairs[i].refinement);
  }
  EXPECT_EQ(found.steps, expected.steps);
  EXPECT_EQ(found.complete, expected.complete);
  EXPECT_EQ(found.narrowWork.boundTests, expected.narrowWork.boundTests);
  EXPECT_EQ(found.narrowWork.triangleTests, expected.narrowWork.triangleTests);
  EXPECT_EQ(found.postponed.size(), expected.postponed.size());
}

/// True if the detections of a pool were ever shared: a thread may awake too late.
bool someThreadJoins(WorkerPool& pool) {
  std::atomic<bool> joined{false};
  for (int i = 0; i < 1000 && !joined; ++i)
    pool.run([&](int worker) {
      if (worker != 0) joined = true;
      const auto end = std::chrono::steady_clock::now() + 2ms;
      while (!joined && std::chrono::steady_clock::now() < end) std::this_thread::yield();
    });
  return joined;
}

TEST(WorkerPool, RunsEveryPieceOnce) {
  for (const int workers : {1, 2, 5}) {
    WorkerPool pool(workers);
    EXPECT_LE(pool.workers(), workers);
    EXPECT_GE(pool.workers(), 1);
    for (int run = 0; run < 300; ++run) {
      std::vector<std::atomic<int>> done(97);
      std::atomic<std::size_t> next{0};
      pool.run([&](int worker) {
        EXPECT_GE(worker, 0);
        EXPECT_LT(worker, pool.workers());
        for (std::size_t i = next++; i < done.size(); i = next++) ++done[i];
      });
      for (const auto& each : done) EXPECT_EQ(each, 1);
    }
    EXPECT_EQ(someThreadJoins(pool), workers > 1);
  }
}

TEST(WorkerPool, ThrowsWhatItsWorkersThrow) {
  WorkerPool pool(3);
  for (int run = 0; run < 100; ++run) {
    EXPECT_THROW(pool.run([](int) { throw std::runtime_error("work"); }), std::runtime_error);
    std::atomic<int> calls{0};
    pool.run([&](int) { ++calls; });
    EXPECT_GE(calls, 1);
  }
}

TEST(SharedWork, GivesTheAnswersOfOneWorkerByEveryMethodAndOrder) {
  WorkerPool pool(4);
  ASSERT_TRUE(someThreadJoins(pool));
  for (const NarrowPhaseEntry& entry : narrowPhaseCatalog()) {
    SCOPED_TRACE(entry.name);
    const auto alone = detectorOf(entry, nullptr), shared = detectorOf(entry, &pool);
    for (int seed = 0; seed < cases(6); ++seed) {
      const auto bodies = clump(static_cast<std::uint64_t>(seed));
      for (const RefinementOrderEntry& order : refinementOrderCatalog()) {
        alone->setOrder(order.order);
        shared->setOrder(order.order);
        const Detection& expected = alone->detect(bodies, seed, TimeBudget::unlimited());
        const Detection& found = shared->detect(bodies, seed, TimeBudget::unlimited());
        ASSERT_GT(expected.pairs.size(), 100u);
        expectSame(found, expected);
      }
      std::vector<ContactSpheres> contacts, others;
      for (std::size_t i = 0; i < shared->last().pairs.size(); i += 7) {
        shared->contacts(i, 20, contacts);
        alone->contacts(i, 20, others);
        EXPECT_EQ(contacts.size(), others.size());
      }
    }
  }
}

/// Every worker lists the pairs of links, however many wake up in time.
TEST(SharedWork, CountsTheLinksOfBodiesOnce) {
  WorkerPool pool(4);
  ASSERT_TRUE(someThreadJoins(pool));
  const NarrowPhaseEntry& entry = *findNarrowPhase("sphere-tree");
  const auto alone = detectorOf(entry, nullptr), shared = detectorOf(entry, &pool);
  std::vector<BodyState> bodies = clump(3);
  std::vector<std::vector<Link>> links(bodies.size());
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const Vec3 aside(0.4, 0.0, 0.0);
    for (const Real side : {-1.0, 1.0})
      links[i].push_back({bodies[i].shape, {side * aside, Quat(1.0, 0.0, 0.0, 0.0)}});
    bodies[i].shape = ShapeRef::ofRadius(bodies[i].shape.radius() + 0.5, bodies[i].shape.index());
    bodies[i].links = links[i];
  }
  const Detection& expected = alone->detect(bodies, 0.0, TimeBudget::unlimited());
  ASSERT_GT(expected.pairs.size(), 100u);
  for (int i = 0; i < 20; ++i)
    expectSame(shared->detect(bodies, 0.0, TimeBudget::unlimited()), expected);
}

TEST(SharedWork, LeavesAWorkClockToOneWorker) {
  WorkerPool pool(4);
  const NarrowPhaseEntry& entry = *findNarrowPhase("sphere-tree");
  const auto alone = detectorOf(entry, nullptr), shared = detectorOf(entry, &pool);
  std::size_t cutShort = 0;
  for (int seed = 0; seed < cases(10); ++seed) {
    const auto bodies = clump(static_cast<std::uint64_t>(seed));
    for (const Clock::Duration allowance : {0us, 20us, 200us, 10'000us}) {
      WorkClock own, others;
      const Detection& expected = alone->detect(bodies, seed, TimeBudget(own, allowance));
      const Detection& found = shared->detect(bodies, seed, TimeBudget(others, allowance));
      expectSame(found, expected);
      EXPECT_EQ(own.now(), others.now());
      cutShort += !expected.complete;
    }
  }
  EXPECT_GT(cutShort, static_cast<std::size_t>(cases(10)));
}

TEST(SharedWork, KeepsItsPromisesWhenTimeIsShort) {
  WorkerPool pool(4);
  SteadyClock clock;
  for (const NarrowPhaseEntry& entry : narrowPhaseCatalog()) {
    SCOPED_TRACE(entry.name);
    const auto alone = detectorOf(entry, nullptr), shared = detectorOf(entry, &pool);
    std::size_t waiting = 0, looked = 0;
    for (int step = 0; step < cases(40); ++step) {
      const auto bodies = clump(static_cast<std::uint64_t>(step / 20));
      const Detection& truth = alone->detect(bodies, step, TimeBudget::unlimited());
      const Detection& found = shared->detect(bodies, step, TimeBudget(clock, 30us));
      // Examined and waiting pairs together are all pairs
      ASSERT_EQ(found.pairs.size() + found.postponed.size(), truth.pairs.size());
      std::size_t at = 0;
      for (const DetectedPair& pair : found.pairs) {
        while (truth.pairs[at].bodies < pair.bodies) ++at;
        ASSERT_EQ(truth.pairs[at].bodies, pair.bodies);
        const Verdict verdict = truth.pairs[at].refinement.verdict;
        if (pair.refinement.verdict == Verdict::Possible) continue;
        EXPECT_EQ(pair.refinement.verdict, verdict);
      }
      for (const PostponedPair& pair : found.postponed)
        EXPECT_LE(pair.wait.detections, maxPairWait);
      waiting += found.postponed.size();
      looked += found.pairs.size();
    }
    EXPECT_GT(looked, 0u);
    // Without levels, too, the first step of a pair is all that it gets
    EXPECT_TRUE(waiting > 0 || entry.name == "sphere-tree");
  }
}

TEST(SharedWork, GoesOnWithoutAPool) {
  const NarrowPhaseEntry& entry = *findNarrowPhase("sphere-tree");
  const auto detector = detectorOf(entry, nullptr);
  const auto bodies = clump(3);
  std::size_t steps = 0;
  {
    WorkerPool pool(3);
    detector->shareWork(&pool);
    steps = detector->detect(bodies, 0.0, TimeBudget::unlimited()).steps;
    detector->shareWork(nullptr);
  }
  EXPECT_EQ(detector->detect(bodies, 1.0, TimeBudget::unlimited()).steps, steps);
}

TEST(SharedWork, LeavesTheContactsOfTheLastDetectionWhereItEnds) {
  WorkerPool pool(3);
  const auto detector = detectorOf(*findNarrowPhase("sphere-tree"), &pool);
  const auto bodies = clump(3);
  const Detection& found = detector->detect(bodies, 0.0, TimeBudget::unlimited());
  const auto contactsOf = [&] {
    std::vector<std::size_t> counts;
    std::vector<ContactSpheres> contacts;
    for (std::size_t i = 0; i < found.pairs.size(); ++i) {
      detector->contacts(i, 100, contacts);
      counts.push_back(contacts.size());
    }
    return counts;
  };
  const auto before = contactsOf();
  EXPECT_GT(std::ranges::count_if(before, [](std::size_t n) { return n > 0; }), 10);
  detector->shareWork(nullptr);
  EXPECT_EQ(contactsOf(), before);
}

}  // namespace
}  // namespace nearmiss
