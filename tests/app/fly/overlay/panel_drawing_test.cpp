// SPDX-License-Identifier: MIT
/// Where panels draw: each row at its height, inside the panel, and everything in proportion to the
/// text.
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

TEST(DrawnPanels, LieInsideTheirEdge) {
  for (const DrawnPanel& panel : panels()) {
    const OnePanel one(panel, narrowScale, {33.0f, 44.0f});
    // The edge is the largest shape
    const auto shapes = one.text().shapes();
    ASSERT_FALSE(shapes.empty());
    EXPECT_TRUE(near(shapes.front().rect, one.rect(), 1.5f)) << panel.name;
    for (const auto& shape : shapes)
      EXPECT_TRUE(within(one.rect(), shape.rect, 1.5f))
          << panel.name << ": " << shape.rect.x << ", " << shape.rect.y << ", " << std::hex
          << shape.colour;
    ASSERT_FALSE(one.text().letters().empty());
    for (const Rect& letter : one.text().letters())
      EXPECT_TRUE(within(one.rect().inset(0.3f * one.em()), letter, 0.0f))
          << panel.name << ": " << letter.x << ", " << letter.y;
    for (const HoverSpot& spot : one.spots())
      EXPECT_TRUE(within(one.rect(), spot.rect, 0.5f)) << panel.name << ": " << spot.name;
  }
}

/// The same panel at another place in larger type is the same picture, enlarged.
TEST(DrawnPanels, GrowWithTheirType) {
  for (const DrawnPanel& panel : panels()) {
    std::vector<DrawnText::Letter> letters[2];
    std::vector<DrawnText::Shape> shapes[2];
    std::vector<HoverSpot> spots[2];
    const std::array<glm::vec2, 2> places{glm::vec2(33.0f, 44.0f), glm::vec2(150.0f, 9.0f)};
    for (std::size_t i = 0; i < 2; ++i) {
      const OnePanel one(panel, i == 0 ? narrowScale : wideScale, places[i]);
      letters[i] = one.text().drawn();
      shapes[i] = one.text().shapes();
      spots[i].assign(one.spots().begin(), one.spots().end());
    }
    const auto grown = [&](const Rect& rect) {
      return Rect{2.0f * (rect.x - places[0].x) + places[1].x,
                  2.0f * (rect.y - places[0].y) + places[1].y, 2.0f * rect.width,
                  2.0f * rect.height};
    };
    ASSERT_EQ(letters[0].size(), letters[1].size()) << panel.name;
    for (std::size_t i = 0; i < letters[0].size(); ++i) {
      ASSERT_EQ(letters[0][i].character, letters[1][i].character) << panel.name;
      EXPECT_TRUE(near(letters[1][i].rect, grown(letters[0][i].rect), 3.5f))
          << panel.name << ": " << static_cast<char>(letters[0][i].character) << ", letter " << i;
    }
    // Lines and hatchings have no more pixels in larger type, and may have more strokes
    std::vector<Rect> large;
    for (const auto& shape : shapes[1]) large.push_back(shape.rect);
    for (const auto& shape : shapes[0])
      EXPECT_TRUE(std::ranges::any_of(
          large, [&](const Rect& rect) { return near(rect, grown(shape.rect), 4.5f); }))
          << panel.name << ": " << shape.rect.x - places[0].x << ", " << shape.rect.y - places[0].y
          << ", " << shape.rect.width << " x " << shape.rect.height << std::hex << " "
          << shape.colour;
    ASSERT_EQ(spots[0].size(), spots[1].size()) << panel.name;
    for (std::size_t i = 0; i < spots[0].size(); ++i)
      EXPECT_TRUE(near(spots[1][i].rect, grown(spots[0][i].rect), 3.0f))
          << panel.name << ": " << spots[0][i].name;
  }
}

