// SPDX-License-Identifier: MIT
/// Validators for option values, with our own messages.
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

/// Accepts a number from `low` to `high`; unlike CLI11's check, rejects text that is not a number.
/// `why` explains the limit if it is not obvious.
[[nodiscard]] CLI::Validator numberFrom(double low, double high, const std::string& why = "");

/// Accepts a whole number exactly, because integers above 2^53 are not representable as doubles.
/// Use it with CLI::Option::transform(): it removes leading zeros, which would mean octal after
/// check().
[[nodiscard]] CLI::Validator wholeFrom(std::int64_t low, std::int64_t high,
                                       const std::string& why = "");
/// Maximum seed, limited by the integers of the files that store it.
inline constexpr std::int64_t maxSeed = std::numeric_limits<std::int64_t>::max();

/// Accepts one of `names`; the error suggests a similar name.
[[nodiscard]] CLI::Validator oneOf(std::vector<std::string_view> names, const std::string& what);

/// Accepts what `parse(text)` accepts.
[[nodiscard]] CLI::Validator checkedBy(const auto& parse, const std::string& expected) {
  return CLI::Validator(
      [parse, expected](std::string& text) {
        return parse(text) ? std::string() : fmt::format("expected {}, got {}", expected, text);
      },
      expected, "form");
}

}  // namespace nearmiss::app
