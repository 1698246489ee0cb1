// SPDX-License-Identifier: MIT
/// Suggests the name that a mistyped one was probably meant to be.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace nearmiss::engine {

/// Returns the number of letters to replace, omit, insert or swap with their neighbour.
[[nodiscard]] std::size_t editDistance(std::string_view a, std::string_view b);

/// Returns the name with the smallest edit distance, the first if several tie. Empty if that
/// distance exceeds a third of the letters (at least two edits).
[[nodiscard]] std::string_view nearestName(std::string_view wanted,
                                           std::span<const std::string_view> names);

/// Returns ` Did you mean "x"?`, or an empty text, to append to a sentence.
[[nodiscard]] std::string didYouMean(std::string_view wanted,
                                     std::span<const std::string_view> names);

}  // namespace nearmiss::engine
