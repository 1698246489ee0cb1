// SPDX-License-Identifier: MIT
/// The panel of controls: all that keys do, at every size, by mouse and by arrow keys.
#include "fly/panel/control_panel.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "fly/command/actions.h"

namespace nearmiss::app::fly {
namespace {

constexpr Rect screenPanel{8.0f, 40.0f, 375.0f, 420.0f};

/// Two groups: a choice of three, a switch, a scale; and something to press.
std::vector<Control> someControls() {
  std::vector<Control> controls(4);
  controls[0].kind = Control::Kind::Choice;
  controls[0].options = {{"a", {}}, {"b", {}}, {"c", {}}};
  controls[0].chosen = 2;
  controls[1].kind = Control::Kind::Switch;
  controls[2].kind = Control::Kind::Scale;
  controls[3].kind = Control::Kind::Press;
  for (std::size_t i = 0; i < 3; ++i) controls[i].group = KeyGroup::Detection;
  controls[3].group = KeyGroup::View;
  return controls;
}

TEST(Controls, DoWhatKeysDo) {
  // Flying itself, pages of text and answers to questions are not set
  using enum Action;
  const std::set<Action> others{PageUp, PageDown, Back, Confirm, OpenControls, PinExplanation};
  std::set<Action> offered;
  for (const Control& control : controlTable())
    offered.insert(control.keys.begin(), control.keys.end());
  for (const Command& command : commands()) {
    if (!command.hasDefaultKey()) continue;
    const bool set = !command.held && !others.contains(command.action);
    EXPECT_EQ(offered.contains(command.action), set) << command.name;
  }
}

TEST(Controls, HaveANameOfTheirOwnAndASentence) {
  std::set<std::string_view> names;
  for (const Control& control : controlTable()) {
    EXPECT_TRUE(names.insert(control.name).second) << control.name;
    EXPECT_TRUE(control.words.ends_with(".")) << control.name;
    EXPECT_EQ(wordsFor(control.name), control.words);
  }
  EXPECT_GT(names.size(), 30u);
}

TEST(ControlPanel, StacksItsRowsAndReachesTheLast) {
  const std::vector<Control> controls = controlTable();
  for (const float em : {11.25f, 15.0f, 21.0f, 30.0f})
    for (std::size_t control = 0; control < controls.size(); ++control) {
      ControlPanel panel;
      panel.show(controls, control);
      const ControlRows laid = panel.layOut(screenPanel, em, controls);
      EXPECT_GE(laid.tabs.front().x, screenPanel.x);
      EXPECT_LE(laid.tabs.back().right(), screenPanel.right());
      for (std::size_t i = 1; i < laid.rows.size(); ++i)
        EXPECT_NEAR(laid.rows[i].rect.y, laid.rows[i - 1].rect.bottom(), 0.01f);
      // The one that was asked for is seen whole
      const auto row = std::ranges::find(laid.rows, control, &ControlRow::control);
      ASSERT_NE(row, laid.rows.end());
      EXPECT_GE(row->rect.y, laid.body.y - 0.1f) << controls[control].name;
      EXPECT_LE(row->rect.bottom(), laid.body.bottom() + 0.1f) << controls[control].name;
    }
}

TEST(ControlPanel, GoesByArrowKeys) {
  const std::vector<Control> controls = someControls();
  ControlPanel panel;
  panel.show(controls, 0);
  // On from the last option is the first
  auto selection = panel.press(PanelKey::Right, controls);
  ASSERT_TRUE(selection.has_value());
  EXPECT_EQ(selection->control, 0u);
  EXPECT_EQ(selection->option, 0u);
  EXPECT_EQ(panel.press(PanelKey::Left, controls)->option, 1u);

  // A list opens and is chosen from
  EXPECT_FALSE(panel.press(PanelKey::Enter, controls).has_value());
  EXPECT_EQ(panel.layOut(screenPanel, 15.0f, controls).rows.size(), 6u);
  EXPECT_FALSE(panel.press(PanelKey::Down, controls).has_value());
  EXPECT_FALSE(panel.press(PanelKey::Down, controls).has_value());
  EXPECT_EQ(panel.press(PanelKey::Enter, controls)->option, 1u);
  EXPECT_TRUE(panel.closeList());
  EXPECT_FALSE(panel.closeList());

  // A switch that is off goes on, and not off
  panel.show(controls, 1);
  EXPECT_FALSE(panel.press(PanelKey::Left, controls).has_value());
  EXPECT_EQ(panel.press(PanelKey::Right, controls)->control, 1u);
  panel.show(controls, 2);
  EXPECT_EQ(panel.press(PanelKey::Left, controls)->step, -1);
  EXPECT_EQ(panel.press(PanelKey::Right, controls)->step, 1);
  EXPECT_FALSE(panel.press(PanelKey::Enter, controls).has_value());

  // The next group
  EXPECT_FALSE(panel.press(PanelKey::NextGroup, controls).has_value());
  EXPECT_EQ(panel.press(PanelKey::Enter, controls)->control, 3u);
  EXPECT_FALSE(panel.press(PanelKey::GroupBefore, controls).has_value());
  EXPECT_EQ(panel.press(PanelKey::Right, controls)->control, 0u);
}

}  // namespace
}  // namespace nearmiss::app::fly
