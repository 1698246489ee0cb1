// SPDX-License-Identifier: MIT
/// A page of rows in groups that can be read in any window: in as many columns as fit, else in
/// smaller type, else wrapped, and what is longer than the window scrolls. Nothing is left out.
#pragma once

#include <functional>
#include <glm/vec2.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fly/overlay/layout.h"

namespace nearmiss::app::fly {

/// A key and what it does, or a name and its figure.
struct PageRow {
  std::string left, right;
};
struct PageGroup {
  std::string heading;
  std::vector<PageRow> rows;
};

enum class PageStyle : std::uint8_t {
  Keys,    ///< the right text begins where all do, and wraps
  Figures  ///< the right text ends where all do
};

/// The width of a text in pixels, in type of that size in pixels.
using TextWidth = std::function<float(std::string_view text, float type)>;

struct PageText {
  enum class Role : std::uint8_t { Heading, Left, Right } role = Role::Left;
  std::string text;
  glm::vec2 at{0.0f};  ///< the left end, in the middle of the line; of the page, not of the window
  float width = 0.0f;  ///< pixels
};

struct PageLayout {
  float type = 0.0f;    ///< pixels
  float line = 0.0f;    ///< from one line to the next, pixels
  float height = 0.0f;  ///< of the page, pixels
  Rect box;             ///< the panel, with a line for its title
  Rect view;            ///< where the page is seen, in the window
  std::vector<PageText> texts;

  [[nodiscard]] bool scrolls() const noexcept { return height > view.height + 0.5f; }
  /// The farthest that it scrolls, in lines.
  [[nodiscard]] float maxScroll() const noexcept {
    return scrolls() ? (height - view.height) / line : 0.0f;
  }
};

/// For a window of that size and text of `em` pixels.
[[nodiscard]] PageLayout layOutPage(float width, float height, float em,
                                    std::span<const PageGroup> groups, PageStyle style,
                                    const TextWidth& widthOf);

class Ink;

/// Lays a page out and draws it under its title; `hint` stands at the right of the title where both
/// fit, and alone where they do not. `scroll`, in lines, is brought into its range.
void drawPage(const Ink& ink, float width, float height, std::span<const PageGroup> groups,
              PageStyle style, std::string_view title, std::string_view hint, float& scroll);

}  // namespace nearmiss::app::fly
