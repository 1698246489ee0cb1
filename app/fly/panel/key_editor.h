// SPDX-License-Identifier: MIT
/// Ready-made keys: the usual ones, and those for one hand on the keyboard and the other on the
/// mouse.
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
  /// Every action has a key, and no key two meanings.
  KeyMap (*keys)();
};

/// The usual one first.
[[nodiscard]] std::span<const KeyLayout> keyLayouts() noexcept;

/// Changes the keys in force: gives them, takes them away, and takes changes back.
class KeyEditor {
 public:
  /// Rows of a panel: in each group its layout, the last change to undo, and every command with
  /// its keys.
  [[nodiscard]] std::vector<Control> controls() const;

  /// Applies a wish for one of those rows. Returns words for the user; may be empty.
  std::string act(const ControlWish& wish);
  /// True if the next key is for an action.
  [[nodiscard]] bool asks() const noexcept { return asked_.has_value(); }
  /// Takes that key; Escape cancels. Returns words for the user. @pre asks()
  std::string give(KeyPress key);
  void stopAsking() noexcept { asked_.reset(); }
  /// True if the user is through with it.
  [[nodiscard]] bool left() const noexcept { return left_; }
  void begin() noexcept { left_ = false; }

 private:
  [[nodiscard]] Control controlOf(const Command& command,
                                  const std::vector<KeyConflict>& conflicts) const;
  std::string choose(Action action, std::size_t option);
  std::string undo();
  /// So that it can be taken back.
  void change(KeyMap keys);

  std::vector<KeyMap> before_;
  std::optional<Action> asked_;
  bool left_ = false;
};

}  // namespace nearmiss::app::fly
