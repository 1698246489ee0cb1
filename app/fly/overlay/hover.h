// SPDX-License-Identifier: MIT
/// Hover text that explains a number, a field or a control.
#pragma once

#include <algorithm>
#include <cstddef>
#include <glm/vec2.hpp>
#include <optional>
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

/// Chooses the spot whose text is shown: the one that the user has pinned, or the one at the
/// pointer.
class HoverChoice {
 public:
  /// Pins the spot at the pointer. Releases the pin if there is no spot or it is pinned already.
  void toggle(const HoverSpots& spots, const std::optional<glm::vec2>& pointer);
  void release() noexcept { pinned_.reset(); }
  [[nodiscard]] bool pins() const noexcept { return pinned_.has_value(); }
  /// Returns the spot to explain in this frame; null: none. A pinned spot is found again where its
  /// panel shows it now; while it is not on the screen, nothing is shown.
  [[nodiscard]] const HoverSpot* shown(const HoverSpots& spots,
                                       const std::optional<glm::vec2>& pointer) const noexcept;

 private:
  std::optional<HoverSpot> pinned_;
};

/// Returns a sentence that explains that name; empty if it is unknown.
[[nodiscard]] std::string_view hoverWords(std::string_view name) noexcept;

/// Highlights `spot` and draws a text box next to it within a window of that size. `release`: a
/// line below the text, for a pinned one; may be empty.
void drawHoverWords(const Ink& ink, const Rect& spot, std::string_view words, float width,
                    float height, std::string_view release = {});

}  // namespace nearmiss::app::fly
