// SPDX-License-Identifier: MIT
/// What clicks, drags, scrolling and arrow keys do to the control panel.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "app/fly/panel/controls_on_screen.h"
#include "app/fly/read_figures.h"
#include "fly/host/key_map.h"

namespace nearmiss::app::fly {
namespace {

class LongList : public ControlsOnScreen {
 protected:
  LongList() {
    controls.assign(40, controlOf(Control::Kind::Press, "row"));
    controls.push_back(controlOf(Control::Kind::Press, "other", KeyGroup::View));
  }
  [[nodiscard]] float top() const {
    const ControlRows laid = panel.layOut(rect, em, controls);
    return laid.body.y - laid.rows[0].rect.y;
  }
};

TEST_F(ControlsOnScreen, ActByClicks) {
  // The arrows of a choice, from the last option to the first and back
  controls[0].chosen = 2;
  const Rect choice = row(0);
  const float value = choice.x + 0.46f * choice.width, middle = choice.y + 0.5f * choice.height;
  const auto onwards = click({choice.right() - 1.1f * em, middle});
  ASSERT_TRUE(onwards.has_value());
  EXPECT_EQ(onwards->control, 0u);
  EXPECT_EQ(onwards->option, 0u);
  const auto back = click({value + 1.1f * em, middle});
  ASSERT_TRUE(back.has_value());
  EXPECT_EQ(back->option, 1u);
  // Elsewhere it opens and closes its options
  for (const float x : {value - 5.0f, value + 1.3f * em, choice.right() - 1.3f * em}) {
    EXPECT_FALSE(click({x, middle}).has_value());
    EXPECT_EQ(panel.layOut(rect, em, controls).rows.size(), 8u) << x;
    EXPECT_FALSE(click({x, middle}).has_value());
    EXPECT_EQ(panel.layOut(rect, em, controls).rows.size(), 5u) << x;
  }
  (void)click({value + 3.0f * em, middle});
  const auto option = click(in(row(0, 2), 0.3f));
  ASSERT_TRUE(option.has_value());
  EXPECT_EQ(option->control, 0u);
  EXPECT_EQ(option->option, 2u);
  // Another list that opens closes this one
  EXPECT_FALSE(click(in(row(4), 0.5f)).has_value());
  EXPECT_EQ(panel.layOut(rect, em, controls).rows.size(), 7u);
  EXPECT_EQ(click(in(row(4, 1), 0.5f))->option, 1u);
  EXPECT_FALSE(click(in(row(4), 0.5f)).has_value());
  EXPECT_FALSE(panel.closeList());
  for (const std::size_t i : {1u, 3u}) {
    const auto chosen = click(in(row(i), 0.3f));
    ASSERT_TRUE(chosen.has_value());
    EXPECT_EQ(chosen->control, i);
    EXPECT_EQ(chosen->option, Control::none);
    EXPECT_FALSE(chosen->place.has_value());
    EXPECT_EQ(chosen->step, 0);
  }
  EXPECT_FALSE(click(away).has_value());
  EXPECT_FALSE(click({rect.x + 100.0f, rect.bottom() - 20.0f}).has_value()) << "below the last row";
}

TEST_F(ControlsOnScreen, DragScales) {
  const Rect of = row(2);
  const Rect bar =
      Rect{of.x + 0.46f * of.width, of.y, 0.54f * of.width, of.height}.inset(0.4f * em);
  const float middle = of.y + 0.5f * of.height;
  (void)at({bar.x + 0.4f * bar.width, middle});
  auto pulled = at({bar.x + 0.4f * bar.width, middle}, true);
  ASSERT_TRUE(pulled.has_value());
  EXPECT_EQ(pulled->control, 2u);
  EXPECT_NEAR(*pulled->place, 0.4, 0.006) << "the mouse is at whole pixels";
  EXPECT_EQ(pulled->option, Control::none);
  controls[2].place = *pulled->place;
  EXPECT_FALSE(at({bar.x + 0.4f * bar.width, middle}, true).has_value()) << "it is there already";
  // The pointer may leave the row, and the ends stop it
  EXPECT_NEAR(*at({bar.x + 0.7f * bar.width, middle + 90.0f}, true)->place, 0.7, 0.006);
  EXPECT_EQ(*at({bar.x - 90.0f, middle}, true)->place, 0.0);
  EXPECT_EQ(*at({bar.right() + 90.0f, middle}, true)->place, 1.0);
  EXPECT_FALSE(at({bar.x, middle}).has_value()) << "released";
  EXPECT_FALSE(at({bar.x + 9.0f, middle}).has_value());
  // Another window takes the mouse
  (void)at({bar.x, middle}, true);
  EXPECT_FALSE(at({bar.x + 9.0f, middle}, true, false).has_value());
  EXPECT_FALSE(at({bar.x + 20.0f, middle}, true).has_value()) << "it must be pressed again";
}

TEST_F(ControlsOnScreen, LeaveTheMouseToWhatCoversThem) {
  const glm::vec2 there = in(row(1), 0.3f);
  (void)at(there, false, false);
  EXPECT_TRUE(text.shapes(palette::own).size() <= 3u);
  EXPECT_FALSE(has(palette::panelEdge, row(1)));
  EXPECT_FALSE(at(there, true, false).has_value());
}

TEST_F(ControlsOnScreen, ChangeTheGroupByTheirTabs) {
  const ControlRows laid = panel.layOut(rect, em, controls);
  (void)click(in(row(0), 0.7f));
  panel.scroll(-2.0f);
  for (const std::size_t tab : {3u, 2u}) {
    EXPECT_FALSE(click(in(laid.tabs[tab], 0.9f, 0.9f)).has_value());
    const auto rows = panel.layOut(rect, em, controls).rows;
    ASSERT_EQ(rows.size(), tab == 3 ? 1u : 5u) << "open lists are closed";
    EXPECT_EQ(controls[rows[0].control].group, keyGroups[tab]);
  }
}

TEST_F(LongList, ScrollsWithinItsEnds) {
  const float high = 1.5f * em;
  const ControlRows laid = panel.layOut(rect, em, controls);
  EXPECT_NEAR(laid.maxScroll, 40.0f * high - laid.body.height, 0.1f);
  panel.scroll(-3.0f);
  (void)at(away);
  EXPECT_NEAR(top(), 3.0f * high, 0.1f);
  // Rows beyond the body are not drawn, nor clicked, nor explained
  for (const auto& letter : text.drawn()) {
    if (letter.rect.x > laid.body.right() || letter.rect.y < laid.body.y - high) continue;
    EXPECT_LT(letter.rect.y, laid.body.bottom());
  }
  EXPECT_FALSE(click({laid.body.x + 30.0f, laid.body.bottom() + 2.0f}).has_value());
  EXPECT_EQ(click({laid.body.x + 30.0f, laid.body.y + 0.5f * high})->control, 3u);
  EXPECT_EQ(click({laid.body.x + 30.0f, laid.body.bottom() - 2.0f})->control,
            3u + static_cast<std::size_t>(laid.body.height / high));
  for (const HoverSpot& spot : spots.all()) {
    EXPECT_GE(spot.rect.y, laid.body.y - 0.01f);
    EXPECT_LE(spot.rect.bottom(), laid.body.bottom() + 0.01f);
    EXPECT_GT(spot.rect.height, 0.0f);
  }
  panel.scroll(-1000.0f);
  (void)at(away);
  EXPECT_NEAR(top(), laid.maxScroll, 0.1f);
  // The position is not beyond the end: one line back is seen at once
  panel.scroll(1.0f);
  (void)at(away);
  EXPECT_NEAR(top(), laid.maxScroll - high, 0.1f);
  panel.scroll(1000.0f);
  (void)at(away);
  EXPECT_NEAR(top(), 0.0f, 0.01f);
}

TEST_F(LongList, HasABarInProportion) {
  const float high = 1.5f * em;
  panel.scroll(-10.0f);
  (void)at(away);
  const ControlRows laid = panel.layOut(rect, em, controls);
  const auto bars = text.shapes(palette::slack);
  ASSERT_EQ(bars.size(), 1u);
  const float part = laid.body.height / (40.0f * high);
  EXPECT_NEAR(bars[0].height, part * laid.body.height, 1.0f);
  EXPECT_NEAR(bars[0].y, laid.body.y + 10.0f * high * part, 1.0f);
  EXPECT_NEAR(bars[0].x, rect.right() - 0.4f * em, 1.0f);
  EXPECT_NEAR(bars[0].width, 0.25f * em, 1.0f);
  controls = eachKind();
  controls.erase(controls.begin() + 2);  // a scale has a bar of that colour
  panel.scroll(100.0f);
  (void)at(away);
  EXPECT_TRUE(text.shapes(palette::slack).empty()) << "all rows are seen";
}

/// The row that the arrow keys mark is scrolled into view, until the mouse moves.
TEST_F(LongList, FollowsTheArrowKeys) {
  const float high = 1.5f * em;
  (void)at(away);
  const ControlRows laid = panel.layOut(rect, em, controls);
  for (int i = 0; i < 30; ++i) (void)panel.press(PanelKey::Down, controls);
  (void)at(away);
  EXPECT_NEAR(top(), 31.0f * high - laid.body.height, 0.1f) << "at the lower end";
  EXPECT_TRUE(has(palette::panelEdge, row(30)));
  EXPECT_EQ(panel.press(PanelKey::Enter, controls)->control, 30u);
  for (int i = 0; i < 28; ++i) (void)panel.press(PanelKey::Up, controls);
  (void)at(away);
  EXPECT_NEAR(top(), 2.0f * high, 0.1f) << "at the upper end";
  // From the first to the last and on
  for (int i = 0; i < 3; ++i) (void)panel.press(PanelKey::Up, controls);
  EXPECT_EQ(panel.press(PanelKey::Enter, controls)->control, 39u);
  (void)panel.press(PanelKey::Down, controls);
  EXPECT_EQ(panel.press(PanelKey::Enter, controls)->control, 0u);
  (void)at({1000.0f, 650.0f});
  EXPECT_FALSE(has(palette::panelEdge, row(0))) << "the mouse has moved";
  // A click marks its row for the keys
  (void)click(in(row(4), 0.5f));
  EXPECT_EQ(panel.press(PanelKey::Enter, controls)->control, 4u);
}

/// A control that is shown counts the notes above it, in its own group only.
TEST_F(LongList, MarksTheControlThatIsShown) {
  controls[0].group = KeyGroup::View;
  controls[1].note = "A note.";
  panel.show(controls, 5);
  EXPECT_EQ(panel.press(PanelKey::Enter, controls)->control, 5u);
  (void)panel.press(PanelKey::Up, controls);
  for (int i = 0; i < 4; ++i) (void)panel.press(PanelKey::Up, controls);
  EXPECT_EQ(panel.press(PanelKey::Enter, controls)->control, 39u) << "notes are passed over";
  panel.show(controls, 40);
  EXPECT_EQ(panel.press(PanelKey::Enter, controls)->control, 40u);
}

TEST_F(ControlsOnScreen, GoThroughGroupsByKeys) {
  panel.show(controls, 5);
  for (const std::size_t expected : {4u, 0u, 1u, 2u, 3u}) {
    (void)panel.press(PanelKey::NextGroup, controls);
    (void)at(away);
    const ControlRows laid = panel.layOut(rect, em, controls);
    for (std::size_t i = 0; i < laid.tabs.size(); ++i) {
      const Rect& tab = laid.tabs[i];
      EXPECT_EQ(has(palette::own, {tab.x, tab.bottom() - 0.2f * em, tab.width, 0.2f * em}),
                i == expected);
    }
  }
  (void)panel.press(PanelKey::GroupBefore, controls);
  EXPECT_EQ(panel.layOut(rect, em, controls).rows.size(), 5u);
  // A group without rows takes no other key
  (void)panel.press(PanelKey::GroupBefore, controls);
  EXPECT_FALSE(panel.press(PanelKey::Enter, controls).has_value());
  EXPECT_FALSE(panel.press(PanelKey::Down, controls).has_value());
}

TEST_F(ControlsOnScreen, OpenAndCloseListsByKeys) {
  panel.show(controls, 0);
  EXPECT_FALSE(panel.press(PanelKey::Enter, controls).has_value());
  EXPECT_EQ(panel.layOut(rect, em, controls).rows.size(), 8u);
  EXPECT_FALSE(panel.press(PanelKey::Enter, controls).has_value());
  EXPECT_EQ(panel.layOut(rect, em, controls).rows.size(), 5u);
  // Opening the list below closes the one above; the mark stays on its row
  (void)panel.press(PanelKey::Enter, controls);
  for (int i = 0; i < 7; ++i) (void)panel.press(PanelKey::Down, controls);
  EXPECT_FALSE(panel.press(PanelKey::Enter, controls).has_value());
  EXPECT_EQ(panel.layOut(rect, em, controls).rows.size(), 7u);
  (void)panel.press(PanelKey::Down, controls);
  const auto option = panel.press(PanelKey::Enter, controls);
  ASSERT_TRUE(option.has_value());
  EXPECT_EQ(option->control, 4u);
  EXPECT_EQ(option->option, 0u);
  // Lists and things to press have no left and right
  for (const std::size_t i : {3u, 4u})
    for (const PanelKey key : {PanelKey::Left, PanelKey::Right}) {
      panel.show(controls, i);
      EXPECT_FALSE(panel.press(key, controls).has_value());
    }
  controls[1].on = true;
  panel.show(controls, 1);
  EXPECT_FALSE(panel.press(PanelKey::Right, controls).has_value());
  EXPECT_EQ(panel.press(PanelKey::Left, controls)->control, 1u);
  // A choice without options has nothing to go to
  controls[0].options.clear();
  panel.show(controls, 0);
  EXPECT_EQ(panel.press(PanelKey::Right, controls)->option, Control::none);
  controls[0].options = {{"a", {}}, {"b", {}}};
  controls[0].chosen = Control::none;
  EXPECT_EQ(panel.press(PanelKey::Right, controls)->option, 0u);
  EXPECT_EQ(panel.press(PanelKey::Left, controls)->option, 1u);
}

}  // namespace
}  // namespace nearmiss::app::fly
