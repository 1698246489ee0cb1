// SPDX-License-Identifier: MIT
#include "fly/overlay/ink.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <limits>
#include <string>

#include "fly/overlay/hover.h"

namespace nearmiss::app::fly {
namespace {

constexpr float regularSize = 15.0f, smallSize = 12.5f;

constexpr std::array folders{"/usr/share/fonts/truetype/dejavu/", "/usr/share/fonts/TTF/",
                             "/usr/share/fonts/dejavu-sans-fonts/", "/usr/share/fonts/dejavu/",
                             "/usr/local/share/fonts/"};

// Latin, Greek and Cyrillic for key labels; dashes; ≤ and ≥
constexpr std::array<ImWchar, 11> ranges{0x20,   0x17f,  0x370,  0x3ff,  0x400, 0x45f,
                                         0x2010, 0x2026, 0x2264, 0x2265, 0};

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
  ImFont* regular = load("DejaVuSans.ttf", std::round(regularSize * scale));
  if (!regular) {
    ImFontConfig config;
    config.SizePixels = std::round(13.0f * scale);
    regular = atlas.AddFontDefault(&config);
  }
  if (!load("DejaVuSans-Bold.ttf", std::round(regularSize * scale))) return;
  load("DejaVuSans.ttf", std::round(smallSize * scale));
}

float textSize() noexcept { return ImGui::GetIO().Fonts->Fonts[0]->FontSize; }

std::string formatTime(double ms) {
  const double us = ms * 1e3;
  if (us < 9.95) return fmt::format("{:.1f} µs", us);
  if (us < 999.5) return fmt::format("{:.0f} µs", us);
  if (ms < 9.995) return fmt::format("{:.2f} ms", ms);
  if (ms < 99.95) return fmt::format("{:.1f} ms", ms);
  if (ms < 9999.5) return fmt::format("{:.0f} ms", ms);
  return fmt::format("{:.1f} s", ms * 1e-3);
}

std::string formatCount(std::uint64_t count) {
  if (count < 1000) return fmt::format("{}", count);
  if (count < 1000000) return fmt::format("{} {:03}", count / 1000, count % 1000);
  if (count < 1000000000)
    return fmt::format("{} {:03} {:03}", count / 1000000, count / 1000 % 1000, count % 1000);
  return fmt::format("{:.2f} billion", static_cast<double>(count) * 1e-9);
}

std::string counted(std::uint64_t count, std::string_view noun) {
  return fmt::format("{} {}{}", formatCount(count), noun, count == 1 ? "" : "s");
}

Ink::Ink(HoverSpots* spots) : Ink(ImGui::GetBackgroundDrawList(), spots) {}

Ink::Ink(ImDrawList& list, HoverSpots& spots) : Ink(&list, &spots) {}

Ink::Ink(ImDrawList* list, HoverSpots* spots) : list_(list), spots_(spots) {
  const ImVector<ImFont*>& loaded = ImGui::GetIO().Fonts->Fonts;
  regular_ = loaded[0];
  bold_ = loaded.size() > 1 ? loaded[1] : regular_;
  small_ = loaded.size() > 2 ? loaded[2] : regular_;
  em_ = regular_->FontSize;
}

float Ink::smallSize() const noexcept { return small_->FontSize; }

std::uint32_t Ink::colour(Rgb c, float alpha) noexcept {
  const auto a = static_cast<ImU32>(std::lround(std::clamp(alpha, 0.0f, 1.0f) * 255.0f));
  const Rgb s = shown(c);
  return (a << 24) | ((s & 0xffu) << 16) | (s & 0xff00u) | (s >> 16 & 0xffu);
}

bool Ink::takes(glm::vec2 at) noexcept {
  // Squares of it are finite; the comparison is false for NaN
  constexpr float farthest = 1e9f;  // pixels
  return std::abs(at.x) <= farthest && std::abs(at.y) <= farthest;
}

bool Ink::takes(const Rect& rect) noexcept {
  return takes(glm::vec2(rect.x, rect.y)) && takes(glm::vec2(rect.right(), rect.bottom()));
}

// ImGui takes a null pointer for a text without an end
float Ink::textWidth(std::string_view text, const ImFont* font) const {
  if (text.empty()) return 0.0f;
  const ImFont* used = font ? font : regular_;
  return used
      ->CalcTextSizeA(used->FontSize, std::numeric_limits<float>::max(), 0.0f, text.data(),
                      text.data() + text.size())
      .x;
}

void Ink::text(glm::vec2 at, std::string_view text, Rgb c, ImFont* font) const {
  sized(at, text, c, (font ? font : regular_)->FontSize, font);
}

void Ink::sized(glm::vec2 at, std::string_view text, Rgb c, float size, ImFont* font) const {
  if (text.empty() || !takes(at)) return;
  const ImVec2 corner(std::round(at.x), std::round(at.y - 0.5f * size));
  list_->AddText(font ? font : regular_, size, corner, colour(c), text.data(),
                 text.data() + text.size());
}

void Ink::textRight(glm::vec2 at, std::string_view what, Rgb c, ImFont* font) const {
  text({at.x - textWidth(what, font), at.y}, what, c, font);
}

void Ink::paragraph(glm::vec2 at, std::string_view text, float wrap, float size) const {
  if (text.empty() || !takes(at)) return;
  list_->AddText(regular_, size > 0.0f ? size : em_, {std::round(at.x), std::round(at.y)},
                 colour(palette::text), text.data(), text.data() + text.size(), wrap);
}

glm::vec2 Ink::paragraphSize(std::string_view text, float wrap, float size) const {
  if (text.empty()) return glm::vec2(0.0f);
  const ImVec2 wide = regular_->CalcTextSizeA(size > 0.0f ? size : em_, 1e9f, wrap, text.data(),
                                              text.data() + text.size());
  return {wide.x, wide.y};
}

void Ink::textInside(const Rect& rect, std::string_view what, Rgb c) const {
  const float width = textWidth(what, small_);
  if (width + 0.3f * em_ > rect.width) return;
  text({rect.x + 0.5f * (rect.width - width), rect.y + 0.5f * rect.height}, what, c, small_);
}

void Ink::spot(const Rect& rect, std::string_view name) const {
  if (spots_ && takes(rect)) spots_->add(rect, name);
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
  if (takes(r))
    list_->AddRectFilled({r.x, r.y}, {r.right(), r.bottom()}, colour(c, alpha), rounding);
}

void Ink::frame(const Rect& r, Rgb c, float alpha, float rounding) const {
  if (takes(r)) list_->AddRect({r.x, r.y}, {r.right(), r.bottom()}, colour(c, alpha), rounding);
}

void Ink::track(const Rect& rect) const {
  fill(rect, palette::black, 0.35f);
  if (currentPalette() == Palette::Contrast) frame(rect, palette::panelEdge);
}

void Ink::hatch(const Rect& r, Rgb c) const {
  fill(r, palette::panelEdge);
  if (r.width < 2.0f || !takes(r)) return;
  list_->PushClipRect({r.x, r.y}, {r.right(), r.bottom()}, true);
  const float gap = 0.5f * em_;
  for (float x = r.x - r.height; x < r.right(); x += gap)
    list_->AddLine({x, r.bottom()}, {x + r.height, r.y}, colour(c, 0.75f), 1.0f);
  list_->PopClipRect();
}

void Ink::segment(glm::vec2 from, glm::vec2 to, Rgb c, float width, float alpha) const {
  if (takes(from) && takes(to))
    list_->AddLine({from.x, from.y}, {to.x, to.y}, colour(c, alpha), width);
}

void Ink::circle(glm::vec2 middle, float radius, Rgb c, float width, float alpha) const {
  if (takes(middle) && takes(middle + radius))
    list_->AddCircle({middle.x, middle.y}, radius, colour(c, alpha), 24, width);
}

void Ink::triangle(glm::vec2 a, glm::vec2 b, glm::vec2 c, Rgb ground, Rgb edge, float alpha) const {
  if (!takes(a) || !takes(b) || !takes(c)) return;
  list_->AddTriangleFilled({a.x, a.y}, {b.x, b.y}, {c.x, c.y}, colour(ground, alpha));
  list_->AddTriangle({a.x, a.y}, {b.x, b.y}, {c.x, c.y}, colour(edge, alpha), 1.0f);
}

float Ink::chip(glm::vec2 at, std::string_view what, Rgb ground) const {
  const float width = textWidth(what, small_) + 0.7f * em_;
  const float height = 1.15f * em_;
  const Rect rect{std::round(at.x), std::round(at.y - 0.5f * height), width, height};
  fill(rect, ground, 1.0f, 0.25f * em_);
  text({rect.x + 0.35f * em_, at.y}, what, textOn(ground), small_);
  return width;
}

InPart::InPart(const Ink& ink, const Rect& part)
    : list_(*ink.list()), by_(part.x), firstVertex_(list_.VtxBuffer.Size) {
  // ImGui omits letters outside the rectangle before they are shifted. It would join the commands
  // of two parts with equal rectangles
  list_.PushClipRect({by_ > 0.0f ? -0.25f : 0.0f, part.y}, {part.width, part.bottom()});
  firstCommand_ = list_.CmdBuffer.Size - 1;
}

InPart::~InPart() {
  for (int i = firstVertex_; i < list_.VtxBuffer.Size; ++i) list_.VtxBuffer[i].pos.x += by_;
  for (int i = firstCommand_; i < list_.CmdBuffer.Size; ++i) {
    list_.CmdBuffer[i].ClipRect.x += by_;
    list_.CmdBuffer[i].ClipRect.z += by_;
  }
  list_.PopClipRect();
}

}  // namespace nearmiss::app::fly
