// SPDX-License-Identifier: MIT
/// What JSON of strangers may hold before anything of it is kept.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string_view>
#include <utility>

namespace nearmiss::engine {

/// Brackets within brackets: values are copied, written and compared by recursion.
inline constexpr std::size_t maxJsonNesting = 64;
/// Names of one object: those that keep their order are searched one by one.
inline constexpr std::size_t maxJsonNames = 4096;

/// Half a sentence on the limit that a text of JSON goes beyond; empty where it keeps to both.
/// Looks only at brackets, colons and quotes; the text need not be valid JSON.
/// @param maxNames more for objects that are searched as trees
[[nodiscard]] std::string_view jsonExcess(std::string_view text,
                                          std::size_t maxNames = maxJsonNames) noexcept;

/// The integer in a value of nlohmann's JSON, whose own conversion of any other number, such as
/// 1e300, is undefined. Throws std::range_error where the value is no integer, or `Number` cannot
/// hold it.
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
