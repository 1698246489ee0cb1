// SPDX-License-Identifier: MIT
/// The numbers of the tour's panel are those of the other panels, and its pair is always the same.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "app/fly/drawn_text.h"
#include "app/fly/modes.h"
#include "app/fly/read_figures.h"
#include "fly/modes/tour/tour_stage.h"
#include "fly/overlay/panels.h"

namespace nearmiss::app::fly {
namespace {

class TourTruth : public Modes {
 protected:
  /// Draws the panels; returns what the tour's panel says.
  std::string read() {
    text.next();
    context.times.started -= std::chrono::milliseconds(300);
    view = describeScreen(context, false);
    (void)overlay.place(view);
    spots.clear();
    overlay.drawPanels(Ink(&spots), view);
    return DrawnText::textIn(overlay.areaOf(Panel::Tour), text.drawn());
  }
  /// What the spot of that name says elsewhere.
  std::string elsewhere(std::string_view name) {
    const auto letters = text.drawn();
    for (const HoverSpot& spot : spots.all())
      if (spot.name == name) return DrawnText::textIn(spot.rect, letters);
    return "missing";
  }
  static std::string after(const std::string& all, std::string_view words) {
    const std::size_t at = all.find(words);
    return at == std::string::npos ? "missing" : all.substr(at + words.size());
  }
  /// A turn of the loop, with its times.
  void turn() {
    fly();
    FrameTimes& times = context.times;
    if (!times.advanced || context.modes.split.on()) return;
    engine::FrameProfile frame = times.profile;
    frame.target = targetOf(context.flight());
    frame.frameTime = frame.target;
    times.history.push(frame);
    times.statistics.add(frame);
  }

  DrawnText text{2400.0f, 1200.0f, 1.0f};
  Overlay overlay;
  OverlayView view;
  HoverSpots spots;
};

TEST_F(TourTruth, FollowsOnePairWhoseNumbersAreThoseOfThePanels) {
  apply(context, Action::Tour);
  ASSERT_TRUE(context.modes.tour.on());
  const PickedShips pair = context.ui.view.picked;
  ASSERT_TRUE(pair.pair());
  for (const TourStop& stop : tourStops()) {
    SCOPED_TRACE(stop.title);
    EXPECT_EQ(context.ui.view.picked, pair);
    EXPECT_TRUE(context.ui.view.spotlight) << "everything else is dark";
    EXPECT_EQ(context.modes.split.on(), stop.split());
    EXPECT_EQ(context.ui.pace.paused, stop.variable != TourVariable::Budget);
    context.times.turnSeconds = 0.02;
    for (int frame = 0; frame < 40; ++frame) {
      turn();
      const std::string tour = read();
      const ShownNumbers& shown = *view.frames.numbers;
      EXPECT_NE(tour.find(plain(view.modes.tour->slider.name)), std::string::npos) << tour;
      EXPECT_NE(tour.find(plain(view.modes.tour->slider.value)), std::string::npos) << tour;
      if (stop.figures == TourFigures::Depths && shown.measured) {
        const std::string frames = after(tour, "thisframe");
        const std::string detection = after(frames, "detection");
        ASSERT_NE(detection, "missing") << tour;
        EXPECT_TRUE(figureOf(detection).agrees(figureOf(after(elsewhere("detect"), "detect"))))
            << detection << " beside " << elsewhere("detect");
        ASSERT_TRUE(shown.allowed);
        EXPECT_TRUE(
            figureOf(after(frames, "budget")).agrees(figureOf(plain(formatTime(*shown.allowed)))));
      }
      if (stop.split() && context.panels.numbers.half(1).measured) {
        const std::string half = DrawnText::textIn(overlay.areaOf(Panel::RightHalf), text.drawn());
        // The halves' panels show times. The tour's panel shows the hits of the round
        EXPECT_NE(after(half, "detection"), "missing") << half;
        EXPECT_NE(half.find("sallow"), std::string::npos) << half;
        EXPECT_EQ(tour.find("detection"), std::string::npos) << tour;
        EXPECT_NE(after(tour, "inthisround"), "missing") << tour;
        const Rect &panel = overlay.areaOf(Panel::Tour), &left = overlay.areaOf(Panel::LeftHalf);
        EXPECT_FALSE(meets(panel, left));
      }
    }
    apply(context, Action::Pause);
  }
  EXPECT_FALSE(context.modes.tour.on());
  EXPECT_FALSE(context.modes.split.on());
}

TEST_F(TourTruth, SaysThatItIsHeld) {
  apply(context, Action::Tour);
  ASSERT_TRUE(context.modes.tour.on());
  EXPECT_EQ(read().find("held"), std::string::npos);
  const PickedShips pair = context.ui.view.picked;
  apply(context, Action::NextPair);
  EXPECT_EQ(context.ui.view.picked, pair);
  EXPECT_NE(read().find("held,1of6"), std::string::npos) << read();
  // It stays, however long
  context.times.turnSeconds = 0.1;
  for (int i = 0; i < 400; ++i) fly();
  EXPECT_NE(read().find("held,1of6"), std::string::npos) << read();
  apply(context, Action::Pause);
  EXPECT_NE(read().find("2of6"), std::string::npos);
  EXPECT_EQ(read().find("held"), std::string::npos);
}

/// The slider changes the picture at once.
TEST_F(TourTruth, TheSliderIsInTheHand) {
  apply(context, Action::Tour);
  context.times.turnSeconds = 0.1;
  context.steering.control.yaw = -1.0;
  fly();
  (void)read();
  const std::uint64_t moved = state();
  const double place = view.modes.tour->slider.place;
  EXPECT_GT(place, 0.0);
  // By the mouse, to its right end and back
  const Rect slider = tourSliderArea(overlay.areaOf(Panel::Tour), textSize());
  context.panels.overlay = overlay;
  EXPECT_TRUE(context.modes.tour.grab(context, {slider.right() - 0.5f, slider.y + 2.0f}));
  fly();
  EXPECT_NE(state(), moved) << "another moment of the encounter";
  (void)read();
  EXPECT_NEAR(view.modes.tour->slider.place, 1.0, 0.01);
  EXPECT_TRUE(context.modes.tour.pull(context, {-0.5f * slider.width, 0.0f}, false));
  fly();
  (void)read();
  EXPECT_NEAR(view.modes.tour->slider.place, 0.5, 0.01);
  context.modes.tour.letGo(context);
  // The level of the second stop
  apply(context, Action::Pause);
  fly();
  const DrawLevel first = context.ui.view.drawLevel;
  context.steering.control.yaw = -1.0;
  for (int i = 0; i < 60; ++i) {
    context.steering.control.yaw = -1.0;
    fly();
  }
  EXPECT_EQ(first, DrawLevel::Level1);
  EXPECT_EQ(context.ui.view.drawLevel, DrawLevel::Level4);
}

}  // namespace
}  // namespace nearmiss::app::fly
