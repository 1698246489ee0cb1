// SPDX-License-Identifier: MIT
/// The user's key bindings: any number of keys for each action.
#pragma once

#include <nearmiss/result.h>

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fly/command/command.h"

namespace nearmiss::app::fly {

/// A key by position, with or without Shift.
struct KeyPress {
  SDL_Scancode key = SDL_SCANCODE_UNKNOWN;
  bool shift = false;
  friend bool operator==(const KeyPress&, const KeyPress&) = default;
};

/// A key that is bound to two actions, of which only one can run.
struct KeyConflict {
  KeyPress key;
  Action done, idle;
};

class KeyMap {
 public:
  /// The default keys.
  KeyMap();

  [[nodiscard]] std::span<const KeyPress> of(Action action) const noexcept {
    return keys_[static_cast<std::size_t>(action)];
  }
  /// Binds or unbinds a key. Errors: Unsupported for a key that cannot be bound or must keep its
  /// function; then nothing changes.
  Result<Success> add(Action action, KeyPress key);
  Result<Success> remove(Action action, KeyPress key);
  Result<Success> set(Action action, std::span<const KeyPress> keys);
  void setDefault(Action action);
  [[nodiscard]] bool isDefault(Action action) const;

  /// Returns the command of a pressed key, or null. A user's binding replaces the default. Shift is
  /// ignored for keys without a binding for Shift.
  [[nodiscard]] const Command* find(KeyPress key) const noexcept;
  [[nodiscard]] std::vector<KeyConflict> conflicts() const;

  friend bool operator==(const KeyMap&, const KeyMap&) = default;

 private:
  [[nodiscard]] const Command* owner(KeyPress key) const noexcept;
  std::vector<std::vector<KeyPress>> keys_;  ///< by action
};

/// The current key map; the window has one keyboard.
[[nodiscard]] const KeyMap& currentKeys() noexcept;
void useKeys(KeyMap keys);

/// SDL's name of the position, independent of the keyboard layout: "Shift+F6".
[[nodiscard]] std::string keyName(KeyPress key);
/// Returns `nullopt` for an unknown name.
[[nodiscard]] std::optional<KeyPress> keyNamed(std::string_view name);
/// Names of all keys, without Shift.
[[nodiscard]] std::vector<std::string_view> allKeyNames();

/// Shown for a command without keys.
inline constexpr std::string_view noKey = "no key";
/// The label on the user's own keyboard.
[[nodiscard]] std::string localKeyName(KeyPress key);
/// Returns the current keys of an action, such as "W, Up". Keypad keys are listed only if there are
/// no others. "no key" if there are none.
[[nodiscard]] std::string localKeyName(Action action);
/// Returns the first of them.
[[nodiscard]] std::string firstKeyName(Action action);

}  // namespace nearmiss::app::fly
