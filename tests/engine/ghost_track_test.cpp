// SPDX-License-Identifier: MIT
/// The way of an earlier run: samples, interpolation, and files that are damaged.
#include <engine/game/ghost_track.h>
#include <gtest/gtest.h>

#include <glm/geometric.hpp>
#include <limits>
#include <string>

#include "support/files.h"

namespace nearmiss::engine {
namespace {

GhostTrack trackOf(Real seconds) {
  GhostTrack track;
  track.seed = 7;
  for (int frame = 0; frame <= 60 * seconds; ++frame) {
    const Real t = frame / 60.0;
    track.record(t, {Vec3(4.0 * t, -t, 0.5 * t * t), glm::normalize(Quat(1.0, 0.1 * t, 0.0, 0.2))});
  }
  return track;
}

TEST(GhostTrack, KeepsFifteenPosesASecondAndInterpolates) {
  const GhostTrack track = trackOf(4.0);
  EXPECT_LE(track.samples.size(), 61u);
  EXPECT_GE(track.samples.size(), 48u);
  for (Real t = 0.01; t < 3.8; t += 0.05) {
    const auto pose = track.at(t);
    ASSERT_TRUE(pose);
    EXPECT_NEAR(pose->position.x, 4.0 * t, 1e-9);
    EXPECT_NEAR(pose->position.z, 0.5 * t * t, 2e-3);
    EXPECT_NEAR(glm::length(pose->rotation), 1.0, 1e-12);
  }
  EXPECT_FALSE(track.at(-0.1));
  EXPECT_FALSE(track.at(4.1));
  EXPECT_FALSE(GhostTrack().at(0.0));
}

/// Races are decided by the time of the finish, which lies between two samples.
TEST(GhostTrack, EndsAtTheFinish) {
  GhostTrack track = trackOf(1.0);
  const Real before = track.seconds();
  track.record(before + 0.01, {});
  EXPECT_EQ(track.seconds(), before);
  track.record(before + 0.01, {}, true);
  EXPECT_EQ(track.seconds(), before + 0.01);
  // Not twice at one time
  const std::size_t samples = track.samples.size();
  track.record(before + 0.01, {}, true);
  EXPECT_EQ(track.samples.size(), samples);
}

TEST(GhostTrack, IsReadAsItWasWritten) {
  const nearmiss::test::TemporaryFolder folder;
  const GhostTrack track = trackOf(3.0);
  ASSERT_TRUE(writeGhost(folder / "slalom.ghost", track));
  const auto read = readGhost(folder / "slalom.ghost");
  ASSERT_TRUE(read);
  EXPECT_EQ(read->seed, 7u);
  ASSERT_EQ(read->samples.size(), track.samples.size());
  for (std::size_t i = 0; i < track.samples.size(); ++i) {
    EXPECT_NEAR(read->samples[i].time, track.samples[i].time, 1e-4);
    EXPECT_LT(glm::distance(read->samples[i].pose.position, track.samples[i].pose.position), 1e-3);
  }
}

TEST(GhostTrack, RefusesDamagedFiles) {
  const nearmiss::test::TemporaryFolder folder;
  EXPECT_FALSE(readGhost(folder / "none"));
  const std::string head = "nearmiss ghost 1\n7\n", one = "0 0 0 0 1 0 0 0\n",
                    two = "1 0 0 0 1 0 0 0\n";
  const auto read = [&](const std::string& text) {
    nearmiss::test::writeText(folder / "ghost", text);
    return readGhost(folder / "ghost").has_value();
  };
  EXPECT_TRUE(read(head + one + two));
  for (const std::string& text :
       {std::string(), head, head + one, "nearmiss ghost 2\n7\n" + one + two, head + one + one,
        head + two + one, head + one + "1 0 0 0 1 0 0\n", head + one + "1 0 0 0 2 0 0 0\n",
        head + one + "1 1e9 0 0 1 0 0 0\n", head + one + "1 nan 0 0 1 0 0 0\n",
        head + one + "x" + two, "nearmiss ghost 1\nx\n" + one + two})
    EXPECT_FALSE(read(text)) << text;
}

}  // namespace
}  // namespace nearmiss::engine
