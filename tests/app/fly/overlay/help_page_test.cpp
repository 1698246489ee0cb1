// SPDX-License-Identifier: MIT
/// The page of keys and its search, and the page at the end of a run.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>
#include <vector>

#include "app/fly/drawn_text.h"
#include "app/fly/read_figures.h"
#include "fly/command/command.h"
#include "fly/host/input.h"
#include "fly/host/key_map.h"
#include "fly/overlay/panels.h"

namespace nearmiss::app::fly {
namespace {

TEST(HelpPage, HasEveryCommandThatHasAKeyInItsGroup) {
  const auto groups = helpGroups();
  EXPECT_EQ(groups.front().heading, "Five keys to begin with");
  EXPECT_EQ(groups.back().heading, introduction().heading);
  std::size_t rows = 0;
  for (const KeyGroup group : keyGroups) {
    const auto page = std::ranges::find(groups, std::string(groupName(group)), &PageGroup::heading);
    ASSERT_NE(page, groups.end());
    for (const Command& command : commands()) {
      const std::string sentence(command.sentence.substr(0, command.sentence.size() - 1));
      const std::string keys = localKeyName(command.action);
      const bool listed = std::ranges::any_of(page->rows, [&](const PageRow& row) {
        return row.left == keys && row.right == sentence;
      });
      EXPECT_EQ(listed, command.group == group && (command.hasDefaultKey() || keys != noKey))
          << command.name;
      rows += listed;
    }
    // What the mouse does
    const auto says = [&](std::string_view left) {
      return std::ranges::find(page->rows, left, &PageRow::left) != page->rows.end();
    };
    EXPECT_EQ(says("Wheel"), group == KeyGroup::View);
    EXPECT_EQ(says("Middle drag"), group == KeyGroup::View);
    EXPECT_EQ(says("Left drag"), group == KeyGroup::Flight);
  }
  EXPECT_GT(rows, 50u);
  const auto pad = std::ranges::find(groups, "Controller", &PageGroup::heading);
  ASSERT_NE(pad, groups.end());
  EXPECT_EQ(pad->rows.size(), padBindings().size());
  EXPECT_GE(introduction().rows.size(), 3u);
}

TEST(HelpPage, KeepsTheRowsThatContainTheText) {
  for (const char* search : {"throw", "wheel", "COnTROL", "L1"}) {
    std::size_t expected = 0;
    const auto holds = [&](std::string text) {
      std::string part = search;
      for (std::string* each : {&text, &part})
        for (char& c : *each) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
      return text.find(part) != std::string::npos;
    };
    const auto all = helpGroups();
    // Without the five keys for beginners, which are listed below, too
    for (std::size_t i = 1; i < all.size(); ++i)
      for (const PageRow& row : all[i].rows) expected += holds(row.left) || holds(row.right);
    std::size_t found = 0;
    for (const PageGroup& group : helpGroups(search)) found += group.rows.size();
    EXPECT_EQ(found, expected) << search;
    EXPECT_GT(found, 0u) << search;
  }
  const auto says = [](std::string_view search) {
    const DrawnText text(1900.0f, 1000.0f, 1.0f);
    float scroll = 0.0f;
    drawHelp(Ink(), 1900.0f, 1000.0f, search, scroll);
    // The flight behind is dark
    EXPECT_TRUE(std::ranges::any_of(text.shapes(palette::black), [](const Rect& rect) {
      return rect.x == 0.0f && rect.y == 0.0f && rect.width == 1900.0f && rect.height == 1000.0f;
    }));
    return text.text();
  };
  EXPECT_NE(says("no such words").find("Nothingfound"), std::string::npos);
  EXPECT_NE(says("the").find("Keyswith\"the\""), std::string::npos);
  EXPECT_EQ(says("").find("Keyswith"), std::string::npos);
  EXPECT_NE(says("").find("typetosearch"), std::string::npos);
}

TEST(RunEnd, ShowsItsPageOverTheDarkFlight) {
  DrawnText text(1280.0f, 720.0f, 1.0f);
  const std::vector<PageGroup> groups{
      {"Result", {{"time", "12.3 s"}, {"words", std::string(150, 'm')}}}};
  float scroll = 0.0f;
  drawRunEnd(Ink(), 1280.0f, 720.0f, {"A title", groups}, scroll);
  const std::string words = text.text();
  for (const std::string& part :
       {std::string("Atitle"), std::string("Result"), std::string("12.3s"),
        plain(fmt::format("{} flies on, {} flies it again, {} flies the next mission",
                          localKeyName(Action::Back), localKeyName(Action::Restart),
                          localKeyName(Action::NextMission)))})
    EXPECT_NE(words.find(part), std::string::npos) << part << " in " << words;
  const Rect dark = text.shapes(palette::black).front();
  EXPECT_EQ(dark.width, 1280.0f);
  EXPECT_EQ(dark.height, 720.0f);
  // With a controller, its buttons too
  text.next();
  drawRunEnd(Ink(), 1280.0f, 720.0f, {"A title", groups, true}, scroll);
  EXPECT_NE(text.text().find(
                plain(fmt::format("{} or B flies on, {} or A flies it again",
                                  localKeyName(Action::Back), localKeyName(Action::Restart)))),
            std::string::npos);
}

}  // namespace
}  // namespace nearmiss::app::fly
