// SPDX-License-Identifier: MIT
/// Contrast as WCAG 2 defines it: text at least 4.5 to 1, shapes at least 3 to 1.
#include "fly/overlay/palette.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace nearmiss::app {
namespace {

double luminance(Rgb colour) {
  const glm::vec3 c = linear(colour);
  return 0.2126 * double{c.x} + 0.7152 * double{c.y} + 0.0722 * double{c.z};
}

double contrast(Rgb a, Rgb b) {
  const double high = std::max(luminance(a), luminance(b)) + 0.05;
  return high / (std::min(luminance(a), luminance(b)) + 0.05);
}

TEST(Palette, TextReadsOnThePanels) {
  EXPECT_NEAR(contrast(palette::white, palette::black), 21.0, 0.1);
  for (const Rgb text : {palette::text, palette::dim, palette::narrow, palette::overrun,
                         palette::swap, palette::white})
    EXPECT_GE(contrast(text, palette::panel), 4.5) << std::hex << text;
}

TEST(Palette, TextReadsOnEveryFilledShape) {
  using namespace palette;
  for (const Rgb ground : {input, motion, broad, narrow, response, render, swap, overrun, drone,
                           own, level[0], level[1], level[2], level[3], level[4], level[5]})
    EXPECT_GE(contrast(textOn(ground), ground), 4.5) << std::hex << ground;
}

TEST(Palette, ShapesStandOutFromThePanels) {
  using namespace palette;
  for (const Rgb shape : {input, motion, broad, narrow, response, render, swap, overrun, level[1],
                          level[2], level[3], level[4], level[5]})
    EXPECT_GE(contrast(shape, panel), 3.0) << std::hex << shape;
}

}  // namespace
}  // namespace nearmiss::app
