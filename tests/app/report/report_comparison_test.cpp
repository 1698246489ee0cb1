// SPDX-License-Identifier: MIT
/// `nearmiss report`: which runs it compares, and what it says of machines that had more to do.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "app/report/report_records.h"
#include "report/report.h"
#include "support/files.h"
#include "support/program.h"

namespace nearmiss::app::report {
namespace {

using test::headOf;
using test::Outcome;
using test::profileOf;
using test::recordIn;
using test::tableOf;
using test::Words;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

/// A frame that waits for its target takes that long whatever detection takes.
TEST(Report, RefusesToCompareRunsThatWaitWithRunsThatDoNot) {
  const test::TemporaryFolder folder;
  const auto paced = [](const char* realtime) {
    return headOf() + "# realtime: " + realtime + "\n";
  };
  const auto slack = [](std::string profile) {
    // Of an older head, by the slack of its frames
    for (std::size_t at = 0; (at = profile.find(",0,5,1,0", at)) != std::string::npos;)
      profile.replace(at, 3, ",1,");
    return profile;
  };
  const std::vector<std::filesystem::path> runs{
      recordIn(folder, profileOf(400, 4.0, paced("no"))),
      recordIn(folder, profileOf(400, 16.0, paced("yes")), "b.csv"),
      recordIn(folder, profileOf(400, 4.0), "c.csv"),
      recordIn(folder, slack(profileOf(400, 4.0)), "d.csv")};
  std::vector<std::string> warnings;
  const auto page = makeReport(runs, {"T", {}}, warnings);
  ASSERT_TRUE(page) << page.error().message;
  ASSERT_EQ(warnings.size(), 1u) << "one line for all that differ alike";
  EXPECT_EQ(warnings[0],
            "Times of \"a\" and \"b\", \"d\" are not compared: realtime is \"no\" in one and "
            "\"yes\" in the other.");
  // The page opens with what was found, by runs that compare
  const std::size_t found = page->find("What was found"), contents = page->find("Contents");
  ASSERT_NE(found, std::string::npos);
  EXPECT_LT(found, contents);
  EXPECT_LT(page->find("&quot;a&quot;: 400 frames of 5.197 ms in the mean"), contents);
  EXPECT_LT(page->find("&quot;d&quot;: 400 frames"), contents);
  EXPECT_THAT(*page, HasSubstr("Comparison of runs with &quot;a&quot;"));
  EXPECT_THAT(*page, HasSubstr("Comparison of runs with &quot;b&quot;"));
}

TEST(Report, NamesAllBusyMachinesInOneSentence) {
  const test::TemporaryFolder folder;
  std::vector<std::filesystem::path> runs;
  for (int i = 0; i < 6; ++i) {
    std::string table = tableOf("# experiment: e\n", "a,b\n1,2\n");
    table.replace(table.find("load: 0.5"), 9, fmt::format("load: {}", i == 0 ? 0.5 : 4.5 + i));
    runs.push_back(recordIn(folder, table, fmt::format("t{}.csv", i)));
  }
  std::vector<std::string> warnings;
  ASSERT_TRUE(makeReport(runs, {"T", {}}, warnings));
  EXPECT_THAT(warnings, ElementsAre("The machine of \"t1\", \"t2\", \"t3\" and 2 more was busy "
                                    "before they began: a load of 5.5 to 9.5 on 4 cores. Their "
                                    "times may be too long."));
}

TEST(Report, NamesMergedTablesOfABusyMachine) {
  const test::TemporaryFolder folder;
  std::string table = tableOf("# experiment: e\n", "a,b\n1,2\n");
  table.replace(table.find("load: 0.5"), 9, "load: 0.5; 9.5");
  std::vector<std::string> warnings;
  const std::vector<std::filesystem::path> runs{recordIn(folder, table)};
  ASSERT_TRUE(makeReport(runs, {"T", {}}, warnings));
  EXPECT_THAT(warnings, ElementsAre(HasSubstr("a load of 9.5 on 4 cores")));
}

TEST(ReportOfRuns, KnowsRunsThatWaitByWhatTheProgramWrites) {
  const test::Program program(NEARMISS_PROGRAM);
  for (const Words& more : {Words{"--profile", "a.csv"}, Words{"--realtime", "--profile", "b.csv"}})
    ASSERT_EQ(program
                  .run(test::joined(
                      {"run", "--frames", "20", "--frame-ms", "5", "--tree", "octree"}, more))
                  .exitCode,
              0);
  const Outcome outcome = program.run({"report", "a.csv", "b.csv", "-o", "r.html"});
  ASSERT_EQ(outcome.exitCode, 0) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("\"a\" and \"b\" are not compared: realtime is \"no\" in one "
                                     "and \"yes\" in the other."));
  EXPECT_THAT(test::readText(program.home() / "r.html"), Not(HasSubstr("Comparison of runs")));
}

}  // namespace
}  // namespace nearmiss::app::report
