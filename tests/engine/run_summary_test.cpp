// SPDX-License-Identifier: MIT
/// The summary of a whole run: series of numbers, counts, and the greatest overrun.
#include <engine/record/record_writers.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nearmiss/advanced/fallbacks.h>
#include <signal.h>
#include <sys/resource.h>

#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <iterator>
#include <limits>
#include <nlohmann/json.hpp>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "engine/two_line_head.h"
#include "support/files.h"

namespace nearmiss::engine {
namespace {

using nearmiss::test::readText;
using nearmiss::test::TemporaryFolder;
using std::chrono::microseconds;
using std::chrono::nanoseconds;
using testing::EndsWith;
using testing::HasSubstr;

TEST(Summary, OfHandMadeNumbers) {
  // 1 to 10: by nearest rank p50 is the 5th, p90 the 9th, p95 and above the 10th
  std::vector<double> values(10);
  std::iota(values.begin(), values.end(), 1.0);
  std::swap(values[0], values[9]);
  const SeriesSummary s = summarise(values);
  EXPECT_EQ(s.n, 10u);
  EXPECT_EQ(s.mean, 5.5);
  EXPECT_DOUBLE_EQ(s.sd, std::sqrt(82.5 / 9.0));
  EXPECT_DOUBLE_EQ(s.cv, s.sd / 5.5);
  EXPECT_EQ(s.min, 1.0);
  EXPECT_EQ(s.max, 10.0);
  EXPECT_EQ(s.p50, 5.0);
  EXPECT_EQ(s.p90, 9.0);
  EXPECT_EQ(s.p95, 10.0);
  EXPECT_EQ(s.p99, 10.0);
  EXPECT_EQ(s.low1pct, 10.0);
}

TEST(Summary, OfAThousandNumbers) {
  std::vector<double> values(1000);
  std::iota(values.begin(), values.end(), 1.0);
  const SeriesSummary s = summarise(values);
  EXPECT_EQ(s.p50, 500.0);
  EXPECT_EQ(s.p90, 900.0);
  EXPECT_EQ(s.p95, 950.0);
  EXPECT_EQ(s.p99, 990.0);
  EXPECT_EQ(s.p99_9, 999.0);
  EXPECT_EQ(s.low1pct, 995.5);  // of 991 to 1000
}

TEST(Summary, OfNothingAndOfOne) {
  EXPECT_EQ(summarise({}).n, 0u);
  const double one[] = {7.0};
  const SeriesSummary s = summarise(one);
  EXPECT_EQ(s.p50, 7.0);
  EXPECT_EQ(s.p99_9, 7.0);
  EXPECT_EQ(s.sd, 0.0);
  EXPECT_EQ(s.low1pct, 7.0);
}

FrameProfile plainFrame(nanoseconds time) {
  FrameProfile frame;
  frame.frameTime = frame.narrow = time;
  frame.target = microseconds(1000);
  frame.missed = time > microseconds(1010);
  frame.budget = nanoseconds::max();
  return frame;
}

TEST(RunSummary, CountsWhatItSays) {
  RunSummary summary;
  for (int i = 0; i < 99; ++i) {
    FrameProfile frame = plainFrame(microseconds(1000));
    frame.collisions[4] = 1;
    frame.responded[2] = 3;
    frame.detections = 2;
    frame.detectionsSkipped = 3;
    frame.pairsPostponed = 1;
    frame.longestWait = 0.01 * i;
    frame.bodiesPostponed = 2;
    frame.maxPassedOver = static_cast<std::uint32_t>(i % 20);
    frame.collisionsLate = 1;
    frame.maxLate = static_cast<std::uint32_t>(i % 10);
    summary.add(frame);
  }
  // 2.5 ms is not more than 2.5 times the mean, 2.6 ms is
  summary.add(plainFrame(microseconds(2500)));
  EXPECT_EQ(summary.frames().stutters, 0u);
  for (int i = 0; i < 99; ++i) summary.add(plainFrame(microseconds(1000)));
  FrameProfile last = plainFrame(microseconds(2600));
  last.budget = microseconds(300);
  last.spent = microseconds(340);
  last.exhausted = true;
  last.worstBound = 0.5;
  summary.add(last);

  const auto json = nlohmann::json::parse(summary.json(head, 0xabcull));
  EXPECT_EQ(json["frames"], 200);
  EXPECT_EQ(json["run"]["scene"], "two\nlines");
  EXPECT_EQ(json["state_hash"], "0x0000000000000abc");
  EXPECT_DOUBLE_EQ(json["missed_percent"], 1.0);
  EXPECT_DOUBLE_EQ(json["stutter_percent"], 0.5);
  EXPECT_DOUBLE_EQ(json["exhausted_percent"], 0.5);
  EXPECT_EQ(json["collisions_by_level"]["4"], 99);
  EXPECT_EQ(json["responses_by_level"]["2"], 297);
  EXPECT_EQ(json["responses_by_level"]["4"], 0);
  EXPECT_EQ(json["detections"], 198);
  EXPECT_EQ(json["detections_skipped"], 297);
  EXPECT_EQ(json["pairs_postponed"], 99);
  EXPECT_DOUBLE_EQ(json["longest_wait_s"], 0.98);
  EXPECT_EQ(json["ships_postponed"], 198);
  EXPECT_EQ(json["longest_wait_detections"], 19);
  EXPECT_EQ(json["collisions_late"], 99);
  EXPECT_EQ(json["most_late_detections"], 9);
  EXPECT_EQ(json["collisions_by_level"]["5"], 0);
  EXPECT_DOUBLE_EQ(json["worst_bound_m"], 0.5);
  EXPECT_EQ(json["series"]["frame_ms"]["p50"], 1.0);
  EXPECT_EQ(json["series"]["frame_ms"]["max"], 2.6);
  EXPECT_EQ(json["series"]["budget_ms"]["n"], 1);
  EXPECT_NEAR(json["series"]["overrun_us"]["p50"], 40.0, 1e-9);

  // Whatever is counted is explained
  const std::string definitions = json["definitions"].dump();
  for (const auto& [name, series] : json["series"].items())
    EXPECT_TRUE(json["definitions"].contains(name)) << name;
  for (const char* name :
       {"p99", "low_1pct", "stutter_percent", "missed_percent", "detections", "detections_skipped",
        "pairs_postponed", "ships_postponed", "longest_wait_s", "longest_wait_detections",
        "collisions_late", "most_late_detections", "worst_overrun"})
    EXPECT_THAT(definitions, HasSubstr(name));
}

TEST(RunSummary, TellsOverrunsAndTheCauseOfTheGreatest) {
  RunSummary summary;
  EXPECT_EQ(summary.causeOfWorstOverrun(), "none");
  const auto overrun = [&](int us, std::uint32_t preemptions, int broad, std::uint32_t forced) {
    FrameProfile frame = plainFrame(microseconds(1000));
    frame.frame = summary.frames().all;
    frame.budget = microseconds(100);
    frame.spent = microseconds(100 + us);
    frame.broad = microseconds(broad);
    frame.narrow = frame.spent - frame.broad;
    frame.exhausted = true;
    frame.detections = 2;
    frame.pairsBroad = 8;
    frame.pairsForced = forced;
    frame.preemptions = preemptions;
    summary.add(frame);
    return summary.causeOfWorstOverrun();
  };
  EXPECT_THAT(overrun(-5, 0, 10, 0), HasSubstr("95.0 us of 100.0 in frame 0"));
  EXPECT_THAT(overrun(3, 0, 10, 1), HasSubstr("a level of one pair"));
  EXPECT_THAT(overrun(7, 0, 10, 7), EndsWith("pairs that might not wait"));
  EXPECT_THAT(overrun(30, 0, 120, 0), HasSubstr("the broad phase alone"));
  EXPECT_THAT(overrun(900, 1, 10, 0), HasSubstr("another process took the core"));
  EXPECT_THAT(overrun(899, 0, 10, 0), HasSubstr("in frame 4")) << "the greatest is kept";

  EXPECT_EQ(summary.overrunUs().n, 6u);
  EXPECT_DOUBLE_EQ(summary.overrunUs().min, 0.0);
  EXPECT_NEAR(summary.overrunUs().max, 900.0, 1e-9);
  EXPECT_EQ(summary.undisturbedOverrunUs().n, 5u);
  EXPECT_NEAR(summary.undisturbedOverrunUs().max, 899.0, 1e-9);
}

TEST(RunSummary, LeavesOutWhatOnlyWatches) {
  RunSummary summary;
  FrameProfile frame = plainFrame(microseconds(3000));
  frame.watching = microseconds(2000);
  summary.add(frame);
  EXPECT_EQ(summary.frameMs().max, 1.0);
}

TEST(RunSummary, IsOfAllFramesHoweverLongTheRun) {
  RunSummary summary;
  const int frames = 3 * static_cast<int>(Series::exactUpTo);
  for (int i = 0; i < frames; ++i)
    summary.add(plainFrame(microseconds(i < frames / 2 ? 5000 : 1000)));
  EXPECT_EQ(summary.frames().all, static_cast<std::size_t>(frames));
  EXPECT_EQ(summary.frameMs().n, static_cast<std::size_t>(frames));
  EXPECT_EQ(summary.frameMs().max, 5.0);
  EXPECT_NEAR(summary.frameMs().mean, 3.0, 1e-9);
  EXPECT_NEAR(summary.frameMs().p90, 5.0, 5.0 * Series::relativeError);
  EXPECT_NEAR(summary.frameMs().p50, 1.0, Series::relativeError);
  const std::string text = summary.json({}, 0);
  EXPECT_THAT(text, HasSubstr("exact for n up to 65536, within 0.1 % of the value beyond"));
}

TEST(RunSummary, CountsWhatGaveWay) {
  const auto counts = [] {
    return nlohmann::json::parse(RunSummary().json({}, 0)).at("fallbacks");
  };
  const auto before = counts();
  ASSERT_EQ(before.size(), fallbackCatalog().size());
  countFallback(Fallback::ScheduleAllPairs);
  countFallback(Fallback::ScheduleAllPairs);
  countFallback(Fallback::AnnealedApart);
  const auto after = counts();
  for (const FallbackEntry& entry : fallbackCatalog()) {
    const int more = entry.kind == Fallback::ScheduleAllPairs ? 2
                     : entry.kind == Fallback::AnnealedApart  ? 1
                                                              : 0;
    EXPECT_EQ(after.at(std::string(entry.name)),
              before.at(std::string(entry.name)).get<int>() + more);
  }
  EXPECT_THAT(fallbackLines(), HasSubstr("schedule_all_pairs: calls of "));
}

TEST(RunSummary, WritesInfinityAsNull) {
  RunSummary summary;
  FrameProfile frame = plainFrame(microseconds(1));
  frame.worstBound = std::numeric_limits<Real>::infinity();
  summary.add(frame);
  EXPECT_TRUE(nlohmann::json::parse(summary.json({}, 0))["worst_bound_m"].is_null());
}

TEST(RunSummary, KeepsAnOldFileWhenItCannotWrite) {
  const TemporaryFolder folder;
  const auto file = test::writeText(folder / "s.json", "old");
  ::signal(SIGXFSZ, SIG_IGN);
  rlimit before{};
  ::getrlimit(RLIMIT_FSIZE, &before);
  const rlimit small{100, before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  const auto written = RunSummary().write(file, head, 1);
  ::setrlimit(RLIMIT_FSIZE, &before);
  ASSERT_FALSE(written);
  EXPECT_EQ(readText(file), "old");
  const std::filesystem::directory_iterator entries(folder.path());
  EXPECT_EQ(std::distance(begin(entries), end(entries)), 1);
}

}  // namespace
}  // namespace nearmiss::engine
