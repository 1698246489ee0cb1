// SPDX-License-Identifier: MIT
/// Panels with made-up numbers, drawn on a screen of their own.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <functional>
#include <glm/vec2.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/fly/drawn_text.h"
#include "fly/overlay/panels.h"

namespace nearmiss::app::fly {

inline constexpr float narrowScale = 1.2f, wideScale = 2.4f;  // text of 18 and of 36 pixels

/// Numbers of a late frame, all of them different.
struct LateFrames {
  UiState ui;
  engine::FrameHistory history;
  FrameStatistics statistics;
  ShownNumbers numbers;
  std::array<std::uint32_t, 20> collisions{};
  std::vector<GhostApart> course;
  std::array<TourFigure, 3> figures{TourFigure{"spheres", "1 234", 0.75, palette::swap, "work"},
                                    TourFigure{"triangles", "56", 0.25, palette::broad},
                                    TourFigure{"bound", "7.8 cm", 0.5, palette::motion, "gap"}};
  OverlayView view;

  explicit LateFrames(int frames = 60, std::uint64_t missed = 60) {
    for (int i = 1; i <= frames; ++i) {
      engine::FrameProfile frame;
      frame.frame = static_cast<std::uint64_t>(i);
      frame.target = std::chrono::microseconds(20000);
      frame.budget = std::chrono::microseconds(4000);
      frame.input = std::chrono::microseconds(1000);
      frame.motion = std::chrono::microseconds(2000);
      frame.broad = std::chrono::microseconds(1500);
      frame.narrow = std::chrono::microseconds(4500);
      frame.spent = frame.broad + frame.narrow;
      frame.response = std::chrono::microseconds(1200);
      frame.render = std::chrono::microseconds(12300);
      frame.swap = std::chrono::microseconds(800);
      frame.other = std::chrono::microseconds(700);
      frame.watching = std::chrono::microseconds(1800);
      frame.frameTime = std::chrono::microseconds(24000) + frame.watching;
      frame.missed = static_cast<std::uint64_t>(i) <= missed;
      frame.collisions = {0, 1, 2, 3, 4, 5};
      frame.worstBound = 0.06;
      frame.medianBound = 0.03;
      history.push(frame);
      statistics.add(frame);
    }
    numbers = numbersOf(history, statistics);
    collisions[3] = 1;
    collisions[12] = 9;
    for (int i = 0; i < 50; ++i) course.push_back({0.02 * i, 0.04 * i});
    view.ui = &ui;
    view.frames.history = &history;
    view.frames.numbers = &numbers;
    view.flight.shipRadius = 0.5;
    PairReport& pair = view.pair.emplace();
    pair.shapeA = "lamp";
    pair.keyA = 1;
    pair.shapeB = "star";
    pair.keyB = 12;
    pair.inBroadPhase = true;
    pair.refinement.separationBound = 0.1;
    pair.refinement.separationEstimate = 0.05;
    pair.truth.emplace().distance.upper = 0.04;
    pair.truth->times.emplace().level = {0.3, 0.9, 2.5, 0.0, 0.0};
    pair.truth->times->reference = 12.0;
  }
  [[nodiscard]] TourView tour() const {
    TourView shown{"Title", "A sentence that explains it.", 2, 9, 0.3, false, figures, {}};
    shown.slider = {"budget", "45 us", 0.25};
    return shown;
  }
};

/// A panel with its size in letters.
struct DrawnPanel {
  std::string_view name;
  float wide, high;
  std::function<void(const LateFrames&, const Ink&, const Rect&)> draw;
};

inline const std::vector<DrawnPanel>& panels() {
  static const RunView run{34.5, 600, 3, 4, "a hit: -300, the gap was 2.3 cm", {2, 1000}};
  static const std::vector<DrawnPanel> all{
      {"replay", 60.0f, 3.8f,
       [](const LateFrames& of, const Ink& ink, const Rect& rect) {
         drawReplayBar(ink, rect, {5, 20, of.collisions}, of.numbers);
       }},
      {"run", 24.0f, panelHeight(4, 1.0f),
       [](const LateFrames&, const Ink& ink, const Rect& rect) { drawRunPanel(ink, rect, run); }},
      {"tour", 24.0f, 24.0f,
       [](const LateFrames& of, const Ink& ink, const Rect& rect) {
         drawTourPanel(ink, rect, of.tour());
       }},
      {"tour strip", 70.0f, 12.0f,
       [](const LateFrames& of, const Ink& ink, const Rect& rect) {
         drawTourPanel(ink, rect, of.tour());
       }},
      {"ghost", 24.0f, panelHeight(5, 1.0f),
       [](const LateFrames& of, const Ink& ink, const Rect& rect) {
         drawGhostPanel(ink, rect, {{0.5, 1.5}, of.course, 0});
       }},
      {"half", 60.0f, panelHeight(4, 1.0f),
       [](const LateFrames& of, const Ink& ink, const Rect& rect) {
         drawHalfPanel(ink, rect, {"left", "sphere-tree", "45 us", &of.numbers, 1.2});
       }},
      {"frame", 84.0f, panelHeight(4, 1.0f),
       [](const LateFrames& of, const Ink& ink, const Rect& rect) {
         drawFramePanel(ink, rect, of.view, of.numbers, {});
       }},
      {"levels", 24.0f, panelHeight(15, 1.0f),
       [](const LateFrames& of, const Ink& ink, const Rect& rect) {
         drawLevelPanel(ink, rect, of.view, of.numbers, true);
       }},
      {"statistics", 24.0f, panelHeight(8, 1.0f),
       [](const LateFrames& of, const Ink& ink, const Rect& rect) {
         drawStatisticsPanel(ink, rect, of.numbers);
       }},
      {"inspector", 24.0f, panelHeight(9, 1.0f),
       [](const LateFrames& of, const Ink& ink, const Rect& rect) {
         drawPairInspector(ink, rect, of.view);
       }},
      {"player", 44.0f, panelHeight(2, 1.0f),
       [](const LateFrames&, const Ink& ink, const Rect& rect) {
         drawPlayerPanel(ink, rect, {12.3, 0.4, 1.5, 640, "Hold W to thrust."});
       }}};
  return all;
}

/// A panel on a screen of its own.
class OnePanel {
 public:
  OnePanel(const DrawnPanel& panel, float scale, glm::vec2 at)
      : text_(3400.0f, 1400.0f, scale),
        em_(textSize()),
        rect_{at.x, at.y, panel.wide * em_, panel.high * em_} {
    const LateFrames frames;
    panel.draw(frames, Ink(&spots_), rect_);
  }
  [[nodiscard]] const DrawnText& text() const { return text_; }
  [[nodiscard]] float em() const { return em_; }
  [[nodiscard]] const Rect& rect() const { return rect_; }
  [[nodiscard]] std::span<const HoverSpot> spots() const { return spots_.all(); }

