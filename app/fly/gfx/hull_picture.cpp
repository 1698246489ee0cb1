// SPDX-License-Identifier: MIT
#include "fly/gfx/hull_picture.h"

#include <nearmiss/detail/split_mix.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <span>
#include <string_view>
#include <utility>

#include "fly/gfx/hull_marks.h"

namespace nearmiss::app {
namespace {

constexpr int panelSide = 1024, stripWidth = 512, stripHeight = 128;
constexpr glm::vec2 size(HullPicture::width, HullPicture::height);

struct Area {
  int x = 0, y = 0, width = 0, height = 0;
};

void fill(HullPicture& picture, const Area& area, double light) {
  const int value = static_cast<int>(std::lround(light * HullPicture::plain));
  for (int y = area.y; y < area.y + area.height; ++y)
    for (int x = area.x; x < area.x + area.width; ++x)
      picture
          .light[static_cast<std::size_t>(y) * HullPicture::width + static_cast<std::size_t>(x)] =
          static_cast<std::uint8_t>(std::clamp(value, 0, 255));
}

Area inside(const Area& area, int margin) {
  return {area.x + margin, area.y + margin, area.width - 2 * margin, area.height - 2 * margin};
}

/// A sheet of metal: a seam around it, rivets along the seam, on some a hatch.
void drawPanel(HullPicture& picture, const Area& panel, SplitMix& random) {
  constexpr int seam = 2, rivetInset = 7, rivetStep = 13, rivet = 3;
  constexpr double seamLight = 0.45, rivetLight = 0.7, hatchShare = 0.14;
  const double light = random.between(0.84, 1.12);
  fill(picture, panel, seamLight);
  fill(picture, inside(panel, seam), light);
  const auto dot = [&](int x, int y) {
    fill(picture, {x - rivet / 2, y - rivet / 2, rivet, rivet}, rivetLight * light);
  };
  const int right = panel.x + panel.width - 1 - rivetInset,
            bottom = panel.y + panel.height - 1 - rivetInset;
  for (int x = panel.x + rivetInset; x <= right; x += rivetStep) {
    dot(x, panel.y + rivetInset);
    dot(x, bottom);
  }
  for (int y = panel.y + rivetInset; y <= bottom; y += rivetStep) {
    dot(panel.x + rivetInset, y);
    dot(right, y);
  }
  const int least = std::min(panel.width, panel.height);
  if (least < 48 || random.unit() > hatchShare) return;
  const Area hatch = inside(panel, least / 4);
  fill(picture, hatch, seamLight);
  fill(picture, inside(hatch, seam), 0.88 * light);
}

/// Cuts an area in two until its parts are panels.
void drawPanels(HullPicture& picture, const Area& area, SplitMix& random) {
  constexpr int largest = 150;
  const bool wide = area.width >= area.height;
  const int length = wide ? area.width : area.height;
  if (length <= largest) {
    drawPanel(picture, area, random);
    return;
  }
  const int cut = static_cast<int>(std::lround(length * random.between(0.34, 0.66)));
  Area first = area, second = area;
  (wide ? first.width : first.height) = cut;
  (wide ? second.x : second.y) += cut;
  (wide ? second.width : second.height) -= cut;
  drawPanels(picture, first, random);
  drawPanels(picture, second, random);
}

/// A letter as strokes between points of a grid of 5 columns and 7 rows, from the lower left: two
/// digits a point, a space between strokes.
std::string_view strokesOf(char letter) noexcept {
  constexpr std::array<std::pair<char, std::string_view>, 8> letters{
      {{'N', "00064046"},
       {'M', "0006234640"},
       {'-', "1333"},
       {'0', "100105163645413010"},
       {'1', "152620 1030"},
       {'2', "05163645440040"},
       {'3', "0516364544334241301001 2333"},
       {'7', "064610"}}};
  const auto* const found =
      std::ranges::find(letters, letter, &std::pair<char, std::string_view>::first);
  return found == letters.end() ? std::string_view() : found->second;
}

float distanceToStroke(const glm::vec2& p, const glm::vec2& a, const glm::vec2& b) {
  const glm::vec2 way = b - a;
  const float length = glm::dot(way, way);
  const float share = length > 0.0f ? glm::clamp(glm::dot(p - a, way) / length, 0.0f, 1.0f) : 0.0f;
  return glm::distance(p, a + share * way);
}

/// In units of the grid.
float distanceToLetter(const glm::vec2& p, std::string_view strokes) {
  float least = 1e9f;
  glm::vec2 last(0.0f);
  bool begun = false;
  for (std::size_t i = 0; i + 1 < strokes.size();) {
    if (strokes[i] == ' ') {
      begun = false;
      ++i;
      continue;
    }
    const glm::vec2 at(strokes[i] - '0', strokes[i + 1] - '0');
    if (begun) least = std::min(least, distanceToStroke(p, last, at));
    last = at;
    begun = true;
    i += 2;
  }
  return least;
}

void drawRegistration(HullPicture& picture, const Area& strip, std::string_view words) {
  constexpr float unit = 16.5f, advance = 6.2f, halfStroke = 0.8f;  // pixels; units
  constexpr double paintLight = 0.12;
  const float length = advance * static_cast<float>(words.size()) - 2.0f;
  const glm::vec2 corner =
      0.5f * (glm::vec2(strip.width, strip.height) - unit * glm::vec2(length, 6));
  for (int y = 0; y < strip.height; ++y) {
    for (int x = 0; x < strip.width; ++x) {
      glm::vec2 p = (glm::vec2(x, y) + 0.5f - corner) / unit;
      float nearest = 1e9f;
      for (std::size_t i = 0; i < words.size(); ++i, p.x -= advance)
        nearest = std::min(nearest, distanceToLetter(p, strokesOf(words[i])));
      const double paint = std::clamp(double{(halfStroke - nearest) * unit} + 0.5, 0.0, 1.0);
      fill(picture, {strip.x + x, strip.y + y, 1, 1}, 1.0 - (1.0 - paintLight) * paint);
    }
  }
}

Area stripOf(std::size_t registration) noexcept {
  const int i = static_cast<int>(registration);
  return {i % 2 * stripWidth, panelSide + i / 2 * stripHeight, stripWidth, stripHeight};
}

}  // namespace

HullPicture drawHullPicture() {
  HullPicture picture;
  picture.light.assign(std::size_t{HullPicture::width} * HullPicture::height, HullPicture::plain);
  SplitMix random(5);
  drawPanels(picture, {0, 0, panelSide, panelSide}, random);
  for (std::size_t i = 0; i < registrations.size(); ++i)
    drawRegistration(picture, stripOf(i), registrations[i]);
  return picture;
}

glm::vec2 plainPlace() noexcept { return {0.5f, (size.y - 8.0f) / size.y}; }

glm::vec2 panelPlace(const glm::vec3& point, int axis, float reach) noexcept {
  const glm::vec2 seen = axis == 0   ? glm::vec2(point.z, point.y)
                         : axis == 1 ? glm::vec2(point.x, point.z)
                                     : glm::vec2(point.x, point.y);
  const glm::vec2 share = glm::clamp(0.5f + 0.5f * seen / reach, 0.0f, 1.0f);
  return share * (static_cast<float>(panelSide) / size);
}

glm::vec2 letterPlace(std::size_t registration, float across, float over) noexcept {
  const Area strip = stripOf(registration);
  return (glm::vec2(strip.x, strip.y) +
          glm::vec2(across, over) * glm::vec2(strip.width, strip.height)) /
         size;
}

}  // namespace nearmiss::app
