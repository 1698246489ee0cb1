// SPDX-License-Identifier: MIT
/// Words of file formats in lower case, whatever the language of the machine.
#pragma once

#include <string>
#include <string_view>

namespace nearmiss::engine {

[[nodiscard]] inline std::string lowerCase(std::string_view text) {
  std::string lower(text);
  for (char& c : lower)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return lower;
}

}  // namespace nearmiss::engine
