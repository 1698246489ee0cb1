// SPDX-License-Identifier: MIT
/// Detection of given states does not depend on the response: not on which one is chosen, and not
/// on how contacts are answered.
#include <engine/flight/simulation.h>
#include <gtest/gtest.h>
#include <nearmiss/detail/fingerprint.h>

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

#include "engine/flying.h"

namespace nearmiss::engine {
namespace {

constexpr int detectedFrames = 200;

void addTo(Fingerprint& hash, const Detection& found) {
  hash.add(std::uint64_t{found.pairs.size()});
  for (const DetectedPair& pair : found.pairs) {
    const Refinement& known = pair.refinement;
    hash.add(std::uint64_t{pair.bodies.a} << 32 | pair.bodies.b);
    hash.add(static_cast<std::uint64_t>(known.verdict));
    hash.add(static_cast<std::uint64_t>(known.level));
    hash.add(known.separationBound);
    for (const Sphere& sphere : {known.deepest.a, known.deepest.b})
      for (const Real value : {sphere.centre.x, sphere.centre.y, sphere.centre.z, sphere.radius})
        hash.add(value);
  }
}

/// One detection at the end of the frame, before its responses.
FrameInput lookedAtOnce(int frame, Response response) {
  FrameInput input = test::scripted(frame);
  input.detectStep = input.dt;
  input.response = response;
  return input;
}

/// From the same state, a frame with any response finds the same: contacts, levels and bounds.
TEST(Detection, FindsTheSameBeforeEveryResponse) {
  for (const std::string_view narrow : {"sphere-tree", "brute-force"}) {
    WorkClock clock;
    const auto leader = test::subtractStolen({.seed = 5}, test::hangar().detector(narrow), clock);
    std::size_t contacts = 0;
    for (int frame = 0; frame < detectedFrames; ++frame) {
      const Snapshot before = leader->snapshot();
      std::uint64_t expected = 0;
      for (const Response kind :
           {Response::Bounce, Response::Tumble, Response::PublishedBounce, Response::Teleport}) {
        WorkClock own;
        const auto twin = leader->twin(before, test::hangar().detector(narrow), own);
        const FrameOutput& out = twin->advance(lookedAtOnce(frame, kind));
        Fingerprint hash;
        if (out.detection) addTo(hash, *out.detection);
        if (kind == Response::Bounce) expected = hash.value();
        ASSERT_EQ(hash.value(), expected) << "frame " << frame;
        if (kind == Response::Bounce && out.detection)
          for (const DetectedPair& pair : out.detection->pairs)
            contacts += pair.refinement.verdict == Verdict::Contact;
      }
      leader->advance(lookedAtOnce(frame, Response::Tumble));
    }
    EXPECT_GT(contacts, 50u);
  }
}

/// Recorded before contacts were answered by manifolds, on flights that the published response
/// flies: each detection of these states finds what it found then.
TEST(Detection, FindsWhatItFoundBeforeManifolds) {
  const std::array<std::pair<std::string_view, std::uint64_t>, 2> recorded{
      {{"sphere-tree", 9503467305500783550u}, {"brute-force", 17042533390160439753u}}};
  for (const auto& [narrow, expected] : recorded) {
    WorkClock clock;
    const auto simulation = test::subtractStolen({.seed = 6}, test::plainHangar().detector(narrow),
                                                 clock, test::plainHangar());
    Fingerprint hash;
    std::size_t pairs = 0;
    for (int frame = 0; frame < 3 * detectedFrames; ++frame) {
      const FrameOutput& out = simulation->advance(lookedAtOnce(frame, Response::PublishedBounce));
      if (!out.detection) continue;
      addTo(hash, *out.detection);
      pairs += out.detection->pairs.size();
    }
    EXPECT_EQ(hash.value(), expected) << narrow;
    EXPECT_GT(pairs, 1000u);
  }
}

}  // namespace
}  // namespace nearmiss::engine
