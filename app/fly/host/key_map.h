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

/// A place on the keyboard, alone or with Shift.
struct KeyPress {
  SDL_Scancode key = SDL_SCANCODE_UNKNOWN;
  bool shift = false;
  friend bool operator==(const KeyPress&, const KeyPress&) = default;
};

/// Two actions that have the same key, which can do only one of them.
struct KeyConflict {
  KeyPress key;
  Action done, idle;
};

class KeyMap {
 public:
  /// The usual keys.
  KeyMap();

  [[nodiscard]] std::span<const KeyPress> of(Action action) const noexcept {
    return keys_[static_cast<std::size_t>(action)];
  }
  /// Errors of these: Unsupported, for a key that cannot do that or must go on doing what it does;
  /// then nothing has changed.
  Result<Success> add(Action action, KeyPress key);
  Result<Success> remove(Action action, KeyPress key);
  Result<Success> set(Action action, std::span<const KeyPress> keys);
  void setUsual(Action action);
  [[nodiscard]] bool isUsual(Action action) const;

  /// The command of a key that goes down, or null. One that the user has given to an action does
  /// that, and not what it usually does; Shift does nothing to a key that has no meaning with it.
  [[nodiscard]] const Command* find(KeyPress key) const noexcept;
  [[nodiscard]] std::vector<KeyConflict> conflicts() const;

  friend bool operator==(const KeyMap&, const KeyMap&) = default;

 private:
  [[nodiscard]] const Command* owner(KeyPress key) const noexcept;
  std::vector<std::vector<KeyPress>> keys_;  ///< by action
};

/// The keys of the window, which has one keyboard.
[[nodiscard]] const KeyMap& keysInForce() noexcept;
void useKeys(KeyMap keys);

/// SDL's name of the place, the same on every keyboard: "Shift+F6".
[[nodiscard]] std::string keyName(KeyPress key);
/// Nothing for a name that no key has.
[[nodiscard]] std::optional<KeyPress> keyNamed(std::string_view name);
/// Names of all keys, without Shift.
[[nodiscard]] std::vector<std::string_view> allKeyNames();

/// Stands for a command without keys.
inline constexpr std::string_view noKey = "no key";
/// The label on the user's own keyboard.
[[nodiscard]] std::string localKeyName(KeyPress key);
/// The keys in force that do it, "W, Up": without a keypad's, except where there are no others. "no
/// key" where there is none.
[[nodiscard]] std::string localKeyName(Action action);
/// The first of them alone.
[[nodiscard]] std::string firstKeyName(Action action);

}  // namespace nearmiss::app::fly
