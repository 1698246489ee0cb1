// SPDX-License-Identifier: MIT
/// Drawing of the control panel: every kind of control in each state, tabs, notes and hover text.
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

using Kind = Control::Kind;

TEST_F(ControlsOnScreen, StackRowsBelowTheirTabs) {
  const ControlRows laid = panel.layOut(rect, em, controls);
  const Rect inner = rect.inset(0.5f * em);
  ASSERT_EQ(laid.tabs.size(), keyGroups.size());
  for (std::size_t i = 0; i < laid.tabs.size(); ++i) {
    EXPECT_NEAR(laid.tabs[i].x, inner.x + 0.2f * inner.width * static_cast<float>(i), 0.01f);
    EXPECT_NEAR(laid.tabs[i].width, 0.2f * inner.width, 0.01f);
    EXPECT_NEAR(laid.tabs[i].y, inner.y, 0.01f);
    EXPECT_NEAR(laid.tabs[i].height, 1.8f * em, 0.01f);
  }
  EXPECT_NEAR(laid.body.y, inner.y + 2.1f * em, 0.01f);
  EXPECT_NEAR(laid.body.bottom(), inner.bottom(), 0.01f);
  EXPECT_NEAR(laid.body.x, inner.x, 0.01f);
  EXPECT_NEAR(laid.body.width, inner.width, 0.01f);
  ASSERT_EQ(laid.rows.size(), 5u) << "those of the other group are not shown";
  for (std::size_t i = 0; i < laid.rows.size(); ++i) {
    EXPECT_EQ(laid.rows[i].control, i);
    EXPECT_NEAR(laid.rows[i].rect.y, laid.body.y + 1.5f * em * static_cast<float>(i), 0.01f);
    EXPECT_NEAR(laid.rows[i].rect.height, 1.5f * em, 0.01f);
    EXPECT_EQ(laid.rows[i].rect.x, laid.body.x);
    EXPECT_EQ(laid.rows[i].rect.width, laid.body.width);
  }
  EXPECT_EQ(laid.maxScroll, 0.0f);
  // Notes and options of an open list stand below their row
  controls[0].note = "A note.";
  (void)at(away);
  (void)click(in(row(0), 0.7f));
  std::string kinds;
  for (const ControlRow& each : panel.layOut(rect, em, controls).rows)
    kinds += fmt::format("{}{}{} ", each.control, each.note ? "n" : "",
                         each.option == Control::none ? "" : fmt::format(":{}", each.option));
  EXPECT_EQ(kinds, "0 0n 0:0 0:1 0:2 1 2 3 4 ");
  // One group needs no tabs
  const ControlRows one = panel.layOut(rect, em, std::span(controls).last(1));
  EXPECT_TRUE(one.tabs.empty());
  EXPECT_NEAR(one.body.y, inner.y, 0.01f);
  EXPECT_EQ(one.rows.size(), 1u) << "in every group";
}

TEST_F(ControlsOnScreen, DrawEachKindWithItsState) {
  controls[0].note = "Taken by: camera";
  (void)at(away);
  EXPECT_EQ(words(row(0)), "ordersecond");
  EXPECT_EQ(words(row(0, Control::none, true)), "!Takenby:camera");
  EXPECT_EQ(words(row(1)), "cuesoff");
  EXPECT_EQ(words(row(2)), "budget45us");
  EXPECT_EQ(words(row(3)), "restart");
  EXPECT_EQ(words(row(4)), "wireframeV");
  const auto middle = [&](std::size_t i) { return row(i).y + 0.5f * row(i).height; };
  // Names begin at the left; values where the names end
  for (const auto& [i, share] :
       {std::pair{0u, 0.46f}, std::pair{1u, 0.46f}, std::pair{4u, 0.64f}}) {
    const Rect of = row(i);
    EXPECT_EQ(words({of.x, of.y, share * of.width, of.height}), controls[i].name);
    EXPECT_EQ(words({of.x + share * of.width, of.y, (1.0f - share) * of.width, of.height}),
              (std::array{"second", "off", "", "", "V"}[i]));
    float left = 1e9f;
    for (const auto& letter : text.drawn())
      if (letter.rect.y > of.y && letter.rect.bottom() < of.bottom())
        left = std::min(left, letter.rect.x);
    EXPECT_NEAR(left, of.x + 0.4f * em, 3.0f);
  }
  const Rect choice = row(0);
  const float value = choice.x + 0.46f * choice.width;
  EXPECT_EQ(arrowsAt(value + 0.66f * em, middle(0)), 1u);
  EXPECT_EQ(arrowsAt(choice.right() - 0.66f * em, middle(0)), 1u);
  EXPECT_EQ(arrowsAt(row(3).right() - 0.7f * em, middle(3)), 1u) << "something to press";
  EXPECT_TRUE(has(palette::panelEdge,
                  {row(3).x, row(3).y + 0.08f * em, row(3).width, row(3).height - 0.16f * em}));
  // A box for the switch, empty while it is off
  const Rect box{value + 0.35f * em, middle(1) - 0.45f * em, 0.9f * em, 0.9f * em};
  EXPECT_TRUE(has(palette::dim, box));
  EXPECT_FALSE(has(palette::own, box.inset(0.2f * em)));
  controls[1].on = true;
  (void)at(away);
  EXPECT_EQ(words(row(1)), "cueson");
  EXPECT_TRUE(has(palette::own, box.inset(0.2f * em)));
  // Without a chosen option
  controls[0].chosen = Control::none;
  (void)at(away);
  EXPECT_EQ(words(row(0)), "order-");
}

