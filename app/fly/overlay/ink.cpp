// SPDX-License-Identifier: MIT
#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <limits>
#include <string>

#include "fly/overlay/hover.h"
#include "fly/overlay/ink.h"

namespace nearmiss::app {
namespace {

constexpr float textSize = 15.0f, smallSize = 12.5f;

constexpr std::array folders{"/usr/share/fonts/truetype/dejavu/", "/usr/share/fonts/TTF/",
                             "/usr/share/fonts/dejavu-sans-fonts/", "/usr/share/fonts/dejavu/",
                             "/usr/local/share/fonts/"};

// Latin, Greek and Cyrillic, for the names that keyboards print
constexpr std::array<ImWchar, 9> ranges{0x20, 0x17f, 0x370, 0x3ff, 0x400, 0x45f, 0x2010, 0x2026, 0};

ImFont* load(const char* name, float size) {
  for (const char* folder : folders) {
    const std::string file = std::string(folder) + name;
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(file, ignored)) continue;
    return ImGui::GetIO().Fonts->AddFontFromFileTTF(file.c_str(), size, nullptr, ranges.data());
  }
  return nullptr;
}

}  // namespace

void loadFonts(float scale) {
  ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
  ImFont* regular = load("DejaVuSans.ttf", std::round(textSize * scale));
  if (!regular) {
    ImFontConfig config;
    config.SizePixels = std::round(13.0f * scale);
    regular = atlas.AddFontDefault(&config);
  }
  if (!load("DejaVuSans-Bold.ttf", std::round(textSize * scale))) return;
  load("DejaVuSans.ttf", std::round(smallSize * scale));
}

Fonts fonts() noexcept {
  const ImVector<ImFont*>& loaded = ImGui::GetIO().Fonts->Fonts;
  return {loaded[0], loaded.size() > 1 ? loaded[1] : loaded[0],
          loaded.size() > 2 ? loaded[2] : loaded[0]};
}

Line formatTime(double ms) {
  const double us = ms * 1e3;
  if (us < 9.95) return Line("{:.1f} us", us);
  if (us < 999.5) return Line("{:.0f} us", us);
  if (ms < 9.995) return Line("{:.2f} ms", ms);
  if (ms < 99.95) return Line("{:.1f} ms", ms);
  if (ms < 9999.5) return Line("{:.0f} ms", ms);
  return Line("{:.1f} s", ms * 1e-3);
}

Line formatCount(std::uint64_t count) {
  if (count < 1000) return Line("{}", count);
  if (count < 1000000) return Line("{} {:03}", count / 1000, count % 1000);
  if (count < 1000000000)
    return Line("{} {:03} {:03}", count / 1000000, count / 1000 % 1000, count % 1000);
  return Line("{:.2f} billion", static_cast<double>(count) * 1e-9);
}

ImU32 Ink::colour(Rgb c, float alpha) noexcept {
  const auto a = static_cast<ImU32>(std::lround(std::clamp(alpha, 0.0f, 1.0f) * 255.0f));
  const Rgb s = shown(c);
  return (a << 24) | ((s & 0xffu) << 16) | (s & 0xff00u) | (s >> 16 & 0xffu);
}

float Ink::textWidth(std::string_view text, const ImFont* font) const {
  const ImFont* used = font ? font : fonts_.regular;
  return used
      ->CalcTextSizeA(used->FontSize, std::numeric_limits<float>::max(), 0.0f, text.data(),
                      text.data() + text.size())
      .x;
}

void Ink::text(glm::vec2 at, std::string_view text, Rgb c, ImFont* font) const {
  sized(at, text, c, (font ? font : fonts_.regular)->FontSize, font);
}

void Ink::sized(glm::vec2 at, std::string_view text, Rgb c, float size, ImFont* font) const {
  const ImVec2 corner(std::round(at.x), std::round(at.y - 0.5f * size));
  list_->AddText(font ? font : fonts_.regular, size, corner, colour(c), text.data(),
                 text.data() + text.size());
}

void Ink::textRight(glm::vec2 at, std::string_view what, Rgb c, ImFont* font) const {
  text({at.x - textWidth(what, font), at.y}, what, c, font);
}

void Ink::textInside(const Rect& rect, std::string_view what, Rgb c) const {
  const float width = textWidth(what, fonts_.small);
  if (width + 0.3f * em_ > rect.width) return;
  text({rect.x + 0.5f * (rect.width - width), rect.y + 0.5f * rect.height}, what, c, fonts_.small);
}

void Ink::spot(const Rect& rect, std::string_view name) const {
  if (spots_) spots_->add(rect, name);
}

void Ink::panel(const Rect& rect, float alpha) const {
  const float rounding = 0.35f * em_;
  fill(rect, palette::panel, alpha, rounding);
  frame(rect, palette::panelEdge, alpha, rounding);
}

void Ink::edge(const Rect& r) const {
  frame({std::round(r.x), std::round(r.y), std::round(r.width), std::round(r.height)},
        palette::panelEdge);
}

void Ink::fill(const Rect& r, Rgb c, float alpha, float rounding) const {
  list_->AddRectFilled({r.x, r.y}, {r.right(), r.bottom()}, colour(c, alpha), rounding);
}

void Ink::frame(const Rect& r, Rgb c, float alpha, float rounding) const {
  list_->AddRect({r.x, r.y}, {r.right(), r.bottom()}, colour(c, alpha), rounding);
}

void Ink::hatch(const Rect& r, Rgb c) const {
  fill(r, palette::panelEdge);
  if (r.width < 2.0f) return;
  list_->PushClipRect({r.x, r.y}, {r.right(), r.bottom()}, true);
  const float gap = 0.5f * em_;
  for (float x = r.x - r.height; x < r.right(); x += gap)
    list_->AddLine({x, r.bottom()}, {x + r.height, r.y}, colour(c, 0.75f), 1.0f);
  list_->PopClipRect();
}

void Ink::segment(glm::vec2 from, glm::vec2 to, Rgb c, float width, float alpha) const {
  list_->AddLine({from.x, from.y}, {to.x, to.y}, colour(c, alpha), width);
}

float Ink::chip(glm::vec2 at, std::string_view what, Rgb ground) const {
  const float width = textWidth(what, fonts_.small) + 0.7f * em_;
  const float height = 1.15f * em_;
  const Rect rect{std::round(at.x), std::round(at.y - 0.5f * height), width, height};
  fill(rect, ground, 1.0f, 0.25f * em_);
  text({rect.x + 0.35f * em_, at.y}, what, textOn(ground), fonts_.small);
  return width;
}

}  // namespace nearmiss::app
