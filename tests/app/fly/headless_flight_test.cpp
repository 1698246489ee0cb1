// SPDX-License-Identifier: MIT
/// Flights that nobody sees: what they leave behind, and what they end with.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "app/running/small_ships.h"

namespace nearmiss::app::fly {
namespace {

using test::joined;
using test::lastLine;
using test::Outcome;
using test::readText;
using test::Words;
using testing::HasSubstr;

class HeadlessFlight : public test::SmallShips {
 protected:
  Outcome fly(const Words& more) const {
    return run(
        joined({"fly", "crowd.toml", "--headless", "--size", "480x300", "--clock", "work"}, more));
  }
};

TEST_F(HeadlessFlight, OfNoFramesIsWhereItBeganAndHasNoPicture) {
  const Outcome flown = fly({"--frames", "0", "--screenshot", "a.png@9"});
  EXPECT_EQ(flown.exitCode, 2);
  EXPECT_THAT(flown.err, HasSubstr("the flight ended before frame 9: \"a.png\" is not written"));
  EXPECT_EQ(lastLine(flown.out), lastLine(runCrowd({"--frames", "0"}).out));
}

TEST_F(HeadlessFlight, FilmsNoFlightBesideAnother) {
  for (const Words& other :
       {Words{"--split", "bsp,sphere-tree"}, {"--tour"}, {"--bench", "lamp", "truck"}}) {
    const Outcome outcome = fly(joined({"--frames", "2", "--video", "a.y4m"}, other));
    EXPECT_EQ(outcome.exitCode, 1) << other.front();
    EXPECT_THAT(outcome.err, HasSubstr("--video"));
    EXPECT_FALSE(std::filesystem::exists(home() / "a.y4m"));
  }
}

TEST_F(HeadlessFlight, NeverRemembersOverItsScene) {
  const std::string scene = readText(home() / "crowd.toml");
  const Outcome outcome = fly({"--frames", "1", "--window-settings", "crowd.toml"});
  EXPECT_EQ(outcome.exitCode, 1);
  EXPECT_THAT(outcome.err, HasSubstr("--window-settings \"crowd.toml\" would replace the input"));
  EXPECT_EQ(readText(home() / "crowd.toml"), scene);
}

TEST_F(HeadlessFlight, SavesNoPoseOverWhatItReads) {
  for (const char* file : {"crowd.toml", "torus.obj"}) {
    const Outcome outcome =
        fly({"--frames", "1", "--bench", "torus.obj", "star.obj", "--pose", file});
    EXPECT_EQ(outcome.exitCode, 1) << file;
    EXPECT_THAT(outcome.err, HasSubstr(std::string("--pose \"") + file + "\" would replace"));
  }
  // Neither is there yet
  const Outcome both = fly({"--frames", "1", "--bench", "torus.obj", "star.obj", "--pose", "x.toml",
                            "--window-settings", "./x.toml"});
  EXPECT_EQ(both.exitCode, 1);
  EXPECT_THAT(both.err, HasSubstr("--window-settings \"./x.toml\" would replace"));
}

/// Neither file is there yet.
TEST_F(HeadlessFlight, NeverRemembersOverItsRecords) {
  for (const char* option : {"--record", "--summary"}) {
    const Outcome outcome =
        fly({"--frames", "1", option, "w.toml", "--window-settings", "./w.toml"});
    EXPECT_EQ(outcome.exitCode, 1) << option;
    EXPECT_THAT(outcome.err, HasSubstr("would replace the input"));
    EXPECT_FALSE(std::filesystem::exists(home() / "w.toml"));
  }
}

TEST_F(HeadlessFlight, CountsFramesOfTheBenchFromZeroAsWell) {
  const Outcome outcome =
      fly({"--frames", "2", "--bench", "torus.obj", "star.obj", "--screenshot", "b.png@0"});
  EXPECT_EQ(outcome.exitCode, 0) << outcome.err;
  EXPECT_TRUE(std::filesystem::exists(home() / "b.png"));
}

}  // namespace
}  // namespace nearmiss::app::fly
