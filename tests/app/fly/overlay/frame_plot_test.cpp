// SPDX-License-Identifier: MIT
/// The plot of the last frames: curves, decades and names are at the heights of their times.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <string>
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

/// The plot of the last frames: decades, target, and curves at the heights of their times.
class FramePlot : public testing::Test {
 protected:
  void draw() {
    OverlayView view;
    view.frames.history = &history;
    drawFramePanel(Ink(&spots), {10.0f, 500.0f, 1500.0f, 100.0f}, view,
                   numbersOf(history, FrameStatistics()), plot);
  }
  [[nodiscard]] float heightOf(double ms, double high = 100.0) const {
    const double share = std::log10(ms / 1e-3) / std::log10(high / 1e-3);
    return plot.bottom() - static_cast<float>(share) * plot.height;
  }
  /// Highest, lowest, leftmost and rightmost vertex of that colour in the plot.
  [[nodiscard]] Rect extent(Rgb colour) const {
    Rect box{1e9f, 1e9f, 0.0f, 0.0f};
    float right = -1e9f, bottom = -1e9f;
    for (const auto& shape : text.shapes()) {
      if (shape.colour != (Ink::colour(colour) & 0xffffffu)) continue;
      if (shape.rect.bottom() > plot.bottom() + 3.0f) continue;
      box.x = std::min(box.x, shape.rect.x);
      box.y = std::min(box.y, shape.rect.y);
      right = std::max(right, shape.rect.right());
      bottom = std::max(bottom, shape.rect.bottom());
    }
    box.width = right - box.x;
    box.height = bottom - box.y;
    return box;
  }

  const Rect plot{100.0f, 50.0f, 1197.0f, 400.0f};
  DrawnText text{1600.0f, 700.0f, 1.0f};
  engine::FrameHistory history;
  HoverSpots spots;
};

TEST_F(FramePlot, HasDecadesTargetAndCurvesAtTheirHeights) {
  for (std::uint64_t i = 0; i < 200; ++i) {
    FrameProfile frame = timedFrame(true);
    frame.frame = i;
    frame.slack = microseconds(300);
    frame.watching = microseconds(50);
    frame.render = microseconds(1000);
    frame.frameTime = microseconds(30050);
    history.push(frame);
  }
  draw();
  // 30 ms lie below 100 ms: five decades from a microsecond
  const float decade = plot.height / 5.0f;
  const auto letters = text.drawn();
  std::string names;
  for (int i = 0; i <= 5; ++i) {
    const float y = plot.bottom() - static_cast<float>(i) * decade;
    EXPECT_TRUE(std::ranges::any_of(text.shapes(palette::panelEdge), [&](const Rect& line) {
      return std::abs(line.y + 0.5f * line.height - y) < 1.5f && line.height < 5.0f &&
             std::abs(line.x - plot.x) < 2.0f && std::abs(line.right() - plot.right()) < 2.0f;
    })) << i;
    const std::string name = DrawnText::textIn({0.0f, y - 8.0f, plot.x - 2.0f, 16.0f}, letters);
    EXPECT_EQ(name, (std::array{"1us", "10us", "100us", "1ms", "10ms", "100ms"}[i]));
  }
  // The target is dashed over the whole width at its height
  const Rect target = extent(palette::overrun);
  EXPECT_NEAR(target.y + 0.5f * target.height, heightOf(20.0), 1.5f);
  EXPECT_NEAR(target.x, plot.x, 2.0f);
  EXPECT_NEAR(target.right(), plot.right(), 0.9f * textSize());
  std::size_t dashes = 0;
  for (const auto& dash : text.shapes(palette::overrun)) {
    if (std::abs(dash.y + 0.5f * dash.height - heightOf(20.0)) > 2.0f) continue;
    ++dashes;
    EXPECT_NEAR(dash.width, 0.35f * textSize(), 3.0f);
  }
  EXPECT_NEAR(static_cast<double>(dashes), plot.width / (0.9f * textSize()), 2.0);
  // Half of the frames that it shows, at the right, three pixels each
  const std::array<std::pair<Rgb, double>, 4> curves{{{palette::white, 30.0},
                                                      {palette::narrow, 6.0},
                                                      {palette::broad, 0.05},
                                                      {palette::swap, 1.0}}};
  for (const auto& [colour, ms] : curves) {
    const Rect curve = extent(colour);
    EXPECT_NEAR(curve.y + 0.5f * curve.height, heightOf(ms), 1.5f) << ms;
    EXPECT_NEAR(curve.right(), plot.right(), 26.0f) << ms;
    EXPECT_NEAR(curve.x, plot.right() - 3.0f * 199.0f, 26.0f) << ms;
  }
  // Solid ones reach the last frame
  EXPECT_NEAR(extent(palette::narrow).right(), plot.right(), 2.0f);
  EXPECT_NEAR(extent(palette::narrow).x, plot.right() - 3.0f * 199.0f, 2.0f);
  // Names beside the right end, at the heights of the curves
  for (const auto& [name, ms] :
       {std::pair{"frame", 30.0}, std::pair{"detect", 6.0}, std::pair{"render", 1.0},
        std::pair{"slack", 0.3}, std::pair{"reference", 0.05}})
    EXPECT_EQ(DrawnText::textIn({plot.right() + 2.0f, heightOf(ms) - 7.0f, 200.0f, 14.0f}, letters),
              name);
  EXPECT_TRUE(std::ranges::any_of(
      spots.all(), [&](const HoverSpot& spot) { return spot.name == "last frames"; }));
}

