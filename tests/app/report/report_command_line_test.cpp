// SPDX-License-Identifier: MIT
/// `nearmiss report` from outside: what it draws, and what it says of files and options that are
/// wrong.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "app/report/report_records.h"
#include "support/csv.h"
#include "support/files.h"
#include "support/program.h"

namespace nearmiss::app::report {
namespace {

using test::countOf;
using test::headOf;
using test::Outcome;
using test::profileOf;
using test::tableOf;
using test::Words;
using test::writeText;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

class ReportCommandLine : public testing::Test {
 protected:
  Outcome report(const Words& words) const {
    return program_.run(test::joined({"report", "-o", "r.html"}, words));
  }
  void write(const std::string& name, const std::string& text) const {
    writeText(program_.home() / name, text);
  }
  bool written() const { return std::filesystem::exists(program_.home() / "r.html"); }
  /// What is said of a file with this text.
  void expectRefused(const std::string& text, const std::string& sentence) const {
    write("bad.csv", text);
    const Outcome outcome = report({"bad.csv"});
    EXPECT_EQ(outcome.exitCode, 3) << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr(sentence));
    EXPECT_FALSE(written());
  }

  test::Program program_{NEARMISS_PROGRAM};
};

TEST_F(ReportCommandLine, DrawsWhatTheProgramWrites) {
  ASSERT_EQ(program_
                .run({"run", "--frames", "400", "--tree", "octree", "--clock", "work",
                      "--reference", "bsp", "--profile", "p.csv", "--calls", "c.csv"})
                .exitCode,
            0);
  const Outcome outcome = report({"p.csv", "c.csv", "--title", "A & B"});
  ASSERT_EQ(outcome.exitCode, 0) << outcome.err;
  EXPECT_THAT(outcome.out, StartsWith("written to /"));
  EXPECT_THAT(outcome.out, EndsWith("/r.html\n"));
  const std::string page = test::readText(program_.home() / "r.html");
  EXPECT_THAT(page, HasSubstr("<h1>A &amp; B</h1>"));
  EXPECT_EQ(countOf("<figure", page), 2u + 9u);
  EXPECT_THAT(page, Not(HasSubstr("nan")));
}

TEST_F(ReportCommandLine, TakesFoldersAndLeavesOutWhatIsNoRecord) {
  std::filesystem::create_directory(program_.home() / "runs");
  write("runs/b.csv", profileOf(400, 4.0));
  write("runs/a.csv", profileOf(400, 4.0));
  write("runs/foreign.csv", "x,y\n1,2\n");
  write("runs/notes.txt", "not a table");
  const Outcome outcome = report({"runs"});
  ASSERT_EQ(outcome.exitCode, 0) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("\"runs/foreign.csv\" is not a record"));
  const std::string page = test::readText(program_.home() / "r.html");
  EXPECT_LT(page.find("<h2>Run: a"), page.find("<h2>Run: b"));
  std::filesystem::create_directory(program_.home() / "others");
  EXPECT_EQ(report({"others"}).exitCode, 3) << "an empty folder";
  write("others/foreign.csv", "x,y\n1,2\n");
  EXPECT_THAT(report({"others"}).err, HasSubstr("no record to draw"));
}

TEST_F(ReportCommandLine, NamesTheFileAndLineOfWhatIsWrong) {
  expectRefused("", "\"bad.csv\" is empty");
  expectRefused("x,y\n1,2\n", "is not a record");
  expectRefused(std::string("\0\1\2\3binary", 10), "is not a record");
  expectRefused("# format: nearmiss record 9\na\n", "is a record of version 9");
  expectRefused(headOf(), "ends before the names");
  expectRefused(headOf() + "frame,frame_ms,target_ms\n0,1,2\n",
                "line 9: without the columns budget_ms, broad_ms");
  const std::string good = profileOf(2, 4.0);
  expectRefused(good + "1,2\n", "line 12: 2 cells instead of 15");
  expectRefused(good + "2,16,inf,oops,1,0,4,0,0,0,0,0,0,0,0\n",
                "line 12: \"oops\" in the column broad_ms is not a number");
  expectRefused(good + "2,16,inf,nan,1,0,4,0,0,0,0,0,0,0,0\n", "is not a number");
  expectRefused(headOf() + "a,a\n", "two columns are named \"a\"");
}

TEST_F(ReportCommandLine, NamesWhatIsWrongWithAFigure) {
  const auto figure = [](std::string_view json, std::string_view rows = "a,b\n1,2\n") {
    return tableOf(fmt::format("# experiment: e\n# figure: {}\n", json), rows);
  };
  expectRefused(figure("{\"title\""), "line 10: the figure is not a JSON object");
  expectRefused(figure(R"({"kind": "pie", "x": "a", "y": ["b"]})"), "\"pie\"");
  expectRefused(figure(R"({"kind": "lines", "x": "c", "y": ["b"]})"), "the column \"c\"");
  expectRefused(figure(R"({"kind": "lines", "x": "a", "y": "b"})"), "is not a list");
  expectRefused(figure(R"({"kind": "lines", "x": "a", "y": []})"), "names no column for y");
  expectRefused(figure(R"({"kind": "lines", "x": "a", "y": ["b"], "were": {}})"), "\"were\"");
  expectRefused(figure(R"({"kind": "lines", "x": "a", "y": ["b"], "where": {"z": "1"}})"), "\"z\"");
  expectRefused(figure(R"({"kind": "lines", "x": "a", "y": ["b"]})", "a,b\n1,2\n1,two\n"),
                "line 13: \"two\" in the column b is not a number");
}

