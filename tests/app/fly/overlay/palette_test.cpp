// SPDX-License-Identifier: MIT
/// Contrast as WCAG 2 defines it: text at least 4.5 to 1, shapes at least 3 to 1. Colours that
/// stand for different things differ for eyes that lack any one kind of cones.
#include "fly/overlay/palette.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/mat3x3.hpp>
#include <span>
#include <string>

namespace nearmiss::app::fly {
namespace {

double luminance(Rgb colour) {
  const glm::vec3 c = linear(colour);
  return 0.2126 * double{c.x} + 0.7152 * double{c.y} + 0.0722 * double{c.z};
}

double contrast(Rgb a, Rgb b) {
  const double high = std::max(luminance(a), luminance(b)) + 0.05;
  return high / (std::min(luminance(a), luminance(b)) + 0.05);
}

std::string nameOf(const testing::TestParamInfo<Palette>& info) {
  return info.param == Palette::Usual ? "usual" : "contrast";
}

/// Each of the palettes, and the usual one afterwards.
class EveryPalette : public testing::TestWithParam<Palette> {
 protected:
  EveryPalette() { usePalette(GetParam()); }
  ~EveryPalette() override { usePalette(Palette::Usual); }
  [[nodiscard]] static double of(double usual, double inContrast) {
    return GetParam() == Palette::Usual ? usual : inContrast;
  }
};
INSTANTIATE_TEST_SUITE_P(Palettes, EveryPalette, testing::Values(Palette::Usual, Palette::Contrast),
                         nameOf);

TEST_P(EveryPalette, TextReadsOnThePanels) {
  EXPECT_NEAR(contrast(palette::white, palette::black), 21.0, 0.1);
  for (const Rgb text : {palette::text, palette::dim, palette::narrow, palette::overrun,
                         palette::swap, palette::white})
    EXPECT_GE(contrast(text, palette::panel), of(4.5, 7.0)) << std::hex << text;
}

TEST_P(EveryPalette, TextReadsOnEveryFilledShape) {
  using namespace palette;
  for (const Rgb ground : {input, motion, broad, narrow, response, render, swap, overrun, drone,
                           own, level[0], level[1], level[2], level[3], level[4], level[5]})
    EXPECT_GE(contrast(textOn(ground), ground), 4.5) << std::hex << ground;
}

TEST_P(EveryPalette, ShapesStandOutFromThePanels) {
  using namespace palette;
  for (const Rgb shape : {input, motion, broad, narrow, response, render, swap, overrun, level[1],
                          level[2], level[3], level[4], level[5]})
    EXPECT_GE(contrast(shape, panel), of(3.0, 4.5)) << std::hex << shape;
}

/// What eyes without red, green or blue cones see of linear light [MOF09]; first, all cones.
const std::array<glm::mat3, 4>& eyes() {
  static const auto rows = [](glm::vec3 r, glm::vec3 g, glm::vec3 b) {
    return glm::transpose(glm::mat3(r, g, b));
  };
  static const std::array<glm::mat3, 4> all{
      glm::mat3(1.0f),
      rows({0.152286f, 1.052583f, -0.204868f}, {0.114503f, 0.786281f, 0.099216f},
           {-0.003882f, -0.048116f, 1.051998f}),
      rows({0.367322f, 0.860646f, -0.227968f}, {0.280085f, 0.672501f, 0.047413f},
           {-0.011820f, 0.042940f, 0.968881f}),
      rows({1.255528f, -0.076749f, -0.178779f}, {-0.078411f, 0.930809f, 0.147602f},
           {0.004733f, 0.691367f, 0.303900f})};
  return all;
}

/// CIE L*a*b* of linear sRGB, in daylight.
glm::vec3 lab(const glm::vec3& light) {
  const glm::vec3 c = glm::clamp(light, 0.0f, 1.0f);
  const auto root = [](float t) {
    return t > 0.008856f ? std::cbrt(t) : 7.787f * t + 16.0f / 116.0f;
  };
  const float x = root((0.4124f * c.x + 0.3576f * c.y + 0.1805f * c.z) / 0.95047f);
  const float y = root(0.2126f * c.x + 0.7152f * c.y + 0.0722f * c.z);
  const float z = root((0.0193f * c.x + 0.1192f * c.y + 0.9505f * c.z) / 1.08883f);
  return {116.0f * y - 16.0f, 500.0f * (x - y), 200.0f * (y - z)};
}

void expectApart(std::span<const Rgb> colours, float least) {
  for (std::size_t eye = 0; eye < eyes().size(); ++eye)
    for (std::size_t i = 0; i < colours.size(); ++i)
      for (std::size_t j = 0; j < i; ++j)
        EXPECT_GE(glm::distance(lab(eyes()[eye] * linear(colours[i])),
                                lab(eyes()[eye] * linear(colours[j]))),
                  least)
            << "eye " << eye << std::hex << " " << colours[i] << " " << colours[j];
}

TEST_P(EveryPalette, ColoursDifferForEveryKindOfColourBlindness) {
  using namespace palette;
  expectApart(level, static_cast<float>(of(15.0, 19.5)));
  expectApart(std::array{input, motion, broad, narrow, response, render, swap, slack, overrun},
              static_cast<float>(of(15.0, 18.0)));
  expectApart(pair, static_cast<float>(of(15.0, 18.0)));
  expectApart(std::array{drone, own, hit}, static_cast<float>(of(40.0, 47.5)));
}

TEST(Palette, OfHighContrastHasLighterLevelsTheFinerTheyAre) {
  usePalette(Palette::Contrast);
  for (std::size_t level = 2; level < palette::level.size(); ++level)
    EXPECT_GT(luminance(palette::level[level]), luminance(palette::level[level - 1])) << level;
  usePalette(Palette::Usual);
}

TEST(Palette, EyesWithoutRedOrGreenConesSeeThoseColoursAlike) {
  // Else the simulation shows nothing
  const auto apart = [](std::size_t eye, Rgb a, Rgb b) {
    return glm::distance(lab(eyes()[eye] * linear(a)), lab(eyes()[eye] * linear(b)));
  };
  EXPECT_GT(apart(0, 0xA05000, 0x607800), 40.0f);
  EXPECT_LT(apart(2, 0xA05000, 0x607800), 20.0f);
}

}  // namespace
}  // namespace nearmiss::app::fly
