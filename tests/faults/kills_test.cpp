// SPDX-License-Identifier: MIT
/// The program is killed at random moments while it writes: the cache, sessions, profiles and trees
/// are whole or told to be cut, and the next start goes on as if nothing had been.
#include <engine/session/session.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>

#include "app/running/small_ships.h"
#include "support/campaign.h"
#include "support/random.h"

namespace nearmiss {
namespace {

using test::lastLine;
using test::Outcome;
using test::readText;
using test::Words;
using testing::HasSubstr;

class Kills : public test::SmallShips {
 protected:
  /// How long it takes here and now, which decides when a kill comes in its midst.
  int millisecondsOf(const Words& words) const {
    const auto start = std::chrono::steady_clock::now();
    EXPECT_EQ(run(words).exitCode, 0);
    const auto taken = std::chrono::steady_clock::now() - start;
    return 1 + static_cast<int>(std::chrono::ceil<std::chrono::milliseconds>(taken).count());
  }

  /// Runs until it is killed at a random time within these milliseconds, or ends by itself.
  Outcome killed(const Words& words, int most) {
    program_.signal = SIGKILL;
    program_.interruptAfter = std::chrono::milliseconds(1 + random_.whole(0, most));
    const Outcome outcome = run(words);
    program_.interruptAfter = std::chrono::milliseconds(0);
    ++(outcome.exitCode == -1 ? kills_ : ends_);
    return outcome;
  }
  void expectBoth(int rounds) const {
    EXPECT_GT(kills_, rounds / 4);
    EXPECT_LT(ends_, rounds);
  }

  test::Random random_{1};
  int kills_ = 0, ends_ = 0;
};

TEST_F(Kills, LeaveACacheFromWhichTheSameFlightStarts) {
  const Words flight{"run", "crowd.toml", "--frames", "3", "--clock", "work", "--cache-dir"};
  const int usual = millisecondsOf(test::joined(flight, {"measured"}));
  const std::string truth = lastLine(run(test::joined(flight, {"fresh"})).out);
  ASSERT_THAT(truth, HasSubstr("state 0x"));
  const int rounds = test::cases(25);
  for (int round = 0; round < rounds; ++round) {
    killed(test::joined(flight, {"cache"}), usual + usual / 5);
    // Of the next start neither the state nor the notes may tell of the kill
    const Outcome next = run(test::joined(flight, {"cache"}));
    ASSERT_EQ(next.exitCode, 0) << next.err;
    EXPECT_EQ(lastLine(next.out), truth);
    EXPECT_EQ(next.err.find("damaged"), std::string::npos) << next.err;
    std::filesystem::remove_all(home() / "cache");
  }
  expectBoth(rounds);
}

TEST_F(Kills, LeaveASessionThatIsReplayedUpToItsLastWholeBlock) {
  ASSERT_EQ(runCrowd({"--frames", "1"}).exitCode, 0);  // fills the cache
  const int usual = millisecondsOf({"run", "crowd.toml", "--frames", "2000", "--record", "y"});
  program_.interruptOnceThereIs = "x.session";
  int readable = 0;
  const int rounds = test::cases(15);
  for (int round = 0; round < rounds; ++round) {
    killed({"run", "crowd.toml", "--frames", "100000", "--record", "x.session"}, usual);
    const auto read = engine::RecordedSession::read(home() / "x.session");
    const Outcome replayed = run({"replay", "--validate", "x.session"});
    if (read) {
      ++readable;
      EXPECT_EQ(replayed.exitCode, 0) << replayed.err;
    } else {
      EXPECT_EQ(replayed.exitCode, 3) << replayed.err;
      EXPECT_THAT(replayed.err, HasSubstr("x.session"));
    }
    std::filesystem::remove(home() / "x.session");
  }
  expectBoth(rounds);
  EXPECT_GT(readable, rounds / 4);
}

TEST_F(Kills, LeaveAProfileOfWholeLines) {
  ASSERT_EQ(runCrowd({"--frames", "1"}).exitCode, 0);
  const int usual = millisecondsOf({"run", "crowd.toml", "--frames", "2000", "--profile", "q"});
  program_.interruptOnceThereIs = "p.csv";
  int whole = 0;
  const int rounds = test::cases(15);
  for (int round = 0; round < rounds; ++round) {
    killed({"run", "crowd.toml", "--frames", "100000", "--profile", "p.csv"}, usual);
    const std::string text = readText(home() / "p.csv");
    whole += text.ends_with('\n');
    // A kill within a write may cut the last line; the report leaves that out and says so
    const Outcome report = run({"report", "p.csv", "-o", "p.html"});
    EXPECT_TRUE(report.exitCode == 0 || (report.exitCode == 3 && test::rowsOf(text).size() < 2))
        << report.exitCode << report.err;
    std::filesystem::remove(home() / "p.csv");
  }
  expectBoth(rounds);
  EXPECT_GT(whole, rounds / 4);
}

TEST_F(Kills, LeaveTheOldTreeOrTheNew) {
  const Words build{"tree", "build", "star.obj", "-o", "x.tree", "--method", "octree", "--levels"};
  ASSERT_EQ(run(test::joined(build, {"1"})).exitCode, 0);
  const std::string one = readText(home() / "x.tree");
  const int usual = millisecondsOf(test::joined(build, {"3"}));
  const std::string three = readText(home() / "x.tree");
  ASSERT_NE(one.size(), three.size());
  const int rounds = test::cases(25);
  int replaced = 0;
  for (int round = 0; round < rounds; ++round) {
    test::writeText(home() / "x.tree", one);
    // The last few come late, however slow the machine has become
    killed(test::joined(build, {"3"}), round + 4 < rounds ? usual + usual / 3 : 20 * usual);
    const std::string now = readText(home() / "x.tree");
    // The time that the build took differs from run to run
    EXPECT_TRUE(now == one || now.size() == three.size()) << now.size();
    replaced += now != one;
    EXPECT_EQ(run({"tree", "info", "x.tree"}).exitCode, 0);
  }
  EXPECT_GT(kills_, 0);
  EXPECT_GT(replaced, 0);
}

}  // namespace
}  // namespace nearmiss