/// What nests is gone through by recursion.
TEST_F(ReportCommandLine, RefusesJsonThatNestsWithoutEnd) {
  const std::size_t deep = 200'000;
  const std::string nest = std::string(deep, '[') + std::string(deep, ']');
  write("bad.json", R"({"machine":{},"experiment":"x","title":"t","settings":{},"found":{},)"
                    R"("columns":[],"notes":[],"figures":[)" +
                        nest + R"(],"rows":[]})");
  const Outcome outcome = report({"bad.json"});
  EXPECT_EQ(outcome.exitCode, 3) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("nests deeper than 64 levels"));
  expectRefused(tableOf("# experiment: e\n# figure: {\"x\":" + nest + "}\n", "a,b\n1,2\n"),
                "nests deeper than 64 levels");
}

TEST_F(ReportCommandLine, UsesAFileUpToItsLastWholeLine) {
  const std::string whole = profileOf(400, 4.0);
  write("cut.csv", whole.substr(0, whole.size() - 5));
  const Outcome outcome = report({"cut.csv"});
  ASSERT_EQ(outcome.exitCode, 0) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("that line is left out, and the 399 whole rows before it"));
  EXPECT_THAT(test::readText(program_.home() / "r.html"), HasSubstr("399 whole rows"));
}

TEST_F(ReportCommandLine, WarnsOfABusyMachine) {
  write("busy.csv", profileOf(400, 4.0, headOf() + "# cores: 2\n"));
  EXPECT_EQ(report({"busy.csv"}).err, "");
  std::string head = headOf();
  head.replace(head.find("load: 0.5"), 9, "load: 7.5");
  write("busy.csv", profileOf(400, 4.0, head));
  EXPECT_THAT(report({"busy.csv"}).err, HasSubstr("a load of 7.5 on 4 cores"));
}

TEST_F(ReportCommandLine, RefusesMistakesOfUse) {
  write("p.csv", profileOf(400, 4.0));
  const std::string before = test::readText(program_.home() / "p.csv");
  EXPECT_EQ(report({}).exitCode, 1);
  const Outcome twice = report({"p.csv", "./p.csv"});
  EXPECT_EQ(twice.exitCode, 1);
  EXPECT_THAT(twice.err, HasSubstr("is given twice"));
  EXPECT_EQ(report({"nothing.csv"}).exitCode, 3);
  const Outcome onto = program_.run({"report", "p.csv", "-o", "p.csv"});
  EXPECT_EQ(onto.exitCode, 1);
  EXPECT_THAT(onto.err, HasSubstr("would replace the input \"p.csv\""));
  EXPECT_EQ(test::readText(program_.home() / "p.csv"), before);
  // Within a folder that is read
  std::filesystem::create_directory(program_.home() / "runs");
  write("runs/q.csv", before);
  const Outcome into = program_.run({"report", "runs", "-o", "runs/q.csv"});
  EXPECT_EQ(into.exitCode, 1);
  EXPECT_THAT(into.err, HasSubstr("would replace the input \"runs/q.csv\""));
  EXPECT_EQ(test::readText(program_.home() / "runs" / "q.csv"), before);
  // A part of a result, beside the whole
  write("runs/q.partial.csv", before);
  EXPECT_EQ(report({"runs"}).exitCode, 0);
  EXPECT_THAT(test::readText(program_.home() / "r.html"), Not(HasSubstr("q.partial")));
  const Outcome device = report({"/dev/null"});
  EXPECT_EQ(device.exitCode, 3);
  EXPECT_THAT(device.err, HasSubstr("Not a regular file"));
  EXPECT_EQ(program_.run({"report", "p.csv", "-o", "no/such/r.html"}).exitCode, 2);
}

TEST_F(ReportCommandLine, WritesAPageOfAUsualNameAndSaysWhere) {
  write("p.csv", profileOf(400, 4.0));
  const Outcome outcome = program_.run({"report", "p.csv"});
  EXPECT_EQ(outcome.exitCode, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("report.html"));
  EXPECT_THAT(test::readText(program_.home() / "report.html"), HasSubstr("<html"));
}

TEST_F(ReportCommandLine, LeavesNothingBehindOnAFullDisk) {
  write("p.csv", profileOf(400, 4.0));
  program_.fileLimit = 1000;
  const Outcome outcome = report({"p.csv"});
  EXPECT_EQ(outcome.exitCode, 2);
  EXPECT_FALSE(written());
}

}  // namespace
}  // namespace nearmiss::app::report
