// SPDX-License-Identifier: MIT
/// The table of best runs in a folder: order, length, sessions, and what is done with a damaged
/// one.
#include <engine/base/atomic_file.h>
#include <engine/game/best_runs.h>
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "support/files.h"

namespace nearmiss::engine {
namespace {

namespace fs = std::filesystem;

BestRun runOf(std::int64_t points) {
  BestRun run;
  run.points = points;
  run.date = "2026-01-31 17:45";
  run.scene = "lamps \"and\" more";
  run.seed = 42;
  run.minBudget = std::chrono::microseconds(45);
  run.maxBudget = std::chrono::nanoseconds::max();
  run.nearMisses = 7;
  run.falseHits = 2;
  return run;
}

StoredRun keep(const fs::path& folder, std::int64_t points) {
  const auto save = [points](const fs::path& file) {
    return writeWhole(file, std::to_string(points));
  };
  auto kept = storeRun(folder, runOf(points), save);
  EXPECT_TRUE(kept.has_value());
  return *std::move(kept);
}

class BestRunsFolder : public testing::Test {
 protected:
  nearmiss::test::TemporaryFolder home_;
  const fs::path folder_ = home_ / "data" / "runs";
};

TEST_F(BestRunsFolder, KeepsTheBestWithTheirSessions) {
  for (const std::int64_t points : {30, 10, 50, 20, 40}) {
    for (std::int64_t more = 0; more < 3; ++more) (void)keep(folder_, points + more);
  }
  const auto table = readBestRuns(folder_);
  ASSERT_TRUE(table.has_value());
  ASSERT_EQ(table->runs.size(), BestRuns::most);
  std::int64_t before = 100;
  std::set<std::string> sessions;
  for (const BestRun& run : table->runs) {
    EXPECT_LT(run.points, before);
    before = run.points;
    // Each its own, although all are of one minute
    EXPECT_EQ(nearmiss::test::readText(folder_ / run.session), std::to_string(run.points));
    sessions.insert(run.session);
  }
  EXPECT_EQ(sessions.size(), BestRuns::most);
  const auto files = std::distance(fs::directory_iterator(folder_), fs::directory_iterator());
  EXPECT_EQ(static_cast<std::size_t>(files), BestRuns::most + 1);

  const BestRun& best = table->runs.front();
  EXPECT_EQ(best.scene, runOf(0).scene);
  EXPECT_EQ(best.minBudget, runOf(0).minBudget);
  EXPECT_EQ(best.maxBudget, std::chrono::nanoseconds::max());
  EXPECT_EQ(best.nearMisses, 7u);
  EXPECT_EQ(best.falseHits, 2u);
}

TEST_F(BestRunsFolder, NamesThePlaceOfARunOrNone) {
  EXPECT_EQ(keep(folder_, 10).rank, 0u);
  EXPECT_EQ(keep(folder_, 20).rank, 0u);
  // With equal points the first stays ahead
  EXPECT_EQ(keep(folder_, 10).rank, 2u);
  for (std::int64_t points = 100; points < 107; ++points) (void)keep(folder_, points);
  const StoredRun none = keep(folder_, 5);
  EXPECT_FALSE(none.rank.has_value());
  EXPECT_EQ(none.table.runs.size(), BestRuns::most);
}

TEST_F(BestRunsFolder, RanksNoRunWithoutPoints) {
  for (const std::int64_t points : {0, -50}) {
    const StoredRun none = keep(folder_, points);
    EXPECT_FALSE(none.rank.has_value());
    EXPECT_TRUE(none.table.runs.empty());
  }
  EXPECT_TRUE(fs::is_empty(folder_)) << "a run that does not rank leaves no session";
  EXPECT_EQ(keep(folder_, 1).rank, 0u);
}

TEST_F(BestRunsFolder, StoresTheLevelsWonEvenByRunsThatDoNotRank) {
  BestRun run = runOf(5'000);
  run.level = 1;
  ASSERT_TRUE(storeRun(folder_, run, {}));
  // Enough points for several levels win one
  EXPECT_EQ(levelsWon(*readBestRuns(folder_), run.scene), 1u);
  for (std::int64_t points = 10'000; points < 10'010; ++points) (void)keep(folder_, points);
  run.points = 1'000;
  run.level = 2;
  const auto unranked = storeRun(folder_, run, {});
  ASSERT_TRUE(unranked);
  EXPECT_FALSE(unranked->rank);
  EXPECT_EQ(levelsWon(*readBestRuns(folder_), run.scene), 2u);
  run.level = 1;
  ASSERT_TRUE(storeRun(folder_, run, {}));
  EXPECT_EQ(levelsWon(*readBestRuns(folder_), run.scene), 2u);
  EXPECT_EQ(levelsWon(*readBestRuns(folder_), "other"), 0u);
}

/// Tables of earlier versions have no levels: what was won by points stays won.
TEST_F(BestRunsFolder, CountsTheGoalsOfATableWithoutLevels) {
  BestRuns table;
  table.runs.push_back(runOf(4'100));
  EXPECT_EQ(levelsWon(table, runOf(0).scene), 3u);
}

TEST_F(BestRunsFolder, SetsADamagedTableAside) {
  fs::create_directories(folder_);
  const std::string run =
      R"({"points":POINTS,"date":"2026-01-31 17:45","scene":"lamps","seed":1,"least_budget_ns":9,)"
      R"("greatest_budget_ns":9,"near_misses":1,"hits":HITS,"false_hits":0,"longest_streak":0,)"
      R"("session":""})";
  const auto tableOf = [&run](const char* points, const char* hits) {
    std::string text = "{\"version\":1,\"runs\":[" + run + "]}";
    text.replace(text.find("POINTS"), 6, points);
    return text.replace(text.find("HITS"), 4, hits);
  };
  nearmiss::test::writeText(folder_ / "runs.json", tableOf("10", "2"));
  ASSERT_EQ(readBestRuns(folder_)->runs.size(), 1u);

  for (const std::string& text :
       {std::string("{"), std::string("{\"version\": 1, \"runs\": [{}]}"), std::string("[]"),
        std::string("{\"version\": 2}"), std::string(R"({"version":1,"runs":[],"levels":[]})"),
        std::string(R"({"version":1,"runs":[],"levels":{"lamps":-1}})"), tableOf("1e300", "2"),
        tableOf("10.5", "2"), tableOf("10", "4294967296"), tableOf("10", "-1")}) {
    nearmiss::test::writeText(folder_ / "runs.json", text);
    const auto table = readBestRuns(folder_);
    ASSERT_TRUE(table.has_value());
    EXPECT_TRUE(table->runs.empty());
    EXPECT_NE(table->note.find("runs-damaged"), std::string::npos) << table->note;
    EXPECT_FALSE(fs::exists(folder_ / "runs.json"));
  }
  // All of them are there still
  const auto files = std::distance(fs::directory_iterator(folder_), fs::directory_iterator());
  EXPECT_EQ(files, 10);
}

TEST_F(BestRunsFolder, NeverRemovesAFileElsewhere) {
  for (std::int64_t points = 1; points <= 10; ++points) (void)keep(folder_, points);
  std::string text = nearmiss::test::readText(folder_ / "runs.json");
  const std::string worst = readBestRuns(folder_)->runs.back().session;
  text.replace(text.find(worst), worst.size(), "../../precious");
  nearmiss::test::writeText(folder_ / "runs.json", text);
  nearmiss::test::writeText(home_ / "precious", "gold");
  EXPECT_TRUE(keep(folder_, 100).rank.has_value());
  EXPECT_TRUE(fs::exists(home_ / "precious"));
}

TEST_F(BestRunsFolder, LeavesTheTableWhereASessionCannotBeSaved) {
  (void)keep(folder_, 10);
  const auto failing = [](const fs::path&) {
    return Result<Success>(Error{ErrorCode::Unreadable, "the disk is full"});
  };
  const auto kept = storeRun(folder_, runOf(20), failing);
  ASSERT_FALSE(kept.has_value());
  EXPECT_EQ(kept.error().message, "the disk is full");
  EXPECT_EQ(readBestRuns(folder_)->runs.size(), 1u);
  // A flight too long to be recorded is kept without
  const auto without = storeRun(folder_, runOf(20), nullptr);
  ASSERT_TRUE(without.has_value());
  EXPECT_TRUE(without->table.runs.front().session.empty());
}

}  // namespace
}  // namespace nearmiss::engine
