// SPDX-License-Identifier: MIT
#include "option_checks.h"

#include <engine/scene/nearest_name.h>
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

CLI::Validator wholeFrom(std::int64_t low, std::int64_t high) {
  return CLI::Validator(
      [low, high](std::string& text) {
        std::int64_t value = 0;
        const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
        if (read.ec == std::errc::invalid_argument) return std::string();  // reported by CLI11
        if (read.ec == std::errc() && value >= low && value <= high) return std::string();
        return fmt::format("expected a number from {} to {}, got {}", low, high, text);
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