/// Texts of a row stand in the middle of its height, where the pointer finds their explanation.
TEST(DrawnPanels, CentreTextsInTheirRows) {
  for (const DrawnPanel& panel : panels()) {
    const OnePanel one(panel, wideScale, {20.0f, 20.0f});
    const auto letters = one.text().drawn();
    for (const HoverSpot& spot : one.spots()) {
      if (spot.rect.height > 1.5f * one.em()) continue;  // a whole panel
      float top = 1e9f, bottom = -1e9f;
      for (const auto& letter : letters) {
        const float x = letter.rect.x + 0.5f * letter.rect.width;
        const float y = letter.rect.y + 0.5f * letter.rect.height;
        const bool inside =
            x > spot.rect.x && x < spot.rect.right() && y > spot.rect.y && y < spot.rect.bottom();
        if (!inside || !std::isalnum(static_cast<int>(std::min(letter.character, 127u)))) continue;
        top = std::min(top, letter.rect.y);
        bottom = std::max(bottom, letter.rect.bottom());
      }
      ASSERT_LT(top, bottom) << panel.name << ": " << spot.name << " is an empty row";
      EXPECT_NEAR(0.5f * (top + bottom), spot.rect.y + 0.5f * spot.rect.height, 0.22f * one.em())
          << panel.name << ": " << spot.name;
    }
    EXPECT_EQ(overprinted(letters), 0u) << panel.name;
  }
}

TEST(RunPanel, HasPointsTimeLevelAndStreakInTwoRows) {
  const OnePanel one(panelNamed("run"), wideScale, {20.0f, 20.0f});
  EXPECT_EQ(rowOf(one, 0, 0.0f, 0.6f), "600of1000points");
  EXPECT_EQ(rowOf(one, 0, 0.6f), "34.5sleft");
  EXPECT_EQ(rowOf(one, 1, 0.0f, 0.4f), "level2");
  EXPECT_EQ(rowOf(one, 1, 0.4f), "streak3,thenext4x");
  EXPECT_EQ(rowOf(one, 2.14f) + rowOf(one, 3.0f), "ahit:-300,thegapwas2.3cm");
  // Each number is explained where it stands
  ASSERT_EQ(one.spots().size(), 3u);
  for (const auto& [spot, words] :
       {std::pair{"points", "600of1000points"}, std::pair{"time left", "34.5sleft"},
        std::pair{"streak", "level2streak3,thenext4x"}}) {
    const auto found = std::ranges::find(one.spots(), spot, &HoverSpot::name);
    ASSERT_NE(found, one.spots().end());
    EXPECT_EQ(DrawnText::textIn(found->rect, one.text().drawn()), words);
  }
}

TEST(RunPanel, SaysWonFromTheGoalOnAndNoLevelInAMission) {
  const auto says = [](const RunView& run) {
    const DrawnText text(800.0f, 400.0f, 1.0f);
    drawRunPanel(Ink(), {10.0f, 10.0f, 400.0f, 100.0f}, run);
    return text.text();
  };
  const RunView below{1.0, 999, 0, 1, {}, {2, 1000}}, at{1.0, 1000, 0, 1, {}, {2, 1000}};
  EXPECT_EQ(says(below).find("won"), std::string::npos);
  EXPECT_NE(says(at).find("level2,won"), std::string::npos);
  EXPECT_NE(says(at).find("pass"), std::string::npos) << "before the first event, what to do";
  const RunView mission{1.0, 1000, 0, 1, "an event", {0, 0}};
  EXPECT_NE(says(mission).find("1000pointsmission") == std::string::npos
                ? says(mission).find("1000points1.0sleftmission")
                : 0,
            std::string::npos);
  EXPECT_EQ(says(mission).find("won"), std::string::npos);
  EXPECT_EQ(says(mission).find("level"), std::string::npos);
}

