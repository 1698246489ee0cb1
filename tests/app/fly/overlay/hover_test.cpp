// SPDX-License-Identifier: MIT
/// Words for what the mouse rests on: no number of any panel is without them.
#include "fly/overlay/hover.h"

#include <gtest/gtest.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <string>

#include "fly/command/actions.h"
#include "fly/overlay/ink.h"
#include "fly/overlay/panels.h"

namespace nearmiss::app::fly {
namespace {

/// ImGui without a window, for a frame of that size.
class Page {
 public:
  Page(float width, float height) {
    ImGui::CreateContext();
    ImGui::GetIO().IniFilename = nullptr;
    ImGui::GetIO().DisplaySize = {width, height};
    loadFonts(1.0f);
    unsigned char* pixels = nullptr;
    int wide = 0, high = 0;
    ImGui::GetIO().Fonts->GetTexDataAsAlpha8(&pixels, &wide, &high);
    ImGui::NewFrame();
  }
  ~Page() {
    ImGui::EndFrame();
    ImGui::DestroyContext();
  }
  Page(const Page&) = delete;
  Page& operator=(const Page&) = delete;
};

/// Whatever a flight can have on the screen at once.
class Hover : public testing::Test {
 protected:
  Hover() {
    for (std::uint64_t i = 1; i <= 5; ++i) {
      engine::FrameProfile frame;
      frame.frame = i;
      frame.target = frame.frameTime = std::chrono::milliseconds(16);
      frame.render = std::chrono::milliseconds(5);
      frame.watching = std::chrono::milliseconds(2);
      frame.budget = std::chrono::milliseconds(1);
      history_.push(frame);
      statistics_.add(frame);
    }
    view_.ui = &ui_;
    view_.frames.history = &history_;
    numbers_ = numbersOf(history_, statistics_);
    view_.frames.numbers = &numbers_;
    view_.flight.method = "sphere-tree + bsp";
    view_.flight.tree = view_.flight.broad = view_.flight.sceneName = view_.flight.camera = "name";
    view_.flown = view_.recording = true;
    view_.flight.asPublished = "as published";
    view_.frames.softwareRenderer = "llvmpipe";
    ui_.pace.paused = ui_.detection.eraMode = ui_.steering.fineControl =
        ui_.steering.mouseSteering = true;
    ui_.detection.levelCap = 2;
    ui_.detection.order = RefinementOrder::LargestBound;
    ui_.detection.response = engine::Response::Teleport;
    PairReport& pair = view_.pair.emplace();
    pair.inBroadPhase = true;
    pair.reference.emplace();
  }

  /// The names of all that stands on the screen.
  std::set<std::string> namesShown(float width, float height) {
    const Page page(width, height);
    Overlay overlay;
    HoverSpots spots;
    Toasts toasts;
    float scroll = 0.0f;
    (void)overlay.place(view_);
    overlay.drawPanels(Ink(&spots), view_);
    (void)overlay.drawOver(view_, toasts, scroll, spots);
    std::set<std::string> names;
    for (const HoverSpot& spot : spots.all()) names.insert(spot.name);
    return names;
  }

