// SPDX-License-Identifier: MIT
#include "fly/overlay/layout.h"

#include <algorithm>

namespace nearmiss::app {
namespace {

/// Takes panels off the top of a column for as long as there is room.
struct Column {
  float x, top, bottom, width, gap;

  [[nodiscard]] bool fits(float height) const noexcept { return top + height <= bottom; }
  Rect take(float height) noexcept {
    const Rect rect{x, top, width, height};
    top += height + gap;
    return rect;
  }
};

}  // namespace

Layout layOut(float width, float height, float em, const LayoutWish& wish) noexcept {
  Layout layout;
  if (wish.mode == OverlayMode::Off) return layout;
  const float gap = 0.5f * em;
  layout.status = {0.0f, 0.0f, width, 1.9f * em};

  // The column on the right, if it leaves more than half of the window to the scene
  const float columnWidth = 19.5f * em;
  const bool hasColumn = wish.mode == OverlayMode::Full && columnWidth < 0.45f * width;
  Column column{width - columnWidth - gap, layout.status.bottom() + gap, height - gap, columnWidth,
                gap};
  if (hasColumn) {
    using namespace panelLines;
    const float brief = panelHeight(levels, em), full = panelHeight(levels + detection, em);
    const float inspect = panelHeight(inspector, em), numbers = panelHeight(statistics, em);
    const float wishedInspector = wish.inspector ? inspect + gap : 0.0f;
    // Detection's figures go when the inspector would not fit beside them
    layout.levelsInFull = column.fits(full) && (column.fits(full + gap + wishedInspector) ||
                                                !column.fits(brief + gap + wishedInspector));
    const float first = layout.levelsInFull ? full : brief;
    if (column.fits(first)) {
      layout.levels = column.take(first);
      const bool both = column.fits(numbers + wishedInspector);
      if (both || (!wish.inspector && column.fits(numbers)) || !column.fits(inspect))
        if (column.fits(numbers)) layout.statistics = column.take(numbers);
      if (wish.inspector && column.fits(inspect)) layout.inspector = column.take(inspect);
      const float hint = panelHeight(panelLines::hints, em);
      if (wish.hints && column.fits(hint)) {
        layout.hints = column.take(hint);
        layout.hints.y = height - gap - hint;
      }
    }
  }

  // The frame panel at the bottom, its history only where the scene keeps half of the height
  const float frameWidth = (layout.levels.shown() ? column.x : width) - 2.0f * gap;
  const float tall = panelHeight(panelLines::framePlain + panelLines::strip, em);
  const float flat =
      panelHeight(wish.mode == OverlayMode::Compact ? 2 : panelLines::framePlain, em);
  layout.strip = wish.mode == OverlayMode::Full && tall < 0.42f * height;
  const float frameHeight = layout.strip ? tall : flat;
  if (layout.status.bottom() + gap + frameHeight < height)
    layout.frame = {
        gap, height - gap - frameHeight,
        wish.mode == OverlayMode::Compact ? std::min(frameWidth, 64.0f * em) : frameWidth,
        frameHeight};
  return layout;
}

}  // namespace nearmiss::app
