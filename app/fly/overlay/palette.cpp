// SPDX-License-Identifier: MIT
#include "fly/overlay/palette.h"

#include <cmath>

namespace nearmiss::app::fly {
namespace {

struct Pair {
  Rgb usual, contrast;
};
/// Found by search: at least as distinguishable as the default colours for every type of colour
/// vision, as measured by palette_test.cpp, and as close to them as possible.
constexpr std::array inContrast{
    Pair{palette::panel, 0x000000},     Pair{palette::plot, 0x000000},
    Pair{palette::panelEdge, 0x4A5260}, Pair{palette::text, 0xFFFFFF},
    Pair{palette::dim, 0xD2D2D2},       Pair{palette::input, 0xE4E5E5},
    Pair{palette::motion, 0x4CD691},    Pair{palette::broad, 0xC978A6},
    Pair{palette::narrow, 0xE69E07},    Pair{palette::response, 0xF5E543},
    Pair{palette::render, 0x207BBD},    Pair{palette::swap, 0x85B9EB},
    Pair{palette::slack, 0x68696A},     Pair{palette::overrun, 0xEE7239},
    Pair{palette::drone, 0x647799},     Pair{palette::hit, 0xFFF5C6},
    Pair{palette::level[0], 0xBABCBD}};

Palette keysInUse = Palette::Usual;

}  // namespace

void usePalette(Palette palette) noexcept { keysInUse = palette; }

Palette currentPalette() noexcept { return keysInUse; }

Rgb shown(Rgb usual) noexcept {
  if (keysInUse == Palette::Usual) return usual;
  const auto* const pair = std::ranges::find(inContrast, usual, &Pair::usual);
  return pair == inContrast.end() ? usual : pair->contrast;
}

Rgb textOn(Rgb ground) noexcept {
  // Black and white have equal contrast at this luminance, by WCAG 2
  constexpr float middle = 0.179f;
  const glm::vec3 light = linear(ground);
  const float luminance = 0.2126f * light.x + 0.7152f * light.y + 0.0722f * light.z;
  return luminance > middle ? palette::black : palette::white;
}

glm::vec3 srgb(Rgb usual) noexcept {
  const Rgb c = shown(usual);
  return {static_cast<float>(c >> 16 & 255u) / 255.0f, static_cast<float>(c >> 8 & 255u) / 255.0f,
          static_cast<float>(c & 255u) / 255.0f};
}

glm::vec3 linear(Rgb usual) noexcept {
  const auto decoded = [](float s) {
    return s <= 0.04045f ? s / 12.92f : std::pow((s + 0.055f) / 1.055f, 2.4f);
  };
  const glm::vec3 s = srgb(usual);
  return {decoded(s.x), decoded(s.y), decoded(s.z)};
}

}  // namespace nearmiss::app::fly
