// SPDX-License-Identifier: MIT
/// The overlay as it is drawn, at five sizes of window and four of text: every letter lies in the
/// window and within the panel that it belongs to, and none lies over another.
#include <gtest/gtest.h>
#include <imgui.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "app/drawn_text.h"
#include "fly/overlay/ink.h"
#include "fly/overlay/overlay.h"

namespace nearmiss::app::fly {
namespace {

using std::chrono::microseconds;

struct WrittenScreen {
  float width, height;
};

std::ostream& operator<<(std::ostream& out, const WrittenScreen& s) {
  return out << s.width << "x" << s.height;
}

/// Some frames of a busy flight, with numbers as wide as a long one makes them.
struct BusyFlight {
  UiState ui;
  engine::FrameHistory history;
  FrameStatistics statistics;
  ShownNumbers numbers;

  BusyFlight() {
    for (std::uint64_t i = 1; i <= 60; ++i) {
      engine::FrameProfile frame;
      frame.frame = i;
      frame.simTime = 1234.5 + 0.02 * static_cast<double>(i);
      frame.target = microseconds(33333);
      frame.budget = microseconds(12345);
      frame.spent = microseconds(23456);
      frame.motion = frame.broad = frame.narrow = frame.response = microseconds(5678);
      frame.render = microseconds(38888);
      frame.frameTime = microseconds(68888);
      frame.missed = frame.exhausted = true;
      frame.pairsBroad = 45;
      frame.pairsNarrow = 36;
      frame.sphereTests = frame.triangleTests = 34567;
      frame.collisions.fill(9);
      frame.touching = 12;
      frame.touchesEnded = frame.responses = 19;
      frame.worstBound = frame.medianBound = 0.1234;
      frame.detections = frame.detectionsSkipped = 120;
      history.push(frame);
      statistics.add(frame);
    }
    numbers = numbersOf(history, statistics);
  }

  [[nodiscard]] OverlayView view() const {
    OverlayView view;
    view.ui = &ui;
    view.frames.history = &history;
    view.frames.numbers = &numbers;
    view.flight.method = "sphere-tree + bsp";
    view.flight.tree = "octree + variational";
    view.flight.broad = "space-time-grid";
    view.flight.sceneName = "lamps";
    view.flight.camera = "chase";
    view.flight.seed = 123456;
    view.flown = true;
    view.frames.softwareRenderer = "llvmpipe";
    view.hints = true;
    return view;
  }
};

/// The share of the smaller one that lies under the other.
float overlap(const Rect& a, const Rect& b) {
  const float wide = std::min(a.right(), b.right()) - std::max(a.x, b.x);
  const float high = std::min(a.bottom(), b.bottom()) - std::max(a.y, b.y);
  if (wide <= 0.0f || high <= 0.0f) return 0.0f;
  return wide * high / std::min(a.width * a.height, b.width * b.height);
}

class EveryText : public testing::TestWithParam<std::tuple<WrittenScreen, float>> {};

TEST_P(EveryText, LiesWholeInItsPanelAndOverNoOther) {
  const auto& [screen, scale] = GetParam();
  for (const OverlayMode mode : {OverlayMode::Full, OverlayMode::Compact})
    for (const bool era : {false, true}) {
      BusyFlight flight;
      flight.ui.view.overlay = mode;
      flight.ui.detection.eraMode = flight.ui.pace.paused = era;
      flight.ui.detection.budget.eraScale = 250.0;
      const DrawnText type(screen.width, screen.height, scale);
      Overlay overlay;
      const std::span<const Ground> grounds = overlay.place(flight.view());
      float scroll = 0.0f;
      HoverSpots spots;
      (void)overlay.draw(flight.view(), Toasts(), scroll, spots);
      const std::vector<Rect> letters = type.letters();
      ASSERT_GT(letters.size(), 40u);
      for (std::size_t i = 0; i < letters.size(); ++i) {
        const Rect& letter = letters[i];
        const auto panel = std::ranges::find_if(
            grounds, [&](const Ground& ground) { return overlap(ground.rect, letter) > 0.5f; });
        ASSERT_NE(panel, grounds.end()) << letter.x << ", " << letter.y;
        EXPECT_GE(letter.x, panel->rect.x) << "at height " << letter.y;
        EXPECT_GE(letter.y, panel->rect.y) << "at " << letter.x;
        EXPECT_LE(letter.right(), panel->rect.right()) << "at height " << letter.y;
        EXPECT_LE(letter.bottom(), panel->rect.bottom()) << "at " << letter.x;
        for (std::size_t k = 0; k < i; ++k)
          EXPECT_LT(overlap(letter, letters[k]), 0.4f) << letter.x << ", " << letter.y;
      }
    }
}

/// Every time of the legend is that of the phase that it stands beside.
TEST(FrameLegend, HasEachPhasesOwnTime) {
  using engine::FrameProfile;
  const std::array<std::pair<const char*, FrameProfile::Duration FrameProfile::*>, 9> phases{
      {{"input", &FrameProfile::input},
       {"motion", &FrameProfile::motion},
       {"broad", &FrameProfile::broad},
       {"narrow", &FrameProfile::narrow},
       {"response", &FrameProfile::response},
       {"render", &FrameProfile::render},
       {"swap", &FrameProfile::swap},
       {"other", &FrameProfile::other},
       {"slack", &FrameProfile::slack}}};
  FrameProfile frame;
  frame.frame = 1;
  frame.target = frame.frameTime = microseconds(50000);
  for (std::size_t i = 0; i < phases.size(); ++i)
    frame.*phases[i].second = microseconds(1230 + 1010 * static_cast<int>(i));
  BusyFlight flight;
  flight.history.clear();
  flight.statistics = FrameStatistics();
  flight.history.push(frame);
  flight.statistics.add(frame);
  flight.numbers = numbersOf(flight.history, flight.statistics);
  const DrawnText type(3840.0f, 2160.0f, 1.0f);
  Overlay overlay;
  (void)overlay.place(flight.view());
  float scroll = 0.0f;
  HoverSpots spots;
  (void)overlay.draw(flight.view(), Toasts(), scroll, spots);
  std::string legend;
  for (const auto& [name, time] : phases) {
    std::string value = formatTime(std::chrono::duration<double, std::milli>(frame.*time).count());
    std::erase(value, ' ');
    legend += name + value;
  }
  EXPECT_NE(type.text().find(legend), std::string::npos) << legend << " in\n" << type.text();
}

INSTANTIATE_TEST_SUITE_P(
    Screens, EveryText,
    testing::Combine(testing::Values(WrittenScreen{800, 500}, WrittenScreen{1024, 600},
                                     WrittenScreen{1280, 720}, WrittenScreen{1920, 1080},
                                     WrittenScreen{3840, 2160}),
                     testing::Values(0.75f, 1.0f, 1.4f, 2.0f)));

}  // namespace
}  // namespace nearmiss::app::fly
