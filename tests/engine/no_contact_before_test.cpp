// SPDX-License-Identifier: MIT
/// Frames in which the detector is called at the times that the broad phase names, and not at all
/// while nothing can touch: what is skipped, and that nothing is missed by it.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "engine/recorded_flights.h"
#include "support/broad_phases.h"
#include "support/campaign.h"
#include "support/random.h"
#include "support/test_name.h"

namespace nearmiss::engine {
namespace {

using test::ghosts;
using test::hangar;
using test::isSeen;
using test::Meeting;
using test::meetingsIn;
using test::Sample;
using test::scripted;

/// A flight that a broad phase drives, told by its number.
struct GhostFlight {
  explicit GhostFlight(int seed)
      : key(static_cast<std::uint64_t>(seed) + nearmiss::test::campaignSeed()),
        drones(2 + seed % 4),
        step(seed % 3 == 0 ? 0.1 : 0.05),
        dt(seed % 5 == 0   ? 0.13  // no multiple of the step
           : seed % 2 == 0 ? 0.1
                           : 0.2) {}

  [[nodiscard]] FrameInput input(int frame) const {
    FrameInput input = scripted(frame);
    input.dt = dt;
    return input;
  }

  static constexpr int frames = 300;
  std::uint64_t key;
  int drones;
  Real step, dt;
};

/// The same flight looked at a hundred times as often.
struct WatchedFlight {
  explicit WatchedFlight(const GhostFlight& flight) {
    WorkClock clock;
    std::vector<Sample> looks;
    const auto watched = ghosts(flight.key, flight.drones, "all-pairs", looks, clock);
    for (int frame = 0; frame < GhostFlight::frames; ++frame) {
      FrameInput input = flight.input(frame);
      input.instants = Instants::Steps;
      input.detectStep = flight.step / 100.0;
      watched->advance(input);
      states.push_back(stateHash(watched->world().ships()));
    }
    meetings = meetingsIn(looks);
  }
  /// Flown once for all broad phases.
  static const WatchedFlight& of(int seed) {
    static std::map<int, WatchedFlight> all;
    return all.try_emplace(seed, GhostFlight(seed)).first->second;
  }

