// SPDX-License-Identifier: MIT
/// Draws on the overlay in units of the text height: panels, right-aligned figures, tags, hatching.
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

/// Loads DejaVu Sans if it is installed, otherwise ImGui's own font; sizes are multiplied by
/// `scale`.
/// @pre an ImGui context is current
void loadFonts(float scale);
/// Height of normal text, pixels.
/// @pre loadFonts()
[[nodiscard]] float textSize() noexcept;

class HoverSpots;

/// Formats a time with three digits and a suitable unit: "820 µs", "9.98 ms".
[[nodiscard]] std::string formatTime(double milliseconds);
/// Formats a count with grouped thousands: "12 345 678".
[[nodiscard]] std::string formatCount(std::uint64_t count);
/// Formats a count with its noun: "1 frame", "12 345 frames".
[[nodiscard]] std::string counted(std::uint64_t count, std::string_view noun);

class Ink {
 public:
  /// Draws behind ImGui's windows; collects hover areas in `spots`.
  /// @pre loadFonts()
  explicit Ink(HoverSpots* spots = nullptr);
  /// Draws into that list.
  Ink(ImDrawList& list, HoverSpots& spots);

  [[nodiscard]] float em() const noexcept { return em_; }
  [[nodiscard]] float line() const noexcept { return lineHeight * em_; }
  [[nodiscard]] ImDrawList* list() const noexcept { return list_; }
  /// Returns false for coordinates that are not finite or too large for ImGui. Nothing is drawn
  /// there.
  [[nodiscard]] static bool takes(glm::vec2 at) noexcept;
  [[nodiscard]] static bool takes(const Rect& rect) noexcept;
  [[nodiscard]] static std::uint32_t colour(Rgb c, float alpha = 1.0f) noexcept;

  [[nodiscard]] float textWidth(std::string_view text, const ImFont* font = nullptr) const;
  /// `at` is the left or right end of the text, at half the line height.
  void text(glm::vec2 at, std::string_view text, Rgb colour = palette::text,
            ImFont* font = nullptr) const;
  void textRight(glm::vec2 at, std::string_view text, Rgb colour = palette::text,
                 ImFont* font = nullptr) const;
  /// Draws text in a font size in pixels.
  void sized(glm::vec2 at, std::string_view text, Rgb colour, float size,
             ImFont* font = nullptr) const;
  /// Draws text wrapped at width `wrap`. `at` is the upper left corner; `size` is the font size in
  /// pixels, 0 for normal.
  void paragraph(glm::vec2 at, std::string_view text, float wrap, float size = 0.0f) const;
  [[nodiscard]] glm::vec2 paragraphSize(std::string_view text, float wrap, float size = 0.0f) const;
  /// Draws centred text; draws nothing if it does not fit.
  void textInside(const Rect& rect, std::string_view text, Rgb colour) const;

  /// Draws background and border; only the border if the background exists already.
  void panel(const Rect& rect, float alpha) const;
  void edge(const Rect& rect) const;
  void fill(const Rect& rect, Rgb colour, float alpha = 1.0f, float rounding = 0.0f) const;
  void frame(const Rect& rect, Rgb colour, float alpha = 1.0f, float rounding = 0.0f) const;
  /// The empty part of a bar: darker than the panel, with a border if the panel is black.
  void track(const Rect& rect) const;
  /// Diagonal hatching on a plain background.
  void hatch(const Rect& rect, Rgb colour) const;
  void segment(glm::vec2 from, glm::vec2 to, Rgb colour, float width = 1.0f,
               float alpha = 1.0f) const;
  void circle(glm::vec2 middle, float radius, Rgb colour, float width, float alpha = 1.0f) const;
  void triangle(glm::vec2 a, glm::vec2 b, glm::vec2 c, Rgb ground, Rgb edge, float alpha) const;
  /// A filled tag with readable text; returns its width. `at`: left end, half the height.
  float chip(glm::vec2 at, std::string_view text, Rgb ground) const;

  /// Adds a hover area with that name for hoverWords().
  void spot(const Rect& rect, std::string_view name) const;

  [[nodiscard]] ImFont* bold() const noexcept { return bold_; }
  [[nodiscard]] ImFont* small() const noexcept { return small_; }
  [[nodiscard]] float smallSize() const noexcept;

 private:
  Ink(ImDrawList* list, HoverSpots* spots);

  ImDrawList* list_;
  ImFont *regular_, *bold_, *small_;
  float em_;  ///< text height, pixels
  HoverSpots* spots_;
};

/// During its lifetime, places what is drawn relative to the left edge of a part of the window, and
/// clips it there.
class InPart {
 public:
  InPart(const Ink& ink, const Rect& part);
  ~InPart();
  InPart(const InPart&) = delete;
  InPart& operator=(const InPart&) = delete;

 private:
  ImDrawList& list_;
  float by_;  ///< pixels to the right
  int firstVertex_, firstCommand_ = 0;
};

}  // namespace nearmiss::app::fly
