// SPDX-License-Identifier: MIT
/// Recorded sessions from outside: written by a run that a clock cuts short, flown again on any
/// number of threads, and refused with a sentence where they are not what they were.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "app/running/small_ships.h"

namespace nearmiss {
namespace {

using test::joined;
using test::lastLine;
using test::Outcome;
using test::readText;
using test::Words;
using test::writeText;
using testing::HasSubstr;

class Replay : public test::SmallShips {
 protected:
  /// Under a budget on the wall clock, which no run repeats. Returns its last line, the state.
  std::string record(const Words& more = {}) const {
    const Outcome outcome =
        runCrowd(joined({"--budget", "6", "--frames", "300", "--record", "flight.session"}, more));
    EXPECT_EQ(outcome.exitCode, 0) << outcome.err;
    return lastLine(outcome.out);
  }
  Outcome validate(const Words& more = {}) const {
    return run(joined({"replay", "flight.session", "--validate"}, more));
  }
};

TEST_F(Replay, EndsInTheSameStateOnAnyNumberOfThreads) {
  const std::string state = record({"--workers", "2"});
  EXPECT_THAT(state, HasSubstr("state 0x"));
  for (const char* workers : {"1", "2", "4"}) {
    const Outcome outcome = validate({"--workers", workers});
    EXPECT_EQ(outcome.exitCode, 0) << outcome.err;
    EXPECT_EQ(lastLine(outcome.out), state) << workers;
    EXPECT_THAT(outcome.out, HasSubstr("300 of 300 frames"));
  }
}

TEST_F(Replay, WithAnotherModelIsRefused) {
  record();
  writeText(home() / "star.obj", readText(home() / "torus.obj"));
  const Outcome replaced = validate();
  EXPECT_EQ(replaced.exitCode, 3);
  EXPECT_THAT(replaced.err, HasSubstr("the mesh of \"star\" is not the one that flew"));
}

TEST_F(Replay, RefusesWhatIsNoSession) {
  record();
  std::string bytes = readText(home() / "flight.session");
  bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 1);
  writeText(home() / "flight.session", bytes);
  const Outcome altered = validate();
  EXPECT_EQ(altered.exitCode, 3);
  EXPECT_THAT(altered.err, HasSubstr("is damaged"));

  writeText(home() / "flight.session", "not a session");
  EXPECT_THAT(validate().err, HasSubstr("\"flight.session\" is not a recorded session"));
  const Outcome missing = run({"replay", "nothing.session", "--validate"});
  EXPECT_EQ(missing.exitCode, 3);
  EXPECT_THAT(missing.err, HasSubstr("cannot read \"nothing.session\": No such file"));
}

TEST_F(Replay, GoesAsFarAsACutSessionIsWhole) {
  record();
  const std::string bytes = readText(home() / "flight.session");
  writeText(home() / "flight.session", bytes.substr(0, bytes.size() * 3 / 4));
  const Outcome outcome = validate();
  EXPECT_EQ(outcome.exitCode, 0) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("has no end"));
  EXPECT_THAT(outcome.out, testing::MatchesRegex("(.|\n)*: (60|120|180|240) of .*(.|\n)*"));
}

TEST_F(Replay, OfARunThatWasInterruptedIsWhole) {
  program_.interruptOnceThereIs = "flight.session";
  program_.interruptAfter = std::chrono::milliseconds(300);
  const Outcome stopped =
      runCrowd({"--budget", "6", "--frames", "100000000", "--record", "flight.session"});
  EXPECT_EQ(stopped.exitCode, 0) << stopped.err;
  program_.interruptAfter = {};
  const Outcome outcome = validate();
  EXPECT_EQ(outcome.exitCode, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "");
  EXPECT_EQ(lastLine(outcome.out), lastLine(stopped.out));
}

TEST_F(Replay, IsNotRecordedWhereNothingCanBeWritten) {
  const Outcome nowhere = runCrowd({"--frames", "5", "--record", "no/such/folder/f.session"});
  EXPECT_EQ(nowhere.exitCode, 2);
  EXPECT_THAT(nowhere.err, HasSubstr("cannot write \"no/such/folder/f.session\""));
  const Outcome full = runCrowd({"--frames", "100", "--record", "/dev/full"});
  EXPECT_EQ(full.exitCode, 2);
  EXPECT_THAT(full.err, HasSubstr("No space left on device"));
  const Outcome twice =
      runCrowd({"--frames", "5", "--record", "f.session", "--profile", "f.session"});
  EXPECT_EQ(twice.exitCode, 1);
}

TEST_F(Replay, FindsItsModelsFromAnyFolder) {
  const Outcome flown = runCrowd({"--frames", "20", "--record", "flight.session"});
  ASSERT_EQ(flown.exitCode, 0) << flown.err;
  const test::Program elsewhere(NEARMISS_PROGRAM);
  const auto replayed = [&](const std::filesystem::path& folder) {
    const Outcome outcome =
        elsewhere.run({"replay", (folder / "flight.session").string(), "--validate"});
    EXPECT_EQ(outcome.exitCode, 0) << outcome.err;
    return lastLine(outcome.out);
  };
  EXPECT_EQ(replayed(home().path()), lastLine(flown.out));
  // Models beside the session, then in the working folder
  const std::filesystem::path moved = home() / "moved";
  std::filesystem::create_directory(moved);
  for (const char* file : {"flight.session", "torus.obj", "star.obj"})
    std::filesystem::rename(home() / file, moved / file);
  EXPECT_EQ(replayed(moved), lastLine(flown.out));
  for (const char* file : {"torus.obj", "star.obj"})
    std::filesystem::rename(moved / file, elsewhere.home() / file);
  EXPECT_EQ(replayed(moved), lastLine(flown.out));
}

TEST_F(Replay, OfModelsThatNoSessionCanNameIsRefusedBeforeTheFlight) {
  std::filesystem::rename(home() / "star.obj", home() / "caf\xe9.obj");
  writeText(home() / "f.session", "as it was");
  const Outcome outcome = run({"run", "--player-model", "torus.obj", "--model", "caf\xe9.obj",
                               "--tree", "octree", "--frames", "5", "--record", "f.session"});
  EXPECT_EQ(outcome.exitCode, 3);
  EXPECT_THAT(outcome.err, HasSubstr("not UTF-8"));
  EXPECT_EQ(readText(home() / "f.session"), "as it was");
}

#ifdef NEARMISS_HAVE_FLY
TEST_F(Replay, OfAFlightInTheWindow) {
  const Outcome flown = run({"fly", "crowd.toml", "--headless", "--frames", "130", "--budget", "6",
                             "--fixed-step", "--record", "flight.session"});
  ASSERT_EQ(flown.exitCode, 0) << flown.err;
  EXPECT_EQ(lastLine(validate().out), lastLine(flown.out));
  const Outcome shown = run({"replay", "flight.session", "--headless"});
  EXPECT_EQ(shown.exitCode, 0) << shown.err;
  EXPECT_EQ(lastLine(shown.out), lastLine(flown.out));
  // Over before a picture that was asked for
  const Outcome unseen =
      run({"replay", "flight.session", "--headless", "--screenshot", "a.png@999999"});
  EXPECT_EQ(unseen.exitCode, 2);
  EXPECT_THAT(unseen.err,
              HasSubstr("the flight ended before frame 999999: \"a.png\" is not written"));
}
#endif

}  // namespace
}  // namespace nearmiss
