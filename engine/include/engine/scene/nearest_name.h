// SPDX-License-Identifier: MIT
/// The name that a mistyped one was probably meant to be.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace nearmiss::engine {

/// Number of letters to replace, omit, insert or swap with their neighbour.
[[nodiscard]] std::size_t editDistance(std::string_view a, std::string_view b);

/// The name that is fewest edits away, the first of equals; empty when none is near enough to be
/// what was meant (a third of the letters, but at least two edits).
[[nodiscard]] std::string_view nearestName(std::string_view wanted,
                                           std::span<const std::string_view> names);

/// ` Did you mean "x"?`, or nothing: to be put behind a sentence.
[[nodiscard]] std::string didYouMean(std::string_view wanted,
                                     std::span<const std::string_view> names);

}  // namespace nearmiss::engine
