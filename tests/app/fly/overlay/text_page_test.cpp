// SPDX-License-Identifier: MIT
/// Help and numbers at every size of window and text: nothing is cut off, nothing is left out.
#include "fly/overlay/text_page.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>

#include "fly/overlay/panels.h"

namespace nearmiss::app::fly {
namespace {

/// As wide as DejaVu Sans on average.
float widthOf(std::string_view text, float type) {
  return 0.58f * type * static_cast<float>(text.size());
}

std::vector<PageGroup> numbers() {
  static const UiState ui;
  static const engine::FrameHistory history;
  static const ShownNumbers shown;
  OverlayView view;
  view.ui = &ui;
  view.frames.history = &history;
  view.frames.numbers = &shown;
  view.flight.method = "sphere-tree + bsp";
  view.flight.tree = "octree + variational";
  view.flight.broad = "space-time-horns-believing";
  view.flight.sceneName = "lamps";
  return numberGroups(view, shown);
}

/// All words of the groups, and those of the page, in any order.
std::map<std::string, int> pageWords(const std::string& text) {
  std::map<std::string, int> words;
  std::size_t begin = 0;
  while (begin < text.size()) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    if (end > begin) ++words[text.substr(begin, end - begin)];
    begin = end + 1;
  }
  return words;
}

void expectWhole(float width, float height, float em, const std::vector<PageGroup>& groups,
                 PageStyle style) {
  const PageLayout page = layOutPage(width, height, em, groups, style, widthOf);
  EXPECT_GE(page.box.x, -0.5f);
  EXPECT_GE(page.box.y, -0.5f);
  EXPECT_LE(page.box.right(), width + 0.5f);
  EXPECT_LE(page.box.bottom(), height + 0.5f);
  EXPECT_GT(page.view.height, page.line) << "at least one line is seen";
  EXPECT_LE(page.view.bottom(), page.box.bottom());
  std::string written, wanted;
  for (const PageText& text : page.texts) {
    EXPECT_GE(text.at.x, -0.5f) << text.text;
    EXPECT_LE(text.at.x + text.width, page.view.width + 0.5f) << text.text;
    EXPECT_NEAR(text.width, widthOf(text.text, page.type), 1e-3f);
    // Scrolled as far as it goes, the last line stands in the window; unscrolled, the first
    EXPECT_GE(text.at.y - 0.5f * page.line, -0.5f);
    EXPECT_LE(text.at.y + 0.5f * page.line - page.maxScroll() * page.line, page.view.height + 0.5f);
    written += text.text + ' ';
  }
  for (const PageGroup& group : groups) {
    wanted += group.heading + ' ';
    for (const PageRow& row : group.rows) wanted += row.left + ' ' + row.right + ' ';
  }
  EXPECT_EQ(pageWords(written), pageWords(wanted));
  // No text covers another
  for (std::size_t i = 0; i < page.texts.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      const PageText &a = page.texts[i], &b = page.texts[j];
      const bool apart = std::abs(a.at.y - b.at.y) > 0.9f * page.line ||
                         a.at.x >= b.at.x + b.width || b.at.x >= a.at.x + a.width;
      EXPECT_TRUE(apart) << a.text << " and " << b.text;
    }
}

TEST(ResultPage, AlignsTextsBehindTheLongestNameOfTheirGroup) {
  const std::vector<PageGroup> groups{{"Result", {{"time", "12 s"}, {"near misses", "3"}}},
                                      {"Next time", {{"", "Turn earlier."}}}};
  const TextWidth widthOf = [](std::string_view text, float type) {
    return 0.5f * type * static_cast<float>(text.size());
  };
  const PageLayout page = layOutPage(1280.0f, 720.0f, 15.0f, groups, PageStyle::Results, widthOf);
  std::vector<float> right;
  for (const PageText& text : page.texts)
    if (text.role == PageText::Role::Right) right.push_back(text.at.x);
  ASSERT_EQ(right.size(), 3u);
  EXPECT_EQ(right[0], right[1]);
  // A sentence without a name begins below its heading
  const auto heading = std::ranges::find(page.texts, "Next time", &PageText::text);
  EXPECT_EQ(right[2], heading->at.x);
}

TEST(TextPage, IsWholeAtEverySizeAndScale) {
  for (const auto& [width, height] : {std::pair{320.0f, 200.0f},
                                      {480.0f, 300.0f},
                                      {640.0f, 360.0f},
                                      {800.0f, 500.0f},
                                      {1024.0f, 600.0f},
                                      {1280.0f, 720.0f},
                                      {1920.0f, 1080.0f},
                                      {720.0f, 1280.0f},
                                      {3840.0f, 2160.0f}})
    for (const float scale : {0.75f, 1.0f, 1.25f, 1.4f, 1.7f, 2.0f}) {
      SCOPED_TRACE(testing::Message() << width << "x" << height << " at " << scale);
      expectWhole(width, height, 15.0f * scale, helpGroups(), PageStyle::Keys);
      expectWhole(width, height, 15.0f * scale, numbers(), PageStyle::Figures);
    }
}

TEST(TextPage, ScrollsOnlyWhereItMust) {
  const PageLayout roomy = layOutPage(1920, 1080, 15, helpGroups(), PageStyle::Keys, widthOf);
  EXPECT_FALSE(roomy.scrolls());
  EXPECT_EQ(roomy.maxScroll(), 0.0f);
  EXPECT_FALSE(layOutPage(1280, 720, 15, numbers(), PageStyle::Figures, widthOf).scrolls());
  const PageLayout tight = layOutPage(640, 360, 30, helpGroups(), PageStyle::Keys, widthOf);
  EXPECT_TRUE(tight.scrolls());
  EXPECT_GT(tight.maxScroll(), 1.0f);
  // Who asked for large type gets it as long as the words are no wider than the window
  EXPECT_GE(tight.type, 0.6f * 30.0f);
}

}  // namespace
}  // namespace nearmiss::app::fly
