// SPDX-License-Identifier: MIT
/// Names and values of the figures in the panels and in the table of numbers, each against the
/// measurement that it shows.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/fly/drawn_text.h"
#include "app/fly/read_figures.h"
#include "console/text.h"
#include "fly/choices/ui_state.h"
#include "fly/host/key_map.h"
#include "fly/overlay/panels.h"

namespace nearmiss::app::fly {
namespace {

using engine::FrameProfile;
using std::chrono::microseconds;

/// Measurements in which no two values are equal.
struct Measurements {
  UiState ui;
  ShownNumbers shown;
  OverlayView view;

  Measurements() {
    int time = 1000;
    FrameProfile& f = shown.frame;
    for (FrameProfile::Duration* each :
         {&f.input, &f.motion, &f.broad, &f.narrow, &f.response, &f.render, &f.swap, &f.other,
          &f.slack, &f.watching, &f.target, &f.predictedRest, &f.budget, &f.spent})
      *each = microseconds(time += 137);
    f.frameTime = microseconds(50000);
    f.frame = 815;
    f.nextDetection = 7.25;
    std::uint32_t count = 1000;
    for (std::uint32_t* each : {&f.ships, &f.pairsBroad, &f.pairsNarrow, &f.pairsPostponed,
                                &f.touching, &f.maxPassedOver, &f.touchesEnded, &f.responses})
      *each = count += 111;
    std::uint64_t work = 1000000;
    for (std::uint64_t* each : {&f.steps, &f.sphereTests, &f.triangleTests}) *each = work += 1234;
    f.collisions = {9, 1, 2, 3, 4, 5};
    f.worstBound = 0.123;
    shown.measured = true;
    shown.frameTime = milliseconds(f.frameTime - f.watching);
    shown.target = milliseconds(f.target);
    shown.detect = milliseconds(f.spent);
    shown.allowed = milliseconds(f.budget);
    shown.used = 0.75;
    shown.p50 = 11.1;
    shown.p95 = 22.2;
    shown.p99 = 33.3;
    shown.p99_9 = 44.4;
    shown.runningFrames = 321;
    shown.running = {60, 61, 62, 63, 64, 65};
    shown.runningWorst = 0.31;
    shown.runningMedian = 0.21;
    shown.predictionError = 1.234;
    shown.pace = {0.5, 60.0};
    FrameStatistics& since = shown.since;
    since.frameTime.add(3.0);
    since.frameTime.add(5.5);
    since.detection.add(1.0);
    since.detection.add(1.25);
    std::uint64_t total = 2000;
    for (std::uint64_t* each :
         {&since.frames, &since.missed, &since.exhausted, &since.detections,
          &since.detectionsSkipped, &since.touchesEnded, &since.responses, &since.missedContacts})
      *each = total += 321;
    since.collisions = {5000, 71, 72, 73, 74, 75};
    shown.instant.simTime = 6.5;
    shown.instant.earliestMeeting = 1.25;
    shown.instant.budget = "auto";
    view.ui = &ui;
    view.flight.shipRadius = 0.5;
    view.flight.method = "sphere-tree";
    view.flight.tree = "octree";
    view.flight.broad = "grid";
    view.flight.sceneName = "lamps";
    view.flight.camera = "chase";
    view.flight.seed = 42;
  }
};

using Pairs = std::vector<std::pair<std::string, std::string>>;

/// Name and value of each figure of these lines; headings in brackets.
Pairs figuresOf(std::span<const DetectionLine> lines) {
  Pairs found;
  for (const DetectionLine& line : lines) {
    found.emplace_back(line.heading ? fmt::format("[{}]", line.left.name) : line.left.name,
                       line.left.value);
    if (!line.right.name.empty()) found.emplace_back(line.right.name, line.right.value);
  }
  return found;
}

std::string ofRadius(double metres, double radius) {
  return fmt::format("{} = {:.1f} % of the radius", gapText(metres), 100.0 * metres / radius);
}

TEST(DetectionFigures, ShowTheMeasurementsOfTheirNames) {
  Measurements of;
  const FrameProfile& f = of.shown.frame;
  EXPECT_EQ(figuresOf(detectionFigures(of.view, of.shown)),
            (Pairs{{"[Last frames]", "321 frames"},
                   {"worst bound", ofRadius(0.31, 0.5)},
                   {"median bound", ofRadius(0.21, 0.5)},
                   {"[This frame]", ""},
                   {"budget used", "75.0 % of " + formatTime(milliseconds(f.budget))},
                   {"earliest possible contact", "in 1.25 s"},
                   {"touching now", std::string(formatCount(f.touching))},
                   {"pairs tested", std::string(formatCount(f.pairsBroad))},
                   {"pairs waiting", std::string(formatCount(f.pairsPostponed))},
                   {"longest wait", counted(f.maxPassedOver, "call")},
                   {"BV tests", std::string(formatCount(f.sphereTests))},
                   {"triangle tests", std::string(formatCount(f.triangleTests))}}));
  of.shown.frame.pairsPostponed = 0;
  of.shown.runningWorst = std::numeric_limits<double>::infinity();
  of.shown.instant.earliestMeeting.reset();
  Pairs now = figuresOf(detectionFigures(of.view, of.shown));
  EXPECT_EQ(now[1].second, "no bound");
  EXPECT_EQ(now[5].second, "not foreseen");
  EXPECT_EQ(now[9].second, "–") << "nobody waits";
  of.shown.instant.earliestMeeting = 0.0;
  EXPECT_EQ(figuresOf(detectionFigures(of.view, of.shown))[5].second, "now");
  of.shown.instant.earliestMeeting = 0.004;
  EXPECT_EQ(figuresOf(detectionFigures(of.view, of.shown))[5].second, "in 0.00 s");
}

TEST(DetectionFigures, SayHowMuchOfTheBudgetWasUsed) {
  Measurements of;
  const auto budget = [&] { return detectionFigures(of.view, of.shown)[4].left; };
  const std::string allowed = formatTime(*of.shown.allowed);
  EXPECT_EQ(budget().colour, palette::text);
  of.shown.used = 1.05;
  EXPECT_EQ(budget().value, "105.0 % of " + allowed);
  EXPECT_EQ(budget().colour, palette::text) << "a little more is no warning";
  of.shown.used = 1.06;
  EXPECT_EQ(budget().colour, palette::narrow);
  of.shown.used = 10.0;
  EXPECT_EQ(budget().value, "1000.0 % of " + allowed);
  of.shown.used = 12.0;
  EXPECT_EQ(budget().value, "12 × " + allowed);
  EXPECT_EQ(budget().colour, palette::narrow);
  of.shown.used.reset();
  EXPECT_EQ(budget().value, "0.0 % of " + allowed);
  for (const double none : {0.0, 0.99e-4}) {
    of.shown.allowed = none;
    EXPECT_EQ(budget().value, formatTime(milliseconds(of.shown.frame.spent)) + ", none left");
    EXPECT_EQ(budget().colour, palette::narrow);
  }
  of.shown.allowed = 1e-4;
  EXPECT_EQ(budget().value, "0.0 % of " + formatTime(1e-4));
  of.shown.allowed.reset();
  EXPECT_EQ(budget().value, "auto");
  of.shown.measured = false;
  EXPECT_EQ(budget().value, "–");
}

TEST(StatisticFigures, ShowTheMeasurementsOfTheirNames) {
  Measurements of;
  const FrameStatistics& since = of.shown.since;
  const double skipped = 100.0 * static_cast<double>(since.detectionsSkipped) /
                         static_cast<double>(since.detections + since.detectionsSkipped);
  EXPECT_EQ(figuresOf(statisticFigures(of.shown)),
            (Pairs{{"mean", formatTime(since.frameTime.mean())},
                   {"p50", formatTime(11.1)},
                   {"sd", formatTime(since.frameTime.sd())},
                   {"p95", formatTime(22.2)},
                   {"max", formatTime(since.frameTime.max())},
                   {"p99", formatTime(33.3)},
                   {"detection", formatTime(since.detection.mean())},
                   {"p99.9", formatTime(44.4)},
                   {"budget exhausted", fmt::format("{} = {:.1f} %", formatCount(since.exhausted),
                                                    percentOf(since.exhausted, since.frames))},
                   {"detector calls",
                    fmt::format("{}, {:.0f} % skipped", formatCount(since.detections), skipped)},
                   {"bounces", std::string(formatCount(since.responses))},
                   {"contacts ended", std::string(formatCount(since.touchesEnded))}}));
  // Without frames nothing is known
  of.shown.since = {};
  of.shown.p50 = of.shown.p95 = of.shown.p99 = of.shown.p99_9 = std::nullopt;
  const Pairs none = figuresOf(statisticFigures(of.shown));
  for (std::size_t i = 0; i < 8; ++i) EXPECT_EQ(none[i].second, "–") << none[i].first;
  of.shown.since.frames = 1;
  EXPECT_EQ(figuresOf(statisticFigures(of.shown))[0].second, formatTime(0.0));
}

/// Each row of the level panel: chip, bar, and both counts of its own level.
TEST(LevelPanel, HasTheCountsOfEachLevel) {
  Measurements of;
  of.shown.running = {90, 40, 20, 10, 0, 1};
  DrawnText text(1280.0f, 720.0f, 1.0f);
  HoverSpots spots;
  const Rect panel{20.0f, 20.0f, 420.0f, 330.0f};
  drawLevelPanel(Ink(&spots), panel, of.view, of.shown, false);
  const auto letters = text.drawn();
  const auto tracks = text.shapes(palette::black);
  ASSERT_EQ(tracks.size(), 5u);
  int level = 0;
  for (const HoverSpot& spot : spots.all()) {
    if (spot.name != "collisions of a level") continue;
    const auto i = static_cast<std::size_t>(++level);
    EXPECT_EQ(DrawnText::textIn(spot.rect, letters),
              plain(engine::nameOfDepth(level)) + plain(formatCount(of.shown.running[i])) +
                  plain(formatCount(of.shown.since.collisions[i])));
    // Relative to the level with most; levels without collisions have no bar
    const Rect& track = tracks[i - 1];
    EXPECT_NEAR(track.y + 0.5f * track.height, spot.rect.y + 0.5f * spot.rect.height, 1.0f);
    EXPECT_GT(track.width, 0.2f * spot.rect.width);
    const float share = static_cast<float>(of.shown.running[i]) / 40.0f;
    const auto bars = text.shapes(levelColour(level));
    const auto bar = std::ranges::find_if(bars, [&](const Rect& rect) {
      return std::abs(rect.x - track.x) < 0.5f && std::abs(rect.y - track.y) < 0.5f;
    });
    ASSERT_EQ(bar != bars.end(), of.shown.running[i] > 0) << level;
    if (bar == bars.end()) continue;
    EXPECT_NEAR(bar->width, std::max(2.0f, share * track.width), 1.0f) << level;
    EXPECT_NEAR(bar->height, track.height, 0.5f);
    // Between the chip and the counts
    for (const auto& letter : letters) EXPECT_FALSE(meets(letter.rect.inset(1.0f), track)) << level;
  }
  EXPECT_EQ(level, 5);
  EXPECT_EQ(text.text().find("worstbound"), std::string::npos);
  EXPECT_NE(text.text().find("lastframessincereset"), std::string::npos);
  // A single collision still has a visible bar
  of.shown.running = {0, 1000, 1, 0, 0, 0};
  text.next();
  drawLevelPanel(Ink(), panel, of.view, of.shown, true);
  EXPECT_NE(text.text().find("worstbound"), std::string::npos);
  EXPECT_TRUE(std::ranges::any_of(text.shapes(levelColour(2)), [](const Rect& bar) {
    return std::abs(bar.width - 2.0f) < 0.2f;
  }));
}

TEST(LevelPanel, DrawsNoBarsBeforeTheFirstCollision) {
  Measurements of;
  of.shown.running = {};
  const DrawnText text(1280.0f, 720.0f, 1.0f);
  drawLevelPanel(Ink(), {20.0f, 20.0f, 420.0f, 330.0f}, of.view, of.shown, false);
  for (int level = 1; level < engine::depths; ++level)
    EXPECT_LE(text.shapes(levelColour(level)).size(), level == 5 ? 2u : 1u) << "only its chip";
}

std::string valueOf(const std::vector<PageGroup>& groups, std::string_view heading,
                    std::string_view left) {
  for (const PageGroup& group : groups)
    if (group.heading == heading)
      for (const PageRow& row : group.rows)
        if (row.left == left) return row.right;
  return "missing";
}

TEST(NumbersTable, ShowsTheMeasurementsOfItsNames) {
  Measurements of;
  const FrameProfile& f = of.shown.frame;
  const FrameStatistics& since = of.shown.since;
  const auto ms = [](FrameProfile::Duration d) {
    return fmt::format("{:.3f} ms", milliseconds(d));
  };
  const auto n = [](std::uint64_t count) { return std::string(formatCount(count)); };
  const auto groups = numberGroups(of.view, of.shown);
  const std::vector<PageGroup> expected{
      {"Time of this frame",
       {{"input", ms(f.input)},
        {"motion", ms(f.motion)},
        {"broad phase", ms(f.broad)},
        {"narrow phase", ms(f.narrow)},
        {"response", ms(f.response)},
        {"render", ms(f.render)},
        {"swap", ms(f.swap)},
        {"other", ms(f.other)},
        {"slack", ms(f.slack)},
        {"frame", ms(f.frameTime - f.watching)},
        {"reference, not in the frame", ms(f.watching)},
        {"target", ms(f.target)}}},
      {"Budget of this frame",
       {{"rest, predicted", ms(f.predictedRest)},
        {"rest, measured", ms(f.frameTime - f.watching - f.slack - f.broad - f.narrow)},
        {"allowed", ms(f.budget)},
        {"spent", ms(f.spent)}}},
      {"Work of this frame",
       {{"ships", n(f.ships)},
        {"pairs tested", n(f.pairsBroad)},
        {"pairs not separate", n(f.pairsNarrow)},
        {"pairs waiting", n(f.pairsPostponed)},
        {"refinement steps", n(f.steps)},
        {"BV tests", n(f.sphereTests)},
        {"triangle tests", n(f.triangleTests)},
        {"ran out of budget", "no"},
        {"missed the target", "no"},
        {"touching now", n(f.touching)},
        {"contacts begun, worst bound", "24, " + gapText(f.worstBound)}}},
      {"Last 321 frames",
       {{"worst bound", gapText(0.31)},
        {"median bound", gapText(0.21)},
        {"mean prediction error", "1.234 ms"}}},
      {"Collisions by level",
       {{"L1, last frames and since reset", "61, 71"},
        {"L2, last frames and since reset", "62, 72"},
        {"L3, last frames and since reset", "63, 73"},
        {"L4, last frames and since reset", "64, 74"},
        {"exact, last frames and since reset", "65, 75"}}},
      {"Since reset",
       {{"frames measured", n(since.frames)},
        {"frame, mean ± sd",
         fmt::format("{:.3f} ± {:.3f} ms", since.frameTime.mean(), since.frameTime.sd())},
        {"detection, mean ± sd",
         fmt::format("{:.3f} ± {:.3f} ms", since.detection.mean(), since.detection.sd())},
        {"detection, max", fmt::format("{:.3f} ms", since.detection.max())},
        {"frame p99.9", formatTime(44.4)},
        {"budget exhausted", n(since.exhausted)},
        {"detector calls", n(since.detections)},
        {"detector calls skipped", n(since.detectionsSkipped)},
        {"contacts begun", n(5000 + 71 + 72 + 73 + 74 + 75)},
        {"contacts ended", n(since.touchesEnded)},
        {"bounces", n(since.responses)},
        {"contacts missed", n(since.missedContacts)}}},
      {"Flight",
       {{"narrow phase", "sphere-tree"},
        {"trees", "octree"},
        {"broad phase", "grid"},
        {"scene", "lamps"},
        {"seed", "42"},
        {"simulated time", "6.50 s"},
        {"pace", "0.50 × real time, 60 fps"},
        {"next detection at", "7.25 s"},
        {"camera", "chase"}}}};
  ASSERT_EQ(groups.size(), expected.size());
  for (std::size_t i = 0; i < groups.size(); ++i) {
    EXPECT_EQ(groups[i].heading, expected[i].heading);
    ASSERT_EQ(groups[i].rows.size(), expected[i].rows.size()) << groups[i].heading;
    for (std::size_t k = 0; k < groups[i].rows.size(); ++k) {
      EXPECT_EQ(groups[i].rows[k].left, expected[i].rows[k].left);
      EXPECT_EQ(groups[i].rows[k].right, expected[i].rows[k].right) << expected[i].rows[k].left;
    }
  }
}

TEST(NumbersTable, SaysWhatIsNotKnown) {
  Measurements of;
  of.shown.frame.exhausted = of.shown.frame.missed = true;
  of.shown.frame.collisions = {};
  of.shown.frame.budget = FrameProfile::Duration::max();
  auto groups = numberGroups(of.view, of.shown);
  EXPECT_EQ(valueOf(groups, "Work of this frame", "ran out of budget"), "yes");
  EXPECT_EQ(valueOf(groups, "Work of this frame", "missed the target"), "yes");
  EXPECT_EQ(valueOf(groups, "Work of this frame", "contacts begun, worst bound"), "none");
  EXPECT_EQ(valueOf(groups, "Budget of this frame", "allowed"), "no limit");
  of.shown.frame.collisions = {0, 0, 1, 0, 0, 0};
  of.shown.allowed.reset();
  of.shown.instant.simTime = of.shown.frame.nextDetection;
  groups = numberGroups(of.view, of.shown);
  EXPECT_EQ(valueOf(groups, "Work of this frame", "contacts begun, worst bound"),
            "1, " + gapText(0.123));
  EXPECT_EQ(valueOf(groups, "Budget of this frame", "allowed"), "auto");
  EXPECT_EQ(valueOf(groups, "Flight", "next detection at"), "due now");
  EXPECT_EQ(valueOf(groups, "Flight", "picked pair"), "missing");
  PairReport& pair = of.view.pair.emplace();
  pair.shapeA = "lamp";
  pair.keyA = 3;
  pair.shapeB = "star";
  pair.keyB = 14;
  of.ui.pace.paused = true;
  groups = numberGroups(of.view, of.shown);
  EXPECT_EQ(valueOf(groups, "Flight", "picked pair"), "lamp 3, star 14");
  EXPECT_EQ(valueOf(groups, "Flight", "pace"), "– × real time, – fps");
  of.ui.pace.paused = false;
  of.shown.pace.hertz = 0.0;
  of.shown.measured = false;
  groups = numberGroups(of.view, of.shown);
  EXPECT_EQ(valueOf(groups, "Flight", "pace"), "– × real time, – fps");
  for (const char* name : {"input", "frame", "target", "slack"})
    EXPECT_EQ(valueOf(groups, "Time of this frame", name), "–");
}

TEST(NumbersTable, HasTheFrameInItsTitle) {
  for (const bool replayed : {false, true}) {
    Measurements of;
    if (replayed) of.shown.instant.replayed = 99;
    const DrawnText text(1900.0f, 1000.0f, 1.0f);
    float scroll = 0.0f;
    drawNumbersTable(Ink(), 1900.0f, 1000.0f, of.view, of.shown, scroll);
    EXPECT_NE(text.text().find(replayed ? "Frame99" : "Frame815"), std::string::npos);
    EXPECT_NE(text.text().find(plain(fmt::format("{} or {} closes", localKeyName(Action::Numbers),
                                                 localKeyName(Action::Back)))),
              std::string::npos);
  }
}

TEST(StatisticsPanel, HasTwoFiguresNextToEachOther) {
  const Measurements of;
  const DrawnText text(1280.0f, 720.0f, 1.0f);
  HoverSpots spots;
  drawStatisticsPanel(Ink(&spots), {20.0f, 20.0f, 420.0f, 200.0f}, of.shown);
  const auto rectOf = [&](std::string_view name) {
    return std::ranges::find(spots.all(), name, &HoverSpot::name)->rect;
  };
  for (const auto& [left, right] :
       {std::pair{"mean", "p50"}, std::pair{"bounces", "contacts ended"}}) {
    EXPECT_NEAR(rectOf(right).x - rectOf(left).right(), 0.8f * textSize(), 0.5f);
    EXPECT_NEAR(rectOf(left).width, rectOf(right).width, 0.5f);
  }
}

}  // namespace
}  // namespace nearmiss::app::fly
