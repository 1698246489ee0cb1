// SPDX-License-Identifier: MIT
/// Files with a row a frame or a call: whole lines however the program ends, and columns that add
/// up.
#include <engine/record/record_writers.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <span>
#include <sstream>
#include <string>
#include <vector>

#include "engine/two_line_head.h"
#include "support/files.h"
#include "support/random.h"

namespace nearmiss::engine {
namespace {

using nearmiss::test::readText;
using nearmiss::test::TemporaryFolder;
using std::chrono::microseconds;
using std::chrono::nanoseconds;
using testing::HasSubstr;
using testing::StartsWith;

/// The phases are drawn at random, and the frame is their sum.
FrameProfile frameOf(std::uint64_t number, test::Random& random) {
  FrameProfile frame;
  const auto some = [&random] { return nanoseconds(random.whole(0, 2'000'000)); };
  frame.frame = number;
  frame.wallSeconds = 0.01 * static_cast<double>(number);
  frame.simTime = 0.1 * static_cast<double>(number + 1);
  frame.detector = "sphere-tree";
  frame.target = microseconds(10'000);
  frame.budget = microseconds(500);
  frame.spent = microseconds(random.whole(400, 600));
  frame.exhausted = frame.spent > frame.budget;
  frame.input = some();
  frame.motion = some();
  frame.broad = some();
  frame.narrow = some();
  frame.response = some();
  frame.render = some();
  frame.swap = some();
  frame.other = some();
  frame.slack = some();
  frame.watching = some();
  frame.frameTime = frame.input + frame.motion + frame.broad + frame.narrow + frame.response +
                    frame.render + frame.swap + frame.slack + frame.other + frame.watching;
  frame.collisions = {0, 1, 0, 2, 0, static_cast<std::uint32_t>(number)};
  frame.worstBound = 0.125;
  frame.medianBound = 0.0625;
  frame.detections = 1;
  frame.detectionsSkipped = static_cast<std::uint32_t>(number % 3);
  frame.pairsPostponed = static_cast<std::uint32_t>(number % 5);
  frame.longestWait = 0.25;
  frame.bodiesPostponed = static_cast<std::uint32_t>(number % 7);
  frame.maxPassedOver = 9;
  frame.pairsForced = 2;
  frame.collisionsLate = 1;
  frame.maxLate = static_cast<std::uint32_t>(number % 4);
  frame.spent = frame.broad + frame.narrow;
  frame.preemptions = 3;
  frame.responded = {0, 1, 2, 3, 4, static_cast<std::uint32_t>(number % 11)};
  frame.nextDetection = frame.simTime + 0.75;
  return frame;
}

std::vector<std::string> linesOf(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

std::vector<std::string> cellsOf(const std::string& line) {
  std::vector<std::string> cells{""};
  for (const char c : line)
    if (c == ',')
      cells.emplace_back();
    else
      cells.back() += c;
  return cells;
}

TEST(Profile, HasAHeadTheColumnsAndARowAFrame) {
  const TemporaryFolder folder;
  const auto file = folder / "p.csv";
  auto writer = ProfileWriter::open(file, head);
  ASSERT_TRUE(writer) << writer.error().message;
  test::Random random(1);
  std::vector<FrameProfile> frames;
  for (std::uint64_t i = 0; i < 2000; ++i) writer->add(frames.emplace_back(frameOf(i, random)));
  ASSERT_TRUE(writer->close());

  const auto lines = linesOf(readText(file));
  ASSERT_EQ(lines.size(), 4 + frames.size());
  EXPECT_EQ(lines[0], "# format: nearmiss record 1");
  EXPECT_EQ(lines[1], "# scene: two lines");
  EXPECT_THAT(lines[2], StartsWith("# columns: "));
  EXPECT_THAT(
      lines[3],
      StartsWith("frame,t_s,sim_s,detector,target_ms,predicted_rest_ms,budget_ms,"
                 "input_ms,motion_ms,broad_ms,narrow_ms,response_ms,render_ms,swap_ms,"
                 "slack_ms,other_ms,frame_ms,missed,exhausted,ships,pairs_broad,pairs_narrow,steps,"
                 "sphere_tests,tri_tests,coll_l1,coll_l2,coll_l3,coll_l4,coll_l5,bound_max,"
                 "bound_median"));
  const auto names = cellsOf(lines[3]);
  for (const std::string& name : names) EXPECT_THAT(lines[2], HasSubstr(name + ": "));
  const auto place = [&names](const std::string& name) {
    return static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
  };

  // Every row has every column, and its phases sum to its frame
  for (std::size_t i = 0; i < frames.size(); ++i) {
    const auto cells = cellsOf(lines[4 + i]);
    ASSERT_EQ(cells.size(), names.size());
    double sum = std::stod(cells[place("watching_ms")]);
    for (std::size_t c = place("input_ms"); c <= place("other_ms"); ++c) sum += std::stod(cells[c]);
    const double frame = std::stod(cells[place("frame_ms")]);
    EXPECT_NEAR(sum, frame, 1e-5);
    EXPECT_EQ(std::stoull(cells[place("coll_l5")]), i);
    EXPECT_EQ(cells[place("detections")], "1");
    EXPECT_EQ(std::stoull(cells[place("detections_skipped")]), i % 3);
    EXPECT_EQ(std::stoull(cells[place("pairs_postponed")]), i % 5);
    EXPECT_EQ(std::stoull(cells[place("ships_postponed")]), i % 7);
    EXPECT_EQ(cells[place("longest_wait")], "9");
    EXPECT_EQ(cells[place("pairs_forced")], "2");
    EXPECT_EQ(cells[place("coll_late")], "1");
    EXPECT_EQ(std::stoull(cells[place("most_late")]), i % 4);
    EXPECT_EQ(cells[place("preemptions")], "3");
    EXPECT_EQ(cells[place("resp_l1")], "1");
    EXPECT_EQ(cells[place("resp_l4")], "4");
    EXPECT_EQ(std::stoull(cells[place("resp_l5")]), i % 11);
    EXPECT_EQ(std::stod(cells[place("longest_wait_s")]), 0.25);
    EXPECT_NEAR(std::stod(cells[place("next_detection_s")]), 0.1 * static_cast<double>(i) + 0.85,
                1e-6);
    EXPECT_EQ(cells[place("coll_l3")], "2");
    EXPECT_EQ(cells[place("detector")], "sphere-tree");
    EXPECT_EQ(std::stod(cells[place("bound_max")]), 0.125);
  }
}

TEST(Profile, KeepsAllButTheLastSecondOfAKilledProgram) {
  const TemporaryFolder folder;
  const auto file = folder / "p.csv";
  auto writer = ProfileWriter::open(file, head);
  ASSERT_TRUE(writer);
  test::Random random(4);
  const std::size_t headLines = linesOf(readText(file)).size();
  for (std::uint64_t i = 0; i <= 100; ++i) {
    FrameProfile frame = frameOf(i, random);
    frame.wallSeconds = 0.1 * static_cast<double>(i);
    writer->add(frame);
    // What is in the file now is what a killed program would leave
    const std::size_t rows = linesOf(readText(file)).size() - headLines;
    EXPECT_GE(rows + 10, i) << "a second and more is missing";
    EXPECT_TRUE(readText(file).ends_with('\n'));
  }
  // In between it waits: a frame must not pay for a write of its own
  const std::size_t rows = linesOf(readText(file)).size();
  FrameProfile frame = frameOf(101, random);
  frame.wallSeconds = 10.05;
  writer->add(frame);
  EXPECT_EQ(linesOf(readText(file)).size(), rows);
}

TEST(Profile, WritesNoLimitAsInfinity) {
  const TemporaryFolder folder;
  const auto file = folder / "p.csv";
  auto writer = ProfileWriter::open(file, {});
  ASSERT_TRUE(writer);
  FrameProfile frame;
  frame.budget = nanoseconds::max();
  frame.worstBound = std::numeric_limits<Real>::infinity();
  writer->add(frame);
  ASSERT_TRUE(writer->close());
  const auto cells = cellsOf(linesOf(readText(file)).back());
  EXPECT_EQ(cells[6], "inf");
  EXPECT_EQ(cells[30], "inf");
}

TEST(Profile, SaysWhatIsWrongWithItsPlace) {
  const TemporaryFolder folder;
  const auto nowhere = ProfileWriter::open(folder / "no" / "p.csv", head);
  ASSERT_FALSE(nowhere);
  EXPECT_THAT(nowhere.error().message, HasSubstr("No such file or directory"));
  const auto full = ProfileWriter::open("/dev/full", head);
  ASSERT_FALSE(full);
  EXPECT_THAT(full.error().message, HasSubstr("No space left on device"));
}

/// A limit on the size of files stands in for a disk that fills up in the middle of a line.
TEST(Profile, EndsWithAWholeLineWhenTheDiskIsFull) {
  const TemporaryFolder folder;
  const auto file = folder / "p.csv";
  ::signal(SIGXFSZ, SIG_IGN);
  auto writer = ProfileWriter::open(file, head);
  ASSERT_TRUE(writer);
  rlimit before{};
  ::getrlimit(RLIMIT_FSIZE, &before);
  const rlimit small{100'000, before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  test::Random random(2);
  std::size_t added = 0;
  while (!writer->error() && added < 10'000) writer->add(frameOf(added++, random));
  const auto error = writer->error();
  const auto closed = writer->close();
  ::setrlimit(RLIMIT_FSIZE, &before);

  ASSERT_TRUE(error);
  EXPECT_THAT(error->message, HasSubstr("File too large"));
  EXPECT_FALSE(closed);
  const std::string text = readText(file);
  ASSERT_GT(text.size(), 50'000u);
  EXPECT_EQ(text.back(), '\n');
  const auto lines = linesOf(text);
  EXPECT_EQ(cellsOf(lines.back()).size(), cellsOf(lines[3]).size());
}

TEST(PairCallsFile, LeavesEmptyWhatWasNotReached) {
  const TemporaryFolder folder;
  const auto file = folder / "c.csv";
  PairCall call;
  call.frame = 7;
  call.sub = 1;
  call.a = 2;
  call.b = 5;
  call.reference = nanoseconds(1234);
  call.level = {nanoseconds(10), nanoseconds(20)};
  call.boundTests = {8, 40};
  call.triangleTests = 3;
  call.deepest = 2;
  call.bound.fill(std::numeric_limits<Real>::quiet_NaN());
  call.bound[0] = 0.5;
  call.hitReference = true;
  auto writer = PairCallWriter::open(file, head);
  ASSERT_TRUE(writer);
  writer->add(std::span(&call, 1), 0.0);
  // What is written of a run that is killed: all but the last second
  EXPECT_EQ(linesOf(readText(file)).size(), 4u);
  writer->add({}, 2.0);
  EXPECT_EQ(linesOf(readText(file)).size(), 5u);
  ASSERT_TRUE(writer->close());
  const auto lines = linesOf(readText(file));
  EXPECT_EQ(
      lines[3],
      "frame,sub,a,b,bsp_ns,st_l1_ns,st_l2_ns,st_l3_ns,st_l4_ns,st_l5_ns,deepest,hit_bsp,"
      "hit_l5,bound_l1,bound_l2,bound_l3,bound_l4,tests_l1,tests_l2,tests_l3,tests_l4,tests_l5,"
      "triangle_tests");
  EXPECT_EQ(lines[4], "7,1,2,5,1234,10,20,,,,2,1,0,0.5,,,,8,40,,,,3");
}

TEST(Trace, IsJsonWithEveryPhaseOnce) {
  const TemporaryFolder folder;
  const auto file = folder / "t.json";
  test::Random random(3);
  std::vector<FrameProfile> frames;
  for (std::uint64_t i = 0; i < 10; ++i) frames.push_back(frameOf(i, random));
  frames[4].worstBound = std::numeric_limits<Real>::infinity();
  auto writer = TraceWriter::open(file);
  ASSERT_TRUE(writer);
  for (const FrameProfile& frame : frames) writer->add(frame);
  ASSERT_TRUE(writer->close());
  const auto json = nlohmann::json::parse(readText(file));
  std::size_t phases = 0, counters = 0;
  double micros = 0.0;
  for (const auto& event : json["traceEvents"]) {
    if (event["ph"] == "X") {
      ++phases;
      micros += event["dur"].get<double>();
    } else {
      ++counters;
    }
  }
  EXPECT_EQ(phases, 100u);
  EXPECT_EQ(counters, 19u);
  double expected = 0.0;
  for (const FrameProfile& frame : frames)
    expected += static_cast<double>(frame.frameTime.count()) * 1e-3;
  EXPECT_NEAR(micros, expected, 1.0);
  ASSERT_TRUE(TraceWriter::open(file)->close());
  EXPECT_TRUE(nlohmann::json::parse(readText(file))["traceEvents"].empty());
}

}  // namespace
}  // namespace nearmiss::engine
