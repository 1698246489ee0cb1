// SPDX-License-Identifier: MIT
/// Characters of UTF-8 text.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace nearmiss::engine {

/// Removes the first character from a text and returns its code point; `nullopt` if the text does
/// not start with valid UTF-8.
/// @pre the text is not empty
[[nodiscard]] inline std::optional<std::uint32_t> takeUtf8(std::string_view& text) noexcept {
  const auto lead = static_cast<unsigned char>(text.front());
  const std::size_t more = lead < 0x80         ? 0
                           : lead >> 5 == 0x06 ? 1
                           : lead >> 4 == 0x0e ? 2
                           : lead >> 3 == 0x1e ? 3
                                               : text.size();
  if (more >= text.size()) return std::nullopt;
  std::uint32_t code = more == 0 ? lead : lead & (0x3fu >> more);
  for (std::size_t k = 1; k <= more; ++k) {
    const auto next = static_cast<unsigned char>(text[k]);
    if (next >> 6 != 0x02) return std::nullopt;
    code = code << 6 | (next & 0x3fu);
  }
  constexpr std::array<std::uint32_t, 4> least{0, 0x80, 0x800, 0x10000};
  if (code < least[more] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000))
    return std::nullopt;
  text.remove_prefix(more + 1);
  return code;
}

[[nodiscard]] inline bool isUtf8(std::string_view text) noexcept {
  while (!text.empty())
    if (!takeUtf8(text)) return false;
  return true;
}

/// Returns the longest prefix of at most `bytes` bytes, cut between characters.
[[nodiscard]] inline std::string_view startOfUtf8(std::string_view text,
                                                  std::size_t bytes) noexcept {
  if (text.size() <= bytes) return text;
  while (bytes > 0 && static_cast<unsigned char>(text[bytes]) >> 6 == 0x02) --bytes;
  return text.substr(0, bytes);
}

}  // namespace nearmiss::engine
