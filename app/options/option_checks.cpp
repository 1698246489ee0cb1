// SPDX-License-Identifier: MIT
#include "options/option_checks.h"

#include <engine/base/nearest_name.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <system_error>

namespace nearmiss::app {

CLI::Validator numberFrom(double low, double high, const std::string& why) {
  const std::string reason = why.empty() ? "" : fmt::format(" ({})", why);
  return CLI::Validator(
      [low, high, reason](std::string& text) {
        double value = 0.0;
        if (!CLI::detail::lexical_cast(text, value)) return std::string();  // reported by CLI11
        if (value >= low && value <= high) return std::string();
        return fmt::format("expected a number from {} to {}{}, got {}", low, high, reason, text);
      },
      fmt::format("{}..{}", low, high), "number");
}

CLI::Validator wholeFrom(std::int64_t low, std::int64_t high, const std::string& why) {
  const std::string reason = why.empty() ? "" : fmt::format(" ({})", why);
  return CLI::Validator(
      [low, high, reason](std::string& text) {
        std::int64_t value = 0;
        const char* const end = text.data() + text.size();
        const auto [rest, failed] = std::from_chars(text.data(), end, value);
        if (rest != end || failed == std::errc::invalid_argument)
          return fmt::format("expected a whole number from {} to {}{} in decimal digits, got {}",
                             low, high, reason, text);
        if (failed != std::errc() || value < low || value > high)
          return fmt::format("expected a number from {} to {}{}, got {}", low, high, reason, text);
        // CLI11 would parse a leading 0 as octal
        text = fmt::format("{}", value);
        return std::string();
      },
      fmt::format("{}..{}", low, high), "number");
}

CLI::Validator oneOf(std::vector<std::string_view> names, const std::string& what) {
  return CLI::Validator(
      [names](std::string& text) {
        if (std::find(names.begin(), names.end(), text) != names.end()) return std::string();
        return fmt::format("\"{}\" is not known.{} Known: {}", text,
                           engine::didYouMean(text, names), fmt::join(names, ", "));
      },
      what, "name");
}

}  // namespace nearmiss::app
