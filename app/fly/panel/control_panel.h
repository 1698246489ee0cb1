// SPDX-License-Identifier: MIT
/// Settings for the mouse: each with a name, its state, and a sentence that explains it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fly/command/command.h"
#include "fly/overlay/layout.h"
#include "fly/ui_state.h"

namespace nearmiss::app::fly {

/// The user's wish for one control.
struct ControlWish {
  std::size_t control = 0;             ///< its index
  std::size_t option = Control::none;  ///< of a choice
  std::optional<double> place;         ///< of a scale
  int step = 0;                        ///< of a scale: one down or up, as by its keys
};

/// The panel of controls: rows in groups, by mouse or by arrow keys.
class Ink;
class HoverSpots;

/// One row: a control, the note below it, or an option of the list that is open.
struct ControlRow {
  std::size_t control = 0;
  std::size_t option = Control::none;
  bool note = false;
  Rect rect;  ///< pixels; above or below the body where it is scrolled away
};

/// Where everything stands in a panel.
struct ControlRows {
  std::vector<Rect> tabs;  ///< one per group; none where all controls are of one
  Rect body;               ///< where rows are seen
  std::vector<ControlRow> rows;
  float maxScroll = 0.0f;  ///< pixels
};

class ControlPanel {
 public:
  /// Shows the group of that control and marks it.
  void show(std::span<const Control> controls, std::size_t control);
  /// True if a list of options was open; it no longer is.
  bool closeList() noexcept;

  /// Keys that the panel has while it is open. Returns what is wanted by them.
  std::optional<ControlWish> press(PanelKey key, std::span<const Control> controls);
  void scroll(float lines) noexcept { scroll_ -= lines; }

  /// Draws it and follows the mouse, unless something lies over the panel.
  std::optional<ControlWish> draw(const Ink& ink, const Rect& rect,
                                  std::span<const Control> controls, bool heedMouse,
                                  HoverSpots& spots);

  /// `em` is the size of the text in pixels.
  [[nodiscard]] ControlRows layOut(const Rect& rect, float em,
                                   std::span<const Control> controls) const;

 private:
  void showGroup(KeyGroup group) noexcept;
  [[nodiscard]] std::optional<ControlWish> click(const ControlRow& row,
                                                 std::span<const Control> controls, float x);
  void drawTabs(const Ink& ink, const ControlRows& rows) const;
  void drawRow(const Ink& ink, const ControlRow& row, const Control& control, bool over) const;

  KeyGroup group_ = KeyGroup::Detection;
  std::size_t marked_ = 0;  ///< row of the group that the arrow keys have reached
  std::size_t open_ = Control::none, dragged_ = Control::none;
  float scroll_ = 0.0f;    ///< lines
  bool keysUsed_ = false;  ///< the mark is shown and kept in sight
};

}  // namespace nearmiss::app::fly
