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

/// A whole number out of a value of nlohmann's JSON. Throws std::range_error where that is none, as
/// 1e300 is, or one that `Number` cannot hold: the library's own conversion gives any number then.
template <class Number, class Json>
[[nodiscard]] Number wholeNumber(const Json& value) {
  if (value.is_number_unsigned()) {
    const auto number = value.template get<std::uint64_t>();
    if (std::in_range<Number>(number)) return static_cast<Number>(number);
  } else if (value.is_number_integer()) {
    const auto number = value.template get<std::int64_t>();
    if (std::in_range<Number>(number)) return static_cast<Number>(number);
  }
  throw std::range_error("a number is not whole, or too great");
}

}  // namespace nearmiss::engine
