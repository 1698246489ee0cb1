// SPDX-License-Identifier: MIT
/// The panels of tours, ghosts and split views: bars, curves and words where they belong.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/fly/drawn_text.h"
#include "app/fly/overlay/drawn_panels.h"
#include "app/fly/read_figures.h"
#include "console/text.h"
#include "fly/host/key_map.h"
#include "fly/overlay/panels.h"

namespace nearmiss::app::fly {
namespace {

/// The bars of a tour, and the place of its slider.
TEST(TourPanel, DrawsSharesAsBarsBelowTheirNames) {
  for (const char* name : {"tour", "tour strip"}) {
    const OnePanel one(panelNamed(name), narrowScale, {20.0f, 20.0f});
    const Rect& rect = one.rect();
    const float em = one.em(), line = lineHeight * em;
    const Rect inner = rect.inset(0.8f * em);
    const bool strip = std::string_view(name) == "tour strip";
    const auto letters = one.text().drawn();
    const auto in = [&](float x, float y, float wide, float high) {
      return DrawnText::textIn({x, y, wide, high}, letters);
    };
    const float words = strip ? 0.42f * inner.width : inner.width;
    EXPECT_EQ(in(inner.x, inner.y + 0.2f * line, words, 0.6f * line), "Title2of9") << name;
    // Three tenths of the time have passed
    const auto fills = one.text().shapes(palette::own);
    EXPECT_TRUE(std::ranges::any_of(fills, [&](const Rect& fill) {
      return std::abs(fill.x - inner.x) < 1.0f && std::abs(fill.width - 0.3f * words) < 1.5f &&
             fill.height < 0.4f * em;
    })) << name;
    const Rect slider = tourSliderArea(rect, em);
    EXPECT_TRUE(within(inner, slider, 0.5f)) << name;
    EXPECT_NEAR(slider.right(), inner.right(), 0.5f);
    EXPECT_NEAR(slider.width, strip ? 0.24f * inner.width : inner.width, 1.0f);
    EXPECT_NEAR(slider.height, 2.2f * line, 1.0f);
    EXPECT_EQ(in(slider.x, slider.y + 0.2f * line, slider.width, 0.6f * line), "budget45us")
        << name;
    // Its handle is at a quarter of the bar, around it
    const Rect track = one.text().shapes(palette::slack).back();
    EXPECT_TRUE(
        near(track, {slider.x, slider.bottom() - 0.7f * em, slider.width, 0.2f * em}, 1.0f));
    EXPECT_TRUE(std::ranges::any_of(fills, [&](const Rect& fill) {
      return near(fill,
                  {slider.x + 0.25f * slider.width - 0.25f * em, track.y - 0.45f * em, 0.5f * em,
                   1.1f * em},
                  1.5f);
    })) << name;
    EXPECT_EQ(
        in(slider.x - 0.04f * inner.width, inner.bottom() - 0.8f * line, inner.width, 0.6f * line),
        plain(fmt::format("{}, {}: slider, {}: next, {}: end", localKeyName(Action::YawLeft),
                          localKeyName(Action::YawRight), localKeyName(Action::Pause),
                          localKeyName(Action::Back))))
        << name;
    // Each figure has its bar below its name; a strip has space for two of them
    const LateFrames of;
    const auto tracks = one.text().shapes(palette::plot);
    ASSERT_EQ(tracks.size(), of.figures.size()) << name;
    for (std::size_t i = 0; i < of.figures.size(); ++i) {
      const TourFigure& figure = of.figures[i];
      const Rect& ground = tracks[i];
      EXPECT_NEAR(ground.height, 0.4f * em, 1.0f);
      if (strip) {
        EXPECT_NEAR(ground.x, inner.x + 0.46f * inner.width, 1.0f);
        EXPECT_NEAR(ground.width, 0.26f * inner.width, 1.0f);
      }
      const auto bars = one.text().shapes(figure.colour);
      EXPECT_TRUE(std::ranges::any_of(
          bars,
          [&](const Rect& bar) {
            return near(bar,
                        {ground.x, ground.y, static_cast<float>(figure.share) * ground.width,
                         ground.height},
                        1.5f);
          }))
          << name << i;
      EXPECT_EQ(in(ground.x, ground.y - 0.8f * line, ground.width, 0.6f * line),
                plain(figure.name) + plain(figure.value))
          << name;
      if (!figure.heading.empty()) {
        EXPECT_EQ(in(ground.x, ground.y - 1.8f * line, ground.width, 0.7f * line),
                  plain(figure.heading))
            << name;
      }
    }
    for (std::size_t i = 1; i < tracks.size(); ++i)
      EXPECT_NEAR(tracks[i].y - tracks[i - 1].y,
                  (of.figures[i].heading.empty() ? 1.6f : 2.7f) * line, 1.0f);
  }
  // The height that it asks for
  const LateFrames of;
  EXPECT_NEAR(tourFigureEms(of.tour()), lineHeight * (3 * 1.6f + 2 * 1.1f + 2.2f), 1e-3f);
}

TEST(TourPanel, SaysWhetherItIsHeld) {
  for (const bool held : {false, true}) {
    const DrawnText text(1200.0f, 600.0f, 1.0f);
    const LateFrames of;
    TourView tour = of.tour();
    tour.held = held;
    drawTourPanel(Ink(), {10.0f, 10.0f, 360.0f, 400.0f}, tour);
    EXPECT_EQ(text.text().find("held,2of9") != std::string::npos, held);
    const auto passed = text.shapes(palette::own);
    EXPECT_EQ(std::ranges::any_of(passed, [](const Rect& bar) { return bar.height < 4.0f; }),
              !held);
  }
}

TEST(GhostPanel, DrawsBothCurvesToScale) {
  const OnePanel one(panelNamed("ghost"), narrowScale, {20.0f, 20.0f});
  const float em = one.em();
  const Rect inner = one.rect().inset(0.7f * em);
  EXPECT_EQ(rowOf(one, 0), "Driftfromtheexactflight");
  EXPECT_EQ(rowOf(one, 1, 0.0f, 0.5f), "yourship" + plain(gapText(0.5)));
  EXPECT_EQ(rowOf(one, 1, 0.5f), "largest" + plain(gapText(1.5)));
  const Rect plot = one.text().shapes(palette::plot).front();
  EXPECT_NEAR(plot.right(), inner.right(), 1.0f);
  EXPECT_NEAR(plot.bottom(), inner.bottom(), 1.0f);
  EXPECT_NEAR(plot.y, inner.y - 0.2f * em + 2.2f * lineHeight * em, 1.0f);
  // Its scale: the largest distance with a tenth of space above, and 0
  const double largest = 0.04 * 49;
  const auto letters = one.text().drawn();
  EXPECT_EQ(DrawnText::textIn({inner.x, plot.y, plot.x - inner.x, 1.0f * em}, letters),
            plain(gapText(1.1 * largest)));
  EXPECT_EQ(DrawnText::textIn({inner.x, plot.bottom() - em, plot.x - inner.x, em}, letters), "0");
  // Fifty frames of four hundred, up to now at the right
  const auto own = one.text().shapes(palette::own).back(),
             all = one.text().shapes(palette::swap).back();
  for (const Rect& curve : {own, all}) {
    EXPECT_NEAR(curve.right(), plot.right(), 2.0f);
    EXPECT_NEAR(curve.width, plot.width * 49.0f / 399.0f, 3.0f);
    EXPECT_NEAR(curve.bottom(), plot.bottom(), 2.5f);
  }
  EXPECT_NEAR(all.height, plot.height / 1.1f, 3.0f);
  EXPECT_NEAR(own.height, 0.5f * plot.height / 1.1f, 4.5f);
}

/// The buffer is a ring: its oldest frame may be anywhere.
TEST(GhostPanel, BeginsAtTheOldestFrame) {
  const auto heights = [](std::size_t oldest) {
    const DrawnText text(800.0f, 400.0f, 1.0f);
    std::vector<GhostApart> course(40);
    for (std::size_t i = 0; i < course.size(); ++i) {
      GhostApart& at = course[(oldest + i) % course.size()];
      at.own = at.farthest = 0.01 * static_cast<double>(i);
    }
    drawGhostPanel(Ink(), {10.0f, 10.0f, 400.0f, 120.0f}, {{0.0, 0.0}, course, oldest});
    // Where the curve is by its vertices
    std::vector<ImVec2> path;
    const ImDrawList& list = *ImGui::GetBackgroundDrawList();
    for (const ImDrawVert& vertex : list.VtxBuffer)
      if ((vertex.col & 0xffffffu) == (Ink::colour(palette::own) & 0xffffffu))
        path.push_back(vertex.pos);
    return path;
  };
  const auto straight = heights(0), turned = heights(17);
  ASSERT_EQ(straight.size(), turned.size());
  ASSERT_GT(straight.size(), 40u);
  for (std::size_t i = 0; i < straight.size(); ++i) {
    EXPECT_NEAR(straight[i].x, turned[i].x, 1e-3f);
    EXPECT_NEAR(straight[i].y, turned[i].y, 1e-3f);
  }
  // Without two frames there is no curve
  const DrawnText text(800.0f, 400.0f, 1.0f);
  const std::vector<GhostApart> first(1);
  drawGhostPanel(Ink(), {10.0f, 10.0f, 400.0f, 120.0f}, {{0.0, 0.0}, first, 0});
  EXPECT_TRUE(text.shapes(palette::own).empty());
}

TEST(HalfPanel, CountsLateFramesAndCollisionsOfItsFlight) {
  const OnePanel one(panelNamed("half"), narrowScale, {20.0f, 20.0f});
  const LateFrames of;
  const FrameStatistics& since = of.statistics;
  const std::string late = fmt::format("since reset: {} of {} late", formatCount(since.missed),
                                       counted(since.frames, "frame"));
  // The budget stands apart from the method
  const Ink ink;
  const float named = ink.textWidth("sphere-tree", ink.bold());
  EXPECT_NEAR(one.text().drawn()[std::string("sphere-tree").size()].rect.x,
              one.rect().x + 0.5f * one.em() + named + 0.8f * one.em(), 2.5f);
  std::string first = rowOf(one, 0);
  std::erase(first, ',');
  EXPECT_EQ(first, plain("sphere-tree"
                         "left budget 45 us" +
                         late + "; now 1.2 s behind"));
  const float em = one.em();
  const auto words = DrawnText::textIn(
      {one.rect().x, one.rect().y + 0.5f * em + lineHeight * em, one.rect().width, 1.0f * em},
      one.text().drawn());
  EXPECT_EQ(words.find("thisframe"), words.find("this")) << words;
  EXPECT_EQ(words.find("thisframe") == std::string::npos, false) << words;
  std::string levels = "since reset, collisions by level";
  for (int level = 1; level < engine::depths; ++level)
    levels += fmt::format("{}{}", engine::nameOfDepth(level),
                          since.collisions[static_cast<std::size_t>(level)]);
  EXPECT_EQ(rowOf(one, 3), plain(levels));
}

TEST(HalfPanel, TellsHowFarItIsBehindFromATwentiethOfASecond) {
  const LateFrames of;
  for (const auto& [behind, told] : {std::pair{0.0, false}, std::pair{0.04, false},
                                     std::pair{0.05, true}, std::pair{3.0, true}}) {
    const DrawnText text(1600.0f, 400.0f, 1.0f);
    drawHalfPanel(Ink(), {10.0f, 10.0f, 1200.0f, 100.0f},
                  {"left", "bsp", "no limit", &of.numbers, behind});
    EXPECT_EQ(text.text().find("behind") != std::string::npos, told) << behind;
  }
}

/// In a narrow window the method gives way, then the noun of the counters, never the counters.
TEST(HalfPanel, KeepsItsCountersInEveryWidth) {
  const LateFrames of;
  for (float wide = 220.0f; wide < 1300.0f; wide += 20.0f) {
    const DrawnText text(1600.0f, 400.0f, 1.0f);
    const Rect rect{10.0f, 10.0f, wide, 100.0f};
    drawHalfPanel(Ink(), rect,
                  {"right", "sphere-tree, octree + variational", "no limit", &of.numbers, 0.0});
    const std::string counters = fmt::format("{}of{}", of.statistics.missed, of.statistics.frames);
    const std::string row = DrawnText::textIn({rect.x, rect.y, rect.width, 28.0f}, text.drawn());
    EXPECT_NE(row.find(counters), std::string::npos) << wide << ": " << row;
    EXPECT_EQ(row.find("s"), 0u) << "the method begins the row";
    for (const Rect& letter : text.letters()) EXPECT_TRUE(within(rect, letter, 1.0f)) << wide;
    EXPECT_EQ(overprinted(text.drawn()), 0u) << wide;
    if (wide > 1000.0f) {
      EXPECT_NE(row.find("right,budgetnolimit"), std::string::npos) << row;
      EXPECT_NE(row.find("sincereset"), std::string::npos) << row;
    }
  }
}

/// Nothing has no bar, little a visible one.
TEST(TourPanel, DrawsNoBarForNothing) {
  for (const double share : {0.0, 1e-4}) {
    const DrawnText text(1200.0f, 600.0f, 1.0f);
    const std::array figures{TourFigure{"work", "0", share, palette::swap}};
    TourView tour{"Title", "A sentence.", 1, 2, 0.0, false, figures, {}};
    drawTourPanel(Ink(), {10.0f, 10.0f, 360.0f, 400.0f}, tour);
    const auto bars = text.shapes(palette::swap);
    ASSERT_EQ(bars.size(), share > 0.0 ? 1u : 0u);
    if (share > 0.0) {
      EXPECT_NEAR(bars[0].width, 2.0f, 0.1f);
    }
  }
}

}  // namespace
}  // namespace nearmiss::app::fly
