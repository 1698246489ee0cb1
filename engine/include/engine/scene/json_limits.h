// SPDX-License-Identifier: MIT
/// Limits on untrusted JSON, checked before any of it is parsed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string_view>
#include <utility>

namespace nearmiss::engine {

/// Maximum nesting: values are copied, written and compared recursively.
inline constexpr std::size_t maxJsonNesting = 64;
/// Maximum number of names in an object: ordered objects are searched linearly.
inline constexpr std::size_t maxJsonNames = 4096;

/// Returns half a sentence on the limit that a JSON text exceeds; empty if it exceeds none. Looks
/// only at brackets, colons and quotes; the text need not be valid JSON.
/// @param maxNames larger for objects that are search trees
[[nodiscard]] std::string_view jsonExcess(std::string_view text,
                                          std::size_t maxNames = maxJsonNames) noexcept;

/// Returns the integer in a JSON value of nlohmann. The library's own conversion is undefined for
/// other numbers, such as 1e300. Throws std::range_error if the value is not an integer or `Number`
/// cannot represent it.
template <class Number, class Json>
[[nodiscard]] Number wholeNumber(const Json& value) {
  const bool fits =
      value.is_number_unsigned()
          ? std::in_range<Number>(value.template get<std::uint64_t>())
          : value.is_number_integer() && std::in_range<Number>(value.template get<std::int64_t>());
  if (!fits) throw std::range_error("a number is not whole, or out of range");
  return value.template get<Number>();
}

}  // namespace nearmiss::engine
