// SPDX-License-Identifier: MIT
/// The bars, the legend and the plot of the frame panel: lengths and places are those of the times.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "app/fly/drawn_text.h"
#include "app/fly/overlay/drawn_panels.h"
#include "app/fly/read_figures.h"
#include "fly/overlay/panels.h"

namespace nearmiss::app::fly {
namespace {

using engine::FrameProfile;
using std::chrono::microseconds;

ShownNumbers numbersOfFrame(const FrameProfile& frame) {
  engine::FrameHistory history;
  FrameStatistics statistics;
  history.push(frame);
  for (int i = 0; i < 20; ++i) statistics.add(frame);
  return numbersOf(history, statistics);
}

struct ColouredPhase {
  std::string_view name;
  Rgb colour;
  FrameProfile::Duration FrameProfile::*time;
};
constexpr std::array colouredPhases{
    ColouredPhase{"input", palette::input, &FrameProfile::input},
    ColouredPhase{"motion", palette::motion, &FrameProfile::motion},
    ColouredPhase{"broad", palette::broad, &FrameProfile::broad},
    ColouredPhase{"narrow", palette::narrow, &FrameProfile::narrow},
    ColouredPhase{"response", palette::response, &FrameProfile::response},
    ColouredPhase{"render", palette::render, &FrameProfile::render},
    ColouredPhase{"swap", palette::swap, &FrameProfile::swap},
    ColouredPhase{"other", palette::dim, &FrameProfile::other}};

constexpr Rect frameBar{20.0f, 30.0f, 1500.0f, 20.0f}, detectionBar{20.0f, 80.0f, 1500.0f, 18.0f};

/// Whether a shape of that colour has this place in x.
bool has(const DrawnText& text, Rgb colour, float left, float right, const Rect& bar) {
  return std::ranges::any_of(text.shapes(colour), [&](const Rect& part) {
    return std::abs(part.x - left) < 1.5f && std::abs(part.right() - right) < 1.5f &&
           part.y >= bar.y - 0.5f && part.bottom() <= bar.bottom() + 0.5f;
  });
}

TEST(FrameBar, HasEachPhaseInProportionToItsTime) {
  for (const bool late : {false, true}) {
    const FrameProfile frame = timedFrame(late);
    const DrawnText text(1600.0f, 400.0f, 1.0f);
    drawFrameBars(Ink(), frameBar, {}, numbersOfFrame(frame), "auto");
    // The whole bar is a quarter longer than the target, or a little longer than the frame
    const double whole = 20.0 * std::max(1.25, (late ? 1.2 : 1.0) * 1.04);
    const auto at = [&](double ms) {
      return frameBar.x + static_cast<float>(ms / whole) * frameBar.width;
    };
    double ms = 0.0;
    for (const ColouredPhase& phase : colouredPhases) {
      const double length = milliseconds(frame.*phase.time);
      EXPECT_TRUE(has(text, phase.colour, at(ms), at(ms + length), frameBar)) << phase.name;
      const float wide = Ink().textWidth(phase.name, Ink().small()) + 0.3f * textSize();
      const std::string words = DrawnText::textIn(
          {at(ms), frameBar.y, at(ms + length) - at(ms), frameBar.height}, text.drawn());
      if (!late) {
        EXPECT_EQ(words, at(ms + length) - at(ms) > wide ? phase.name : "");
      }
      ms += length;
    }
    // The target is a line across the bar and beyond it
    const float target = at(20.0);
    EXPECT_TRUE(std::ranges::any_of(text.shapes(palette::white), [&](const Rect& line) {
      return std::abs(line.x + 0.5f * line.width - target) < 1.0f && line.width < 6.0f &&
             line.y < frameBar.y - 2.0f && line.bottom() > frameBar.bottom() + 2.0f;
    }));
    const auto over = text.shapes(palette::overrun);
    EXPECT_EQ(over.empty(), !late);
    if (late) {
      EXPECT_TRUE(has(text, palette::overrun, target, at(24.0),
                      {0.0f, frameBar.y + 0.5f * frameBar.height, 0.0f, 0.5f * frameBar.height}));
      EXPECT_NE(text.text().find("1.2?target"), std::string::npos) << text.text();
      // The chip ends where the frame ends
      EXPECT_TRUE(std::ranges::any_of(over, [&](const Rect& chip) {
        return chip.right() < at(24.0) && chip.right() > at(24.0) - 8.0f &&
               std::abs(chip.y + 0.5f * chip.height - frameBar.y - 0.5f * frameBar.height) < 1.5f;
      }));
    } else {
      // Slack is hatched up to the target and named in its middle
      EXPECT_TRUE(has(text, palette::panelEdge, at(15.0), at(20.0), frameBar));
      EXPECT_EQ(DrawnText::textIn({at(15.0), frameBar.y, at(20.0) - at(15.0), frameBar.height},
                                  text.drawn()),
                "slack");
      float left = 1e9f, right = 0.0f;
      for (const auto& letter : text.drawn())
        if (letter.rect.x > at(15.0) && letter.rect.right() < at(20.0)) {
          left = std::min(left, letter.rect.x);
          right = std::max(right, letter.rect.right());
        }
      EXPECT_NEAR(0.5f * (left + right), 0.5f * (at(15.0) + at(20.0)), 2.0f);
      // On a plain ground that covers the hatching
      const auto grounds = text.shapes(palette::panel);
      ASSERT_EQ(grounds.size(), 1u);
      EXPECT_LT(grounds[0].x, left);
      EXPECT_GT(grounds[0].right(), right);
      EXPECT_LT(grounds[0].width, at(20.0) - at(15.0));
      EXPECT_GE(grounds[0].y, frameBar.y);
      EXPECT_LE(grounds[0].bottom(), frameBar.bottom());
    }
  }
}

/// A bar is never longer than three targets, and its overrun has no decimals from ten on.
TEST(FrameBar, EndsAtThreeTargets) {
  for (const double times : {2.0, 9.0, 9.96, 25.0}) {
    FrameProfile frame = timedFrame(true);
    frame.render += microseconds(static_cast<int>(20000 * times)) - frame.frameTime;
    frame.frameTime = microseconds(static_cast<int>(20000 * times));
    const DrawnText text(1600.0f, 400.0f, 1.0f);
    drawFrameBars(Ink(), frameBar, {}, numbersOfFrame(frame), "auto");
    const double shown = std::min(3.0, 1.04 * times);
    const float target = frameBar.x + frameBar.width / static_cast<float>(shown);
    EXPECT_TRUE(std::ranges::any_of(text.shapes(palette::white), [&](const Rect& line) {
      return std::abs(line.x + 0.5f * line.width - target) < 1.0f;
    })) << times;
    for (const auto& shape : text.shapes()) EXPECT_LE(shape.rect.right(), frameBar.right() + 1.0f);
    const std::string factor = plain(fmt::format("{:.{}f}", times, times > 9.95 ? 0 : 1));
    EXPECT_NE(text.text().find(factor + "?target"), std::string::npos) << text.text();
  }
}

TEST(FrameBar, NamesSlackOnlyWhereThereIsSpace) {
  for (const int slack : {200, 5000}) {
    FrameProfile frame = timedFrame(false);
    frame.render += frame.slack - microseconds(slack);
    frame.slack = microseconds(slack);
    const DrawnText text(1600.0f, 400.0f, 1.0f);
    drawFrameBars(Ink(), frameBar, {}, numbersOfFrame(frame), "auto");
    EXPECT_EQ(text.text().find("slack") != std::string::npos, slack == 5000);
  }
}

TEST(DetectionBar, IsToTheScaleOfItsBudget) {
  for (const bool limited : {true, false}) {
    FrameProfile frame = timedFrame(false);
    if (!limited) frame.budget = FrameProfile::Duration::max();
    const DrawnText text(1600.0f, 400.0f, 1.0f);
    HoverSpots spots;
    drawFrameBars(Ink(&spots), frameBar, detectionBar, numbersOfFrame(frame), "no limit");
    const Ink ink;
    const float em = textSize();
    const float left = detectionBar.x + ink.textWidth("detection", ink.small()) + 0.6f * em;
    const std::string words = limited ? "6.00msof8.00msallowed" : "6.00ms,nolimit";
    const auto letters = text.drawn();
    EXPECT_EQ(DrawnText::textIn(detectionBar, letters), "detection" + words + "broadnarrow");
    const auto track = text.shapes(palette::black).back();
    EXPECT_NEAR(track.x, left, 1.0f);
    EXPECT_NEAR(track.y, detectionBar.y, 0.5f);
    EXPECT_NEAR(track.height, detectionBar.height, 0.5f);
    // The numbers stand at the end, with space for longer ones
    const float room = ink.textWidth("99.99 ms of 99.99 ms allowed", ink.small()) + 0.6f * em;
    EXPECT_NEAR(track.right(), detectionBar.right() - room, 1.0f);
    EXPECT_EQ(
        DrawnText::textIn({track.right(), detectionBar.y, room, detectionBar.height}, letters),
        words);
    EXPECT_EQ(
        DrawnText::textIn(
            {detectionBar.x, detectionBar.y, left - detectionBar.x, detectionBar.height}, letters),
        "detection");
    const double whole = 1.04 * (limited ? 8.0 : 6.0);
    const auto at = [&](double ms) {
      return track.x + static_cast<float>(ms / whole) * track.width;
    };
    EXPECT_TRUE(has(text, palette::broad, at(0.0), at(1.5), detectionBar));
    EXPECT_TRUE(has(text, palette::narrow, at(1.5), at(6.0), detectionBar));
    const bool line = std::ranges::any_of(text.shapes(palette::white), [&](const Rect& each) {
      return std::abs(each.x + 0.5f * each.width - at(8.0)) < 1.0f && each.y < detectionBar.y &&
             each.bottom() > detectionBar.bottom();
    });
    EXPECT_EQ(line, limited);
    EXPECT_EQ(spots.all().back().name, "detection bar");
  }
}

TEST(DetectionBar, NamesTheReferenceAndCountedWork) {
  FrameProfile frame = timedFrame(false);
  frame.watching = microseconds(1800);
  frame.frameTime += frame.watching;
  ShownNumbers numbers = numbersOfFrame(frame);
  const auto says = [&] {
    const DrawnText text(1600.0f, 400.0f, 1.0f);
    drawFrameBars(Ink(), frameBar, detectionBar, numbers, "no limit");
    return DrawnText::textIn(detectionBar, text.drawn());
  };
  EXPECT_NE(says().find("6.00msof8.00msallowed,reference1.80ms"), std::string::npos) << says();
  numbers.instant.countedWork = true;
  EXPECT_NE(says().find("6.00msofworkof8.00msallowed,reference1.80ms"), std::string::npos)
      << says();
  // Too narrow for a bar: nothing
  const DrawnText text(1600.0f, 400.0f, 1.0f);
  drawFrameBars(Ink(), frameBar, {20.0f, 80.0f, 300.0f, 18.0f}, numbers, "no limit");
  EXPECT_EQ(DrawnText::textIn(detectionBar, text.drawn()), "");
}

/// The header's columns, in order, each with its value.
TEST(FrameHeader, HasItsColumnsInOrder) {
  FrameProfile frame = timedFrame(true);
  frame.watching = microseconds(12000);
  frame.frameTime += frame.watching;
  engine::FrameHistory history;
  FrameStatistics statistics;
  const auto says = [&](float wide) {
    const DrawnText text(2400.0f, 400.0f, 1.0f);
    OverlayView view;
    view.frames.history = &history;
    drawFramePanel(Ink(), {10.0f, 10.0f, wide, 100.0f}, view, numbersOf(history, statistics), {});
    return DrawnText::textIn({10.0f, 10.0f, wide, 30.0f}, text.drawn());
  };
  EXPECT_EQ(says(2000.0f), "noframemeasuredyet");
  history.push(frame);
  EXPECT_EQ(says(2000.0f),
            "Frame24.0msof20.0msdetect6.00msreference12.0ms=2.0xp50?p99?max?missed?");
  for (int i = 0; i < 1100; ++i) {
    frame.missed = i % 4 == 2;
    statistics.add(frame);
  }
  const ShownNumbers numbers = numbersOf(history, statistics);
  EXPECT_EQ(says(2000.0f),
            plain(fmt::format("Frame24.0msof20.0msdetect6.00msreference12.0ms=2.0×p50{}p99{}max{}"
                              "missed{:.1f}%",
                              timeText(numbers.p50), timeText(numbers.p99),
                              formatTime(statistics.frameTime.max()),
                              percentOf(statistics.missed, statistics.frames))));
  // A column that has no space is left out whole, and those after it
  const std::string all = says(2000.0f);
  std::size_t before = 0;
  for (float wide = 200.0f; wide < 1300.0f; wide += 60.0f) {
    const std::string part = says(wide);
    EXPECT_EQ(all.find(part), 0u) << part;
    EXPECT_GE(part.size(), before);
    before = part.size();
    const DrawnText text(2400.0f, 400.0f, 1.0f);
    OverlayView view;
    view.frames.history = &history;
    drawFramePanel(Ink(), {10.0f, 10.0f, wide, 100.0f}, view, numbers, {});
    if (wide < 260.0f) continue;  // the first two are always there
    for (const Rect& letter : text.letters()) EXPECT_LE(letter.right(), 10.0f + wide) << wide;
  }
  EXPECT_EQ(before, all.size());
}

/// Where the legend has no space for all phases, the longest and most important ones remain.
TEST(FrameLegend, DropsTheLeastImportantPhasesFirst) {
  const FrameProfile frame = timedFrame(false);
  engine::FrameHistory history;
  history.push(frame);
  const ShownNumbers numbers = numbersOf(history, FrameStatistics());
  OverlayView view;
  view.frames.history = &history;
  constexpr std::array<std::string_view, 9> byWeight{
      "narrow", "render", "slack", "broad", "response", "motion", "swap", "input", "other"};
  std::size_t most = 0;
  for (float wide = 150.0f; wide < 1500.0f; wide += 25.0f) {
    const DrawnText text(1600.0f, 400.0f, 1.0f);
    HoverSpots spots;
    const Rect panel{10.0f, 10.0f, wide, 100.0f};
    drawFramePanel(Ink(&spots), panel, view, numbers, {});
    const float line = lineHeight * textSize();
    std::vector<std::string> names;
    float end = panel.x;
    for (const HoverSpot& spot : spots.all()) {
      if (spot.rect.y < panel.y + 0.5f * textSize() + 2.9f * line || spot.name == "detection bar")
        continue;
      names.push_back(spot.name);
      EXPECT_GE(spot.rect.x, end - 0.01f) << "one after the other";
      end = spot.rect.right();
      EXPECT_LE(end, panel.right() + 0.5f * textSize()) << wide;
      const auto words = DrawnText::textIn(spot.rect, text.drawn());
      EXPECT_EQ(words.find(spot.name), 0u) << words;
      // A square of its colour in front of the name
      const auto phase = std::ranges::find(colouredPhases, spot.name, &ColouredPhase::name);
      const Rgb colour = phase == colouredPhases.end() ? palette::panelEdge : phase->colour;
      const float side = 0.65f * textSize();
      EXPECT_TRUE(std::ranges::any_of(text.shapes(colour), [&](const Rect& box) {
        return std::abs(box.x - spot.rect.x) < 1.0f && std::abs(box.width - side) < 1.0f &&
               std::abs(box.height - side) < 1.0f &&
               std::abs(box.y + 0.5f * side - spot.rect.y - 0.5f * line) < 1.0f;
      })) << spot.name;
    }
    ASSERT_LE(names.size(), byWeight.size());
    for (std::size_t i = 0; i < names.size(); ++i)
      EXPECT_TRUE(std::ranges::find(names, byWeight[i]) != names.end()) << wide << byWeight[i];
    EXPECT_GE(names.size(), most);
    most = names.size();
  }
  EXPECT_EQ(most, byWeight.size());
}

TEST(FramePanel, StacksItsRows) {
  const DrawnText text(1600.0f, 400.0f, 1.0f);
  engine::FrameHistory history;
  history.push(timedFrame(true));
  OverlayView view;
  view.frames.history = &history;
  HoverSpots spots;
  const Rect panel{10.0f, 10.0f, 1500.0f, panelHeight(4, textSize())};
  drawFramePanel(Ink(&spots), panel, view, numbersOf(history, FrameStatistics()), {});
  const float em = textSize(), line = lineHeight * em;
  float row = panel.y + 0.5f * em;
  for (const auto& [name, above, less] :
       {std::tuple{"Frame", 0.0f, 0.0f}, std::tuple{"frame bar", 0.1f, 0.25f},
        std::tuple{"detection bar", 0.1f, 0.35f}, std::tuple{"narrow", 0.0f, 0.0f}}) {
    const auto spot = std::ranges::find(spots.all(), name, &HoverSpot::name);
    ASSERT_NE(spot, spots.all().end()) << name;
    EXPECT_NEAR(spot->rect.y, row + above * em, 0.5f) << name;
    EXPECT_NEAR(spot->rect.height, line - less * em, 0.5f) << name;
    row += line;
  }
}

}  // namespace
}  // namespace nearmiss::app::fly
