// SPDX-License-Identifier: MIT
/// Numbers as they are written on the screen, and whether two of them can be of one thing.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>

namespace nearmiss::app::fly {

/// As DrawnText writes it.
inline std::string plain(std::string_view text) {
  static const std::array<std::pair<std::string_view, std::string_view>, 2> names{
      {{"µ", "u"}, {"×", "x"}}};
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    const auto name = std::ranges::find_if(
        names, [&](const auto& entry) { return text.substr(i).starts_with(entry.first); });
    if (name != names.end()) {
      out += name->second;
      i += name->first.size();
    } else if (static_cast<unsigned char>(text[i]) >= 128) {
      out += '?';
      for (++i; i < text.size() && (static_cast<unsigned char>(text[i]) & 0xc0u) == 0x80u;) ++i;
    } else {
      if (text[i] != ' ') out += text[i];
      ++i;
    }
  }
  return out;
}

/// A number as it is written: it stands for all that rounds to it.
struct Figure {
  double low = 0.0, high = 0.0;
  bool dash = false;

  [[nodiscard]] bool agrees(const Figure& other) const {
    constexpr double slight = 1e-9;
    return dash == other.dash && low <= other.high * (1.0 + slight) + slight &&
           other.low <= high * (1.0 + slight) + slight;
  }
};

/// The first number of the text: a time in milliseconds, a length in metres.
inline Figure figureOf(const std::string& text) {
  if (text.starts_with("?")) return {0.0, 0.0, true};
  const std::size_t begin = text.find_first_of("0123456789");
  if (begin == std::string::npos) return {0.0, 0.0, true};
  const char* first = text.c_str() + begin;
  char* end = nullptr;
  const double value = std::strtod(first, &end);
  const std::string number(first, static_cast<std::size_t>(end - first));
  const std::size_t point = number.find('.');
  const double digits =
      point == std::string::npos ? 0.0 : static_cast<double>(number.size() - point - 1);
  const double half = 0.5 * std::pow(10.0, -digits);
  const std::string unit(end);
  const double scale = unit.starts_with("us")                             ? 1e-3
                       : unit.starts_with("cm")                           ? 1e-2
                       : unit.starts_with("s") && !unit.starts_with("si") ? 1e3
                                                                          : 1.0;
  return {(value - half) * scale, (value + half) * scale};
}

}  // namespace nearmiss::app::fly
