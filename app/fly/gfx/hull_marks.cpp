// SPDX-License-Identifier: MIT
#include "fly/gfx/hull_marks.h"

#include <engine/base/resources.h>
#include <nearmiss/detail/split_mix.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <string_view>
#include <system_error>
#include <utility>

namespace nearmiss::app::fly {
namespace {

constexpr float aspect = 4.0f;  // width / height of a lettering

struct Place {
  std::string_view model;
  Lettering lettering;
};

constexpr glm::vec3 right(1, 0, 0), left(-1, 0, 0), top(0, 1, 0), back(0, 0, 1), front(0, 0, -1);

/// Places for letters on the ships; metres of the centred models, which have a radius of 1 m.
const std::array places{// The lamp: above on the shade, behind on the base, below the base
                        Place{"lamp", {0, {0.0f, 0.777f, -0.487f}, right, front, 0.34f}},
                        Place{"lamp", {0, {0.0f, -0.672f, 0.463f}, right, front, 0.38f}},
                        Place{"lamp", {0, {0.0f, -0.774f, 0.225f}, right, back, 0.55f}},
                        // The faucet: on the plate and below it
                        Place{"faucet", {1, {0.220f, -0.0093f, 0.175f}, right, front, 0.135f}},
                        Place{"faucet", {1, {-0.207f, -0.0726f, 0.0657f}, right, back, 0.19f}},
                        Place{"faucet", {1, {0.207f, -0.0726f, 0.0657f}, right, back, 0.19f}},
                        // The rocket: along its body, above and below
                        Place{"rocket", {2, {0.0f, 0.138f, 0.123f}, front, left, 0.40f}},
                        Place{"rocket", {2, {0.0f, -0.138f, 0.123f}, front, right, 0.40f}},
                        // The truck: on the tanks, the rear mudguards and the rear beam
                        Place{"truck", {3, {0.332f, -0.2013f, -0.0438f}, front, top, 0.15f}},
                        Place{"truck", {3, {-0.332f, -0.2013f, -0.0438f}, back, top, 0.15f}},
                        Place{"truck", {3, {0.2864f, -0.0983f, 0.5316f}, front, left, 0.28f}},
                        Place{"truck", {3, {-0.2864f, -0.0983f, 0.5316f}, back, right, 0.28f}},
                        Place{"truck", {3, {0.0f, -0.175f, 0.915f}, right, top, 0.22f}}};

using Corner = LetteredPiece::Corner;

/// Clips a convex polygon to the part where `of` is not negative.
template <class Of>
void clipPiece(std::vector<Corner>& polygon, Of of) {
  std::vector<Corner> kept;
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const Corner &a = polygon[i], &b = polygon[(i + 1) % polygon.size()];
    const float da = of(a), db = of(b);
    if (da >= 0.0f) kept.push_back(a);
    if ((da < 0.0f) == (db < 0.0f)) continue;
    const float share = da / (da - db);
    const auto between = [&](float p, float q) { return p + share * (q - p); };
    Corner c;
    for (std::size_t k = 0; k < 3; ++k) c.weights[k] = between(a.weights[k], b.weights[k]);
    c.across = between(a.across, b.across);
    c.over = between(a.over, b.over);
    kept.push_back(c);
  }
  polygon = std::move(kept);
}

}  // namespace

HullMarks hullMarksOf(const std::filesystem::path& file, bool ownFrame) {
  HullMarks marks;
  const auto root = engine::resourceRoot();
  std::error_code failed;
  if (!root ||
      !std::filesystem::equivalent(file.parent_path(), *root / "assets" / "models", failed))
    return marks;
  // Rocks have none
  marks.panels = !file.stem().string().starts_with("asteroid");
  if (ownFrame) return marks;
  for (const Place& place : places)
    if (place.model == file.stem().string()) marks.letterings.push_back(place.lettering);
  return marks;
}

std::vector<LetteredPiece> letteredPieces(const engine::DrawMesh& mesh,
                                          const Lettering& lettering) {
  constexpr float minFacing = 0.5f;  // cosine
  const glm::vec3 out = glm::cross(lettering.along, lettering.up);
  const float reach = 0.25f * lettering.width;  // on either side of the rectangle's plane
  std::vector<LetteredPiece> pieces;
  for (std::size_t t = 0; t + 2 < mesh.indices.size(); t += 3) {
    std::array<glm::vec3, 3> from;
    for (std::size_t k = 0; k < 3; ++k) {
      const float* p = mesh.vertices[mesh.indices[t + k]].position;
      from[k] = glm::vec3(p[0], p[1], p[2]) - lettering.middle;
    }
    const glm::vec3 normal = glm::cross(from[1] - from[0], from[2] - from[0]);
    if (!(glm::dot(normal, out) > minFacing * glm::length(normal))) continue;
    const auto depth = [&](const glm::vec3& p) { return std::abs(glm::dot(p, out)); };
    if (std::ranges::any_of(from, [&](const glm::vec3& p) { return depth(p) > reach; })) continue;

    LetteredPiece piece{t / 3, {}};
    for (std::size_t k = 0; k < 3; ++k) {
      Corner corner;
      corner.weights[k] = 1.0f;
      corner.across = glm::dot(from[k], lettering.along) / lettering.width + 0.5f;
      corner.over = aspect * glm::dot(from[k], lettering.up) / lettering.width + 0.5f;
      piece.corners.push_back(corner);
    }
    clipPiece(piece.corners, [](const Corner& c) { return c.across; });
    clipPiece(piece.corners, [](const Corner& c) { return 1.0f - c.across; });
    clipPiece(piece.corners, [](const Corner& c) { return c.over; });
    clipPiece(piece.corners, [](const Corner& c) { return 1.0f - c.over; });
    if (piece.corners.size() >= 3) pieces.push_back(std::move(piece));
  }
  return pieces;
}

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

/// A metal sheet with a seam around it, rivets along the seam, and sometimes a hatch.
void drawPanel(HullPicture& picture, const Area& panel, SplitMix& random) {
  constexpr int seam = 2, rivetInset = 7, rivetStep = 13, rivet = 3;
  constexpr double seamLight = 0.45, rivetLight = 0.7, hatchShare = 0.14;
  const double light = random.between(0.84, 1.12);
  fill(picture, panel, seamLight);
  fill(picture, inside(panel, seam), light);
  const auto dot = [&](int x, int y) {
    fill(picture, {x - rivet / 2, y - rivet / 2, rivet, rivet}, rivetLight * light);
  };
  const int rightEnd = panel.x + panel.width - 1 - rivetInset,
            bottom = panel.y + panel.height - 1 - rivetInset;
  for (int x = panel.x + rivetInset; x <= rightEnd; x += rivetStep) {
    dot(x, panel.y + rivetInset);
    dot(x, bottom);
  }
  for (int y = panel.y + rivetInset; y <= bottom; y += rivetStep) {
    dot(panel.x + rivetInset, y);
    dot(rightEnd, y);
  }
  const int least = std::min(panel.width, panel.height);
  if (least < 48 || random.unit() > hatchShare) return;
  const Area hatch = inside(panel, least / 4);
  fill(picture, hatch, seamLight);
  fill(picture, inside(hatch, seam), 0.88 * light);
}

/// Splits an area recursively until its parts have the size of panels.
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

/// Strokes of a letter on a grid of 5 columns and 7 rows from the lower left: two digits per point,
/// a space between strokes.
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

/// In grid units.
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

}  // namespace nearmiss::app::fly
