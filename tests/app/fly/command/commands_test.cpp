// SPDX-License-Identifier: MIT
/// The table of commands: no key means two things, nothing is left without a sentence, and the
/// page about flying lists all keys.
#include "fly/command/command.h"

#include <SDL_keyboard.h>
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <utility>

#include "fly/command/actions.h"

namespace nearmiss::app::fly {
namespace {

TEST(Commands, HaveKeysThatMeanOneThing) {
  std::map<std::pair<SDL_Scancode, bool>, Action> taken;
  for (const Command& command : commands())
    for (const SDL_Scancode key : {command.key, command.otherKey}) {
      if (key == SDL_SCANCODE_UNKNOWN) continue;
      EXPECT_TRUE(taken.insert({{key, command.shift}, command.action}).second)
          << SDL_GetScancodeName(key);
    }
  EXPECT_GT(taken.size(), 60u);
}

TEST(Commands, HaveANameATitleAndASentence) {
  std::set<std::string_view> names;
  std::set<Action> actions;
  for (const Command& command : commands()) {
    EXPECT_TRUE(names.insert(command.name).second) << command.name;
    EXPECT_TRUE(actions.insert(command.action).second) << command.name;
    EXPECT_FALSE(command.title.empty()) << command.name;
    EXPECT_TRUE(command.sentence.ends_with(".")) << command.name;
    EXPECT_EQ(commandNamed(command.name), &command);
    EXPECT_EQ(&commandOf(command.action), &command);
    // One that is a part is a part of something in the panel
    if (!command.partOf.empty()) {
      EXPECT_FALSE(wordsFor(command.partOf).empty()) << command.name;
    }
  }
  for (int i = 0; i < static_cast<int>(Action::Unnamed); ++i)
    EXPECT_TRUE(actions.contains(static_cast<Action>(i))) << i;
  EXPECT_EQ(commandNamed("hover"), nullptr);
}

TEST(Commands, HaveAnEffectUnlessTheyAreHeld) {
  for (const Command& command : commands())
    EXPECT_EQ(hasEffect(command.action), !command.held) << command.name;
}

/// With NEARMISS_WRITE_DOCS the page is written instead.
TEST(Commands, AreListedOnThePageAboutFlying) {
  const std::string file = std::string(NEARMISS_SOURCE_DIR) + "/docs/flying.md";
  std::ostringstream read;
  read << std::ifstream(file).rdbuf();
  std::string page = read.str();
  const std::string begin = "<!-- keys -->\n", end = "<!-- end of keys -->";
  const std::size_t from = page.find(begin), to = page.find(end);
  ASSERT_NE(from, std::string::npos);
  ASSERT_NE(to, std::string::npos);
  const std::size_t first = from + begin.size();
  if (std::getenv("NEARMISS_WRITE_DOCS"))
    std::ofstream(file) << page.replace(first, to - first, keyTable());
  else
    EXPECT_EQ(page.substr(first, to - first), keyTable())
        << "NEARMISS_WRITE_DOCS=1 with this test writes it";
}

}  // namespace
}  // namespace nearmiss::app::fly
