// SPDX-License-Identifier: MIT
/// The colours of the window: the Okabe-Ito set on a dark ground, never the only carrier of
/// meaning.
#pragma once

#include <engine/flight/depth.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <glm/vec3.hpp>

namespace nearmiss::app {

/// 0xRRGGBB, sRGB.
using Rgb = std::uint32_t;

namespace palette {
constexpr Rgb panel = 0x12151A, plot = 0x0B0D11, panelEdge = 0x2C333D, text = 0xE8EAED,
              dim = 0xA8A8A8;
constexpr Rgb black = 0x000000, white = 0xFFFFFF;
constexpr Rgb input = 0xC8C8C8, motion = 0x009E73, broad = 0xCC79A7, narrow = 0xE69F00,
              response = 0xF0E442, render = 0x0072B2, swap = 0x56B4E9, slack = 0x5F6672,
              overrun = 0xD55E00;
constexpr Rgb drone = 0x5B6B8C, own = 0xE69F00, hit = 0xFFF0C0;
/// By depth reached (engine::depthOf()): bounding spheres, four levels, triangles.
constexpr std::array<Rgb, engine::depths> level{0xBCBCBC, 0x0072B2, 0x56B4E9,
                                                0x009E73, 0xF0E442, 0xFFFFFF};
}  // namespace palette

[[nodiscard]] inline Rgb levelColour(int level) noexcept {
  return palette::level[static_cast<std::size_t>(std::clamp(level, 0, engine::exactDepth))];
}

/// Text that reads on a filled shape: white on the two dark blues, black on everything else.
[[nodiscard]] constexpr Rgb textOn(Rgb ground) noexcept {
  return ground == palette::render || ground == palette::drone ? palette::white : palette::black;
}

/// sRGB components in [0, 1], as lines and labels are drawn.
[[nodiscard]] inline glm::vec3 srgb(Rgb c) noexcept {
  return {static_cast<float>(c >> 16 & 255u) / 255.0f, static_cast<float>(c >> 8 & 255u) / 255.0f,
          static_cast<float>(c & 255u) / 255.0f};
}

/// Linear light, as materials are tinted.
[[nodiscard]] glm::vec3 linear(Rgb c) noexcept;

}  // namespace nearmiss::app
