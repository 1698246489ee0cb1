// SPDX-License-Identifier: MIT
/// The program where something is lacking: memory, threads, room on the disk, a reader, time to
/// end.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/running/small_ships.h"
#include "support/build_kind.h"
#include "support/hard_meshes.h"
#include "support/model_files.h"

namespace nearmiss {
namespace {

using test::asObj;
using test::lastLine;
using test::Outcome;
using test::readText;
using test::rowsOf;
using test::Words;
using test::writeText;
using testing::HasSubstr;
using testing::MatchesRegex;

using Shortage = test::SmallShips;

TEST_F(Shortage, BearsThatItsMessagesCannotBeWritten) {
  for (const char* nowhere : {"/dev/full", "-"}) {
    program_.errTo = nowhere;
    EXPECT_EQ(run({"list", "xyz"}).exitCode, 1) << nowhere;
    EXPECT_EQ(run({"run", "--player-model", "x.obj"}).exitCode, 3) << nowhere;
    // A cache that cannot be written is no more than a note
    writeText(home() / "file", "");
    const Outcome noted = runCrowd({"--frames", "1", "--cache-dir", "file/cache"});
    EXPECT_EQ(noted.exitCode, 0) << nowhere;
    EXPECT_THAT(lastLine(noted.out), HasSubstr("state 0x"));
  }
  // What is said must not end up in a file that got the number of the closed stream
  program_.errTo = program_.outTo = "-";
  const Outcome built = run({"tree", "build", "torus.obj", "-o", "torus.tree", "--levels", "1"});
  EXPECT_EQ(built.exitCode, 2) << "its table went nowhere";
  program_.errTo = program_.outTo = "";
  EXPECT_EQ(run({"tree", "check", "torus.tree", "torus.obj"}).exitCode, 0);
}

/// A file that opens and fails when it is read, as on a disk that is damaged: here the memory of
/// the program itself, whose first page is not there.
TEST_F(Shortage, NamesAFileThatFailsWhileItIsRead) {
  for (const Words& words :
       {Words{"run", "/proc/self/mem"}, Words{"replay", "--validate", "/proc/self/mem"},
        Words{"robot", "/proc/self/mem", "-o", "x.urdf"}, Words{"interfere", "/proc/self/mem"},
        Words{"spheres", "check", "/proc/self/mem", "/proc/self/mem"}}) {
    const Outcome outcome = run(words);
    EXPECT_TRUE(outcome.exitCode == 2 || outcome.exitCode == 3) << words[0];
    EXPECT_THAT(outcome.err, HasSubstr("cannot read \"/proc/self/mem\"")) << words[0];
    EXPECT_THAT(outcome.err, HasSubstr("Input/output error")) << words[0];
  }
}

TEST_F(Shortage, SaysThatItsOutputIsLost) {
  program_.outTo = "/dev/full";
  for (const Words& words :
       {Words{"list"}, Words{"--help"}, Words{"run", "crowd.toml", "--frames", "1"}}) {
    const Outcome outcome = run(words);
    EXPECT_EQ(outcome.exitCode, 2) << words[0];
    EXPECT_THAT(outcome.err, HasSubstr("cannot write to the standard output")) << words[0];
  }
}

TEST_F(Shortage, SurvivesAReaderThatLeaves) {
  ASSERT_EQ(::mkfifo((home() / "pipe").c_str(), 0600), 0);
  // A process that opens both ends of a pipe can leave it without a reader
  const int ends = ::open((home() / "pipe").c_str(), O_RDWR | O_CLOEXEC);
  ASSERT_GE(ends, 0);
  std::jthread leaves([this, ends](const std::stop_token& stop) {
    while (!std::filesystem::exists(home() / "p.csv") && !stop.stop_requested())
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    ::close(ends);
  });
  program_.outTo = home() / "pipe";
  const Outcome outcome = runCrowd({"--realtime", "--frame-ms", "50", "--frames", "20", "--profile",
                                    "p.csv", "--summary", "s.json"});
  EXPECT_EQ(outcome.exitCode, 2) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("Broken pipe"));
  EXPECT_EQ(nlohmann::json::parse(readText(home() / "s.json"))["frames"], 20);
}

TEST_F(Shortage, EndsWithASentenceWhateverMemoryThereIs) {
  if (test::isSanitized) GTEST_SKIP() << test::noMemoryLimit;
  std::size_t lacked = 0, sufficed = 0;
  const auto look = [&](const Words& words) {
    const Outcome outcome = run(words);
    const std::string what =
        words[0] + " in " + std::to_string(program_.memoryLimit >> 20) + " MiB";
    if (outcome.exitCode == 127) return;  // too little for the program itself
    EXPECT_TRUE(outcome.exitCode == 0 || outcome.exitCode == 2) << what << ": " << outcome.err;
    if (outcome.exitCode == 2) {
      EXPECT_THAT(outcome.err, testing::AnyOf(HasSubstr("memory"), HasSubstr("resource"))) << what;
    }
    ++(outcome.exitCode == 0 ? sufficed : lacked);
  };
  writeText(home() / "fine.obj", asObj(test::spikyStar(1, 24, 30)));
  for (std::uint64_t megabytes = 30; megabytes <= 430; megabytes += 200) {
    program_.memoryLimit = megabytes << 20;
    const std::string cache = "cache-" + std::to_string(megabytes);
    look({"run", "crowd.toml", "--frames", "2", "--cache-dir", cache, "--jobs", "3"});
    look({"tree", "build", "fine.obj", "-o", "fine.tree", "--levels", "4", "--method", "dag"});
  }
  EXPECT_GT(lacked, 1u);
  EXPECT_GT(sufficed, 1u);
}

TEST_F(Shortage, MakesDoWithFewerThreads) {
  if (test::isSanitized) GTEST_SKIP() << test::noMemoryLimit;
  // A thread takes megabytes of addresses for its stack: here is room for hundreds, never for all
  program_.memoryLimit = std::uint64_t{3000} << 20;
  const Outcome outcome = runCrowd({"--frames", "2", "--jobs", "1000", "--tree", "variational"});
  EXPECT_EQ(outcome.exitCode, 0) << outcome.err;
  EXPECT_THAT(lastLine(outcome.out), HasSubstr("state 0x"));
}

TEST_F(Shortage, KeepsWhatItWroteWhenTheDiskFills) {
  ASSERT_EQ(runCrowd({"--frames", "1"}).exitCode, 0);  // fills the cache
  program_.fileLimit = 60'000;
  const Outcome outcome = runCrowd({"--frames", "2000", "--profile", "p.csv"});
  EXPECT_EQ(outcome.exitCode, 2);
  EXPECT_THAT(outcome.err, HasSubstr("cannot write \"p.csv\": File too large"));
  EXPECT_EQ(outcome.err.find("cannot write"), outcome.err.rfind("cannot write"));
  EXPECT_THAT(lastLine(outcome.out), MatchesRegex("state 0x[0-9a-f]{16}"));
  const std::string text = readText(home() / "p.csv");
  EXPECT_EQ(text.back(), '\n');
  const auto rows = rowsOf(text);
  ASSERT_GT(rows.size(), 50u);
  EXPECT_EQ(std::count(rows.back().begin(), rows.back().end(), ','),
            std::count(rows.front().begin(), rows.front().end(), ','));
}

TEST_F(Shortage, EndsCleanlyWhenInterrupted) {
  program_.interruptOnceThereIs = "p.csv";
  program_.interruptAfter = std::chrono::milliseconds(300);
  const Outcome outcome =
      runCrowd({"--realtime", "--seconds", "1e6", "--profile", "p.csv", "--summary", "s.json"});
  EXPECT_EQ(outcome.exitCode, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("interrupted"));
  EXPECT_THAT(lastLine(outcome.out), MatchesRegex("state 0x[0-9a-f]{16}"));
  EXPECT_EQ(nlohmann::json::parse(readText(home() / "s.json"))["frames"],
            rowsOf(readText(home() / "p.csv")).size() - 1);
}

TEST_F(Shortage, LeavesNothingHalfBuilt) {
  // A build that would take long is cancelled, and one that finds no room fails
  writeText(home() / "fine.obj", asObj(test::spikyStar(1, 80, 100)));
  const auto before = filesIn(home().path());
  program_.interruptAfter = std::chrono::milliseconds(1000);
  const Outcome cancelled =
      program_.runInterrupted({"tree", "build", "fine.obj", "-o", "fine.tree", "--levels", "9"});
  EXPECT_EQ(cancelled.exitCode, 130) << cancelled.err;
  program_.interruptAfter = std::chrono::milliseconds(0);
  program_.fileLimit = 1000;
  const Outcome full = run({"tree", "build", "torus.obj", "-o", "torus.tree", "--levels", "2"});
  EXPECT_EQ(full.exitCode, 2) << full.err;
  auto after = filesIn(home().path());
  std::erase_if(after, [](const std::string& name) { return name == "out" || name == "err"; });
  EXPECT_EQ(after, before);
}

TEST_F(Shortage, EndsAtOnceWhenInterruptedWhileATreeIsChecked) {
  writeText(home() / "heap.obj", asObj(test::heap(2500)));
  ASSERT_EQ(run({"tree", "build", "heap.obj", "-o", "heap.tree", "--method", "octree"}).exitCode,
            0);
  program_.interruptAfter = std::chrono::milliseconds(1000);
  const Outcome outcome = program_.runInterrupted({"tree", "check", "heap.tree", "heap.obj"});
  EXPECT_EQ(outcome.exitCode, 130);
  // In a slow build the program may end before the check notices
  EXPECT_THAT(outcome.err, HasSubstr("cancelled"));
}

TEST_F(Shortage, EndsAtOnceWhenInterruptedWhileAModelIsRead) {
  writeText(home() / "slow.obj", test::slowObj());
  program_.interruptAfter = std::chrono::milliseconds(700);
  for (const Words& words : {Words{"tree", "build", "slow.obj", "-o", "t"},
                             Words{"run", "crowd.toml", "--player-model", "slow.obj"}}) {
    const Outcome outcome = program_.runInterrupted(words);
    EXPECT_EQ(outcome.exitCode, 130) << words[0] << ": " << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr("cancelled"));
  }
}

