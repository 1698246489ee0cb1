// SPDX-License-Identifier: MIT
/// A page of grouped rows for any window size. Uses as many columns as fit, then smaller type, then
/// wrapping; longer pages scroll. No content is dropped.
#pragma once

#include <functional>
#include <glm/vec2.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fly/overlay/layout.h"

namespace nearmiss::app::fly {

/// A key and its function, or a name and its value.
struct PageRow {
  std::string left, right;
};
struct PageGroup {
  std::string heading;
  std::vector<PageRow> rows;
};

enum class PageStyle : std::uint8_t {
  Keys,     ///< left-aligned right text, wrapped
  Figures,  ///< right-aligned right text
  Results,  ///< as Keys; the right texts of a group are aligned behind its longest name
};

/// Returns the width of a text in pixels for a font size in pixels.
using TextWidth = std::function<float(std::string_view text, float type)>;

struct PageText {
  enum class Role : std::uint8_t { Heading, Left, Right } role = Role::Left;
  std::string text;
  glm::vec2 at{0.0f};  ///< left end at half the line height, relative to the page
  float width = 0.0f;  ///< pixels
};

struct PageLayout {
  float type = 0.0f;    ///< pixels
  float line = 0.0f;    ///< line spacing, pixels
  float height = 0.0f;  ///< of the page, pixels
  Rect box;             ///< the panel, with a line for its title
  Rect view;            ///< visible area of the page in the window
  std::vector<PageText> texts;

  [[nodiscard]] bool scrolls() const noexcept { return height > view.height + 0.5f; }
  /// Maximum scroll position, in lines.
  [[nodiscard]] float maxScroll() const noexcept {
    return scrolls() ? (height - view.height) / line : 0.0f;
  }
};

/// Lays out a page for that window size and a text height of `em` pixels.
[[nodiscard]] PageLayout layOutPage(float width, float height, float em,
                                    std::span<const PageGroup> groups, PageStyle style,
                                    const TextWidth& widthOf);

class Ink;

/// Lays out a page and draws it with its title. `hint` is drawn to the right of the title, or alone
/// if they do not both fit. Clamps `scroll`, in lines.
void drawPage(const Ink& ink, float width, float height, std::span<const PageGroup> groups,
              PageStyle style, std::string_view title, std::string_view hint, float& scroll);

}  // namespace nearmiss::app::fly
