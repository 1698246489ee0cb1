// SPDX-License-Identifier: MIT
/// What JSON of strangers may hold before anything of it is kept.
#pragma once

#include <cstddef>
#include <string_view>

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

}  // namespace nearmiss::engine
