// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <vector>

#include "fly/key_bindings.h"
#include "fly/overlay/panels.h"

namespace nearmiss::app {
namespace {

/// A line of the help: a heading, a key with what it does, or nothing.
struct HelpLine {
  std::string key, text;
  bool heading = false;
};

std::vector<HelpLine> linesOf(KeyGroup group) {
  std::vector<HelpLine> lines{{std::string(groupName(group)), {}, true}};
  for (const KeyBinding& binding : keyBindings())
    if (binding.group == group) lines.push_back({localKeyName(binding), std::string(binding.text)});
  if (group == KeyGroup::View) {
    lines.push_back({"Wheel", "nearer, farther"});
    lines.push_back({"Middle drag", "look around"});
  }
  return lines;
}

/// Three columns, or fewer where the window is narrow; a group is never torn apart.
std::vector<std::vector<HelpLine>> columnsOf(std::size_t count) {
  using enum KeyGroup;
  const std::vector<std::vector<KeyGroup>> plan =
      count >= 3 ? std::vector<std::vector<KeyGroup>>{{Flight, Time}, {Detection, Program}, {View}}
                 : std::vector<std::vector<KeyGroup>>{{Flight, Time, Program}, {Detection, View}};
  std::vector<std::vector<HelpLine>> columns;
  for (const auto& groups : plan) {
    std::vector<HelpLine>& column = columns.emplace_back();
    for (const KeyGroup group : groups) {
      if (!column.empty()) column.push_back({});
      std::ranges::move(linesOf(group), std::back_inserter(column));
    }
  }
  return columns;
}

void drawColumn(const Ink& ink, glm::vec2 corner, float line, const std::vector<HelpLine>& lines) {
  const float keyWidth = 6.6f * ink.em();
  float y = corner.y + 0.5f * line;
  for (const HelpLine& entry : lines) {
    if (entry.heading) {
      ink.text({corner.x, y}, entry.key, palette::narrow, ink.bold());
    } else if (!entry.key.empty()) {
      ImFont* font = ink.textWidth(entry.key) > keyWidth - 0.5f * ink.em() ? ink.small() : nullptr;
      ink.text({corner.x, y}, entry.key, palette::text, font);
      ink.text({corner.x + keyWidth, y}, entry.text, palette::dim);
    }
    y += line;
  }
}

float widthOf(const Ink& ink, const std::vector<HelpLine>& lines) {
  float width = 0.0f;
  for (const HelpLine& entry : lines) width = std::max(width, ink.textWidth(entry.text));
  return 6.6f * ink.em() + width;
}

}  // namespace

void drawHelp(const Ink& ink, float width, float height) {
  ink.fill({0.0f, 0.0f, width, height}, palette::black, 0.55f);
  const float em = ink.em(), gap = 1.8f * em;

  // The widest arrangement that fits, at the greatest type that fits
  for (const bool small : {false, true}) {
    const Fonts used = small ? Fonts{ink.small(), ink.small(), ink.small()} : fonts();
    const Ink type(ink.list(), used, used.regular->FontSize);
    const float line = (small ? 1.2f : 1.4f) * type.em();
    for (const std::size_t count : {std::size_t{3}, std::size_t{2}}) {
      const auto columns = columnsOf(count);
      float total = -gap;
      std::size_t longest = 0;
      for (const auto& column : columns) {
        total += widthOf(type, column) + gap;
        longest = std::max(longest, column.size());
      }
      const float tall = line * static_cast<float>(longest);
      const bool lastTry = small && count == 2;
      if (!lastTry && (total + 3.0f * em > width || tall + 6.0f * em > height)) continue;

      const Rect box{std::round(0.5f * (width - total)) - 1.5f * em,
                     std::round(std::max(0.5f * (height - tall) - 2.4f * em, 0.0f)),
                     total + 3.0f * em, tall + 4.6f * em};
      ink.panel(box, 0.97f);
      ink.text({box.x + 1.5f * em, box.y + 1.3f * em}, "Keys", palette::text, ink.bold());
      ink.textRight({box.right() - 1.5f * em, box.y + 1.3f * em},
                    Line("{} or {} closes", localKeyName(Action::Help), localKeyName(Action::Back)),
                    palette::dim);
      float x = box.x + 1.5f * em;
      for (const auto& column : columns) {
        drawColumn(type, {x, box.y + 2.6f * em}, line, column);
        x += widthOf(type, column) + gap;
      }
      return;
    }
  }
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
