// SPDX-License-Identifier: MIT
/// A control panel with one control of each kind, on a screen with a mouse.
#pragma once

#include <gtest/gtest.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <glm/vec2.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/fly/drawn_text.h"
#include "fly/overlay/hover.h"
#include "fly/panel/control_panel.h"

namespace nearmiss::app::fly {

inline Control controlOf(Control::Kind kind, std::string_view name,
                         KeyGroup group = KeyGroup::Detection) {
  Control control;
  control.kind = kind;
  control.name = name;
  control.words = "Explained.";
  control.group = group;
  return control;
}

/// One control of each kind, and one in another group.
inline std::vector<Control> eachKind() {
  std::vector<Control> controls{controlOf(Control::Kind::Choice, "order"),
                                controlOf(Control::Kind::Switch, "cues"),
                                controlOf(Control::Kind::Scale, "budget"),
                                controlOf(Control::Kind::Press, "restart"),
                                controlOf(Control::Kind::List, "wireframe"),
                                controlOf(Control::Kind::Press, "camera", KeyGroup::View)};
  controls[0].options = {{"first", "The first one."}, {"second", {}}, {"third", {}}};
  controls[0].chosen = 1;
  controls[2].place = 0.25;
  controls[2].value = "45 us";
  controls[3].keys = {Action::Restart};
  controls[4].value = "V";
  controls[4].options = {{"add a key", {}}, {"remove: V", {}}};
  controls[5].keys = {Action::NextCamera, Action::ResetCamera};
  return controls;
}

/// The panel on a screen with a mouse.
class ControlsOnScreen : public testing::Test {
 protected:
  /// Draws a frame with the pointer there.
  std::optional<ControlInput> at(glm::vec2 pointer, bool down = false, bool usesMouse = true) {
    ImGuiIO& io = ImGui::GetIO();
    io.MousePos = {pointer.x, pointer.y};
    io.MouseDown[ImGuiMouseButton_Left] = down;
    text.next();
    spots.clear();
    return panel.draw(Ink(), rect, controls, usesMouse, spots);
  }
  std::optional<ControlInput> click(glm::vec2 pointer) {
    (void)at(pointer);
    const auto chosen = at(pointer, true);
    EXPECT_FALSE(at(pointer, true).has_value()) << "once per click";
    (void)at(pointer);
    return chosen;
  }
  [[nodiscard]] Rect row(std::size_t control, std::size_t option = Control::none,
                         bool note = false) const {
    for (const ControlRow& each : panel.layOut(rect, em, controls).rows)
      if (each.control == control && each.option == option && each.note == note) return each.rect;
    return {};
  }
  /// A point of a row, by shares of its width and height.
  [[nodiscard]] static glm::vec2 in(const Rect& of, float x, float y = 0.5f) {
    return {of.x + x * of.width, of.y + y * of.height};
  }
  [[nodiscard]] std::string words(const Rect& of) const {
    return DrawnText::textIn(of.inset(0.2f * of.height).width > 0.0f
                                 ? Rect{of.x, of.y + 0.2f * of.height, of.width, 0.6f * of.height}
                                 : of,
                             text.drawn());
  }
  [[nodiscard]] bool has(Rgb colour, const Rect& part, float by = 1.5f) const {
    return std::ranges::any_of(text.shapes(colour), [&](const Rect& each) {
      return std::abs(each.x - part.x) < by && std::abs(each.y - part.y) < by &&
             std::abs(each.right() - part.right()) < by &&
             std::abs(each.bottom() - part.bottom()) < by;
    });
  }
  /// Triangles of an arrow: their centres.
  [[nodiscard]] std::size_t arrowsAt(float x, float y) const {
    return static_cast<std::size_t>(
        std::ranges::count_if(text.shapes(palette::text), [&](const Rect& each) {
          return std::abs(each.x + 0.5f * each.width - x) < 2.0f &&
                 std::abs(each.y + 0.5f * each.height - y) < 2.0f &&
                 std::abs(each.width - 0.56f * em) < 3.0f &&
                 std::abs(each.height - 0.56f * em) < 3.0f;
        }));
  }

  const Rect rect{40.0f, 30.0f, 400.0f, 400.0f};
  DrawnText text{1280.0f, 720.0f, 1.0f};
  const float em = textSize();
  ControlPanel panel;
  HoverSpots spots;
  std::vector<Control> controls = eachKind();
  static constexpr glm::vec2 away{1200.0f, 700.0f};
};

}  // namespace nearmiss::app::fly