TEST_F(ControlsOnScreen, ScalesHaveTheirHandleAtTheirPlace) {
  for (const double place : {0.0, 0.25, 0.5, 0.9}) {
    controls[2].place = place;
    (void)at(away);
    const Rect of = row(2);
    const float middle = of.y + 0.5f * of.height;
    const Rect value{of.x + 0.46f * of.width, of.y, 0.54f * of.width, of.height};
    const Rect bar = value.inset(0.4f * em);
    EXPECT_TRUE(has(palette::slack, {bar.x, middle - 0.1f * em, bar.width, 0.2f * em}));
    const float handle = bar.x + static_cast<float>(place) * bar.width;
    EXPECT_TRUE(has(palette::own, {handle - 0.2f * em, middle - 0.55f * em, 0.4f * em, 1.1f * em}))
        << place;
    // Its value is on the other side, on a plain ground
    const Ink ink;
    const float wide = ink.textWidth("45 us", ink.small()) + 0.4f * em;
    const float x = place < 0.5 ? bar.right() - wide : bar.x;
    EXPECT_TRUE(has(palette::panel, {x, middle - 0.6f * em, wide, 1.2f * em})) << place;
    EXPECT_EQ(words({x, of.y, wide, of.height}), "45us") << place;
  }
  // While the pointer is over it, the ground is that of the row
  (void)at(in(row(2), 0.2f));
  EXPECT_TRUE(text.shapes(palette::panel).empty());
  EXPECT_TRUE(has(palette::panelEdge, row(2)));
}

TEST_F(ControlsOnScreen, MarkTheChosenOptionAndTheGroup) {
  (void)click(in(row(0), 0.7f));
  (void)at(away);
  EXPECT_EQ(words(row(0, 0)), "first");
  EXPECT_EQ(words(row(0, 1)), "*second");
  EXPECT_EQ(words(row(0, 2)), "third");
  const ControlRows laid = panel.layOut(rect, em, controls);
  for (std::size_t i = 0; i < laid.tabs.size(); ++i) {
    const Rect& tab = laid.tabs[i];
    EXPECT_EQ(words(tab), plain(groupName(keyGroups[i])));
    EXPECT_EQ(has(palette::own, {tab.x, tab.bottom() - 0.2f * em, tab.width, 0.2f * em}),
              keyGroups[i] == KeyGroup::Detection)
        << i;
    // In the middle of its tab
    float left = 1e9f, right = 0.0f;
    for (const auto& letter : text.drawn())
      if (letter.rect.x > tab.x && letter.rect.right() < tab.right() && letter.rect.y > tab.y &&
          letter.rect.bottom() < tab.bottom()) {
        left = std::min(left, letter.rect.x);
        right = std::max(right, letter.rect.right());
      }
    EXPECT_NEAR(0.5f * (left + right), tab.x + 0.5f * tab.width, 2.5f) << i;
    EXPECT_LT(right - left, 0.97f * tab.width);
  }
}

TEST_F(ControlsOnScreen, ExplainEachRow) {
  controls[4].note = "V is taken by: camera";
  (void)at(away);
  const auto explained = [&](const Rect& of) {
    const HoverSpot* spot = spots.at(in(of, 0.5f));
    return spot ? spot->name + "|" + spot->words : std::string();
  };
  EXPECT_EQ(explained(row(0)), "order|Explained.");
  EXPECT_EQ(explained(row(3)), "restart|Explained. Key: " + localKeyName(Action::Restart));
  EXPECT_EQ(explained(row(4)), "wireframe|Explained.: V");
  EXPECT_EQ(explained(row(4, Control::none, true)), "wireframe|V is taken by: camera");
  // An option has its own words, or none
  (void)click(in(row(0), 0.7f));
  (void)at(away);
  EXPECT_EQ(explained(row(0, 0)), "order|The first one.");
  EXPECT_EQ(explained(row(0, 1)), "");
  const ControlRows laid = panel.layOut(rect, em, controls);
  (void)click(in(laid.tabs[3], 0.5f));
  (void)at(away);
  EXPECT_EQ(explained(row(5)),
            fmt::format("camera|Explained. Keys: {}, {}", localKeyName(Action::NextCamera),
                        localKeyName(Action::ResetCamera)));
}

/// Texts end with dots where they would leave their part of the row.
TEST_F(ControlsOnScreen, CutLongTexts) {
  const std::string longName(80, 'w');
  for (Control& control : controls) {
    control.name = longName;
    control.value = longName;
    for (ControlOption& option : control.options) option.name = longName;
  }
  controls[2].value = "1";
  controls[0].note = longName + longName;
  (void)click(in(row(0), 0.7f));
  (void)at(away);
  for (const ControlRow& each : panel.layOut(rect, em, controls).rows) {
    const std::string found = words(each.rect);
    if (each.note) {
      EXPECT_EQ(std::ranges::count(found, 'w'), 160) << "a note is smaller instead";
      continue;
    }
    const std::size_t dots = found.find("...");
    EXPECT_NE(dots, std::string::npos) << found;
    EXPECT_GT(dots, 5u);
    const bool one = each.option != Control::none || controls[each.control].kind == Kind::Press;
    const Kind kind = controls[each.control].kind;
    const float name = (kind == Kind::List ? 0.64f : 0.46f) * each.rect.width;
    for (const auto& letter : text.drawn()) {
      if (letter.rect.y < each.rect.y || letter.rect.bottom() > each.rect.bottom()) continue;
      EXPECT_LE(letter.rect.right(), each.rect.right() - 0.1f * em);
      if (!one && letter.rect.x < each.rect.x + name) {
        EXPECT_LE(letter.rect.right(), each.rect.x + name + 0.5f);
      }
      if (kind == Kind::Press && each.option == Control::none) {
        EXPECT_LE(letter.rect.right(), each.rect.right() - 2.0f * em) << "clear of its arrow";
      }
    }
  }
}

}  // namespace
}  // namespace nearmiss::app::fly
