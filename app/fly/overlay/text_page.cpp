// SPDX-License-Identifier: MIT
#include "fly/overlay/text_page.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "fly/overlay/ink.h"

namespace nearmiss::app::fly {
namespace {

constexpr float rowHeight = 1.35f, keyWidth = 6.6f, columnGap = 1.8f, pageMargin = 1.0f;
constexpr float titleHeight = 2.4f, textGap = 1.2f;  // in units of the font size
constexpr float smallerType = 0.8f, smallestType = 8.0f;

/// Groups [first, last) of one column.
struct Column {
  std::size_t first = 0, last = 0;
};

std::size_t linesOf(std::span<const PageGroup> groups) {
  std::size_t lines = 0;
  for (const PageGroup& group : groups) lines += group.rows.size() + 2;
  return lines > 0 ? lines - 1 : 0;
}

/// Distributes the groups in order over at most `count` columns, with minimum height.
std::vector<Column> columnsOf(std::span<const PageGroup> groups, std::size_t count) {
  for (std::size_t limit = 1;; ++limit) {
    std::vector<Column> columns(1);
    bool tooLong = false;
    for (std::size_t g = 0; g < groups.size(); ++g) {
      if (linesOf(groups.subspan(g, 1)) > limit) tooLong = true;
      const std::size_t first = columns.back().first;
      if (linesOf(groups.subspan(first, g + 1 - first)) > limit) columns.push_back({g, g});
      columns.back().last = g + 1;
    }
    if (!tooLong && columns.size() <= count) return columns;
  }
}

/// Where the right texts of a group begin.
float beginOf(const PageGroup& group, PageStyle style, float type, const TextWidth& widthOf) {
  float begin = keyWidth * type;
  if (style == PageStyle::Results)
    for (const PageRow& row : group.rows)
      begin = std::max(begin, widthOf(row.left, type) + textGap * type);
  return begin;
}

float naturalWidth(std::span<const PageGroup> groups, PageStyle style, float type,
                   const TextWidth& widthOf) {
  float width = style == PageStyle::Figures ? 15.0f * type : 0.0f;
  for (const PageGroup& group : groups) {
    width = std::max(width, widthOf(group.heading, type));
    const float common = beginOf(group, style, type, widthOf);
    for (const PageRow& row : group.rows) {
      const float left = widthOf(row.left, type), right = widthOf(row.right, type);
      const float next = left + textGap * type;
      const float begin = row.left.empty()              ? 0.0f
                          : style != PageStyle::Figures ? std::max(common, next)
                                                        : next;
      width = std::max(width, begin + right);
    }
  }
  return width;
}

/// Writes rows from top to bottom into a column.
class Writer {
 public:
  Writer(PageLayout& page, PageStyle style, float x, float width, const TextWidth& widthOf)
      : page_(page), widthOf_(widthOf), style_(style), x_(x), width_(width) {}

  void write(const PageGroup& group) {
    if (y_ > 0.0f) y_ += page_.line;
    put(PageText::Role::Heading, group.heading, x_);
    y_ += page_.line;
    begin_ = beginOf(group, style_, page_.type, widthOf_);
    if (begin_ > 0.5f * width_ && style_ == PageStyle::Keys) begin_ = 2.0f * page_.type;
    for (const PageRow& row : group.rows) write(row);
  }
  [[nodiscard]] float end() const noexcept { return y_; }

 private:
  void put(PageText::Role role, std::string text, float x) {
    const float width = widthOf_(text, page_.type);
    page_.texts.push_back({role, std::move(text), {x, y_ + 0.5f * page_.line}, width});
  }

  void write(const PageRow& row) {
    const float left = widthOf_(row.left, page_.type), right = widthOf_(row.right, page_.type);
    const float space = textGap * page_.type;
    put(PageText::Role::Left, row.left, x_);
    if (style_ == PageStyle::Figures) {
      // If a figure does not fit next to its name, put it below
      if (left + space + right > width_) y_ += page_.line;
      put(PageText::Role::Right, row.right, x_ + width_ - right);
      y_ += page_.line;
      return;
    }
    // A row without a name is a sentence
    float begin = row.left.empty() ? 0.0f : begin_;
    if (begin > 0.0f && left + space > begin + 0.5f) {
      // A long key name moves its text to the right, or down if there is no space
      if (left + space + right <= width_)
        begin = left + space;
      else
        y_ += page_.line;
    }
    wrap(row.right, begin);
  }

  void wrap(std::string_view text, float begin) {
    std::string line;
    while (!text.empty()) {
      const std::size_t space = std::min(text.find(' '), text.size());
      const std::string longer =
          line + (line.empty() ? "" : " ") + std::string(text.substr(0, space));
      if (!line.empty() && begin + widthOf_(longer, page_.type) > width_) {
        put(PageText::Role::Right, std::exchange(line, std::string()), x_ + begin);
        y_ += page_.line;
        continue;
      }
      line = longer;
      text.remove_prefix(std::min(space + 1, text.size()));
    }
    put(PageText::Role::Right, line, x_ + begin);
    y_ += page_.line;
  }

