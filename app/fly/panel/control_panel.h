// SPDX-License-Identifier: MIT
/// The control panel: each setting has a name, a state and an explanation, and can be set by mouse.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fly/choices/ui_state.h"
#include "fly/command/command.h"
#include "fly/overlay/layout.h"

namespace nearmiss::app::fly {

/// A change to one control requested by the user.
struct ControlInput {
  std::size_t control = 0;             ///< index of the control
  std::size_t option = Control::none;  ///< for a choice
  std::optional<double> place;         ///< for a scale
  int step = 0;                        ///< for a scale: one step down or up, like its keys
};

/// Rows in groups, operated by mouse or arrow keys.
class Ink;
class HoverSpots;

/// One row: a control, the note below it, or an option of an open list.
struct ControlRow {
  std::size_t control = 0;
  std::size_t option = Control::none;
  bool note = false;
  Rect rect;  ///< pixels; outside the body if scrolled out of view
};

/// The layout of a panel.
struct ControlRows {
  std::vector<Rect> tabs;  ///< one per group; empty if there is only one group
  Rect body;               ///< visible area of the rows
  std::vector<ControlRow> rows;
  float maxScroll = 0.0f;  ///< pixels
};

class ControlPanel {
 public:
  /// Shows the group of that control and marks it.
  void show(std::span<const Control> controls, std::size_t control);
  /// Closes an open list of options; returns whether there was one.
  bool closeList() noexcept;

  /// Handles a key while the panel is open. Returns the requested change, if any.
  std::optional<ControlInput> press(PanelKey key, std::span<const Control> controls);
  void scroll(float lines) noexcept { scroll_ -= lines; }

  /// Draws the panel. Handles the mouse unless `usesMouse` is false because something covers the
  /// panel.
  std::optional<ControlInput> draw(const Ink& ink, const Rect& rect,
                                   std::span<const Control> controls, bool usesMouse,
                                   HoverSpots& spots);

  /// Computes the layout. `em` is the text height in pixels.
  [[nodiscard]] ControlRows layOut(const Rect& rect, float em,
                                   std::span<const Control> controls) const;

 private:
  void showGroup(KeyGroup group) noexcept;
  [[nodiscard]] std::optional<ControlInput> click(const ControlRow& row,
                                                  std::span<const Control> controls, float x);
  void drawTabs(const Ink& ink, const ControlRows& rows) const;
  void drawRow(const Ink& ink, const ControlRow& row, const Control& control, bool over) const;

  KeyGroup group_ = KeyGroup::Detection;
  std::size_t marked_ = 0;  ///< row of the group that is selected by the arrow keys
  std::size_t open_ = Control::none, dragged_ = Control::none;
  float scroll_ = 0.0f;    ///< lines
  bool keysUsed_ = false;  ///< the mark is shown and scrolled into view
};

}  // namespace nearmiss::app::fly
