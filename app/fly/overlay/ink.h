// SPDX-License-Identifier: MIT
/// The typefaces of the overlay: DejaVu Sans where it is installed, ImGui's own font elsewhere.
#pragma once

#include <fmt/format.h>
#include <imgui.h>
#include <glm/vec2.hpp>

#include <array>
#include <span>
#include <string_view>

#include "fly/overlay/layout.h"
#include "fly/overlay/palette.h"

struct ImFont;

namespace nearmiss::app {

struct Fonts {
  ImFont* regular = nullptr;
  ImFont* bold = nullptr;
  ImFont* small = nullptr;
};

/// @pre an ImGui context is current. Sizes follow `scale`.
void loadFonts(float scale);
/// What loadFonts() found; the same font thrice where there is only the built-in one.
[[nodiscard]] Fonts fonts() noexcept;

// Drawing on the overlay in units of the text: panels, right-aligned figures, chips, hatching.

class HoverSpots;

/// A line of text without allocation; what does not fit is cut.
class Line {
 public:
  template <class... Args>
  explicit Line(fmt::format_string<Args...> format, Args&&... args) {
    const auto end =
        fmt::format_to_n(data_.data(), data_.size(), format, std::forward<Args>(args)...);
    size_ = end.size < data_.size() ? end.size : data_.size();
  }
  operator std::string_view() const noexcept { return {data_.data(), size_}; }

 private:
  std::array<char, 192> data_;
  std::size_t size_;
};

/// A time as a person reads it, three digits and the unit that suits it: "820 us", "9.98 ms".
[[nodiscard]] Line formatTime(double milliseconds);
/// A count with thousands set apart: "12 345 678".
[[nodiscard]] Line formatCount(std::uint64_t count);

class Ink {
 public:
  /// `em` is the height of a text line's letters in pixels; `spots` gathers what has words.
  Ink(ImDrawList* list, const Fonts& fonts, float em, HoverSpots* spots = nullptr) noexcept
      : list_(list), fonts_(fonts), em_(em), spots_(spots) {}

  [[nodiscard]] float em() const noexcept { return em_; }
  [[nodiscard]] float line() const noexcept { return 1.45f * em_; }
  [[nodiscard]] ImDrawList* list() const noexcept { return list_; }
  [[nodiscard]] static ImU32 colour(Rgb c, float alpha = 1.0f) noexcept;

  [[nodiscard]] float textWidth(std::string_view text, const ImFont* font = nullptr) const;
  /// `at` is the left end of the text, or its right end, in the middle of a line's height.
  void text(glm::vec2 at, std::string_view text, Rgb colour = palette::text,
            ImFont* font = nullptr) const;
  void textRight(glm::vec2 at, std::string_view text, Rgb colour = palette::text,
                 ImFont* font = nullptr) const;
  /// Text as text() writes it, in type of another size in pixels.
  void sized(glm::vec2 at, std::string_view text, Rgb colour, float size,
             ImFont* font = nullptr) const;
  /// Text in the middle of a shape, left out where it does not fit.
  void textInside(const Rect& rect, std::string_view text, Rgb colour) const;

  /// Ground and edge; where the ground is there already, the edge alone.
  void panel(const Rect& rect, float alpha) const;
  void edge(const Rect& rect) const;
  void fill(const Rect& rect, Rgb colour, float alpha = 1.0f, float rounding = 0.0f) const;
  void frame(const Rect& rect, Rgb colour, float alpha = 1.0f, float rounding = 0.0f) const;
  /// Diagonal strokes on a plain ground.
  void hatch(const Rect& rect, Rgb colour) const;
  void segment(glm::vec2 from, glm::vec2 to, Rgb colour, float width = 1.0f,
               float alpha = 1.0f) const;
  /// A filled tag with text that reads on it; returns its width. `at`: left end, middle of height.
  float chip(glm::vec2 at, std::string_view text, Rgb ground) const;

  /// What has that name stands there: hoverWords() says what it is.
  void spot(const Rect& rect, std::string_view name) const;

  [[nodiscard]] ImFont* regular() const noexcept { return fonts_.regular; }
  [[nodiscard]] ImFont* bold() const noexcept { return fonts_.bold; }
  [[nodiscard]] ImFont* small() const noexcept { return fonts_.small; }

 private:
  ImDrawList* list_;
  Fonts fonts_;
  float em_;
  HoverSpots* spots_;
};

}  // namespace nearmiss::app
