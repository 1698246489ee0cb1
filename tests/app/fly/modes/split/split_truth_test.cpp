// SPDX-License-Identifier: MIT
/// Every number of a split view: each names its span, and budget and detection are of one machine.
#include <gtest/gtest.h>
#include <imgui.h>

#include <algorithm>
#include <string>
#include <vector>

#include "app/fly/drawn_text.h"
#include "app/fly/modes.h"
#include "app/fly/read_figures.h"
#include "fly/overlay/panels.h"
#include "support/patterns.h"

namespace nearmiss::app::fly {
namespace {

class SplitTruth : public Modes {
 protected:
  /// What the lines of a panel say, without blanks.
  std::vector<std::string> linesOf(Panel panel) {
    const Rect& rect = overlay.areaOf(panel);
    const std::vector<DrawnText::Letter> letters = text.drawn();
    std::vector<std::string> lines;
    const float line = Ink().line(), top = rect.y + 0.5f * Ink().em();
    for (int i = 0; i < 4; ++i)
      lines.push_back(DrawnText::textIn(
          {rect.x, top + line * static_cast<float>(i), rect.width, line}, letters));
    return lines;
  }
  void read() {
    text.next();
    context.times.started -= std::chrono::milliseconds(300);
    view = describeScreen(context, false);
    (void)overlay.place(view);
    HoverSpots spots;
    overlay.drawPanels(Ink(&spots), view);
  }

  DrawnText text{2400.0f, 1200.0f, 1.0f};
  Overlay overlay;
  OverlayView view;
};

TEST_F(SplitTruth, EveryFigureIsOfItsSpanAndOfOneMachine) {
  UiState& ui = context.ui;
  ui.detection.budget.kind = BudgetKind::Fixed;
  ui.detection.budget.fixed = std::chrono::microseconds(521);
  fly(3);
  apply(context, Action::SplitView);
  ASSERT_TRUE(context.modes.split.on());
  int budgets = 0, late = 0;
  for (int frame = 0; frame < 120; ++frame) {
    fly();
    read();
    ASSERT_TRUE(view.modes.halves.has_value());
    const std::string status = DrawnText::textIn(overlay.areaOf(Panel::Status), text.drawn());
    EXPECT_EQ(status.find("budget"), std::string::npos)
        << "each half has a budget of its own: " << status;
    for (const std::size_t side : {0u, 1u}) {
      const ShownNumbers& shown = *(*view.modes.halves)[side].numbers;
      const auto lines = linesOf(side == 0 ? Panel::LeftHalf : Panel::RightHalf);
      const auto counts = test::Pattern("sincereset:([0-9]+)of").group(lines[0]);
      ASSERT_TRUE(counts) << lines[0];
      EXPECT_EQ(*counts, std::to_string(shown.since.missed));
      EXPECT_NE(lines[0].find("of" + std::to_string(shown.since.frames) + "frame"),
                std::string::npos)
          << lines[0];
      EXPECT_EQ(lines[0].find('%'), std::string::npos) << "a rounded share hides one late frame";
      if (lines[0].find("behind") != std::string::npos) {
        EXPECT_NE(lines[0].find("now"), std::string::npos) << lines[0];
      }
      if (!shown.measured) continue;
      EXPECT_TRUE(lines[1].starts_with("thisframe")) << lines[1];
      EXPECT_TRUE(lines[3].starts_with("sincereset")) << lines[3];
      late += shown.frame.missed;
      EXPECT_EQ(lines[1].find("xtarget") != std::string::npos, shown.frame.missed) << lines[1];
      if (side == 0) continue;
      // The budget in the title, and that of the frame
      const std::size_t title = lines[0].find("budget"), of = lines[2].rfind("of");
      ASSERT_TRUE(title != std::string::npos && of != std::string::npos) << lines[2];
      const Figure rule = figureOf(lines[0].substr(title)), allowed = figureOf(lines[2].substr(of));
      EXPECT_TRUE(rule.agrees(allowed)) << lines[0] << " beside " << lines[2];
      ++budgets;
    }
  }
  EXPECT_GT(budgets, 50);
  EXPECT_GE(late, 0);
}

/// What is written over one half of the picture stays there.
TEST_F(SplitTruth, NothingOfAHalfIsDrawnInTheOther) {
  const Ink ink;
  ImDrawList& list = *ink.list();
  const Rect left{0.0f, 0.0f, 600.0f, 400.0f}, right{600.0f, 0.0f, 600.0f, 400.0f};
  for (const Rect& part : {left, right}) {
    const InPart inside(ink, part);
    ink.text({20.0f, 50.0f}, "inside");
    // Beyond the right edge and the left one
    ink.text({560.0f, 100.0f}, "across the border");
    ink.text({-30.0f, 150.0f}, "across the border");
    ink.circle({600.0f, 200.0f}, 80.0f, palette::white, 2.0f);
    ink.circle({0.0f, 300.0f}, 80.0f, palette::white, 2.0f);
  }
  ink.text({20.0f, 380.0f}, "all");
  // The triangles of each command are cut at its rectangle
  int inLeft = 0, inRight = 0, whole = 0;
  for (const ImDrawCmd& command : list.CmdBuffer) {
    if (command.ElemCount == 0) continue;
    const bool isLeft = command.ClipRect.z <= 600.0f, isRight = command.ClipRect.x >= 599.0f;
    (isLeft ? inLeft : isRight ? inRight : whole) += static_cast<int>(command.ElemCount);
  }
  EXPECT_GT(inLeft, 0);
  EXPECT_EQ(inLeft, inRight) << "both halves show the same";
  EXPECT_GT(whole, 0);
  const std::vector<DrawnText::Letter> letters = text.drawn();
  EXPECT_EQ(DrawnText::textIn({0.0f, 30.0f, 600.0f, 40.0f}, letters), "inside");
  EXPECT_EQ(DrawnText::textIn({600.0f, 30.0f, 600.0f, 40.0f}, letters), "inside");
}

}  // namespace
}  // namespace nearmiss::app::fly
