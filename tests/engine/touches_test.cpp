// SPDX-License-Identifier: MIT
#include <engine/flight/touches.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <glm/geometric.hpp>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "engine/flying.h"
#include "support/random.h"

namespace nearmiss::engine {
namespace {

/// Against plain sets, over random answers with postponed pairs and bodies among them.
TEST(Touches, TellBeginningsFromWhatGoesOnAndEnds) {
  nearmiss::test::Random random(5);
  Touches touches;
  struct Known {
    Real since = 0.0, last = 0.0;
    bool apart = false;
    std::uint32_t unseen = 0;
  };
  std::map<BodyPair, Known> expected;
  std::size_t over = 0;
  int began = 0, went = 0, ended = 0, kept = 0, unseen = 0, revived = 0;
  for (int step = 0; step < 4000; ++step) {
    Detection found;
    found.time = 0.05 * step;
    std::vector<PostponedPair> postponed;
    std::vector<PostponedBody> left;
    if (random.chance(0.3))
      left.push_back({static_cast<std::uint32_t>(random.whole(0, 4)), {found.time, 1}});
    std::map<BodyPair, Known> next;
    // Separated pairs are kept until they have been apart for long enough
    const auto linger = [&](const auto& before) {
      if (before == expected.end()) return;
      Known known = before->second;
      known.apart = true;
      if (found.time - known.last < Touches::minApart)
        next[before->first] = known;
      else
        ++over;
    };
    // What nobody looked at stays as it was, but for no longer than a pair that meets may wait
    const auto leave = [&](const auto& before) {
      if (before == expected.end()) return;
      Known known = before->second;
      if (known.apart || known.unseen == maxPairWait) {
        linger(before);
        revived += known.apart;
        return;
      }
      next[before->first] = {known.since, found.time, false, known.unseen + 1};
    };
    for (std::uint32_t a = 0; a < 5; ++a)
      for (std::uint32_t b = a + 1; b < 5; ++b) {
        const BodyPair pair{a, b};
        const auto before = expected.find(pair);
        const bool touched = before != expected.end();
        switch (random.whole(0, 4)) {
          case 0:
            postponed.push_back({pair, {found.time, 1}});
            leave(before);
            kept += touched;
            break;
          case 1: {
            DetectedPair apart{pair, {}, {}};
            apart.refinement.verdict = Verdict::Separate;
            found.pairs.push_back(apart);
            linger(before);
            break;
          }
          case 2:
            if (left.empty() || (left[0].body != a && left[0].body != b)) {
              linger(before);
            } else if (touched) {
              leave(before);
              ++unseen;
            }
            break;
          default:
            found.pairs.push_back({pair, {}, {}});
            if (random.chance(0.5)) found.pairs.back().refinement.verdict = Verdict::Contact;
            next[pair] = {touched ? before->second.since : found.time, found.time};
            began += !touched;
            went += touched;
        }
      }
    found.postponed = postponed;
    found.postponedBodies = left;
    touches.take(found);
    ended = static_cast<int>(over);
    ASSERT_EQ(touches.ended(), over);
    ASSERT_EQ(touches.now().size(), next.size());
    auto at = next.begin();
    for (const Touch& touch : touches.now()) {
      ASSERT_EQ(touch.bodies, at->first);
      ASSERT_EQ(touch.since, at->second.since);
      ASSERT_EQ(touch.last, at->second.last);
      ASSERT_EQ(touches.touchedBefore(touch.bodies), expected.count(touch.bodies) > 0);
      ++at;
    }
    expected = std::move(next);
  }
  EXPECT_GT(began, 100);
  EXPECT_GT(went, 1000);
  EXPECT_GT(ended, 100);
  EXPECT_GT(kept, 500);
  EXPECT_GT(unseen, 100);
  EXPECT_GT(revived, 100) << "pairs left out after they had parted";

  // Without detections time ends them too
  const std::size_t going = touches.now().size();
  ASSERT_GT(going, 0u);
  touches.advanceTo(1e6);
  EXPECT_TRUE(touches.now().empty());
  EXPECT_EQ(touches.ended(), over + going);
}

/// One pair, found as `verdict` says.
Detection foundAt(Real time, Verdict verdict) {
  Detection found;
  found.time = time;
  found.pairs.push_back({{0, 1}, {}, {}});
  found.pairs.back().refinement.verdict = verdict;
  return found;
}

TEST(Touches, EndWhoeverLooksAwayFromAPairThatHasParted) {
  const std::vector<PostponedBody> bodies{{1, {}}};
  const std::vector<PostponedPair> pairs{{{0, 1}, {}}};
  for (const bool alone : {false, true}) {
    Touches touches;
    touches.take(foundAt(0.0, Verdict::Contact));
    touches.take(foundAt(0.1, Verdict::Separate));
    Detection blind;
    if (alone)
      blind.postponed = pairs;
    else
      blind.postponedBodies = bodies;
    for (blind.time = 0.2; blind.time < 0.5; blind.time += 0.1) touches.take(blind);
    EXPECT_TRUE(touches.now().empty());
    EXPECT_EQ(touches.ended(), 1u);
    // A later hit is another touch
    touches.take(foundAt(0.6, Verdict::Possible));
    EXPECT_FALSE(touches.touchedBefore({0, 1}));
    ASSERT_EQ(touches.now().size(), 1u);
    EXPECT_EQ(touches.now()[0].since, 0.6);
  }
}

TEST(Touches, GoOnUnseenForAsLongAsAPairThatMeetsMayWait) {
  const std::vector<PostponedBody> bodies{{0, {}}};
  constexpr Real step = 0.5;
  Touches touches;
  touches.take(foundAt(0.0, Verdict::Contact));
  Detection blind;
  blind.postponedBodies = bodies;
  for (std::uint32_t k = 1; k <= maxPairWait; ++k) {
    blind.time = step * k;
    touches.take(blind);
    ASSERT_EQ(touches.now().size(), 1u) << k;
  }
  // Seen in time it goes on, and may wait as long again
  touches.take(foundAt(step * (maxPairWait + 1), Verdict::Contact));
  EXPECT_TRUE(touches.touchedBefore({0, 1}));
  for (std::uint32_t k = 2; k <= maxPairWait + 1; ++k) {
    blind.time = step * (maxPairWait + k);
    touches.take(blind);
    ASSERT_EQ(touches.now().size(), 1u) << k;
  }
  blind.time += step;
  touches.take(blind);
  EXPECT_EQ(touches.ended(), 1u);
}

/// A crowd that detection can hardly follow, against the bounding spheres of all pairs.
TEST(Touches, EndInAFlightThatIsShortOfTime) {
  const test::Hangar& shapes = test::plainHangar();
  WorkClock clock;
  const auto simulation = test::subtractStolen(
      {.seed = 3, .drones = 26}, shapes.detector("sphere-tree", "space-time-grid"), clock, shapes);
  FrameInput input;
  input.detectionBudget = std::chrono::microseconds(2);
  std::map<BodyPair, Real> met;  // when two spheres were last found to meet
  std::map<BodyPair, int> beginnings;
  std::size_t most = 0, ended = 0, postponed = 0;
  std::array<std::uint64_t, 3> responses{};
  constexpr int frames = 3600;
  // Time for a pair to be looked at, and then to be apart
  const Real allowed = (maxPairWait + 2) * input.dt + Touches::minApart;
  for (int frame = 0; frame < frames; ++frame) {
    const FrameOutput& out = simulation->advance(input);
    const auto& bodies = out.bodies;
    for (std::uint32_t b = 1; b < bodies.size(); ++b)
      for (std::uint32_t a = 0; a < b; ++a)
        if (glm::distance(bodies[a].pose.position, bodies[b].pose.position) <=
            bodies[a].shape.radius() + bodies[b].shape.radius())
          met[{a, b}] = out.profile.simTime;
    for (const Touch& touch : out.touches)
      ASSERT_LE(out.profile.simTime - met[touch.bodies], allowed) << "frame " << frame;
    for (const Collision& begun : out.collisions) ++beginnings[{begun.a, begun.b}];
    most = std::max(most, out.touches.size());
    ended += out.profile.touchesEnded;
    postponed += out.profile.bodiesPostponed;
    responses[static_cast<std::size_t>(3 * frame / frames)] += out.profile.responses;
  }
  EXPECT_GT(postponed, frames / 2u) << "time was short";
  EXPECT_GT(ended, 100u);
  EXPECT_LT(most, 120u) << "of 351 pairs";
  EXPECT_TRUE(std::ranges::any_of(beginnings, [](const auto& pair) { return pair.second > 2; }));
  // The response does not grow with the length of the flight
  EXPECT_GT(responses[0], 100u);
  EXPECT_LT(responses[2], 2 * responses[0]);
}

}  // namespace
}  // namespace nearmiss::engine
