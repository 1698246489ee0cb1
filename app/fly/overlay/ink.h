// SPDX-License-Identifier: MIT
/// Drawing on the overlay in units of the text: panels, right-aligned figures, chips, hatching.
#pragma once

#include <cstdint>
#include <glm/vec2.hpp>
#include <string>
#include <string_view>

#include "fly/overlay/layout.h"
#include "fly/overlay/palette.h"

struct ImDrawList;
struct ImFont;

namespace nearmiss::app::fly {

/// DejaVu Sans where it is installed, ImGui's own font elsewhere; sizes follow `scale`.
/// @pre an ImGui context is current
void loadFonts(float scale);
/// Height of a letter of usual text, pixels. @pre loadFonts()
[[nodiscard]] float textSize() noexcept;

class HoverSpots;

/// A time as a person reads it, three digits and the unit that suits it: "820 µs", "9.98 ms".
[[nodiscard]] std::string formatTime(double milliseconds);
/// A count with thousands set apart: "12 345 678".
[[nodiscard]] std::string formatCount(std::uint64_t count);
/// A count with what is counted: "1 frame", "12 345 frames".
[[nodiscard]] std::string counted(std::uint64_t count, std::string_view noun);

class Ink {
 public:
  /// Draws behind ImGui's own windows; `spots` gathers what has words. @pre loadFonts()
  explicit Ink(HoverSpots* spots = nullptr);
  /// Draws into that list instead.
  Ink(ImDrawList& list, HoverSpots& spots);

  [[nodiscard]] float em() const noexcept { return em_; }
  [[nodiscard]] float line() const noexcept { return lineHeight * em_; }
  [[nodiscard]] ImDrawList* list() const noexcept { return list_; }
  /// False for a place that is not finite, or so far away that ImGui cannot work with it. Nothing
  /// is drawn there.
  [[nodiscard]] static bool takes(glm::vec2 at) noexcept;
  [[nodiscard]] static bool takes(const Rect& rect) noexcept;
  [[nodiscard]] static std::uint32_t colour(Rgb c, float alpha = 1.0f) noexcept;

  [[nodiscard]] float textWidth(std::string_view text, const ImFont* font = nullptr) const;
  /// `at` is the left end of the text, or its right end, in the middle of a line's height.
  void text(glm::vec2 at, std::string_view text, Rgb colour = palette::text,
            ImFont* font = nullptr) const;
  void textRight(glm::vec2 at, std::string_view text, Rgb colour = palette::text,
                 ImFont* font = nullptr) const;
  /// Text as text() writes it, in type of another size in pixels.
  void sized(glm::vec2 at, std::string_view text, Rgb colour, float size,
             ImFont* font = nullptr) const;
  /// Text that is broken where it is wider than `wrap`; `at` is its upper left corner, `size` its
  /// type in pixels, 0 the usual.
  void paragraph(glm::vec2 at, std::string_view text, float wrap, float size = 0.0f) const;
  [[nodiscard]] glm::vec2 paragraphSize(std::string_view text, float wrap, float size = 0.0f) const;
  /// Text in the middle of a shape, left out where it does not fit.
  void textInside(const Rect& rect, std::string_view text, Rgb colour) const;

  /// Ground and edge; where the ground is there already, the edge alone.
  void panel(const Rect& rect, float alpha) const;
  void edge(const Rect& rect) const;
  void fill(const Rect& rect, Rgb colour, float alpha = 1.0f, float rounding = 0.0f) const;
  void frame(const Rect& rect, Rgb colour, float alpha = 1.0f, float rounding = 0.0f) const;
  /// The empty part of a bar: darker than the panel, and edged where that is black.
  void track(const Rect& rect) const;
  /// Diagonal strokes on a plain ground.
  void hatch(const Rect& rect, Rgb colour) const;
  void segment(glm::vec2 from, glm::vec2 to, Rgb colour, float width = 1.0f,
               float alpha = 1.0f) const;
  void circle(glm::vec2 middle, float radius, Rgb colour, float width, float alpha = 1.0f) const;
  void triangle(glm::vec2 a, glm::vec2 b, glm::vec2 c, Rgb ground, Rgb edge, float alpha) const;
  /// A filled tag with text that reads on it; returns its width. `at`: left end, middle of height.
  float chip(glm::vec2 at, std::string_view text, Rgb ground) const;

  /// Notes that something of that name stands there, for hoverWords() to explain.
  void spot(const Rect& rect, std::string_view name) const;

  [[nodiscard]] ImFont* bold() const noexcept { return bold_; }
  [[nodiscard]] ImFont* small() const noexcept { return small_; }
  [[nodiscard]] float smallSize() const noexcept;

 private:
  Ink(ImDrawList* list, HoverSpots* spots);

  ImDrawList* list_;
  ImFont *regular_, *bold_, *small_;
  float em_;  ///< height of the text's letters, pixels
  HoverSpots* spots_;
};

}  // namespace nearmiss::app::fly
