// SPDX-License-Identifier: MIT
/// The palettes of the window from which users choose.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace nearmiss::app::fly {

enum class Palette : std::uint8_t {
  Usual,
  Contrast  ///< on black; larger differences for all kinds of colour vision deficiency
};
struct PaletteEntry {
  std::string_view name, words;
};
/// In the order of the enum.
inline constexpr std::array<PaletteEntry, 2> palettes{
    {{"usual", "Made for all kinds of colour-blindness."},
     {"high-contrast", "On black, with colours that differ more, for every kind of eye."}}};

}  // namespace nearmiss::app::fly
