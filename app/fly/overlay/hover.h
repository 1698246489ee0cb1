// SPDX-License-Identifier: MIT
/// Words that appear where the mouse rests: what a number, a field or a control is.
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

/// A place on the screen that has words.
struct HoverSpot {
  Rect rect;
  std::string name;   ///< of what stands there, for hoverWords()
  std::string words;  ///< where they are not in the table
};

/// Gathered while a frame is drawn; the uppermost was added last.
class HoverSpots {
 public:
  void clear() noexcept { spots_.clear(); }
  /// Forgets all but the first `count`.
  void cutTo(std::size_t count) { spots_.resize(std::min(count, spots_.size())); }
  void add(const Rect& rect, std::string_view name, std::string_view words = {}) {
    spots_.push_back({rect, std::string(name), std::string(words)});
  }
  /// Null where nothing stands.
  [[nodiscard]] const HoverSpot* at(const glm::vec2& pixel) const noexcept;
  [[nodiscard]] std::span<const HoverSpot> all() const noexcept { return spots_; }

 private:
  std::vector<HoverSpot> spots_;
};

/// One plain sentence for what has that name on the screen; empty for an unknown one.
[[nodiscard]] std::string_view hoverWords(std::string_view name) noexcept;

/// Words in a box beside `spot`, within a window of that size.
void drawHoverWords(const Ink& ink, const Rect& spot, std::string_view words, float width,
                    float height);

}  // namespace nearmiss::app::fly
