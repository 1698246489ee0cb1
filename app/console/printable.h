// SPDX-License-Identifier: MIT
/// Texts of files, fit for a terminal.
#pragma once

#include <string>
#include <string_view>

namespace nearmiss::app {

/// With `?` for control characters: a terminal would obey them.
[[nodiscard]] inline std::string printable(std::string_view text) {
  std::string shown(text);
  for (char& c : shown)
    if (static_cast<unsigned char>(c) < ' ' || c == '\x7f') c = '?';
  return shown;
}

}  // namespace nearmiss::app