TEST(ReplayBar, ShowsThePositionAndTheCollisionsAtTheirFrames) {
  const OnePanel one(panelNamed("replay"), narrowScale, {20.0f, 20.0f});
  const Rect& rect = one.rect();
  const float em = one.em();
  const auto letters = one.text().drawn();
  const Rect words{rect.x, rect.y + 0.7f * em, rect.width, 0.8f * em};
  const std::string text = DrawnText::textIn(words, letters);
  EXPECT_EQ(text.find("Replay:frame5of20"), 0u) << text;
  EXPECT_NE(text.find("step;[Enter]"), std::string::npos) << text;
  ASSERT_FALSE(one.text().shapes(palette::plot).empty());
  const Rect bar = one.text().shapes(palette::plot).front();
  EXPECT_TRUE(
      near(bar, {rect.x + em, rect.y + 2.1f * em, rect.width - 2.0f * em, 1.2f * em}, 1.0f));
  // A quarter has been played
  const auto played = std::ranges::find_if(one.text().shapes(), [&](const auto& shape) {
    return shape.rect.x == bar.x && shape.rect.width < 0.5f * bar.width;
  });
  (void)played;
  bool quarter = false;
  for (const Rect& part : one.text().shapes(palette::panelEdge))
    quarter |= near(part, {bar.x, bar.y, 0.25f * bar.width, bar.height}, 1.5f);
  EXPECT_TRUE(quarter);
  const auto cursors = one.text().shapes(palette::text);
  const auto cursor = std::ranges::find_if(cursors, [&](const Rect& at) {
    return std::abs(at.x + 0.5f * at.width - bar.x - 0.25f * bar.width) < 1.0f && at.y < bar.y &&
           at.bottom() > bar.bottom();
  });
  EXPECT_NE(cursor, cursors.end());
  // Frames 3 and 12 of 20 had collisions: one, and nine, whose line has the full height
  float lowest = 0.0f, highest = 0.0f;
  for (const Rect& line : one.text().shapes(palette::own)) {
    const float share = (line.x + 0.5f * line.width - bar.x) / bar.width;
    EXPECT_NEAR(line.bottom(), bar.bottom(), 2.0f);
    if (share < 0.5f) {
      EXPECT_GT(share, 3.0f / 20.0f - 0.005f);
      EXPECT_LT(share, 4.0f / 20.0f + 0.005f);
      EXPECT_NEAR(line.height, 0.5f * bar.height, 2.0f);
      lowest += 1.0f;
    } else {
      EXPECT_GT(share, 12.0f / 20.0f - 0.005f);
      EXPECT_LT(share, 13.0f / 20.0f + 0.005f);
      EXPECT_NEAR(line.height, bar.height, 2.0f);
      highest += 1.0f;
    }
  }
  EXPECT_NEAR(lowest, bar.width / 20.0f, 2.0f) << "one line per pixel";
  EXPECT_NEAR(highest, bar.width / 20.0f, 2.0f);
  // The mouse finds the frame that is shown there
  const ReplayView view{5, 20, {}};
  for (const int frame : {1, 5, 10, 20})
    EXPECT_EQ(replayFrameAt(rect, em, view, bar.x + bar.width * static_cast<float>(frame) / 20.0f),
              static_cast<std::uint64_t>(frame));
  EXPECT_EQ(replayFrameAt(rect, em, view, 0.0f), 1u);
  EXPECT_EQ(replayFrameAt(rect, em, view, 5000.0f), 20u);
}

