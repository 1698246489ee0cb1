// SPDX-License-Identifier: MIT
/// The colours of the window: the Okabe-Ito set on a dark background, or a palette chosen by the
/// user. Colour is never the only carrier of information.
#pragma once

#include <engine/flight/depth.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <glm/vec3.hpp>

#include "options/palette_choice.h"

namespace nearmiss::app::fly {

/// 0xRRGGBB, sRGB, in the default palette. Drawing uses shown().
using Rgb = std::uint32_t;

/// Sets the palette of the window.
void usePalette(Palette palette) noexcept;
[[nodiscard]] Palette currentPalette() noexcept;
/// Converts a colour of the default palette to the current one.
[[nodiscard]] Rgb shown(Rgb usual) noexcept;

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
/// Colours of touching pairs, in addition to their letters.
constexpr std::array<Rgb, 6> pair{swap, response, broad, motion, overrun, narrow};
}  // namespace palette

[[nodiscard]] inline Rgb levelColour(int level) noexcept {
  return palette::level[static_cast<std::size_t>(std::clamp(level, 0, engine::exactDepth))];
}

/// The colour of a pair, by CollisionMark::slot.
[[nodiscard]] inline Rgb pairColour(std::size_t slot) noexcept {
  return palette::pair[slot % palette::pair.size()];
}

/// Readable text colour on a filled shape: black or white.
[[nodiscard]] Rgb textOn(Rgb ground) noexcept;

/// The shown colour as sRGB in [0, 1], for lines and labels.
[[nodiscard]] glm::vec3 srgb(Rgb usual) noexcept;

/// The shown colour as linear light, for materials.
[[nodiscard]] glm::vec3 linear(Rgb usual) noexcept;

}  // namespace nearmiss::app::fly
