// SPDX-License-Identifier: MIT
#include <algorithm>
#include <vector>

#include "fly/host/gamepad.h"
#include "fly/host/key_map.h"
#include "fly/overlay/panels.h"
#include "fly/overlay/text_page.h"

namespace nearmiss::app {
namespace {

PageGroup groupOf(KeyGroup group) {
  PageGroup page{std::string(groupName(group)), {}};
  for (const KeyBinding& binding : keyBindings())
    if (binding.group == group)
      page.rows.push_back({localKeyName(binding.action), std::string(binding.text)});
  if (group == KeyGroup::View) {
    page.rows.push_back({"Wheel", "nearer, farther"});
    page.rows.push_back({"Middle drag", "look around"});
  }
  return page;
}

}  // namespace

std::vector<PageGroup> helpGroups() {
  using enum KeyGroup;
  std::vector<PageGroup> groups;
  for (const KeyGroup group : {Flight, Time, Detection, View, Program})
    groups.push_back(groupOf(group));
  PageGroup& pad = groups.emplace_back(PageGroup{"Controller", {}});
  for (const PadBinding& binding : padBindings())
    pad.rows.push_back({std::string(binding.name), std::string(binding.text)});
  groups.push_back(introduction());
  return groups;
}

PageGroup introduction() {
  return {"How to read the screen",
          {{"L1 to exact", "spheres, finer by level; at last triangles"},
           {"gap", "they may touch, and are no farther apart"},
           {"budget", "time for detection; then it must answer"},
           {"mouse", "rest it on anything: it says what that is"}}};
}

void drawIntroduction(const Ink& ink, float width, float height, float& scroll) {
  const Line hint("{} closes, {} shows it again", localKeyName(Action::Back),
                  localKeyName(Action::Help));
  const std::vector<PageGroup> groups{introduction()};
  drawPage(ink, width, height, groups, PageStyle::Keys, "Nearmiss", hint, scroll);
}

void drawHelp(const Ink& ink, float width, float height, float& scroll) {
  ink.fill({0.0f, 0.0f, width, height}, palette::black, 0.55f);
  const Line hint("{} or {} closes", localKeyName(Action::Help), localKeyName(Action::Back));
  drawPage(ink, width, height, helpGroups(), PageStyle::Keys, "Keys", hint, scroll);
}

void drawStick(const Ink& ink, float width, float height, const UiState& ui) {
  const float radius = 0.18f * std::min(width, height);
  const ImVec2 middle(0.5f * width, 0.5f * height);
  const ImVec2 end(middle.x + ui.stick.x * radius, middle.y + ui.stick.y * radius);
  ink.list()->AddCircle(middle, radius, Ink::colour(palette::text, 0.45f), 64, 1.5f);
  ink.list()->AddCircle(middle, 0.1f * radius, Ink::colour(palette::text, 0.45f), 24, 1.0f);
  ink.list()->AddLine(middle, end, Ink::colour(palette::own, 0.8f), 2.0f);
  ink.list()->AddCircleFilled(end, 0.35f * ink.em(), Ink::colour(palette::own), 24);
}

}  // namespace nearmiss::app
