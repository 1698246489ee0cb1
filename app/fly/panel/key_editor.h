// SPDX-License-Identifier: MIT
/// Key layouts: the default, and those for one hand on the keyboard and the other on the mouse.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fly/host/key_map.h"
#include "fly/panel/control_panel.h"

namespace nearmiss::app::fly {

struct KeyLayout {
  std::string_view name, words;
  /// All actions have keys, without conflicts.
  KeyMap (*keys)();
};

/// The default comes first.
[[nodiscard]] std::span<const KeyLayout> keyLayouts() noexcept;

/// Edits the current key map: adds and removes keys, and undoes changes.
class KeyEditor {
 public:
  /// Rows of the panel: in each group its layout, undo, and every command with its keys.
  [[nodiscard]] std::vector<Control> controls() const;

  /// Applies a change to one of those rows. Returns a message; may be empty.
  std::string act(const ControlInput& selection);
  /// Returns true if the next key press will be bound to an action.
  [[nodiscard]] bool asks() const noexcept { return requested_.has_value(); }
  /// Binds that key; Escape cancels. Returns a message.
  /// @pre asks()
  std::string give(KeyPress key);
  void cancelRequest() noexcept { requested_.reset(); }
  /// Returns true if the user has closed the page.
  [[nodiscard]] bool left() const noexcept { return left_; }
  void begin() noexcept { left_ = false; }

 private:
  [[nodiscard]] Control controlOf(const Command& command,
                                  const std::vector<KeyConflict>& conflicts) const;
  std::string choose(Action action, std::size_t option);
  std::string undo();
  /// Stores the previous map for undo.
  void change(KeyMap keys);

  std::vector<KeyMap> before_;
  std::optional<Action> requested_;
  bool left_ = false;
};

}  // namespace nearmiss::app::fly
