// SPDX-License-Identifier: MIT
#include <engine/flight/depth.h>

#include <algorithm>

#include "fly/overlay/panels.h"

namespace nearmiss::app {
namespace {

/// How the half keeps up: late frames, and how far it is behind the other.
Line keepingUp(const HalfView& half) {
  const FrameStatistics& since = *half.statistics;
  const double late =
      since.frames ? 100.0 * static_cast<double>(since.missed) / static_cast<double>(since.frames)
                   : 0.0;
  if (half.behind < 0.05) return Line("{:.0f} % of frames late", late);
  return Line("{:.0f} % of frames late, {:.1f} s behind", late, half.behind);
}

/// Collisions by the level that detection had time for.
void drawLevels(const Ink& ink, const Rect& row, const ShownNumbers& shown) {
  const float em = ink.em(), middle = row.y + 0.5f * row.height;
  constexpr std::string_view name = "collisions by level";
  const float figure = ink.textWidth("9 999", ink.small()) + 0.7f * em;
  float wide = 0.0f;
  for (int level = 1; level < engine::depths; ++level)
    wide += ink.textWidth(engine::nameOfDepth(level), ink.small()) + 0.9f * em + figure;
  // The levels first, then what they are
  float x = row.x;
  const float named = ink.textWidth(name, ink.small()) + 0.8f * em;
  if (named + wide <= row.width) {
    ink.text({x, middle}, name, palette::dim, ink.small());
    x += named;
  }
  for (int level = 1; level < engine::depths; ++level) {
    const std::string_view depth = engine::nameOfDepth(level);
    const float next = x + ink.textWidth(depth, ink.small()) + 0.9f * em + figure;
    if (next > row.right() + em) return;
    const float chip = ink.chip({x, middle}, depth, levelColour(level));
    ink.text({x + chip + 0.3f * em, middle},
             formatCount(shown.total[static_cast<std::size_t>(level)]), palette::text, ink.small());
    x = next;
  }
}

}  // namespace

void drawHalfPanel(const Ink& ink, const Rect& rect, const HalfView& half,
                   const ShownNumbers& shown) {
  ink.edge(rect);
  const Rect inner = rect.inset(0.5f * ink.em());
  Rect row{inner.x, inner.y, inner.width, ink.line()};
  const float middle = row.y + 0.5f * row.height;
  const Line fate = keepingUp(half);
  const float fateWidth = ink.textWidth(fate);
  ink.text({row.x, middle}, half.method, palette::text, ink.bold());
  const float named = ink.textWidth(half.method, ink.bold());
  // The budget, where it leaves room for what matters more
  const Line budget("{}, {}", half.budget, half.side);
  if (named + ink.textWidth(budget) + fateWidth + 2.5f * ink.em() < row.width)
    ink.text({row.x + named + 0.8f * ink.em(), middle}, budget, palette::dim);
  if (named + fateWidth + ink.em() < row.width)
    ink.textRight({row.right(), middle}, fate,
                  half.statistics->missed > 0 ? palette::narrow : palette::text);
  if (half.history->size() == 0) return;

  const Rect frame{row.x, row.y + ink.line() + 0.1f * ink.em(), row.width,
                   ink.line() - 0.25f * ink.em()};
  const Rect detection{row.x, frame.y + ink.line(), row.width, ink.line() - 0.35f * ink.em()};
  if (detection.bottom() > inner.bottom() + 1.0f) {
    drawFrameBars(ink, frame, {}, (*half.history)[half.history->size() - 1], shown);
    return;
  }
  drawFrameBars(ink, frame, detection, (*half.history)[half.history->size() - 1], shown);
  drawLevels(ink, {row.x, row.y + 3.0f * ink.line(), row.width, ink.line()}, shown);
}

}  // namespace nearmiss::app
