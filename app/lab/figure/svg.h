// SPDX-License-Identifier: MIT
/// What every figure of the lab begins with.
#pragma once

#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

namespace nearmiss::app {

/// Okabe and Ito's colours, which are safe for the colour-blind, and two more; the first, a grey,
/// is for the reference.
[[nodiscard]] inline std::string_view figureColour(std::size_t index) noexcept {
  constexpr std::array<std::string_view, 10> colours{"#999999", "#0072b2", "#e69f00", "#009e73",
                                                     "#cc79a7", "#56b4e9", "#d55e00", "#f0e442",
                                                     "#000000", "#6a3d9a"};
  return colours[index % colours.size()];
}

/// Text escaped for SVG.
[[nodiscard]] inline std::string svgText(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '<') {
      out += "&lt;";
    } else if (c == '>') {
      out += "&gt;";
    } else if (c == '&') {
      out += "&amp;";
    } else if (c == '"') {
      out += "&quot;";
    } else {
      out += static_cast<unsigned char>(c) < ' ' ? '?' : c;
    }
  }
  return out;
}

/// The opening tag and a white ground; sizes in pixels. The closing tag is the caller's.
[[nodiscard]] inline std::string svgOpening(double width, double height) {
  return fmt::format(
      R"(<svg xmlns="http://www.w3.org/2000/svg" width="{0:.0f}" height="{1:.0f}" viewBox="0 0 {0:.0f} {1:.0f}" font-family="sans-serif" font-size="12">)"
      "\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n",
      width, height);
}

}  // namespace nearmiss::app