 private:
  HoverSpots spots_;
  DrawnText text_;
  float em_;
  Rect rect_;
};

inline bool within(const Rect& outer, const Rect& inner, float by) {
  return inner.x >= outer.x - by && inner.y >= outer.y - by &&
         inner.right() <= outer.right() + by && inner.bottom() <= outer.bottom() + by;
}

inline testing::AssertionResult near(const Rect& one, const Rect& other, float by) {
  if (within(one, other, by) && within(other, one, by)) return testing::AssertionSuccess();
  return testing::AssertionFailure()
         << one.x << ", " << one.y << ", " << one.width << " x " << one.height << " is not "
         << other.x << ", " << other.y << ", " << other.width << " x " << other.height;
}

/// What stands in a row of a panel with a margin of half a letter above its first row.
inline std::string rowOf(const OnePanel& one, float row, float from = 0.0f, float to = 1.0f) {
  const float line = lineHeight * one.em();
  const Rect& rect = one.rect();
  return DrawnText::textIn(
      {rect.x + from * rect.width, rect.y + 0.5f * one.em() + (row + 0.25f) * line,
       (to - from) * rect.width, 0.5f * line},
      one.text().drawn());
}

/// Number of pairs of letters that stand over each other.
inline std::size_t overprinted(const std::vector<DrawnText::Letter>& letters) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < letters.size(); ++i)
    for (std::size_t k = 0; k < i; ++k) {
      const Rect &a = letters[i].rect, &b = letters[k].rect;
      const float wide = std::min(a.right(), b.right()) - std::max(a.x, b.x);
      const float high = std::min(a.bottom(), b.bottom()) - std::max(a.y, b.y);
      count += wide > 0.0f && high > 0.0f &&
               wide * high > 0.4f * std::min(a.width * a.height, b.width * b.height);
    }
  return count;
}

inline const DrawnPanel& panelNamed(std::string_view name) {
  return *std::ranges::find(panels(), name, &DrawnPanel::name);
}

/// A frame with phases of different lengths: late by a fifth, or with slack.
inline engine::FrameProfile timedFrame(bool late) {
  engine::FrameProfile frame;
  frame.frame = 1;
  frame.target = std::chrono::microseconds(20000);
  frame.budget = std::chrono::microseconds(8000);
  frame.input = std::chrono::microseconds(1000);
  frame.motion = std::chrono::microseconds(2000);
  frame.broad = std::chrono::microseconds(1500);
  frame.narrow = std::chrono::microseconds(4500);
  frame.spent = frame.broad + frame.narrow;
  frame.response = std::chrono::microseconds(1100);
  frame.render = std::chrono::microseconds(late ? 12100 : 3100);
  frame.swap = std::chrono::microseconds(900);
  frame.other = std::chrono::microseconds(900);
  frame.slack = std::chrono::microseconds(late ? 0 : 5000);
  frame.frameTime = std::chrono::microseconds(late ? 24000 : 20000);
  frame.missed = late;
  return frame;
}

}  // namespace nearmiss::app::fly
