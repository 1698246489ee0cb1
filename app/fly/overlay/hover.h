// SPDX-License-Identifier: MIT
/// Hover text that explains a number, a field or a control.
#pragma once

#include <algorithm>
#include <cstddef>
#include <glm/vec2.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fly/overlay/layout.h"

namespace nearmiss::app::fly {

class Ink;

/// An area of the screen with hover text.
struct HoverSpot {
  Rect rect;
  std::string name;   ///< key for hoverWords()
  std::string words;  ///< the text if it is not in the table
};

/// Collected while a frame is drawn; the topmost was added last.
class HoverSpots {
 public:
  void clear() noexcept { spots_.clear(); }
  /// Drops all but the first `count`.
  void truncate(std::size_t count) { spots_.resize(std::min(count, spots_.size())); }
  void add(const Rect& rect, std::string_view name, std::string_view words = {}) {
    spots_.push_back({rect, std::string(name), std::string(words)});
  }
  /// Returns the topmost spot at a pixel, or null.
  [[nodiscard]] const HoverSpot* at(const glm::vec2& pixel) const noexcept;
  [[nodiscard]] std::span<const HoverSpot> all() const noexcept { return spots_; }

 private:
  std::vector<HoverSpot> spots_;
};

/// Returns a sentence that explains that name; empty if it is unknown.
[[nodiscard]] std::string_view hoverWords(std::string_view name) noexcept;

/// Draws a text box next to `spot` within a window of that size.
void drawHoverWords(const Ink& ink, const Rect& spot, std::string_view words, float width,
                    float height);

}  // namespace nearmiss::app::fly
