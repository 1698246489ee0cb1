// SPDX-License-Identifier: MIT
#include "fly/panel/control_panel.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <string>

#include "fly/host/key_map.h"
#include "fly/overlay/hover.h"
#include "fly/overlay/ink.h"

namespace nearmiss::app::fly {
namespace {

constexpr float rowLines = 1.5f, tabHeight = 1.8f;  // in units of the text height
constexpr float nameShare = 0.46f, listNameShare = 0.64f, arrowWidth = 1.2f;

bool holds(const Rect& rect, float x, float y) noexcept {
  return x >= rect.x && x < rect.right() && y >= rect.y && y < rect.bottom();
}

/// Truncates the text at the end to fit the width.
std::string fitted(const Ink& ink, std::string_view text, float width) {
  std::string cut(text);
  while (!cut.empty() && ink.textWidth(cut) > width) {
    const std::size_t letters = cut.ends_with("...") ? cut.size() - 3 : cut.size();
    if (letters <= 1) return {};
    cut = cut.substr(0, letters - 1) + "...";
  }
  return cut;
}

/// Where a control shows its value; a choice has an arrow at each end.
Rect valueOf(const Rect& row, Control::Kind kind) noexcept {
  // Key names are short, the names of their commands are not
  const float name = (kind == Control::Kind::List ? listNameShare : nameShare) * row.width;
  return {row.x + name, row.y, row.width - name, row.height};
}

/// A small triangle that points to the left or right.
void arrow(const Ink& ink, float x, float y, bool right) {
  const float half = 0.28f * ink.em(), side = right ? half : -half;
  ink.list()->AddTriangleFilled({x - side, y - half}, {x - side, y + half}, {x + side, y},
                                Ink::colour(palette::text));
}

std::string standing(const Control& control) {
  std::string words(control.words);
  if (control.kind == Control::Kind::List) return words + ": " + control.value;
  for (std::size_t i = 0; i < control.keys.size(); ++i)
    words += fmt::format("{}{}",
                         i                         ? ", "
                         : control.keys.size() > 1 ? " Keys: "
                                                   : " Key: ",
                         localKeyName(control.keys[i]));
  return words;
}

void drawSwitch(const Ink& ink, const Rect& value, const Control& control) {
  const float em = ink.em(), middle = value.y + 0.5f * value.height;
  const Rect box{value.x + 0.35f * em, middle - 0.45f * em, 0.9f * em, 0.9f * em};
  ink.frame(box, palette::dim, 1.0f, 0.15f * em);
  if (control.on) ink.fill(box.inset(0.2f * em), palette::own, 1.0f, 0.1f * em);
  ink.text({box.right() + 0.5f * em, middle}, control.on ? "on" : "off",
           control.on ? palette::text : palette::dim);
}

void drawChoice(const Ink& ink, const Rect& value, const Control& control) {
  const float em = ink.em(), middle = value.y + 0.5f * value.height;
  arrow(ink, value.x + 0.55f * arrowWidth * em, middle, false);
  arrow(ink, value.right() - 0.55f * arrowWidth * em, middle, true);
  std::string_view name = "-";
  if (control.chosen < control.options.size()) name = control.options[control.chosen].name;
  ink.text({value.x + arrowWidth * em, middle},
           fitted(ink, name, value.width - 2.0f * arrowWidth * em));
}

void drawScale(const Ink& ink, const Rect& value, const Control& control, bool over) {
  const float em = ink.em(), middle = value.y + 0.5f * value.height;
  const Rect bar = value.inset(0.4f * em);
  const float at = bar.x + static_cast<float>(control.place) * bar.width;
  ink.fill({bar.x, middle - 0.1f * em, bar.width, 0.2f * em}, palette::slack);
  ink.fill({at - 0.2f * em, middle - 0.55f * em, 0.4f * em, 1.1f * em}, palette::own, 1.0f,
           0.15f * em);
  const float wide = ink.textWidth(control.value, ink.small()) + 0.4f * em;
  // The value is on the side of the bar without the handle
  const float x = control.place < 0.5 ? bar.right() - wide : bar.x;
  const Rect ground{x, middle - 0.6f * em, wide, 1.2f * em};
  ink.fill(ground, over ? palette::panelEdge : palette::panel, 1.0f);
  ink.text({x + 0.2f * em, middle}, control.value, palette::text, ink.small());
}

/// Draws the note with a marker.
void drawNote(const Ink& ink, const Rect& rect, const Control& control) {
  const float em = ink.em(), middle = rect.y + 0.5f * rect.height;
  ink.text({rect.x + 0.9f * em, middle}, "!", palette::narrow, ink.bold());
  const std::string note = fmt::format("{}", control.note);
  ink.sized({rect.x + 1.6f * em, middle}, note, palette::narrow,
            std::min(ink.smallSize(),
                     em * (rect.width - 1.8f * em) / std::max(1.0f, ink.textWidth(note))));
}

/// The pointer, and whether its input is for the panel.
struct Mouse {
  float x, y;
  bool acceptsInput, clicked;
};

/// Adds hover text for the visible part of a row.
void addWords(const Rect& body, const ControlRow& row, const Control& control, HoverSpots& spots) {
  const bool option = row.option != Control::none;
  const std::string words = option     ? std::string(control.options[row.option].words)
                            : row.note ? control.note
                                       : standing(control);
  if (words.empty()) return;
  Rect seen = row.rect;
  seen.y = std::max(seen.y, body.y);
  seen.height = std::min(row.rect.bottom(), body.bottom()) - seen.y;
  spots.add(seen, control.name, words);
}

/// Returns the new position of a scale that is being dragged, if it changes.
std::optional<ControlInput> pull(float em, const ControlRow& row, const Control& control, float x) {
  const Rect bar = valueOf(row.rect, control.kind).inset(0.4f * em);
  const double place = std::clamp(double{(x - bar.x) / bar.width}, 0.0, 1.0);
  if (place == control.place) return std::nullopt;
  return ControlInput{row.control, Control::none, place, 0};
}

std::size_t stepped(std::size_t at, std::size_t count, bool onwards) noexcept {
  if (count == 0) return Control::none;
  if (at >= count) return onwards ? 0 : count - 1;
  return (at + (onwards ? 1 : count - 1)) % count;
}

}  // namespace

void ControlPanel::show(std::span<const Control> controls, std::size_t control) {
  showGroup(controls[control].group);
  for (std::size_t i = 0; i < control; ++i)
    if (controls[i].group == group_) marked_ += controls[i].note.empty() ? 1 : 2;
  keysUsed_ = true;
}

bool ControlPanel::closeList() noexcept {
  return std::exchange(open_, Control::none) != Control::none;
}

ControlRows ControlPanel::layOut(const Rect& rect, float em,
                                 std::span<const Control> controls) const {
  ControlRows laid;
  const Rect inner = rect.inset(0.5f * em);
  const bool one = std::ranges::all_of(
      controls, [&](const Control& control) { return control.group == controls[0].group; });
  for (std::size_t i = 0; !one && i < keyGroups.size(); ++i) {
    const float wide = inner.width / static_cast<float>(keyGroups.size());
    laid.tabs.push_back({inner.x + wide * static_cast<float>(i), inner.y, wide, tabHeight * em});
  }
  const float tabs = one ? 0.0f : (tabHeight + 0.3f) * em;
  laid.body = {inner.x, inner.y + tabs, inner.width, inner.height - tabs};
  for (std::size_t i = 0; i < controls.size(); ++i) {
    if (!one && controls[i].group != group_) continue;
    laid.rows.push_back({i, Control::none, false, {}});
    if (!controls[i].note.empty()) laid.rows.push_back({i, Control::none, true, {}});
    if (i == open_)
      for (std::size_t o = 0; o < controls[i].options.size(); ++o)
        laid.rows.push_back({i, o, false, {}});
  }

  // Limit scrolling to the last row and to the selected row
  const float high = rowLines * em;
  const float all = high * static_cast<float>(laid.rows.size());
  laid.maxScroll = std::max(0.0f, all - laid.body.height);
  float up = std::clamp(scroll_ * high, 0.0f, laid.maxScroll);
  if (keysUsed_) {
    const float top = high * static_cast<float>(marked_);
    up = std::clamp(up, std::max(0.0f, top + high - laid.body.height), std::max(0.0f, top));
  }
  for (std::size_t i = 0; i < laid.rows.size(); ++i)
    laid.rows[i].rect = {laid.body.x, laid.body.y + high * static_cast<float>(i) - up,
                         laid.body.width, high};
  return laid;
}

std::optional<ControlInput> ControlPanel::press(PanelKey key, std::span<const Control> controls) {
  const std::vector<ControlRow> rows = layOut({}, 1.0f, controls).rows;
  keysUsed_ = true;
  if (key == PanelKey::NextGroup || key == PanelKey::GroupBefore) {
    const auto at = static_cast<std::size_t>(group_);
    showGroup(keyGroups[stepped(at, keyGroups.size(), key == PanelKey::NextGroup)]);
    return std::nullopt;
  }
  if (rows.empty()) return std::nullopt;
  marked_ = std::min(marked_, rows.size() - 1);
  if (key == PanelKey::Up || key == PanelKey::Down) {
    do marked_ = stepped(marked_, rows.size(), key == PanelKey::Down);
    while (rows[marked_].note);
    return std::nullopt;
  }
  const ControlRow& row = rows[marked_];
  const Control& control = controls[row.control];
  const bool onwards = key == PanelKey::Right;
  if (key == PanelKey::Enter) {
    if (row.option != Control::none) return ControlInput{row.control, row.option, {}, 0};
    if (control.kind == Control::Kind::Choice || control.kind == Control::Kind::List) {
      open_ = open_ == row.control ? Control::none : row.control;
      // Lists that were open above are closed now
      for (marked_ = 0; const ControlRow& now : layOut({}, 1.0f, controls).rows) {
        if (now.control == row.control) break;
        ++marked_;
      }
      return std::nullopt;
    }
    if (control.kind == Control::Kind::Scale) return std::nullopt;
    return ControlInput{row.control, Control::none, {}, 0};
  }
  switch (control.kind) {
    case Control::Kind::Choice:
      return ControlInput{
          row.control, stepped(control.chosen, control.options.size(), onwards), {}, 0};
    case Control::Kind::Scale:
      return ControlInput{row.control, Control::none, {}, onwards ? 1 : -1};
    case Control::Kind::Switch:
      if (control.on != onwards) return ControlInput{row.control, Control::none, {}, 0};
      break;
    case Control::Kind::Press:
    case Control::Kind::List:
      break;
  }
  return std::nullopt;
}

std::optional<ControlInput> ControlPanel::click(const ControlRow& row,
                                                std::span<const Control> controls, float x) {
  const Control& control = controls[row.control];
  if (row.option != Control::none) return ControlInput{row.control, row.option, {}, 0};
  const Rect value = valueOf(row.rect, control.kind);
  const float edge = arrowWidth * row.rect.height / rowLines;
  switch (control.kind) {
    case Control::Kind::Choice:
      if (x >= value.right() - edge || (x >= value.x && x < value.x + edge))
        return ControlInput{
            row.control,
            stepped(control.chosen, control.options.size(), x >= value.right() - edge),
            {},
            0};
      open_ = open_ == row.control ? Control::none : row.control;
      return std::nullopt;
    case Control::Kind::List:
      open_ = open_ == row.control ? Control::none : row.control;
      return std::nullopt;
    case Control::Kind::Scale:
      dragged_ = row.control;
      return std::nullopt;
    case Control::Kind::Switch:
    case Control::Kind::Press:
      break;
  }
  return ControlInput{row.control, Control::none, {}, 0};
}

std::optional<ControlInput> ControlPanel::draw(const Ink& ink, const Rect& rect,
                                               std::span<const Control> controls, bool usesMouse,
                                               HoverSpots& spots) {
  const ImGuiIO& io = ImGui::GetIO();
  if (io.MouseDelta.x != 0.0f || io.MouseDelta.y != 0.0f || io.MouseWheel != 0.0f)
    keysUsed_ = false;
  if (!usesMouse || !io.MouseDown[ImGuiMouseButton_Left]) dragged_ = Control::none;
  const Mouse mouse{io.MousePos.x, io.MousePos.y, usesMouse,
                    usesMouse && ImGui::IsMouseClicked(ImGuiMouseButton_Left)};

  const ControlRows laid = layOut(rect, ink.em(), controls);
  if (!laid.rows.empty())
    scroll_ = (laid.body.y - laid.rows.front().rect.y) / laid.rows.front().rect.height;
  ink.edge(rect);
  drawTabs(ink, laid);
  ink.list()->PushClipRect({laid.body.x, laid.body.y}, {laid.body.right(), laid.body.bottom()},
                           true);
  std::optional<ControlInput> selection;
  for (std::size_t i = 0; i < laid.rows.size(); ++i) {
    const ControlRow& row = laid.rows[i];
    if (row.rect.bottom() <= laid.body.y || row.rect.y >= laid.body.bottom()) continue;
    const bool over = mouse.acceptsInput && holds(laid.body, mouse.x, mouse.y) &&
                      holds(row.rect, mouse.x, mouse.y);
    drawRow(ink, row, controls[row.control], over || (keysUsed_ && i == marked_));
    addWords(laid.body, row, controls[row.control], spots);
    if (over && mouse.clicked) {
      marked_ = i;
      selection = click(row, controls, mouse.x);
    }
    if (dragged_ == row.control) selection = pull(ink.em(), row, controls[row.control], mouse.x);
  }
  ink.list()->PopClipRect();
  if (laid.maxScroll > 0.5f) {
    const float part = laid.body.height / (laid.maxScroll + laid.body.height);
    const float top = scroll_ * rowLines * ink.em() * part;
    ink.fill({rect.right() - 0.4f * ink.em(), laid.body.y + top, 0.25f * ink.em(),
              part * laid.body.height},
             palette::slack);
  }
  for (std::size_t i = 0; mouse.clicked && i < laid.tabs.size(); ++i)
    if (holds(laid.tabs[i], mouse.x, mouse.y)) showGroup(keyGroups[i]);
  return selection;
}

void ControlPanel::showGroup(KeyGroup group) noexcept {
  group_ = group;
  marked_ = 0;
  scroll_ = 0.0f;
  open_ = Control::none;
}

void ControlPanel::drawTabs(const Ink& ink, const ControlRows& laid) const {
  for (std::size_t i = 0; i < laid.tabs.size(); ++i) {
    const Rect& tab = laid.tabs[i];
    const bool here = keyGroups[i] == group_;
    if (here)
      ink.fill({tab.x, tab.bottom() - 0.2f * ink.em(), tab.width, 0.2f * ink.em()}, palette::own);
    const std::string_view name = groupName(keyGroups[i]);
    const float size = std::min(ink.smallSize(),
                                0.95f * ink.em() * tab.width / std::max(1.0f, ink.textWidth(name)));
    const float wide = ink.textWidth(name) * size / ink.em();
    ink.sized({tab.x + 0.5f * (tab.width - wide), tab.y + 0.5f * tab.height}, name,
              here ? palette::text : palette::dim, size);
  }
}

void ControlPanel::drawRow(const Ink& ink, const ControlRow& row, const Control& control,
                           bool over) const {
  const float em = ink.em(), middle = row.rect.y + 0.5f * row.rect.height;
  if (over) ink.fill(row.rect, palette::panelEdge);
  if (row.option != Control::none) {
    const bool chosen = row.option == control.chosen;
    const float left = row.rect.x + 1.6f * em;
    if (chosen) ink.text({left - em, middle}, "*", palette::own, ink.bold());
    ink.text({left, middle},
             fitted(ink, control.options[row.option].name, row.rect.right() - left - 0.3f * em),
             chosen ? palette::text : palette::dim);
    return;
  }
  if (row.note) {
    drawNote(ink, row.rect, control);
    return;
  }
  const Rect value = valueOf(row.rect, control.kind);
  const float left = row.rect.x + 0.4f * em;
  const bool press = control.kind == Control::Kind::Press;
  ink.text({left, middle},
           fitted(ink, control.name, press ? row.rect.right() - left - 3.0f * em : value.x - left),
           press ? palette::text : palette::dim);
  switch (control.kind) {
    case Control::Kind::Press:
      ink.frame({row.rect.x, row.rect.y + 0.08f * em, row.rect.width, row.rect.height - 0.16f * em},
                palette::panelEdge, 1.0f, 0.25f * em);
      arrow(ink, row.rect.right() - 0.7f * em, middle, true);
      break;
    case Control::Kind::Switch:
      drawSwitch(ink, value, control);
      break;
    case Control::Kind::Choice:
      drawChoice(ink, value, control);
      break;
    case Control::Kind::Scale:
      drawScale(ink, value, control, over);
      break;
    case Control::Kind::List:
      ink.text({value.x + 0.35f * em, middle}, fitted(ink, control.value, value.width - 0.5f * em));
      break;
  }
}

}  // namespace nearmiss::app::fly
