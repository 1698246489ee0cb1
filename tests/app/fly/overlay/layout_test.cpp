// SPDX-License-Identifier: MIT
/// The overlay at every size of window and text: inside, apart, and dropped in the right order.
#include "fly/overlay/layout.h"

#include <gtest/gtest.h>

#include <tuple>
#include <utility>
#include <vector>

namespace nearmiss::app::fly {
namespace {

struct LaidScreen {
  float width, height;
};

std::ostream& operator<<(std::ostream& out, const LaidScreen& s) {
  return out << s.width << "x" << s.height;
}

class EveryScreen : public testing::TestWithParam<std::tuple<LaidScreen, float, LayoutWish>> {};

std::vector<Rect> shownOf(const Layout& layout) {
  std::vector<Rect> shown;
  for (const Rect& rect :
       {layout.status, layout.frame, layout.levels, layout.statistics, layout.inspector,
        layout.hints, layout.growing, layout.replay, layout.run, layout.ghost, layout.controls,
        layout.tour, layout.halves[0], layout.halves[1]})
    if (rect.shown()) shown.push_back(rect);
  return shown;
}

TEST_P(EveryScreen, PanelsLieInsideAndApart) {
  const auto& [screen, scale, wish] = GetParam();
  const Layout layout = layOut(screen.width, screen.height, 15 * scale, wish);
  const std::vector<Rect> shown = shownOf(layout);
  EXPECT_EQ(shown.empty(), wish.mode == OverlayMode::Off && !wish.controls && wish.tour == 0);
  // What is left to the scene
  EXPECT_TRUE(layout.scene.shown());
  for (const Rect& rect : {layout.status, layout.frame, layout.levels, layout.replay,
                           layout.halves[0], layout.halves[1]}) {
    const Rect inner = layout.scene.inset(0.01f);
    EXPECT_FALSE(rect.shown() && meets(rect, inner));
  }
  if (layout.plot.shown()) {
    EXPECT_GT(layout.plot.x, layout.frame.x);
    EXPECT_GT(layout.plot.y, layout.frame.y);
    EXPECT_LT(layout.plot.right(), layout.frame.right());
    EXPECT_LT(layout.plot.bottom(), layout.frame.bottom());
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
            LayoutWish{OverlayMode::Full, false, true}, LayoutWish{OverlayMode::Full, true, true},
            LayoutWish{OverlayMode::Full, true, true, true},
            LayoutWish{OverlayMode::Compact, true, true, true},
            LayoutWish{OverlayMode::Full, true, true, false, true},
            LayoutWish{OverlayMode::Compact, true, true, false, true},
            LayoutWish{OverlayMode::Full, true, true, false, false, true},
            LayoutWish{OverlayMode::Full, false, true, true, false, true},
            LayoutWish{OverlayMode::Compact, true, true, true, false, true},
            LayoutWish{OverlayMode::Full, true, true, true, false, true, false, true},
            LayoutWish{OverlayMode::Full, true, true, true, false, false, true, true},
            LayoutWish{OverlayMode::Compact, false, true, false, false, false, true},
            LayoutWish{OverlayMode::Full, true, true, true, false, false, false, true, false, 7},
            LayoutWish{OverlayMode::Compact, true, false, true, false, false, false, false, false,
                       3},
            LayoutWish{OverlayMode::Full, true, false, true, false, false, true, true, false, 5},
            LayoutWish{OverlayMode::Off, true, false, true, false, false, false, true, false, 7},
            LayoutWish{OverlayMode::Off, true, true, true, false, true, true, true},
            LayoutWish{OverlayMode::Off, true, true, true, false, true},
            LayoutWish{OverlayMode::Full, true, true, true, false, true, false, false, true},
            LayoutWish{OverlayMode::Full, true, true, true, false, true, true, true, true},
            LayoutWish{OverlayMode::Full, false, true, false, true, false, false, true, true},
            LayoutWish{OverlayMode::Compact, true, true, true, false, true, false, false, true},
            LayoutWish{OverlayMode::Off, false, true, true, false, true, false, false, true},
            LayoutWish{OverlayMode::Full, true, true, true, true, true, false, true, false, 0,
                       true},
            LayoutWish{OverlayMode::Full, true, true, false, false, true, true, true, true, 0,
                       true},
            LayoutWish{OverlayMode::Compact, true, true, true, false, false, true, true, false, 7,
                       true})));

TEST(Layout, ShowsControlsAtEverySize) {
  for (const LaidScreen& screen :
       {LaidScreen{480, 300}, LaidScreen{800, 500}, LaidScreen{1280, 720}})
    for (const float scale : {0.75f, 1.0f, 1.4f, 2.0f})
      for (const OverlayMode mode : {OverlayMode::Full, OverlayMode::Compact, OverlayMode::Off}) {
        const float em = 15 * scale;
        const Layout layout = layOut(screen.width, screen.height, em,
                                     {mode, false, true, true, false, true, false, false, true});
        // The groups' names and a few rows
        EXPECT_GT(layout.controls.height, 6.0f * em) << screen << " at " << scale;
        EXPECT_GT(layout.controls.width, 12.0f * em) << screen << " at " << scale;
      }
  EXPECT_FALSE(layOut(1280, 720, 15, {}).controls.shown());
}

TEST(Layout, ShowsEachHalfOfASplitViewOverIt) {
  for (const float scale : {0.75f, 1.0f, 1.4f, 2.0f}) {
    const Layout layout = layOut(1280, 720, 15 * scale,
                                 {OverlayMode::Full, true, true, false, false, false, true, true});
    EXPECT_TRUE(layout.halves[0].shown() && layout.halves[0].right() <= 640.0f) << scale;
    EXPECT_TRUE(layout.halves[1].shown() && layout.halves[1].x >= 640.0f) << scale;
    EXPECT_TRUE(layout.ghost.shown() && layout.ghost.x >= 640.0f) << scale;
    EXPECT_FALSE(layout.frame.shown() || layout.levels.shown() || layout.inspector.shown());
  }
}

TEST(Layout, ShowsARunWhereverThereIsRoom) {
  for (const OverlayMode mode : {OverlayMode::Full, OverlayMode::Compact})
    for (const float scale : {0.75f, 1.0f, 1.4f, 2.0f})
      EXPECT_TRUE(
          layOut(1280, 720, 15 * scale, {mode, false, true, false, false, true}).run.shown())
          << scale;
  EXPECT_FALSE(layOut(1280, 720, 15, {OverlayMode::Full, false, true}).run.shown());
}

TEST(Layout, ShowsTheTourWhateverTheMode) {
  LayoutWish wish;
  wish.tour = 7;
  for (const OverlayMode mode : {OverlayMode::Full, OverlayMode::Compact, OverlayMode::Off})
    for (const float scale : {0.75f, 1.0f, 1.4f, 2.0f}) {
      wish.mode = mode;
      EXPECT_TRUE(layOut(1280, 720, 15 * scale, wish).tour.shown()) << scale;
    }
  // All six figures of the budget's stop
  wish.mode = OverlayMode::Compact;
  EXPECT_GE(layOut(1280, 720, 15, wish).tour.height, panelHeight(panelLines::tour, 15) + 6 * 37.5f);
}

TEST(Layout, ShowsEverythingWhereAFifthOfTheWindowHasRoomForIt) {
  const Layout plain = layOut(1920, 1080, 15, {OverlayMode::Full, false, true});
  EXPECT_TRUE(plain.levelsInFull && plain.plot.shown());
  EXPECT_TRUE(plain.hints.shown() && plain.statistics.shown());
  const Layout inspecting = layOut(1920, 1080, 15, {OverlayMode::Full, true, false});
  EXPECT_TRUE(inspecting.inspector.shown() && inspecting.levelsInFull);
  EXPECT_TRUE(inspecting.statistics.shown());
  EXPECT_FALSE(inspecting.growing.shown());
  EXPECT_TRUE(layOut(1920, 1080, 15, {OverlayMode::Full, true, false, true}).growing.shown());
}

/// What matters most, at the usual size: where time went, and how sure detection is.
TEST(Layout, ShowsWhatMattersMostAtTheUsualSize) {
  const Layout plain = layOut(1280, 720, 15, {OverlayMode::Full, false, false});
  EXPECT_TRUE(plain.frame.shown() && plain.levels.shown() && plain.levelsInFull);
  const Layout first = layOut(1280, 720, 15, {OverlayMode::Full, false, true});
  EXPECT_TRUE(first.frame.shown() && first.levels.shown() && first.hints.shown());
  EXPECT_GE(plain.frame.height, panelHeight(panelLines::framePlain, 15));
  const Layout inspecting = layOut(1280, 720, 15, {OverlayMode::Full, true, false});
  EXPECT_TRUE(inspecting.frame.shown() && inspecting.levels.shown());
  EXPECT_TRUE(inspecting.inspector.shown());
}

TEST(Layout, FoldsToTheStatusBar) {
  LayoutWish wish{OverlayMode::Full, true, true, true, false, true, false, true};
  wish.folded = true;
  for (const bool split : {false, true}) {
    wish.split = split;
    const std::vector<Rect> shown = shownOf(layOut(1280, 720, 15, wish));
    ASSERT_EQ(shown.size(), 1u);
    EXPECT_LT(shown[0].height, 2.0f * 15.0f);
  }
  // A replay is not without its bar
  wish = {OverlayMode::Full, true, true, false, true};
  wish.folded = true;
  EXPECT_TRUE(layOut(1280, 720, 15, wish).replay.shown());
}

TEST(Layout, DropsHintsFirstThenTheInspectorThenThePercentiles) {
  bool hints = true, inspector = true, statistics = true;
  for (float height = 900; height >= 200; height -= 4) {
    const Layout layout = layOut(1280, height, 15, {OverlayMode::Full, true, true});
    // What has gone does not come back while the window shrinks
    EXPECT_LE(layout.hints.shown(), hints);
    hints = layout.hints.shown();
    inspector = layout.inspector.shown();
    statistics = layout.statistics.shown();
    EXPECT_LE(hints, inspector) << height;
    EXPECT_TRUE(statistics || !hints) << height;
  }
  EXPECT_FALSE(hints || inspector || statistics);
}

TEST(Layout, LeavesTheSceneFourFifthsOfTheWindow) {
  for (const auto& [width, height] :
       {std::pair{800.0f, 500.0f}, {1280.0f, 720.0f}, {1920.0f, 1080.0f}, {3840.0f, 2160.0f}})
    for (const float scale : {0.75f, 1.0f, 1.25f, 1.4f, 2.0f})
      for (const bool inspector : {false, true})
        for (const OverlayMode mode : {OverlayMode::Full, OverlayMode::Compact}) {
          const Layout layout = layOut(width, height, 15 * scale, {mode, inspector, true});
          float covered = 0.0f;
          for (const Rect& rect : shownOf(layout)) covered += rect.width * rect.height;
          EXPECT_LE(covered, 0.2f * width * height * 1.0001f) << width << " at " << scale;
          EXPECT_TRUE(layout.status.shown());
        }
}

TEST(Layout, LeavesItThatInEveryMode) {
  for (const float scale : {0.75f, 1.0f, 1.25f})
    for (const bool inspector : {false, true})
      for (bool LayoutWish::*mode : {&LayoutWish::run, &LayoutWish::replay, &LayoutWish::growing,
                                     &LayoutWish::ghost, &LayoutWish::split}) {
        LayoutWish wish{OverlayMode::Full, inspector, false};
        wish.*mode = true;
        float covered = 0.0f;
        for (const Rect& rect : shownOf(layOut(1280, 720, 15 * scale, wish)))
          covered += rect.width * rect.height;
        EXPECT_LE(covered, 0.2f * 1280 * 720 * 1.0001f) << scale;
      }
}

}  // namespace
}  // namespace nearmiss::app::fly
