// SPDX-License-Identifier: MIT
/// A flight taken up again: from a snapshot, as if nothing had been flown beyond it; after a frame
/// that was given up; and after frames that only repeated work.
#include <engine/flight/simulation.h>
#include <gtest/gtest.h>
#include <nearmiss/rivals/catalog.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/flying.h"

namespace nearmiss::engine {
namespace {

using test::hangar;

/// The user's ship and another one, at rest and without engines.
std::unique_ptr<Simulation> twoAtRest(std::string_view broad, Clock& clock) {
  World world(Arena{2000.0, 0.0, 0.0});
  ShipDef ship;
  ship.shape = ShapeRef::ofRadius(hangar().polyhedra[0].radius());
  ship.limits = {0.0, 0.0, 0.0, 0.0};
  const ShipId user = *world.ships().create(ship);
  ship.pose.position = {3.5, 0.0, 0.0};
  EXPECT_TRUE(world.ships().create(ship));
  return std::make_unique<Simulation>(std::move(world), user, DronePilots(1, PilotSettings{}),
                                      hangar().detector("brute-force", broad), clock, Shapes());
}

/// Throws the other ship from where it is, in a frame without motion: times, places and motion
/// epochs of two such throws are the same.
void throwOther(Simulation& simulation, const Vec3& velocity) {
  const BodyState& other = simulation.world().states()[1];
  const HandAct act{HandAct::Kind::Put, other.key, other.pose.position, velocity};
  FrameInput input;
  input.dt = 0.0;
  input.acts = {&act, 1};
  simulation.advance(input);
}

/// Collisions of each frame.
std::vector<std::size_t> collisionsIn(Simulation& simulation, int frames) {
  FrameInput input;
  input.dt = input.detectStep = 0.05;
  std::vector<std::size_t> collisions;
  for (int i = 0; i < frames; ++i)
    collisions.push_back(simulation.advance(input).collisions.size());
  return collisions;
}

TEST(RestoredFlight, HasNoBoundsOfAnotherBranch) {
  const Vec3 away(0.0, 9.0, 0.0), towards(-20.0, 0.0, 0.0);
  for (const BroadPhaseEntry& broad : broadPhaseCatalog()) {
    SCOPED_TRACE(broad.name);
    std::vector<std::vector<std::size_t>> branches;
    for (const bool another : {false, true}) {
      WorkClock clock;
      const auto simulation = twoAtRest(broad.name, clock);
      (void)collisionsIn(*simulation, 2);
      const Snapshot past = simulation->snapshot();
      if (another) throwOther(*simulation, away);
      simulation->restore(past);
      throwOther(*simulation, towards);
      branches.push_back(collisionsIn(*simulation, 8));
    }
    EXPECT_EQ(branches[0], branches[1]);
    EXPECT_NE(branches[0], std::vector<std::size_t>(8, 0)) << "they meet";
  }
}

/// Cancels at its `last` reading.
class CancellingClock final : public Clock {
 public:
  explicit CancellingClock(int last) noexcept : left_(last) {}
  [[nodiscard]] Duration now() const noexcept override {
    cancelled = cancelled || --left_ == 0;
    return Duration{};
  }
  mutable std::atomic<bool> cancelled{false};

 private:
  mutable int left_;
};

/// Of whatever length: frames of few strides end by themselves.
TEST(CancelledFrame, IsGivenUpAsIfItHadNotBegun) {
  constexpr int frames = 3;
  FrameInput shortFrame, longFrame;
  shortFrame.dt = shortFrame.detectStep = 0.05;
  longFrame.dt = 1e3;
  longFrame.detectStep = 1.0;
  std::array<std::uint64_t, 2> ends{};
  for (const bool cancels : {false, true}) {
    CancellingClock clock(50);
    const auto simulation = twoAtRest("all-pairs", clock);
    if (cancels) simulation->setCancelled(&clock.cancelled);
    throwOther(*simulation, {-0.01, 0.0, 0.0});
    (void)collisionsIn(*simulation, frames);
    if (cancels) {
      const std::uint64_t before = stateHash(simulation->world().ships());
      const HandAct act{HandAct::Kind::Put, 2, Vec3(9.0), Vec3(0.0)};
      FrameInput input = longFrame;
      input.acts = {&act, 1};
      const FrameOutput& given = simulation->advance(input);
      EXPECT_TRUE(given.cancelled);
      EXPECT_EQ(given.bodies.size(), 2u);
      EXPECT_EQ(stateHash(simulation->world().ships()), before);
      EXPECT_FALSE(simulation->advance(shortFrame).cancelled);
      clock.cancelled = false;
    } else {
      EXPECT_FALSE(simulation->advance(shortFrame).cancelled);
    }
    const FrameOutput& whole = simulation->advance(longFrame);
    EXPECT_FALSE(whole.cancelled);
    EXPECT_EQ(whole.profile.frame, static_cast<std::uint64_t>(frames) + 2);
    ends[cancels] = stateHash(simulation->world().ships());
  }
  EXPECT_EQ(ends[0], ends[1]);
}

/// Repeated work needs no broad phase, whose bounds a ship may meanwhile have left by a jump.
TEST(RepeatedFrames, HideNoJumpFromTheDetectionsAfterThem) {
  for (const BroadPhaseEntry& broad : broadPhaseCatalog()) {
    SCOPED_TRACE(broad.name);
    WorkClock clock;
    const auto simulation = twoAtRest(broad.name, clock);
    FrameInput input;
    input.dt = input.detectStep = 0.05;
    input.detectionBudget = std::chrono::seconds(1);
    for (int i = 0; i < 2; ++i) EXPECT_EQ(simulation->advance(input).collisions.size(), 0u);
    const HandAct act{HandAct::Kind::Put, simulation->world().states()[1].key, Vec3(0.3), {}};
    const std::array<GrantedWork, 1> nothing{};
    FrameInput repeated = input;
    repeated.acts = {&act, 1};
    repeated.repeated = nothing;
    EXPECT_EQ(simulation->advance(repeated).collisions.size(), 0u) << "no work was granted";
    EXPECT_EQ(simulation->advance(input).collisions.size(), 1u);
  }
}

TEST(RestoredFlight, LooksAgainWhereADetectorIsNew) {
  for (const BroadPhaseEntry& broad : broadPhaseCatalog()) {
    SCOPED_TRACE(broad.name);
    WorkClock clock;
    const auto simulation = twoAtRest(broad.name, clock);
    (void)collisionsIn(*simulation, 2);
    const auto detector = [&] { return hangar().detector("brute-force", broad.name); };
    simulation->setDetector(detector());
    const auto twin = simulation->twin(simulation->snapshot(), detector(), clock);
    FrameInput input;
    input.dt = input.detectStep = 0.05;
    const std::size_t looks = simulation->advance(input).profile.detections;
    EXPECT_GT(looks, 0u);
    EXPECT_EQ(twin->advance(input).profile.detections, looks);
  }
}

}  // namespace
}  // namespace nearmiss::engine
