// SPDX-License-Identifier: MIT
/// Ready-made keys: the usual ones, and those for one hand on the keyboard and the other on the
/// mouse.
#pragma once

#include <span>
#include <string_view>

#include "fly/host/key_map.h"

namespace nearmiss::app {

struct KeyLayout {
  std::string_view name, words;
  /// Every action has a key, and no key two meanings.
  KeyMap (*keys)();
};

/// The usual one first.
[[nodiscard]] std::span<const KeyLayout> keyLayouts() noexcept;

}  // namespace nearmiss::app
