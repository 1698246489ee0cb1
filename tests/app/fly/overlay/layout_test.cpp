// SPDX-License-Identifier: MIT
/// The overlay at every size of window and text: inside, apart, and dropped in the right order.
#include "fly/overlay/layout.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <tuple>
#include <utility>
#include <vector>

#include "fly/overlay/panels.h"

namespace nearmiss::app::fly {
namespace {

struct LaidScreen {
  float width, height;
};

std::ostream& operator<<(std::ostream& out, const LaidScreen& s) {
  return out << s.width << "x" << s.height;
}

struct Wanted {
  OverlayMode mode = OverlayMode::Full;
  bool inspector = false, build = false, replay = false, run = false;
  bool split = false, ghost = false, controls = false;
  int tour = 0;
  bool folded = false;
};

LayoutRequest requestOf(const Wanted& wanted) {
  LayoutRequest request{
      wanted.mode, {}, 2.54f * static_cast<float>(std::max(0, wanted.tour - 1)), wanted.folded};
  for (const auto& [panel, wants] : {std::pair{Panel::Inspector, wanted.inspector},
                                     {Panel::Build, wanted.build},
                                     {Panel::Replay, wanted.replay},
                                     {Panel::Run, wanted.run},
                                     {Panel::LeftHalf, wanted.split},
                                     {Panel::RightHalf, wanted.split},
                                     {Panel::Ghost, wanted.ghost},
                                     {Panel::Controls, wanted.controls},
                                     {Panel::Tour, wanted.tour > 0}})
    request.wanted[static_cast<std::size_t>(panel)] = wants;
  return request;
}

Layout placed(float width, float height, float em, const Wanted& wanted) {
  return layOut(width, height, em, requestOf(wanted));
}

class EveryScreen : public testing::TestWithParam<std::tuple<LaidScreen, float, Wanted>> {};

std::vector<Rect> shownOf(const Layout& layout) {
  std::vector<Rect> shown;
  for (const Rect& rect : layout.panels)
    if (rect.shown()) shown.push_back(rect);
  return shown;
}

/// The control panel does not push the marks at the edge of the scene towards the ship.
TEST_P(EveryScreen, LeaveTheShipFreeOfMarks) {
  const auto& [screen, scale, wanted] = GetParam();
  const Layout layout = placed(screen.width, screen.height, 15 * scale, wanted);
  EXPECT_EQ(layout.scene.x, 0.0f);
}

TEST_P(EveryScreen, PanelsLieInsideAndApart) {
  const auto& [screen, scale, wanted] = GetParam();
  const Layout layout = placed(screen.width, screen.height, 15 * scale, wanted);
  const std::vector<Rect> shown = shownOf(layout);
  EXPECT_EQ(shown.empty(), wanted.mode == OverlayMode::Off && !wanted.controls && wanted.tour == 0);
  // What is left to the scene
  EXPECT_TRUE(layout.scene.shown());
  for (const Rect& rect :
       {layout[Panel::Status], layout[Panel::Frame], layout[Panel::Levels], layout[Panel::Replay],
        layout[Panel::LeftHalf], layout[Panel::RightHalf]}) {
    const Rect inner = layout.scene.inset(0.01f);
    EXPECT_FALSE(rect.shown() && meets(rect, inner));
  }
  if (layout.plot.shown()) {
    EXPECT_GT(layout.plot.x, layout[Panel::Frame].x);
    EXPECT_GT(layout.plot.y, layout[Panel::Frame].y);
    EXPECT_LT(layout.plot.right(), layout[Panel::Frame].right());
    EXPECT_LT(layout.plot.bottom(), layout[Panel::Frame].bottom());
  }
  for (std::size_t i = 0; i < shown.size(); ++i) {
    EXPECT_GE(shown[i].x, 0.0f);
    EXPECT_GE(shown[i].y, 0.0f);
    EXPECT_LE(shown[i].right(), screen.width + 0.5f);
    EXPECT_LE(shown[i].bottom(), screen.height + 0.5f);
    for (std::size_t j = 0; j < i; ++j) {
      const bool apart = shown[i].x >= shown[j].right() || shown[j].x >= shown[i].right() ||
                         shown[i].y >= shown[j].bottom() || shown[j].y >= shown[i].bottom();
      EXPECT_TRUE(apart) << i << " and " << j;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    Screens, EveryScreen,
    testing::Combine(
        testing::Values(LaidScreen{800, 500}, LaidScreen{1024, 600}, LaidScreen{1280, 720},
                        LaidScreen{1366, 768}, LaidScreen{1920, 1080}, LaidScreen{3840, 2160},
                        LaidScreen{480, 300}),
        testing::Values(0.75f, 1.0f, 1.25f, 1.4f, 2.0f),
        testing::Values(
            Wanted{OverlayMode::Full, false}, Wanted{OverlayMode::Full, true},
            Wanted{OverlayMode::Full, true, true}, Wanted{OverlayMode::Player, true},
            Wanted{OverlayMode::Player, false, true, true},
            Wanted{OverlayMode::Player, false, false, false, false, true},
            Wanted{OverlayMode::Player, false, false, false, false, false, false, true},
            Wanted{OverlayMode::Player, false, false, false, false, false, false, false, 4},
            Wanted{OverlayMode::Compact, true, true}, Wanted{OverlayMode::Full, true, false, true},
            Wanted{OverlayMode::Compact, true, false, true},
            Wanted{OverlayMode::Full, true, false, false, true},
            Wanted{OverlayMode::Full, false, true, false, true},
            Wanted{OverlayMode::Compact, true, true, false, true},
            Wanted{OverlayMode::Full, true, true, false, true, false, true},
            Wanted{OverlayMode::Full, true, true, false, false, true, true},
            Wanted{OverlayMode::Compact, false, false, false, false, true},
            Wanted{OverlayMode::Full, true, true, false, false, false, true, false, 7},
            Wanted{OverlayMode::Compact, true, true, false, false, false, false, false, 3},
            Wanted{OverlayMode::Full, true, true, false, false, true, true, false, 5},
            Wanted{OverlayMode::Off, true, true, false, false, false, true, false, 7},
            Wanted{OverlayMode::Off, true, true, false, true, true, true},
            Wanted{OverlayMode::Off, true, true, false, true},
            Wanted{OverlayMode::Full, true, true, false, true, false, false, true},
            Wanted{OverlayMode::Full, true, true, false, true, true, true, true},
            Wanted{OverlayMode::Full, false, false, true, false, false, true, true},
            Wanted{OverlayMode::Compact, true, true, false, true, false, false, true},
            Wanted{OverlayMode::Off, false, true, false, true, false, false, true},
            Wanted{OverlayMode::Full, true, true, true, true, false, true, false, 0, true},
            Wanted{OverlayMode::Full, true, false, false, true, true, true, true, 0, true},
            Wanted{OverlayMode::Compact, true, true, false, false, true, true, false, 7, true})));

TEST(Layout, ShowsControlsAtEverySize) {
  for (const LaidScreen& screen :
       {LaidScreen{480, 300}, LaidScreen{800, 500}, LaidScreen{1280, 720}})
    for (const float scale : {0.75f, 1.0f, 1.4f, 2.0f})
      for (const OverlayMode mode : {OverlayMode::Full, OverlayMode::Compact, OverlayMode::Off}) {
        const float em = 15 * scale;
        const Layout layout = placed(screen.width, screen.height, em,
                                     {mode, false, true, false, true, false, false, true});
        // The groups' names and a few rows
        EXPECT_GT(layout[Panel::Controls].height, 6.0f * em) << screen << " at " << scale;
        EXPECT_GT(layout[Panel::Controls].width, 12.0f * em) << screen << " at " << scale;
      }
  EXPECT_FALSE(placed(1280, 720, 15, {})[Panel::Controls].shown());
}

TEST(Layout, ShowsEachHalfOfASplitViewOverIt) {
  for (const float scale : {0.75f, 1.0f, 1.4f, 2.0f}) {
    const Layout layout =
        placed(1280, 720, 15 * scale, {OverlayMode::Full, true, false, false, false, true, true});
    EXPECT_TRUE(layout[Panel::LeftHalf].shown() && layout[Panel::LeftHalf].right() <= 640.0f)
        << scale;
    EXPECT_TRUE(layout[Panel::RightHalf].shown() && layout[Panel::RightHalf].x >= 640.0f) << scale;
    EXPECT_TRUE(layout[Panel::Ghost].shown() && layout[Panel::Ghost].x >= 640.0f) << scale;
    EXPECT_FALSE(layout[Panel::Frame].shown() || layout[Panel::Levels].shown() ||
                 layout[Panel::Inspector].shown());
  }
}

TEST(Layout, ShowsARunWhereverThereIsRoom) {
  for (const OverlayMode mode : {OverlayMode::Full, OverlayMode::Compact})
    for (const float scale : {0.75f, 1.0f, 1.4f, 2.0f})
      EXPECT_TRUE(
          placed(1280, 720, 15 * scale, {mode, false, false, false, true})[Panel::Run].shown())
          << scale;
  EXPECT_FALSE(placed(1280, 720, 15, {OverlayMode::Full, false})[Panel::Run].shown());
}

TEST(Layout, ShowsTheTourWhateverTheMode) {
  Wanted wanted;
  wanted.tour = 7;
  for (const OverlayMode mode : {OverlayMode::Full, OverlayMode::Compact, OverlayMode::Off})
    for (const float scale : {0.75f, 1.0f, 1.4f, 2.0f}) {
      wanted.mode = mode;
      EXPECT_TRUE(placed(1280, 720, 15 * scale, wanted)[Panel::Tour].shown()) << scale;
    }
  // All six figures of the budget's stop
  wanted.mode = OverlayMode::Compact;
  EXPECT_GE(placed(1280, 720, 15, wanted)[Panel::Tour].height,
            panelHeight(linesOf(Panel::Tour), 15) + 6 * 37.5f);
}

TEST(Layout, ShowsEverythingWhereAFifthOfTheWindowHasRoomForIt) {
  const Layout plain = placed(1920, 1080, 15, {OverlayMode::Full, false});
  EXPECT_TRUE(plain.levelsInFull && plain.plot.shown());
  EXPECT_TRUE(plain[Panel::Statistics].shown());
  const Layout inspecting = placed(1920, 1080, 15, {OverlayMode::Full, true});
  EXPECT_TRUE(inspecting[Panel::Inspector].shown() && inspecting.levelsInFull);
  EXPECT_TRUE(inspecting[Panel::Statistics].shown());
  EXPECT_FALSE(inspecting[Panel::Build].shown());
  EXPECT_TRUE(placed(1920, 1080, 15, {OverlayMode::Full, true, true})[Panel::Build].shown());
}

/// What matters most, at the usual size: where time went, and how sure detection is.
TEST(Layout, ShowsWhatMattersMostAtTheUsualSize) {
  const Layout plain = placed(1280, 720, 15, {OverlayMode::Full, false});
  EXPECT_TRUE(plain[Panel::Frame].shown() && plain[Panel::Levels].shown() && plain.levelsInFull);
  EXPECT_GE(plain[Panel::Frame].height, panelHeight(linesOf(Panel::Frame), 15));
  const Layout inspecting = placed(1280, 720, 15, {OverlayMode::Full, true});
  EXPECT_TRUE(inspecting[Panel::Frame].shown() && inspecting[Panel::Levels].shown());
  EXPECT_TRUE(inspecting[Panel::Inspector].shown());
}

TEST(Layout, FoldsToTheStatusBar) {
  Wanted wanted{OverlayMode::Full, true, true, false, true, false, true};
  wanted.folded = true;
  for (const bool split : {false, true}) {
    wanted.split = split;
    const std::vector<Rect> shown = shownOf(placed(1280, 720, 15, wanted));
    ASSERT_EQ(shown.size(), 1u);
    EXPECT_LT(shown[0].height, 2.0f * 15.0f);
  }
  // A replay is not without its bar
  wanted = {OverlayMode::Full, true, false, true};
  wanted.folded = true;
  EXPECT_TRUE(placed(1280, 720, 15, wanted)[Panel::Replay].shown());
}

TEST(Layout, DropsPanelsOfTheColumnForGoodAsTheWindowShrinks) {
  bool inspector = true;
  for (float height = 900; height >= 200; height -= 4) {
    const Layout layout = placed(1280, height, 15, {OverlayMode::Full, true});
    EXPECT_LE(layout[Panel::Inspector].shown(), inspector) << height;
    inspector = layout[Panel::Inspector].shown();
  }
  EXPECT_FALSE(inspector);
}

/// The player's face is one panel, however large the window is.
TEST(Layout, ShowsThePlayerOnePanelInTheMiddleBelow) {
  for (const auto& [width, height] :
       {std::pair{640.0f, 360.0f}, {1280.0f, 720.0f}, {3840.0f, 2160.0f}}) {
    const Wanted wanted{OverlayMode::Player, true, true, false, true, false, true};
    const Layout layout = placed(width, height, 15, wanted);
    ASSERT_EQ(shownOf(layout).size(), 1u);
    const Rect& panel = layout[Panel::Player];
    ASSERT_TRUE(panel.shown());
    EXPECT_NEAR(panel.x + 0.5f * panel.width, 0.5f * width, 1.0f);
    EXPECT_GT(panel.y, 0.75f * height);
    EXPECT_LE(panel.width * panel.height, 0.2f * width * height);
  }
}

TEST(Layout, LeavesTheSceneFourFifthsOfTheWindow) {
  for (const auto& [width, height] :
       {std::pair{800.0f, 500.0f}, {1280.0f, 720.0f}, {1920.0f, 1080.0f}, {3840.0f, 2160.0f}})
    for (const float scale : {0.75f, 1.0f, 1.25f, 1.4f, 2.0f})
      for (const bool inspector : {false, true})
        for (const OverlayMode mode : {OverlayMode::Full, OverlayMode::Compact}) {
          const Layout layout = placed(width, height, 15 * scale, {mode, inspector});
          float covered = 0.0f;
          for (const Rect& rect : shownOf(layout)) covered += rect.width * rect.height;
          EXPECT_LE(covered, 0.2f * width * height * 1.0001f) << width << " at " << scale;
          EXPECT_TRUE(layout[Panel::Status].shown());
        }
}

TEST(Layout, LeavesItThatInEveryMode) {
  for (const float scale : {0.75f, 1.0f, 1.25f})
    for (const bool inspector : {false, true})
      for (bool Wanted::*mode :
           {&Wanted::run, &Wanted::replay, &Wanted::build, &Wanted::ghost, &Wanted::split}) {
        Wanted wanted{OverlayMode::Full, inspector};
        wanted.*mode = true;
        float covered = 0.0f;
        for (const Rect& rect : shownOf(placed(1280, 720, 15 * scale, wanted)))
          covered += rect.width * rect.height;
        EXPECT_LE(covered, 0.2f * 1280 * 720 * 1.0001f) << scale;
      }
}

/// The ship is beside panels that reach down to it; others do not move it.
TEST(Layout, KeepsTheShipBesideTallPanels) {
  const auto areaOf = [](const Wanted& wanted) { return placed(1280, 720, 15, wanted).camera; };
  const auto middleOf = [](const Rect& area) { return area.x + 0.5f * area.width; };
  EXPECT_EQ(middleOf(areaOf({OverlayMode::Player})), 640.0f);
  EXPECT_EQ(middleOf(areaOf({OverlayMode::Off})), 640.0f);
  const Layout compact = placed(1280, 720, 15, {OverlayMode::Compact, false, false, false, true});
  ASSERT_TRUE(compact[Panel::Run].shown());
  EXPECT_EQ(middleOf(compact.camera), 640.0f) << "a low panel at the top";
  Wanted tour{OverlayMode::Compact};
  tour.tour = 3;
  const Layout toured = placed(1280, 720, 15, tour);
  ASSERT_GT(toured[Panel::Tour].bottom(), 288.0f);
  EXPECT_EQ(toured.camera.x, toured[Panel::Tour].right());
  EXPECT_EQ(toured.camera.right(), 1280.0f);
  Wanted controls{OverlayMode::Off};
  controls.controls = true;
  const Layout controlled = placed(1280, 720, 15, controls);
  EXPECT_EQ(controlled.camera.x, controlled[Panel::Controls].right());
  // Never a slit
  for (float width = 200; width <= 1280; width += 20)
    for (const OverlayMode mode : {OverlayMode::Full, OverlayMode::Compact}) {
      Wanted all{mode, true, false, false, true};
      all.controls = true;
      const Rect area = placed(width, 720, 15, all).camera;
      EXPECT_GE(area.width, 0.3f * width) << width;
      EXPECT_LE(area.right(), width);
      EXPECT_GE(area.x, 0.0f);
    }
}

/// A column that reaches down to the ship leaves the ship the rest.
TEST(Layout, KeepsTheShipBesideATallColumn) {
  int beside = 0, over = 0;
  for (float height = 400; height <= 1400; height += 3) {
    const Layout layout = placed(1280, height, 15, {OverlayMode::Full, true});
    float bottom = 0.0f;
    for (const Panel panel : {Panel::Levels, Panel::Statistics, Panel::Inspector})
      if (layout[panel].shown()) bottom = std::max(bottom, layout[panel].bottom());
    const Rect area = layout.camera;
    // Also where two fifths of the height are between two of its panels
    const bool tall = bottom > 0.4f * height;
    EXPECT_EQ(area.right(), tall ? layout[Panel::Levels].x : 1280.0f) << height;
    ++(tall ? beside : over);
  }
  EXPECT_GT(beside, 0);
  EXPECT_GT(over, 0);
}

}  // namespace
}  // namespace nearmiss::app::fly
