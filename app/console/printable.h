// SPDX-License-Identifier: MIT
/// Makes texts from files safe for a terminal.
#pragma once

#include <string>
#include <string_view>

namespace nearmiss::app {

/// Replaces control characters by `?`, because a terminal would execute them.
[[nodiscard]] inline std::string printable(std::string_view text) {
  std::string shown(text);
  for (char& c : shown)
    if (static_cast<unsigned char>(c) < ' ' || c == '\x7f') c = '?';
  return shown;
}

}  // namespace nearmiss::app