  std::vector<std::uint64_t> states;  ///< after each frame
  std::vector<Meeting> meetings;
};

class NoContactBefore : public testing::TestWithParam<std::string_view> {};

/// The same flight twice: once as the driver looks at it, once at a hundredth of the least time
/// that a touch must last.
TEST_P(NoContactBefore, SeesEveryMeetingThatLastsLongEnough) {
  std::size_t lasting = 0, fleeting = 0, detections = 0, skipped = 0, inside = 0;
  for (int seed = 1; seed <= nearmiss::test::cases(30); ++seed) {
    WorkClock clock;
    std::vector<Sample> calls;
    const GhostFlight flight(seed);
    const WatchedFlight& watched = WatchedFlight::of(seed);
    const auto driven = ghosts(flight.key, flight.drones, GetParam(), calls, clock);
    const Real step = flight.step;
    for (int frame = 0; frame < GhostFlight::frames; ++frame) {
      FrameInput input = flight.input(frame);
      input.instants = Instants::Earliest;
      input.detectStep = step;
      const Real start = driven->world().time();
      const std::size_t before = calls.size();
      const FrameProfile& profile = driven->advance(input).profile;
      for (std::size_t c = before; c < calls.size(); ++c) {
        ASSERT_GT(calls[c].time, c > 0 ? calls[c - 1].time : -1.0) << "time goes on";
        const Real steps = (calls[c].time - start) / step;
        inside += std::abs(steps - std::round(steps)) > 1e-3;
      }
      ASSERT_EQ(profile.detections, calls.size() - before);
      ASSERT_GT(profile.nextDetection, profile.simTime - 1e-9);
      detections += profile.detections;
      skipped += profile.detectionsSkipped;
      ASSERT_EQ(stateHash(driven->world().ships()),
                watched.states[static_cast<std::size_t>(frame)]);
    }
    for (const Meeting& meeting : watched.meetings) {
      const bool longEnough = meeting.last - meeting.first >= step;
      ASSERT_TRUE(isSeen(meeting, calls) || !longEnough) << "seed " << seed << ": " << meeting;
      lasting += longEnough;
      fleeting += !longEnough;
    }
  }
  EXPECT_GT(lasting, 15u);
  // Other flights may have none
  if (nearmiss::test::campaignSeed() == 0) {
    EXPECT_GT(fleeting, 0u);
  }
  EXPECT_GT(skipped, detections / 4) << "calls that were not needed";
  // The grid's contact-free times end with its calendar's ticks, which are as long as the steps
  EXPECT_GE(inside, GetParam() == "space-time-grid" ? 0u : 10u) << "calls between fixed steps";
}

/// The fixed steps of a method without look-ahead, less those at which nothing can touch.
TEST_P(NoContactBefore, LooksAtFixedStepsAndSkipsOnlyEmptyOnes) {
  std::size_t meetings = 0, skipped = 0, looked = 0;
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    WorkClock clock;
    std::vector<Sample> calls, all;
    const auto driven = ghosts(seed, 5, GetParam(), calls, clock);
    const auto stepwise = ghosts(seed, 5, "all-pairs", all, clock);
    std::size_t matched = 0, seen = 0;
    for (int frame = 0; frame < 200; ++frame) {
      FrameInput input = scripted(frame);
      input.dt = frame % 3 == 0 ? 0.1 : 0.17;
      driven->advance(input);
      stepwise->advance(input);
      for (; seen < all.size(); ++seen) {
        const Sample& step = all[seen];
        meetings += step.pairs.size();
        if (matched < calls.size() && calls[matched].time == step.time) {
          ASSERT_EQ(calls[matched].pairs, step.pairs) << "seed " << seed << " at " << step.time;
          ++matched;
          ++looked;
        } else {
          ASSERT_TRUE(step.pairs.empty()) << "seed " << seed << " at " << step.time;
          ++skipped;
        }
      }
      ASSERT_EQ(matched, calls.size()) << "a call between the steps";
    }
  }
  EXPECT_GT(meetings, 500u);
  EXPECT_GT(skipped, looked / 10);
}

TEST_P(NoContactBefore, IsCalledNoMoreOftenThanTimeAndJumpsAllow) {
  WorkClock clock;
  std::vector<Sample> calls;
  const auto driven = ghosts(3, 4, GetParam(), calls, clock);
  for (int frame = 0; frame < 400; ++frame) driven->advance(scripted(frame));
  std::size_t leaps = 0;
  for (std::size_t c = 0; c + 1 < calls.size(); ++c)
    leaps += calls[c + 1].time - calls[c].time > 0.05 + 1e-9;
  // Steps of 0.05, leaps over contact-free time, and at most one short step to the end of a frame a
  // leap
  EXPECT_GT(leaps, 5u);
  EXPECT_LE(calls.size(), static_cast<std::size_t>(40.0 / 0.05) + 2 * leaps + 1);
}

TEST_P(NoContactBefore, JumpsEndTheSilence) {
  WorkClock clock;
  std::vector<Sample> calls;
  const auto driven = ghosts(1, 2, GetParam(), calls, clock);
  FrameInput input;
  std::size_t silentFrames = 0;
  for (int frame = 0; frame < 200; ++frame) {
    // To stop the ship is a jump of its velocity, which no bound allows for
    input.control.thrust = 1.0;
    input.stopShip = frame % 20 == 19;
    const FrameProfile& profile = driven->advance(input).profile;
    ASSERT_TRUE(!input.stopShip || profile.detections > 0) << "frame " << frame;
    silentFrames += profile.detections == 0;
  }
  EXPECT_GT(silentFrames, 20u);
  EXPECT_LT(silentFrames, 190u);
}

/// The reference looks at fixed steps all the while that the driver is silent.
TEST_P(NoContactBefore, HidesNoContactFromTheReference) {
  std::size_t missed = 0, contacts = 0, skipped = 0;
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    WorkClock clock;
    const auto simulation = test::subtractStolen(
        {.seed = seed, .drones = 3}, hangar().detector("sphere-tree", GetParam()), clock);
    simulation->setReference(hangar().detector("brute-force"));
    for (int frame = 0; frame < 400; ++frame) {
      const FrameOutput& out = simulation->advance(scripted(frame));
      missed += out.missedByDriver.size();
      skipped += out.profile.detectionsSkipped;
      for (const DetectedPair& pair : out.reference->pairs)
        contacts += pair.refinement.verdict == Verdict::Contact;
    }
  }
  EXPECT_EQ(missed, 0u);
  EXPECT_GT(contacts, 3u);
  EXPECT_GT(skipped, 100u);
}

TEST(NoContactBefore, NeedsAPromise) {
  WorkClock clock;
  std::vector<Sample> calls;
  const auto driven = ghosts(1, 2, "all-pairs", calls, clock);
  for (int frame = 0; frame < 50; ++frame) {
    const FrameProfile& profile = driven->advance(scripted(frame)).profile;
    EXPECT_EQ(profile.detections, 2u);
    EXPECT_EQ(profile.detectionsSkipped, 0u);
    EXPECT_NEAR(profile.nextDetection, profile.simTime + 0.05, 1e-9);
  }
  EXPECT_EQ(calls.size(), 100u);
}

INSTANTIATE_TEST_SUITE_P(Catalog, NoContactBefore,
                         testing::ValuesIn(nearmiss::test::lookingAhead()),
                         [](const auto& tested) { return nearmiss::test::testName(tested.param); });

}  // namespace
}  // namespace nearmiss::engine