/// Curves are told apart by their dashes, which move with the frames.
TEST_F(FramePlot, DashesItsCurves) {
  for (std::uint64_t i = 0; i < 400; ++i) {
    FrameProfile frame = timedFrame(false);
    frame.frame = i;
    frame.render = microseconds(1000);
    history.push(frame);
  }
  draw();
  const auto strokes = [&](Rgb colour, float y) {
    std::vector<Rect> found;
    for (const Rect& rect : text.shapes(colour))
      if (std::abs(rect.y + 0.5f * rect.height - y) < 3.0f && rect.y > plot.y)
        found.push_back(rect);
    return found;
  };
  // 8 frames on and 4 off: every dash has 24 pixels and begins 36 after the last
  const auto render = strokes(palette::swap, heightOf(1.0));
  ASSERT_NEAR(static_cast<double>(render.size()), 400.0 / 12.0, 2.0);
  for (std::size_t i = 1; i + 1 < render.size(); ++i) {
    EXPECT_NEAR(render[i].width, 24.0f, 3.0f);
    EXPECT_NEAR(render[i].x - render[i - 1].x, 36.0f, 1.0f);
  }
  EXPECT_NEAR(static_cast<double>(strokes(palette::dim, heightOf(5.0)).size()), 400.0 / 6.0, 2.0);
  EXPECT_EQ(strokes(palette::narrow, heightOf(6.0)).size(), 1u) << "detection's is solid";
  EXPECT_TRUE(strokes(palette::broad, heightOf(0.05)).empty()) << "no reference, no curve";
  EXPECT_EQ(text.text().find("reference"), std::string::npos);
}

TEST_F(FramePlot, NeedsTwoFramesAndGrowsByDecades) {
  history.push(timedFrame(true));
  draw();
  EXPECT_TRUE(std::ranges::none_of(text.shapes(palette::swap),
                                   [&](const Rect& part) { return part.y < plot.bottom(); }));
  EXPECT_EQ(text.text().find("10us"), std::string::npos);
  text.next();
  FrameProfile frame = timedFrame(true);
  frame.frameTime = microseconds(90000);  // with space for a fifth more
  history.push(frame);
  draw();
  EXPECT_NE(text.text().find("1000ms"), std::string::npos);
  EXPECT_NEAR(extent(palette::overrun).y, heightOf(20.0, 1000.0), 2.0f);
}

/// Names of curves of nearly the same time do not overlap, and stay beside the plot.
TEST_F(FramePlot, MovesTheNamesOfItsCurvesApart) {
  for (const int time : {1, 12, 99000}) {
    history.clear();
    for (std::uint64_t i = 0; i < 3; ++i) {
      FrameProfile frame;
      frame.frame = i;
      frame.target = microseconds(20000);
      frame.slack = frame.render = frame.narrow = microseconds(time);
      frame.watching = microseconds(time);
      frame.frameTime = microseconds(2 * time);
      history.push(frame);
    }
    text.next();
    draw();
    std::vector<std::pair<float, std::string>> rows;
    for (const auto& letter : text.drawn()) {
      if (letter.rect.x < plot.right() || letter.rect.y > plot.bottom() + 5.0f) continue;
      const float y = letter.rect.bottom();
      if (letter.rect.height < 0.3f * textSize()) continue;
      const auto row = std::ranges::find_if(
          rows, [&](const auto& each) { return std::abs(each.first - y) < 5.0f; });
      if (row == rows.end())
        rows.emplace_back(y, std::string(1, static_cast<char>(letter.character)));
      else
        row->second += static_cast<char>(letter.character);
    }
    ASSERT_EQ(rows.size(), 5u) << time;
    std::ranges::sort(rows);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      EXPECT_TRUE(std::ranges::any_of(std::array{"slack", "render", "detect", "reference", "frame"},
                                      [&](const char* name) { return rows[i].second == name; }))
          << rows[i].second;
      EXPECT_GE(rows[i].first, plot.y);
      EXPECT_LE(rows[i].first, plot.bottom() + 0.5f * textSize());
      if (i > 0) {
        EXPECT_GE(rows[i].first - rows[i - 1].first, 0.7f * textSize());
        EXPECT_LE(rows[i].first - rows[i - 1].first, 1.3f * textSize()) << time;
      }
    }
  }
}

}  // namespace
}  // namespace nearmiss::app::fly
