// SPDX-License-Identifier: MIT
/// `nearmiss report`: the numbers of small records, and what it says of bad ones.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nearmiss/detail/split_mix.h>

#include <cmath>

#include "app/report/report_records.h"
#include "report/axis.h"
#include "report/call_section.h"
#include "report/plot_drawing.h"
#include "report/report.h"
#include "report/run_sections.h"
#include "report/statistics.h"
#include "report/table_section.h"
#include "support/csv.h"
#include "support/files.h"
#include "support/program.h"

namespace nearmiss::app::report {
namespace {

using test::countOf;
using test::headOf;
using test::profileOf;
using test::recordIn;
using test::tableOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

TEST(Distribution, IsTheShareOfValuesThatAreNoGreater) {
  const std::vector<double> values{3.0, 1.0, 2.0, 2.0};
  using Point = std::array<double, 2>;
  EXPECT_THAT(distributionOf(values, 10),
              ElementsAre(Point{1.0, 0.25}, Point{2.0, 0.75}, Point{3.0, 1.0}));
  EXPECT_TRUE(distributionOf({}, 10).empty());
}

TEST(Distribution, OfManyValuesKeepsBothEnds) {
  std::vector<double> values;
  for (int i = 0; i < 10000; ++i) values.push_back(i);
  const auto points = distributionOf(values, 50);
  ASSERT_EQ(points.size(), 50u);
  EXPECT_EQ(points.front()[0], 0.0);
  EXPECT_EQ(points.back()[0], 9999.0);
  for (const auto& [value, share] : points) EXPECT_NEAR(share, (value + 1.0) / 10000.0, 1e-12);
}

TEST(RatioHistogram, CountsInClassesOfOneRatioAndTheRestApart) {
  RatioHistogram histogram;
  for (const double value : {1.0, 1.2, 1.4, 100.0, 0.0}) histogram.add(value);
  EXPECT_EQ(histogram.classes().at(0), 2u) << "up to 10^(1/8), or 1.33";
  EXPECT_EQ(histogram.classes().at(1), 1u);
  EXPECT_EQ(histogram.classes().at(16), 1u);
  EXPECT_EQ(histogram.notPositive(), 1u);
  EXPECT_EQ(histogram.summary().p50, 1.2);
}

/// The share of seeds whose interval holds the mean 0 of a series in which each value keeps that
/// share of the one before.
double coverage(double kept) {
  constexpr int seeds = 300;
  int held = 0;
  for (int seed = 0; seed < seeds; ++seed) {
    SplitMix random(static_cast<std::uint64_t>(seed) + 1);
    std::vector<double> values;
    double value = 0.0;
    for (int i = 0; i < 3000; ++i) {
      double normal = -6.0;
      for (int k = 0; k < 12; ++k) normal += random.unit();
      value = kept * value + normal;
      values.push_back(value);
    }
    BootstrapSettings settings;
    settings.resamples = 400;
    settings.seed = static_cast<std::uint64_t>(seed) + 1000;
    const auto interval = interval95(resampledMeans(values, settings));
    held += interval && interval->low <= 0.0 && 0.0 <= interval->high;
  }
  return static_cast<double>(held) / seeds;
}

TEST(Bootstrap, IntervalsHoldTheTruthAsOftenAsTheySay) {
  EXPECT_NEAR(coverage(0.0), 0.95, 0.04);
  EXPECT_NEAR(coverage(0.6), 0.95, 0.05) << "neighbours that depend on each other";
}

TEST(Bootstrap, IsRepeatableAndKnowsWhenThereAreTooFewValues) {
  std::vector<double> values(400);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<double>(i % 11);
  EXPECT_EQ(resampledMeans(values, {}), resampledMeans(values, {}));
  values.resize(299);
  EXPECT_TRUE(resampledMeans(values, {}).empty());
  EXPECT_FALSE(interval95({}).has_value());
}

/// As where trees are loaded at first, and files written at last.
TEST(Bootstrap, IntervalsHoldTheMeanThoughSlowFramesAreAtTheEnds) {
  std::vector<double> values(300, 1.0);
  std::fill_n(values.begin(), 10, 10.0);
  std::fill_n(values.end() - 5, 5, 10.0);
  const auto interval = interval95(resampledMeans(values, {}));
  ASSERT_TRUE(interval);
  EXPECT_LE(interval->low, 1.45);
  EXPECT_GE(interval->high, 1.45);
}

TEST(StripColumns, KeepLeastMeanAndGreatestOfAnyNumberOfFrames) {
  StripColumns strip;
  for (int i = 0; i < 100000; ++i) {
    StripColumn frame;
    frame.firstFrame = i;
    frame.frames = 1;
    frame.frame.add(i);
    strip.add(frame);
  }
  ASSERT_LE(strip.columns().size(), StripColumns::maxColumns);
  ASSERT_GE(strip.columns().size(), StripColumns::maxColumns / 2);
  double next = 0.0;
  for (const StripColumn& column : strip.columns()) {
    EXPECT_EQ(column.firstFrame, next);
    EXPECT_EQ(column.frame.min, next);
    next += static_cast<double>(column.frames);
    EXPECT_EQ(column.frame.max, next - 1.0);
    EXPECT_EQ(*column.frame.mean(), 0.5 * (column.frame.min + column.frame.max));
  }
  EXPECT_EQ(next, 100000.0);
}

TEST(Axis, LabelsHaveRoom) {
  for (const bool logarithmic : {false, true})
    for (const double high : {1e-7, 0.3, 7.0, 123.0, 65536.0, 1e12})
      for (const double width : {60.0, 200.0, 900.0}) {
        Axis axis(logarithmic, high * 1e-3, high, true);
        axis.setPixels(0.0, width);
        double end = -1e9;
        for (const Tick& tick : axis.ticksAcross()) {
          EXPECT_GE(axis.at(tick.value) - 0.5 * widthOf(tick.label), end) << high << " " << width;
          end = axis.at(tick.value) + 0.5 * widthOf(tick.label);
        }
        EXPECT_GT(end, 0.0) << "there is a label";
      }
}

TEST(Axis, NumbersAreShort) {
  EXPECT_EQ(shortNumber(0.00001), "1e-5");
  EXPECT_EQ(shortNumber(1e12), "1e12");
  EXPECT_EQ(shortNumber(65536.0), "65536");
  EXPECT_EQ(shortNumber(0.5), "0.5");
  EXPECT_EQ(truncate("abc", 1000.0), "abc");
  EXPECT_EQ(truncate("ääääääääää", 35.0), "ääää…") << "between characters, not within";
}

TEST(ProfileData, IsWithoutWhatOnlyWatches) {
  const test::TemporaryFolder folder;
  auto reader = RecordReader::open(recordIn(folder, profileOf(8, 4.0)));
  ASSERT_TRUE(reader) << reader.error().message;
  EXPECT_EQ(reader->kind(), RecordKind::Profile);
  const auto profile = readProfile(*std::move(reader));
  ASSERT_TRUE(profile);
  ASSERT_EQ(profile->frameMs.size(), 8u);
  EXPECT_DOUBLE_EQ(profile->frameMs[0], 4.0);
  EXPECT_DOUBLE_EQ(profile->detectionMs[0], 1.0);
  EXPECT_THAT(profile->collisions, ElementsAre(0.0, 8.0, 0.0, 0.0, 16.0));
  EXPECT_EQ(profile->strip.columns()[0].budget.count, 0u) << "inf is no budget";
}

TEST(CallData, SpeedUpIsOfTheReferenceAndEmptyCellsAreNotCounted) {
  const test::TemporaryFolder folder;
  const std::string names =
      "frame,bsp_ns,st_l1_ns,st_l2_ns,st_l3_ns,st_l4_ns,st_l5_ns,bound_l1,bound_l2,bound_l3,"
      "bound_l4\n";
  auto reader = RecordReader::open(recordIn(
      folder, headOf() + names + "0,1000,100,500,,,,0.5,,,\n1,1000,200,2000,,,,0,0.25,,\n"));
  ASSERT_TRUE(reader) << reader.error().message;
  EXPECT_EQ(reader->kind(), RecordKind::PairCalls);
  const auto data = readCalls(*std::move(reader));
  ASSERT_TRUE(data);
  EXPECT_EQ(data->calls, 2u);
  EXPECT_EQ(data->levels[0].speedUp.summary().max, 10.0);
  EXPECT_EQ(data->levels[1].faster, 1u);
  EXPECT_EQ(data->levels[2].speedUp.summary().n, 0u);
  EXPECT_EQ(data->bounds[0].notPositive(), 1u);
  EXPECT_EQ(data->bounds[1].summary().p50, 0.25);
}

constexpr std::string_view barsLine =
    "# figure: {\"title\": \"T\", \"says\": \"S\", \"kind\": \"bars\", \"x\": \"model\", \"y\": "
    "[\"us\", \"paper_us\"], \"by\": [\"tree\"], \"where\": {\"tree\": \"octree|medial\"}}\n";

TEST(TablePlot, FollowsTheHead) {
  const test::TemporaryFolder folder;
  auto reader = RecordReader::open(
      recordIn(folder, tableOf(barsLine,
                               "model,tree,us,paper_us\nlamp,octree,1,5\nlamp,octree,3,5\n"
                               "truck,octree,,7\nlamp,medial,4,\nlamp,dag,9,9\n")));
  ASSERT_TRUE(reader) << reader.error().message;
  const auto table = readTable(*std::move(reader));
  ASSERT_TRUE(table);
  const auto figures = describedFigures(*table);
  ASSERT_TRUE(figures) << figures.error().message;
  ASSERT_EQ(figures->size(), 1u);
  const auto plot = plotOf(*table, figures->front());
  ASSERT_TRUE(plot) << plot.error().message;
  EXPECT_THAT(plot->categories, ElementsAre("lamp", "truck"));
  ASSERT_EQ(plot->series.size(), 3u) << "dag is not asked for, medial has nothing published";
  EXPECT_EQ(plot->series[0].name, "octree: us");
  ASSERT_EQ(plot->series[0].points.size(), 1u) << "an empty cell is missing, not 0";
  EXPECT_EQ(plot->series[0].points[0].y, 2.0);
  EXPECT_EQ(plot->series[0].points[0].low, 1.0);
  EXPECT_TRUE(plot->series[1].published);
  EXPECT_EQ(plot->series[1].style, plot->series[0].style);
  EXPECT_EQ(plot->series[2].name, "medial: us");
  EXPECT_NE(plot->series[2].style, plot->series[0].style);
}

TEST(TablePlot, DrawsPublishedNumbersAlone) {
  const test::TemporaryFolder folder;
  const std::string figure =
      R"(# figure: {"kind": "lines", "x": "a", "y": ["paper_b"], "by": ["m"]})";
  auto reader =
      RecordReader::open(recordIn(folder, tableOf(figure + "\n", "a,paper_b,m\n1,2,x\n1,3,y\n")));
  ASSERT_TRUE(reader) << reader.error().message;
  const auto table = readTable(*std::move(reader));
  const auto plot = plotOf(*table, describedFigures(*table)->front());
  ASSERT_TRUE(plot) << plot.error().message;
  ASSERT_EQ(plot->series.size(), 2u);
  EXPECT_EQ(plot->series[0].name, "x");
  EXPECT_TRUE(plot->series[0].published);
  EXPECT_NE(plot->series[0].style, plot->series[1].style);
}

TEST(PlotData, HasNoPlaceForAPointWithout) {
  Plot plot;
  plot.xLabel = "a";
  plot.series = {{.name = "x", .points = {{1.0, 2.0}, {2.0, 3.0}, {3.0, 4.0}}},
                 {.name = "y", .points = {{std::nan(""), 77.0}}}};
  EXPECT_TRUE(sharedX(plot).x.empty());
  const HtmlTable data = dataOf(plot);
  ASSERT_EQ(data.rows.size(), 4u);
  EXPECT_THAT(data.rows[3], ElementsAre("y", "", "77"));
}

TEST(PlotDrawing, StepsStayUntilWhatCannotBeShown) {
  Plot plot;
  plot.logY = true;
  plot.series = {{.name = "s",
                  .mark = PlotMark::Steps,
                  .points = {{1.0, 50.0}, {2.0, 0.0}, {3.0, 10.0}, {4.0, 0.0}}}};
  const std::string drawn = drawPlot(plot, 300.0, 200.0);
  const std::size_t from = drawn.find("<path class=\"line");
  ASSERT_NE(from, std::string::npos);
  const std::string path = drawn.substr(from, drawn.find("/>", from) - from);
  EXPECT_EQ(countOf("H", path), 2u) << "each of both for the width of a step";
  EXPECT_EQ(countOf("V", path), 0u);
}

TEST(Report, SaysWhichTablesAreNotComplete) {
  const test::TemporaryFolder folder;
  std::vector<std::string> warnings;
  const std::string json =
      R"({"machine":{"format":"nearmiss record 3"},"experiment":"e","title":"t","settings":{},)"
      R"("found":{},"columns":[{"name":"a","unit":"","meaning":"m"}],"notes":[],"figures":[],)"
      R"("rows":[[1]],"complete":)";
  const std::vector<std::filesystem::path> runs{
      recordIn(folder, tableOf("# experiment: e\n# complete: no\n", "a\n1\n")),
      recordIn(folder, json + "false}", "b.json"), recordIn(folder, json + "true}", "c.json")};
  ASSERT_TRUE(makeReport(runs, {"T", {}}, warnings));
  EXPECT_THAT(warnings,
              ElementsAre(HasSubstr("\"a\" is not complete"), HasSubstr("\"b\" is not complete")));
}

TEST(Report, ShowsTheNumbersOfTheFiles) {
  const test::TemporaryFolder folder;
  std::vector<std::string> warnings;
  const std::vector<std::filesystem::path> runs{recordIn(folder, profileOf(700, 4.0)),
                                                recordIn(folder, profileOf(700, 8.0), "b.csv")};
  const auto page = makeReport(runs, {"Title", {}}, warnings);
  ASSERT_TRUE(page) << page.error().message;
  EXPECT_THAT(warnings, ElementsAre());
  EXPECT_THAT(*page, HasSubstr("<title>Title</title>"));
  EXPECT_THAT(*page, HasSubstr("Comparison of runs"));
  EXPECT_THAT(*page, HasSubstr(">5.2</td>")) << "the mean of the first";
  EXPECT_THAT(*page, HasSubstr(">+100.0 %</td>")) << "the second takes twice as long";
  EXPECT_EQ(countOf("<figure", *page), 4u + 2u * 2u);
  EXPECT_GT(countOf("<td class=\"short\">b</td>", *page), 5u) << "no plot's data lack a series";
}

TEST(Report, EscapesWhatComesFromFiles) {
  const test::TemporaryFolder folder;
  const std::string evil = "<script>alert('x')</script>\"&";
  std::vector<std::string> warnings;
  const std::vector<std::filesystem::path> runs{recordIn(
      folder,
      tableOf("# experiment: e\n# title: " + evil + "\n# note: " + evil +
                  "\n# columns: a: " + evil +
                  "\n# figure: {\"title\": \"<script>\", \"says\": \"<script>\", \"kind\": "
                  "\"bars\", \"x\": \"a\", \"y\": [\"b<script>\"], \"x_label\": \"<script>\"}\n",
              "a,b<script>\n" + evil + ",1\n"))};
  const auto page = makeReport(runs, {"<script>", {}}, warnings);
  ASSERT_TRUE(page) << page.error().message;
  EXPECT_EQ(countOf("<script", *page), 0u);
  EXPECT_THAT(*page, HasSubstr("&lt;script&gt;alert"));
}

TEST(Report, SaysWhichExperimentsAreMissing) {
  const test::TemporaryFolder folder;
  std::vector<std::string> warnings;
  const std::vector<std::filesystem::path> runs{
      recordIn(folder, tableOf("# experiment: there\n# title: It is there\n", "a,b\n1,2\n"))};
  const auto page =
      makeReport(runs, {"T", {{"gone", "It is gone"}, {"there", "It is there"}}}, warnings);
  ASSERT_TRUE(page) << page.error().message;
  EXPECT_EQ(countOf("it was not run", *page), 1u);
  EXPECT_LT(page->find("<h2>It is gone"), page->find("<h2>It is there"));
  EXPECT_TRUE(makeReport({}, {"T", {{"gone", "It is gone"}}}, warnings)) << "nothing was run";
}

TEST(Report, CutsLongTablesAndSaysSo) {
  const test::TemporaryFolder folder;
  std::string rows = "a,b\n";
  for (int i = 0; i < 1000; ++i) rows += std::to_string(i) + ",x\n";
  std::vector<std::string> warnings;
  const std::vector<std::filesystem::path> runs{
      recordIn(folder, tableOf("# experiment: e\n# title: t\n", rows))};
  const auto page = makeReport(runs, {"T", {}}, warnings);
  ASSERT_TRUE(page) << page.error().message;
  EXPECT_THAT(*page, HasSubstr("shows the first 400 of 1000 rows"));
  EXPECT_EQ(countOf(">x</td>", *page), 400u);
}

TEST(Report, DoesNotGrowWithTheLengthOfARun) {
  const test::TemporaryFolder folder;
  std::vector<std::string> warnings;
  const std::vector<std::filesystem::path> runs{recordIn(folder, profileOf(30000, 4.0))};
  const auto page = makeReport(runs, {"T", {}}, warnings);
  ASSERT_TRUE(page) << page.error().message;
  EXPECT_LT(page->size(), 1000000u);
  EXPECT_THAT(*page, HasSubstr("the mean of 64 frames"));
}

TEST(Report, RefusesToCompareTimesThatMeanOtherThings) {
  const test::TemporaryFolder folder;
  std::vector<std::string> warnings;
  const std::vector<std::filesystem::path> runs{
      recordIn(folder, profileOf(400, 4.0)),
      recordIn(folder, profileOf(400, 5.0, headOf(3, "-O0")), "b.csv"),
      recordIn(folder, profileOf(400, 5.0, headOf(2)), "c.csv")};
  const auto page = makeReport(runs, {"T", {}}, warnings);
  ASSERT_TRUE(page) << page.error().message;
  EXPECT_THAT(*page, Not(HasSubstr("Comparison of runs")));
  ASSERT_EQ(warnings.size(), 2u);
  EXPECT_THAT(warnings[0], HasSubstr("\"a\" and \"b\" are not compared: flags is \"-O3\" in one "
                                     "and \"-O0\" in the other"));
  EXPECT_THAT(warnings[1], HasSubstr("format is \"nearmiss record 3\" in one and \"nearmiss record "
                                     "2\" in the other; flags is \"-O3\" in one and \"unknown\""));
  EXPECT_EQ(countOf("are not compared", *page), 2u) << "the page says so as well";
}

TEST(Measurement, IsDrawnByTheColumnsThatWereMeasured) {
  const test::TemporaryFolder folder;
  const auto figuresOf = [&](const std::string& text) {
    auto reader = RecordReader::open(recordIn(folder, "# commit: abc\n# machine: m\n" + text));
    EXPECT_TRUE(reader) << reader.error().message;
    const auto table = readTable(*std::move(reader));
    const auto figures = describedFigures(*table);
    EXPECT_TRUE(figures) << figures.error().message;
    std::vector<Plot> plots;
    for (const DescribedFigure& figure : *figures) plots.push_back(*plotOf(*table, figure));
    return plots;
  };
  const auto bars = figuresOf("# values: s, t; mb\nship,level,s,t,mb\nlamp,3,1/4,2,7\n");
  ASSERT_EQ(bars.size(), 2u) << "a semicolon begins a figure of its own";
  EXPECT_THAT(bars[0].categories, ElementsAre("lamp, level 3"));
  ASSERT_EQ(bars[0].series.size(), 2u);
  EXPECT_EQ(bars[0].series[0].points[0].y, 0.25);
  const auto lines = figuresOf("# values: us\n# x: n\nmethod,n,us\na,1,1\na,1000,2\nb,1,3\n");
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_EQ(lines[0].series.size(), 2u);
  EXPECT_TRUE(lines[0].logX && !lines[0].logY);
  const auto units = figuresOf("# values: value\nwhat,value,unit\na,1,%\nb,2,s\nc,3,%\n");
  ASSERT_EQ(units.size(), 2u) << "rows of one unit share a figure";
  EXPECT_THAT(units[0].categories, ElementsAre("a", "c"));
}

}  // namespace
}  // namespace nearmiss::app::report
