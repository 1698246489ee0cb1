// SPDX-License-Identifier: MIT
/// The broad phase changes in the middle of a flight: the state goes on, and no meeting that lasts
/// long enough goes unseen between the old one and the new.
#include <gtest/gtest.h>

#include <cstdint>
#include <string_view>
#include <vector>

#include "engine/recorded_flights.h"
#include "support/broad_phases.h"
#include "support/campaign.h"

namespace nearmiss::engine {
namespace {

/// Ships that pass through each other, so that the flight is the same with any method; each call is
/// recorded. A switch every few frames, to any other method of the catalogue.
TEST(BroadPhaseSwitch, MissesNoMeetingThatLastsLongEnough) {
  std::size_t lasting = 0, across = 0, switches = 0;
  const auto catalog = broadPhaseCatalog();
  for (int seed = 1; seed <= nearmiss::test::cases(8); ++seed) {
    WorkClock clock;
    std::vector<test::Sample> calls, looks;
    const auto key = static_cast<std::uint64_t>(seed);
    const int drones = 2 + seed % 4;
    const auto driven = test::ghosts(key, drones, "space-time-queue", calls, clock);
    const auto watched = test::ghosts(key, drones, "all-pairs", looks, clock);
    SplitMix random(key);
    std::vector<Real> switched;
    for (int frame = 0; frame < 300; ++frame) {
      if (random.between(0.0, 1.0) < 0.3) {
        const auto next = static_cast<std::size_t>(random.bits() % catalog.size());
        driven->setDetector(std::make_unique<Detector>(
            std::make_unique<test::Recorded>(catalog[next].name, calls),
            findNarrowPhase("brute-force")->make(test::specks().tables())));
        switched.push_back(driven->world().time());
      }
      FrameInput input = test::scripted(frame);
      driven->advance(input);
      input.detectStep = 0.05 / 100.0;
      watched->advance(input);
      ASSERT_EQ(stateHash(driven->world().ships()), stateHash(watched->world().ships()));
    }
    switches += switched.size();
    for (const test::Meeting& meeting : test::meetingsIn(looks)) {
      if (meeting.last - meeting.first < 0.05) continue;
      ++lasting;
      for (const Real time : switched) across += time > meeting.first && time < meeting.last;
      EXPECT_TRUE(test::isSeen(meeting, calls)) << "seed " << seed << ": " << meeting;
    }
  }
  EXPECT_GT(switches, 500u);
  EXPECT_GT(lasting, 20u);
  EXPECT_GT(across, 20u) << "switches while two meet";
}

/// Where ships bounce, all methods give one and the same flight, however often they take turns.
TEST(BroadPhaseSwitch, LeavesTheFlightAsItIs) {
  const auto catalog = broadPhaseCatalog();
  std::size_t collisions = 0, skipped = 0;
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    WorkClock clock;
    const test::Start start{.seed = seed, .drones = 9};
    const auto steady = test::subtractStolen(start, test::hangar().detector("sphere-tree"), clock);
    const auto switching =
        test::subtractStolen(start, test::hangar().detector("sphere-tree"), clock);
    for (int frame = 0; frame < 150; ++frame) {
      if (frame % 3 == 2) {
        const auto next = static_cast<std::size_t>(frame / 3) % catalog.size();
        switching->setDetector(test::hangar().detector("sphere-tree", catalog[next].name));
      }
      const FrameOutput& expected = steady->advance(test::scripted(frame));
      const FrameOutput& found = switching->advance(test::scripted(frame));
      collisions += expected.collisions.size();
      skipped += found.profile.detectionsSkipped;
      ASSERT_EQ(found.collisions.size(), expected.collisions.size()) << "frame " << frame;
      ASSERT_EQ(stateHash(steady->world().ships()), stateHash(switching->world().ships()))
          << "frame " << frame;
    }
  }
  EXPECT_GT(collisions, 20u);
  EXPECT_GT(skipped, 10u);
}

}  // namespace
}  // namespace nearmiss::engine