TEST_F(Shortage, LeavesTheProfileOfAKilledRunToItsLastSecond) {
  program_.interruptOnceThereIs = "p.csv";
  program_.interruptAfter = std::chrono::milliseconds(2500);
  program_.signal = SIGKILL;
  const Outcome outcome =
      runCrowd({"--realtime", "--frame-ms", "100", "--seconds", "1e6", "--profile", "p.csv"});
  EXPECT_EQ(outcome.exitCode, -1);
  const std::string text = readText(home() / "p.csv");
  EXPECT_TRUE(text.ends_with('\n'));
  // Ten frames per second, of which the last may be missing
  EXPECT_GT(rowsOf(text).size(), 10u);
}

TEST_F(Shortage, LooksForAPlaceBeforeItWorks) {
  for (const char* option : {"--profile", "--summary", "--trace", "--calls"})
    for (const char* place : {"no/file", "cache", "torus.obj/file"}) {
      std::filesystem::create_directories(home() / "cache");
      const Outcome outcome = runCrowd({"--player-model", "broken.obj", option, place});
      // The model that is broken would be an error of the run itself
      EXPECT_EQ(outcome.exitCode, 2) << option << " " << place << ": " << outcome.err;
      EXPECT_THAT(outcome.err, HasSubstr("cannot write \"" + std::string(place)));
    }
  const Outcome twice = runCrowd({"--profile", "a", "--summary", "./a"});
  EXPECT_EQ(twice.exitCode, 1);
  EXPECT_THAT(twice.err, HasSubstr("--profile and --summary name the same file"));
  EXPECT_FALSE(std::filesystem::exists(home() / "a"));
  EXPECT_EQ(
      runCrowd({"--frames", "1", "--profile", "/dev/null", "--summary", "/dev/null"}).exitCode, 0);
}

}  // namespace
}  // namespace nearmiss