  PageLayout& page_;
  const TextWidth& widthOf_;
  PageStyle style_;
  float x_, width_, y_ = 0.0f;
  float begin_ = 0.0f;  ///< of the right texts of a group of keys
};

/// Lays out the page with these columns and this font size; centres the panel in the window.
PageLayout laidOut(float width, float height, float type, std::span<const PageGroup> groups,
                   PageStyle style, std::span<const Column> columns, const TextWidth& widthOf) {
  PageLayout page;
  page.type = type;
  page.line = rowHeight * type;
  const float room = width - 2.0f * pageMargin * type;
  float x = 0.0f;
  for (const Column& column : columns) {
    const auto own = groups.subspan(column.first, column.last - column.first);
    const float wide = std::min(naturalWidth(own, style, type, widthOf), room);
    if (x > 0.0f) x += columnGap * type;
    Writer writer(page, style, x, wide, widthOf);
    for (const PageGroup& group : own) writer.write(group);
    page.height = std::max(page.height, writer.end());
    x += wide;
  }
  const float tall = std::min(page.height + (titleHeight + pageMargin) * type, height);
  page.box = {std::round(0.5f * (width - x) - pageMargin * type),
              std::round(0.5f * (height - tall)), x + 2.0f * pageMargin * type, tall};
  page.view = {page.box.x + pageMargin * type, page.box.y + titleHeight * type, x,
               tall - (titleHeight + pageMargin) * type};
  return page;
}

bool fitsAcross(const PageLayout& page, float width) {
  return page.box.x >= -0.5f && page.box.right() <= width + 0.5f &&
         std::ranges::all_of(page.texts, [&](const PageText& text) {
           return text.at.x >= -0.5f && text.at.x + text.width <= page.view.width + 0.5f;
         });
}

}  // namespace

PageLayout layOutPage(float width, float height, float em, std::span<const PageGroup> groups,
                      PageStyle style, const TextWidth& widthOf) {
  // Without scrolling, in the largest type with the most columns
  PageLayout page;
  for (const float type : {em, smallerType * em})
    for (const std::size_t count : {3u, 2u, 1u}) {
      page = laidOut(width, height, type, groups, style, columnsOf(groups, count), widthOf);
      if (fitsAcross(page, width) && !page.scrolls()) return page;
    }
  // With scrolling, in type small enough for every word
  for (float type = smallerType * em;; type *= 0.9f)
    for (const std::size_t count : {3u, 2u, 1u}) {
      page = laidOut(width, height, type, groups, style, columnsOf(groups, count), widthOf);
      if (fitsAcross(page, width) || type < smallestType) return page;
    }
}

void drawPage(const Ink& ink, float width, float height, std::span<const PageGroup> groups,
              PageStyle style, std::string_view title, std::string_view hint, float& scroll) {
  const auto widthOf = [&ink](std::string_view text, float type) {
    return ink.textWidth(text) * type / ink.em();
  };
  const PageLayout page = layOutPage(width, height, ink.em(), groups, style, widthOf);
  scroll = std::clamp(scroll, 0.0f, page.maxScroll());
  ink.panel(page.box, 0.97f);

  // The title, and how to close the page
  const float middle = page.box.y + 0.5f * titleHeight * page.type;
  const std::string wayOut = fmt::format("{}{}", page.scrolls() ? "PageDown: more; " : "", hint);
  const float hintWidth = widthOf(wayOut, page.type), titleWidth = widthOf(title, page.type);
  if (titleWidth + hintWidth + textGap * page.type < page.view.width)
    ink.sized({page.view.x, middle}, title, palette::text, page.type, ink.bold());
  const float size = std::min(page.type, page.type * page.view.width / std::max(hintWidth, 1.0f));
  ink.sized({page.view.right() - widthOf(wayOut, size), middle}, wayOut, palette::dim, size);

  const float up = scroll * page.line;
  const Rect& view = page.view;
  ink.list()->PushClipRect({view.x - page.type, view.y}, {view.right() + page.type, view.bottom()},
                           true);
  for (const PageText& text : page.texts) {
    const float y = view.y + text.at.y - up;
    if (y < view.y - page.line || y > view.bottom() + page.line) continue;
    const bool heading = text.role == PageText::Role::Heading;
    if (style == PageStyle::Figures && text.role == PageText::Role::Left)
      ink.spot({view.x + text.at.x, y - 0.5f * page.line, text.width, page.line}, text.text);
    const bool strong = (text.role == PageText::Role::Left) == (style != PageStyle::Figures);
    ink.sized({view.x + text.at.x, y}, text.text,
              heading  ? palette::narrow
              : strong ? palette::text
                       : palette::dim,
              page.type, heading ? ink.bold() : nullptr);
  }
  ink.list()->PopClipRect();
  if (!page.scrolls()) return;
  const float part = view.height / page.height;
  const float top = view.y + (up / page.height) * view.height;
  const float bar = std::max(2.0f, 0.25f * page.type);
  ink.fill({page.box.right() - 2.0f * bar, view.y, bar, view.height}, palette::black, 0.5f);
  ink.fill({page.box.right() - 2.0f * bar, top, bar, part * view.height}, palette::slack);
}

}  // namespace nearmiss::app::fly
