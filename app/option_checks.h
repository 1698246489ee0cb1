// SPDX-License-Identifier: MIT
/// Checks of what was typed for one option, with sentences of our own.
#pragma once

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace nearmiss::app {

[[nodiscard]] std::vector<std::string_view> namesOf(const auto& catalog) {
  std::vector<std::string_view> names;
  for (const auto& entry : catalog) names.push_back(entry.name);
  return names;
}

/// A number from `low` to `high`; unlike CLI11's own check it refuses what is not a number. `why`
/// explains the limit, where that is not plain.
[[nodiscard]] CLI::Validator numberFrom(double low, double high, const std::string& why = "");

/// The same for whole numbers, exactly: beyond 2^53 they are no doubles. For
/// CLI::Option::transform(), since it takes leading zeros away; after check() they would mean
/// octal.
[[nodiscard]] CLI::Validator wholeFrom(std::int64_t low, std::int64_t high,
                                       const std::string& why = "");
/// Of every seed: as far as the files that keep it have whole numbers.
inline constexpr std::int64_t maxSeed = std::numeric_limits<std::int64_t>::max();

/// One of `names`; for a near miss the error suggests the name.
[[nodiscard]] CLI::Validator oneOf(std::vector<std::string_view> names, const std::string& what);

/// What `parse(text)` takes.
[[nodiscard]] CLI::Validator checkedBy(const auto& parse, const std::string& expected) {
  return CLI::Validator(
      [parse, expected](std::string& text) {
        return parse(text) ? std::string() : fmt::format("expected {}, got {}", expected, text);
      },
      expected, "form");
}

}  // namespace nearmiss::app
