// SPDX-License-Identifier: MIT
// Counts what the heap is asked for during frames. Alone in its program, for it replaces the
// global operator new.
#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <new>

#include "engine/flying.h"

namespace {
std::atomic<long> allocations{0};
}

void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  ++allocations;
  return std::malloc(size == 0 ? 1 : size);
}
void* operator new(std::size_t size) {
  if (void* p = operator new(size, std::nothrow)) return p;
  throw std::bad_alloc();
}
void operator delete(void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }

namespace nearmiss::engine {
namespace {

/// Ships at rest that stand in each other: the same pairs, fully refined, in every frame.
TEST(Frame, AllocatesNothingInASteadyScene) {
  for (const std::string_view broad :
       {"all-pairs", "sweep-and-prune", "space-time", "space-time-grid"})
    for (const std::string_view narrow : {"sphere-tree", "brute-force"}) {
      World world;
      ShipId user;
      for (int i = 0; i < 6; ++i) {
        ShipDef def;
        def.pose.position = {0.9 * i, 0.0, 0.0};
        user = *world.create(def);
      }
      SteadyClock clock;
      Simulation simulation(std::move(world), user, DronePilots(1, PilotSettings{}),
                            test::hangar().detector(narrow, broad), clock);
      FrameInput input;
      input.response = Response::Teleport;  // acts on every pair, and keeps the scene as it is
      for (int i = 0; i < 5; ++i) simulation.advance(input);
      const long before = allocations;
      std::size_t collisions = 0;
      for (int i = 0; i < 20; ++i) collisions += simulation.advance(input).collisions.size();
      EXPECT_EQ(allocations - before, 0) << broad << ", " << narrow;
      EXPECT_GT(collisions, 100u);
    }
}

}  // namespace
}  // namespace nearmiss::engine