TEST(PlayerPanel, ShowsItsFiguresInThreeCells) {
  const OnePanel one(panelNamed("player"), wideScale, {20.0f, 20.0f});
  const float em = one.em(), line = lineHeight * em;
  const Rect inner = one.rect().inset(0.5f * em);
  const auto letters = one.text().drawn();
  const auto in = [&](float from, float to, float row) {
    return DrawnText::textIn({inner.x + from * inner.width, inner.y + (row + 0.2f) * line,
                              (to - from) * inner.width, 0.6f * line},
                             letters);
  };
  EXPECT_EQ(in(0.0f, 1.0f, 0.0f), "HoldWtothrust.");
  EXPECT_EQ(in(0.0f, 0.28f, 1.0f), "speed12.3m/s");
  EXPECT_EQ(in(0.28f, 0.78f, 1.0f), "threat40.0cm,contactin1.5s");
  EXPECT_EQ(in(0.78f, 1.0f, 1.0f), "score640");
  ASSERT_EQ(one.spots().size(), 3u);
  for (const HoverSpot& spot : one.spots())
    EXPECT_EQ(DrawnText::textIn(spot.rect, letters).find(spot.name), 0u) << spot.name;
  // The sentence is in the middle, larger than the rest
  float left = 1e9f, right = 0.0f;
  for (const auto& letter : letters) {
    if (letter.rect.y > inner.y + line) continue;
    left = std::min(left, letter.rect.x);
    right = std::max(right, letter.rect.right());
  }
  EXPECT_NEAR(0.5f * (left + right), inner.x + 0.5f * inner.width, 3.0f);
  const Ink ink;
  EXPECT_NEAR(right - left, 1.15f * ink.textWidth("Hold W to thrust."), 0.03f * (right - left));
}

TEST(PlayerPanel, WarnsBeforeAContactAndFitsALongSentence) {
  for (const auto& [contact, warns] : {std::pair{1.9, true}, std::pair{2.0, false}}) {
    const DrawnText text(1280.0f, 720.0f, 1.0f);
    const Rect rect{310.0f, 650.0f, 660.0f, 57.0f};
    drawPlayerPanel(Ink(), rect, {1.0, 0.4, contact, 1, std::string(150, 'w')});
    const ImDrawList& list = *ImGui::GetBackgroundDrawList();
    const bool red = std::ranges::any_of(list.VtxBuffer, [](const ImDrawVert& vertex) {
      return (vertex.col & 0xffffffu) == (Ink::colour(palette::overrun) & 0xffffffu);
    });
    EXPECT_EQ(red, warns);
    for (const Rect& letter : text.letters()) EXPECT_TRUE(within(rect, letter, 0.0f));
    EXPECT_EQ(std::ranges::count(text.text(), 'w'), 150);
  }
  const DrawnText text(1280.0f, 720.0f, 1.0f);
  drawPlayerPanel(Ink(), {310.0f, 650.0f, 660.0f, 57.0f}, {1.0, {}, {}, 1, "Fly."});
  EXPECT_NE(text.text().find("threat?"), std::string::npos) << "nothing is near";
}

TEST(VirtualStick, PointsFromTheMiddleOfTheWindow) {
  const DrawnText text(1000.0f, 600.0f, 1.0f);
  UiState ui;
  ui.steering.stick = {0.5f, -1.0f};
  drawStick(Ink(), 1000.0f, 600.0f, ui);
  const float radius = 0.18f * 600.0f, em = textSize();
  const auto shapes = text.shapes(palette::text);
  ASSERT_EQ(shapes.size(), 2u);
  EXPECT_TRUE(
      near(shapes[0], {500.0f - radius, 300.0f - radius, 2.0f * radius, 2.0f * radius}, 2.0f));
  const float small = 0.1f * radius;
  EXPECT_TRUE(near(shapes[1], {500.0f - small, 300.0f - small, 2.0f * small, 2.0f * small}, 2.0f));
  const auto knob = text.shapes(palette::own);
  ASSERT_EQ(knob.size(), 2u);
  EXPECT_TRUE(near(knob[0], {500.0f, 300.0f - radius, 0.5f * radius, radius}, 3.0f));
  const float end = 0.35f * em;
  EXPECT_TRUE(near(knob[1],
                   {500.0f + 0.5f * radius - end, 300.0f - radius - end, 2.0f * end, 2.0f * end},
                   2.0f));
}

}  // namespace
}  // namespace nearmiss::app::fly
