// SPDX-License-Identifier: MIT
/// Numbers in the bytes of a file.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstring>
#include <string_view>

namespace nearmiss::engine {

/// The number whose bytes, the least first, begin at `at`. @pre they are there
template <class Number>
[[nodiscard]] Number littleEndian(std::string_view bytes, std::size_t at,
                                  bool greatestFirst = false) noexcept {
  std::array<char, sizeof(Number)> own{};
  std::memcpy(own.data(), bytes.data() + at, own.size());
  if (greatestFirst != (std::endian::native == std::endian::big))
    std::reverse(own.begin(), own.end());
  return std::bit_cast<Number>(own);
}

}  // namespace nearmiss::engine
