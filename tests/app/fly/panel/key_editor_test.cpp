// SPDX-License-Identifier: MIT
/// The page of keys: what its rows say and do.
#include "fly/panel/key_editor.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "fly/panel/control_panel.h"

namespace nearmiss::app::fly {
namespace {

class KeyPage : public testing::Test {
 protected:
  ~KeyPage() override { useKeys({}); }

  [[nodiscard]] std::size_t row(std::string_view name, KeyGroup group = KeyGroup::View) const {
    const auto controls = editor_.controls();
    for (std::size_t i = 0; i < controls.size(); ++i)
      if (controls[i].name == name &&
          (controls[i].kind == Control::Kind::List || controls[i].group == group))
        return i;
    ADD_FAILURE() << name;
    return 0;
  }
  [[nodiscard]] Control at(std::string_view name) const { return editor_.controls()[row(name)]; }
  std::string choose(std::string_view name, std::size_t option) {
    return editor_.act({row(name), option, {}, 0});
  }

  KeyEditor editor_;
};

TEST_F(KeyPage, ShowsEveryActionWithItsKeys) {
  const auto controls = editor_.controls();
  for (const Command& command : commands())
    EXPECT_TRUE(std::ranges::any_of(controls, [&](const Control& control) {
      return control.name == command.title && control.group == command.group &&
             control.value.find(localKeyName(command.action)) != std::string::npos;
    })) << command.name;
}

TEST_F(KeyPage, TakesAKeyForAnActionAndTakesItBack) {
  EXPECT_FALSE(choose("wireframe", 0).empty());
  ASSERT_TRUE(editor_.asks());
  EXPECT_NE(at("wireframe").value.find("press a key"), std::string::npos);
  EXPECT_FALSE(editor_.give({SDL_SCANCODE_9, true}).empty());
  EXPECT_FALSE(editor_.asks());
  EXPECT_EQ(at("wireframe").value, "V, Shift+9");
  EXPECT_EQ(currentKeys().find({SDL_SCANCODE_9, true})->action, Action::Wireframe);

  EXPECT_FALSE(choose("undo the last change", Control::none).empty());
  EXPECT_TRUE(currentKeys() == KeyMap());
  EXPECT_FALSE(choose("nothing to undo", Control::none).empty());
}

TEST_F(KeyPage, TakesNoKeyByEscapeAndNoneThatMustStay) {
  choose("wireframe", 0);
  EXPECT_TRUE(editor_.give({SDL_SCANCODE_ESCAPE}).empty());
  choose("wireframe", 0);
  EXPECT_FALSE(editor_.give({SDL_SCANCODE_RETURN}).empty());
  EXPECT_TRUE(currentKeys() == KeyMap());
  // Something else was chosen instead of a key
  choose("wireframe", 0);
  choose("nothing to undo", Control::none);
  EXPECT_FALSE(editor_.asks());
}

TEST_F(KeyPage, TakesKeysAwayAndGoesBackToTheUsualOnes) {
  choose("level 2 at most", 1);
  EXPECT_EQ(currentKeys().of(Action::Cap2).size(), 1u);
  EXPECT_EQ(at("level 2 at most").options.back().name, "restore the default keys");
  choose("level 2 at most", 2);
  EXPECT_TRUE(currentKeys().isDefault(Action::Cap2));
  EXPECT_FALSE(choose("control panel", 1).empty());
  EXPECT_TRUE(currentKeys() == KeyMap());
}

TEST_F(KeyPage, TellsBothActionsOfAKeyThatTheyShare) {
  choose("wireframe", 0);
  const std::string words = editor_.give({SDL_SCANCODE_C});
  EXPECT_NE(words.find("camera"), std::string::npos);
  EXPECT_NE(at("wireframe").note.find("camera"), std::string::npos);
  EXPECT_NE(at("camera").note.find("wireframe"), std::string::npos);
  EXPECT_TRUE(at("bounding spheres").note.empty());
}

TEST_F(KeyPage, GivesHeldActionsTheirKeyWithoutShift) {
  choose("nose up", 0);
  editor_.give({SDL_SCANCODE_9, true});
  EXPECT_EQ(currentKeys().find({SDL_SCANCODE_9, false})->action, Action::PitchUp);
}

TEST_F(KeyPage, ChoosesLayouts) {
  EXPECT_EQ(at("layout").chosen, 0u);
  for (std::size_t layout = 0; layout < keyLayouts().size(); ++layout) {
    choose("layout", layout);
    EXPECT_TRUE(currentKeys() == keyLayouts()[layout].keys());
    EXPECT_EQ(at("layout").chosen, layout);
  }
  choose("wireframe", 1);
  EXPECT_EQ(at("layout").chosen, Control::none);
  EXPECT_FALSE(editor_.left());
  choose("back to the panel", Control::none);
  EXPECT_TRUE(editor_.left());
}

TEST_F(KeyPage, IsGoneThroughByArrowKeys) {
  // The note below a row is passed over
  choose("wireframe", 0);
  editor_.give({SDL_SCANCODE_C});
  ControlPanel panel;
  panel.show(editor_.controls(), row("wireframe"));
  EXPECT_FALSE(panel.press(PanelKey::Right, editor_.controls()).has_value());
  EXPECT_FALSE(panel.press(PanelKey::Enter, editor_.controls()).has_value());
  EXPECT_FALSE(panel.press(PanelKey::Down, editor_.controls()).has_value());
  const auto selection = panel.press(PanelKey::Enter, editor_.controls());
  ASSERT_TRUE(selection.has_value());
  EXPECT_EQ(selection->control, row("wireframe"));
  EXPECT_EQ(selection->option, 0u);
}

}  // namespace
}  // namespace nearmiss::app::fly