  UiState ui_;
  engine::FrameHistory history_;
  FrameStatistics statistics_;
  ShownNumbers numbers_;
  OverlayView view_;
};

TEST_F(Hover, HasWordsForAllThatStandsOnTheScreen) {
  static const std::vector<std::uint32_t> collisions(10);
  std::size_t seen = 0;
  for (int round = 0; round < 3; ++round) {
    ui_.pages.numbers = round == 2;
    view_.modes.run = round == 0 ? std::optional<RunView>(RunView{}) : std::nullopt;
    if (round == 1) view_.modes.replay = ReplayView{3, 10, collisions};
    for (const std::string& name : namesShown(2400.0f, 1100.0f)) {
      EXPECT_FALSE(wordsFor(name).empty()) << name;
      EXPECT_TRUE(wordsFor(name).ends_with(".")) << name;
      ++seen;
    }
  }
  EXPECT_GT(seen, 100u);
}

TEST_F(Hover, HasWordsForEveryFigureOfThePanelsAndTheTable) {
  const ShownNumbers shown = numbersOf(history_, statistics_);
  const auto check = [](const auto& lines) {
    for (const DetectionLine& line : lines)
      for (const std::string_view name : {line.left.name, line.right.name})
        EXPECT_TRUE(name.empty() || !wordsFor(name).empty()) << name;
  };
  check(detectionFigures(view_, shown));
  check(statisticFigures(shown));
  for (const PageGroup& group : numberGroups(view_, shown))
    for (const PageRow& row : group.rows) EXPECT_FALSE(wordsFor(row.left).empty()) << row.left;
  EXPECT_TRUE(hoverWords("nothing of that name").empty());
}

TEST(HoverSpots, TheLastOneLiesAbove) {
  HoverSpots spots;
  EXPECT_EQ(spots.at({5, 5}), nullptr);
  spots.add({0, 0, 20, 20}, "below");
  spots.add({0, 0, 10, 10}, "above", "Words of its own.");
  ASSERT_NE(spots.at({5, 5}), nullptr);
  EXPECT_EQ(spots.at({5, 5})->name, "above");
  EXPECT_EQ(spots.at({15, 15})->name, "below");
  EXPECT_EQ(spots.at({25, 5}), nullptr);
}

TEST(HoverChoice, FollowsThePointerUntilASpotIsPinned) {
  HoverSpots spots;
  spots.add({0, 0, 20, 20}, "frame");
  spots.add({40, 0, 20, 20}, "target");
  HoverChoice choice;
  EXPECT_EQ(choice.shown(spots, std::nullopt), nullptr) << "the pointer is elsewhere";
  ASSERT_NE(choice.shown(spots, glm::vec2(5.0f)), nullptr);
  EXPECT_EQ(choice.shown(spots, glm::vec2(5.0f))->name, "frame");
  EXPECT_EQ(choice.shown(spots, glm::vec2(30.0f)), nullptr);
  choice.toggle(spots, glm::vec2(5.0f));
  EXPECT_TRUE(choice.pins());
  for (const std::optional<glm::vec2> pointer : {std::optional<glm::vec2>(), {glm::vec2(45.0f)}})
    EXPECT_EQ(choice.shown(spots, pointer)->name, "frame");
  // Its panel moves, and goes
  HoverSpots moved;
  moved.add({100, 50, 20, 20}, "frame");
  EXPECT_EQ(choice.shown(moved, std::nullopt)->rect.x, 100.0f);
  EXPECT_EQ(choice.shown(HoverSpots(), std::nullopt), nullptr);
  EXPECT_TRUE(choice.pins());
  // Another spot is pinned instead; the same one, or none, releases it
  choice.toggle(spots, glm::vec2(45.0f, 5.0f));
  EXPECT_EQ(choice.shown(spots, std::nullopt)->name, "target");
  choice.toggle(spots, glm::vec2(45.0f, 5.0f));
  EXPECT_FALSE(choice.pins());
  choice.toggle(spots, glm::vec2(5.0f));
  choice.toggle(spots, std::nullopt);
  EXPECT_FALSE(choice.pins());
}

TEST(HoverWords, HighlightTheRowThatTheyExplain) {
  const Page page(800.0f, 600.0f);
  const Rect row{500.0f, 200.0f, 280.0f, 20.0f};
  drawHoverWords(Ink(), row, "Words.", 800.0f, 600.0f);
  const ImDrawList& list = *ImGui::GetBackgroundDrawList();
  // The frame around the row, whatever is drawn beside it
  const auto at = [&](float x, float y) {
    return std::any_of(list.VtxBuffer.begin(), list.VtxBuffer.end(), [=](const ImDrawVert& v) {
      return std::abs(v.pos.x - x) < 5.0f && std::abs(v.pos.y - y) < 5.0f;
    });
  };
  for (const float x : {row.x, row.right()})
    for (const float y : {row.y, row.bottom()}) EXPECT_TRUE(at(x, y)) << x << ", " << y;
}

}  // namespace
}  // namespace nearmiss::app::fly
