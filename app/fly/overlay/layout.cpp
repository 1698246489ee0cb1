// SPDX-License-Identifier: MIT
#include "fly/overlay/layout.h"

#include <algorithm>
#include <array>
#include <span>

namespace nearmiss::app::fly {
namespace {

/// The contents that the column on the right may have, from the best to the poorest.
struct ColumnPlan {
  bool detection, statistics, inspector, hints;
};

constexpr std::array withInspector{
    ColumnPlan{true, true, true, true},    ColumnPlan{true, true, true, false},
    ColumnPlan{false, true, true, false},  ColumnPlan{true, true, false, false},
    ColumnPlan{false, true, false, false}, ColumnPlan{false, false, false, false}};
constexpr std::array withoutInspector{
    ColumnPlan{true, true, false, true}, ColumnPlan{true, true, false, false},
    ColumnPlan{false, true, false, false}, ColumnPlan{false, false, false, false}};

void fillColumn(Layout& layout, const Rect& column, float em, const LayoutWish& wish) {
  using namespace panelLines;
  const float gap = 0.5f * em;
  const std::span<const ColumnPlan> plans =
      wish.inspector ? std::span<const ColumnPlan>(withInspector) : withoutInspector;
  for (const ColumnPlan& plan : plans) {
    if (plan.hints && !wish.hints) continue;
    const float first = panelHeight(plan.detection ? levels + detection : levels, em);
    const float second = plan.statistics ? panelHeight(statistics, em) : 0.0f;
    const float third = plan.inspector ? panelHeight(inspector, em) : 0.0f;
    const float last = plan.hints ? panelHeight(hints, em) : 0.0f;
    float total = first;
    for (const float height : {second, third, last}) total += height > 0.0f ? height + gap : 0.0f;
    if (total > column.height) continue;

    float top = column.y;
    const auto take = [&](float height) {
      const Rect rect{column.x, top, column.width, height};
      if (height > 0.0f) top += height + gap;
      return rect;
    };
    layout.levels = take(first);
    layout.levelsInFull = plan.detection;
    layout.statistics = take(second);
    layout.inspector = take(third);
    if (plan.hints) layout.hints = {column.x, column.bottom() - last, column.width, last};
    return;
  }
}

Layout withoutRun(float width, float height, float em, const LayoutWish& wish) noexcept {
  Layout layout;
  layout.scene = {0.0f, 0.0f, width, height};
  if (wish.mode == OverlayMode::Off) return layout;
  const float gap = 0.5f * em;
  layout.status = {0.0f, 0.0f, width, 1.9f * em};

  // The column on the right, if it leaves more than half of the window to the scene
  const float columnWidth = 19.5f * em, columnX = width - columnWidth - gap;
  if (wish.mode == OverlayMode::Full && columnWidth < 0.45f * width) {
    const float top = layout.status.bottom() + gap;
    fillColumn(layout, {columnX, top, columnWidth, height - gap - top}, em, wish);
  }

  // Below the status bar at the left, where nothing else stands
  if (wish.growing && wish.tour == 0) {
    const float top = layout.status.bottom() + gap;
    const float wide = std::min(22.0f * em, width - 2.0f * gap);
    const float high = panelHeight(panelLines::growing, em);
    if (top + high < 0.4f * height) layout.growing = {gap, top, wide, high};
  }

  // A replay's bar there, as wide as it can be
  const float left = (layout.levels.shown() ? columnX : width) - 2.0f * gap;
  if (wish.replay)
    layout.replay = {gap, layout.status.bottom() + gap, left, panelHeight(panelLines::replay, em)};

  // The frame panel at the bottom, its history only where the scene keeps half of the height
  const float tall = panelHeight(panelLines::framePlain + panelLines::strip, em);
  const float flat =
      panelHeight(wish.mode == OverlayMode::Compact ? 2 : panelLines::framePlain, em);
  const bool strip = wish.mode == OverlayMode::Full && tall < 0.42f * height;
  const float frameHeight = strip ? tall : flat;
  const float above = std::max(layout.status.bottom(), layout.replay.bottom());
  layout.scene = {0.0f, above, layout.levels.shown() ? columnX - gap : width, height - above};
  if (above + gap + frameHeight >= height) return layout;
  layout.frame = {gap, height - gap - frameHeight, left, frameHeight};
  layout.scene.height = layout.frame.y - above;
  if (wish.mode == OverlayMode::Compact)
    layout.frame.width = std::min(layout.frame.width, 64.0f * em);
  if (strip) {
    // Room for the scale at its left and for the names of the lines at its right
    const float plain = panelHeight(panelLines::framePlain, em) - 0.1f * em;
    const float scale = 4.6f * em, names = 4.4f * em;
    layout.plot = {layout.frame.x + scale, layout.frame.y + plain,
                   layout.frame.width - scale - names, frameHeight - plain - 0.7f * em};
  }
  return layout;
}

Layout ofTwo(float width, float height, float em, const LayoutWish& wish) noexcept {
  Layout layout;
  layout.scene = {0.0f, 0.0f, width, height};
  if (wish.mode == OverlayMode::Off) return layout;
  const float gap = 0.5f * em, half = 0.5f * width;
  layout.status = {0.0f, 0.0f, width, 1.9f * em};
  const float top = layout.status.bottom() + gap;
  const float tall = panelHeight(panelLines::half, em);
  const float flat = panelHeight(panelLines::halfCompact, em);
  const float high = wish.mode == OverlayMode::Full && tall < 0.3f * height ? tall : flat;
  for (std::size_t i = 0; i < layout.halves.size(); ++i)
    layout.halves[i] = {static_cast<float>(i) * half + gap, top, half - 2.0f * gap, high};
  const float above = top + high;
  layout.scene = {0.0f, above, width, height - above};
  const float wide = std::min(22.0f * em, half - 2.0f * gap);
  const float growing = panelHeight(panelLines::growing, em);
  if (wish.growing && wish.tour == 0 && growing + gap < 0.5f * layout.scene.height)
    layout.growing = {gap, above + gap, wide, growing};
  return layout;
}

/// At the left under all that is above it; of a split view at the right half's foot.
void placeGhost(Layout& layout, float width, float height, float em, bool split) noexcept {
  const float gap = 0.5f * em, left = split ? 0.5f * width + gap : gap;
  const float above = std::max({layout.status.bottom(), layout.growing.bottom(),
                                layout.replay.bottom(), layout.run.bottom(),
                                layout.halves[0].bottom(), split ? 0.0f : layout.tour.bottom()});
  const float floor = layout.frame.shown() ? layout.frame.y : height;
  const float right = layout.levels.shown() ? layout.levels.x : width;
  const float wide = std::min(22.0f * em, right - left - gap);
  const float high = panelHeight(panelLines::ghost, em);
  const float top = split ? floor - gap - high : above + gap;
  if (above + high + 2.0f * gap <= floor) layout.ghost = {left, top, wide, high};
}

/// At the left as the others are, but as tall as its text needs; its figures where there is room.
void placeTour(Layout& layout, float width, float height, float em,
               const LayoutWish& wish) noexcept {
  const float gap = 0.5f * em;
  const float above = std::max(layout.status.bottom(), layout.halves[0].bottom());
  const float floor = (layout.frame.shown() ? layout.frame.y : height) - gap;
  const float right = wish.split ? 0.5f * width : layout.levels.shown() ? layout.levels.x : width;
  const float wide = std::min(21.0f * em, right - 2.0f * gap);
  const float text = panelHeight(panelLines::tour, em);
  const float all = text + 2.54f * em * static_cast<float>(wish.tour - 1);
  const float high = std::min(all, floor - above - gap);
  if (high >= std::min(text, 5.0f * em)) layout.tour = {gap, above + gap, wide, high};
}

void placeRun(Layout& layout, float width, float height, float em) noexcept {
  // At the left, between what is above and the frame panel
  const float gap = 0.5f * em;
  const float above =
      std::max({layout.status.bottom(), layout.growing.bottom(), layout.replay.bottom()});
  const float floor = layout.frame.shown() ? layout.frame.y : height;
  const float wide = std::min(22.0f * em, width - 2.0f * gap);
  const float high = panelHeight(panelLines::run, em);
  if (above + high + 2.0f * gap <= floor) layout.run = {gap, above + gap, wide, high};
}

/// At the left, between what is above and the frame panel. That gives way where it leaves too
/// little, and the column on the right where nothing would be seen of the scene.
void placeControls(Layout& layout, float width, float height, float em) noexcept {
  const float gap = 0.5f * em, wide = 25.0f * em, least = 14.0f * em;
  Rect& scene = layout.scene;
  if (scene.height < least + 2.0f * gap) {
    scene.height = height - scene.y;
    layout.frame = layout.plot = {};
  }
  if (scene.width < wide + least) {
    scene.width = width;
    layout.levels = layout.statistics = layout.inspector = layout.hints = {};
    layout.levelsInFull = false;
  }
  layout.controls = {gap, scene.y + gap, std::min(wide, scene.width - 2.0f * gap),
                     std::min(26.0f * em, scene.height - 2.0f * gap)};
  // Marks of flight stand beside it where they can
  const float left = layout.controls.right() + gap;
  if (left < 0.75f * scene.width) scene = {left, scene.y, scene.width - left, scene.height};
}

}  // namespace

Layout layOut(float width, float height, float em, const LayoutWish& wish) noexcept {
  LayoutWish others = wish;
  if (wish.controls) others.growing = others.run = others.ghost = false, others.tour = 0;
  Layout layout =
      wish.split ? ofTwo(width, height, em, others) : withoutRun(width, height, em, others);
  if (wish.controls) placeControls(layout, width, height, em);
  if (others.tour > 0) placeTour(layout, width, height, em, others);
  if (wish.mode == OverlayMode::Off) return layout;
  if (others.run && others.tour == 0 && !wish.split) placeRun(layout, width, height, em);
  if (others.ghost) placeGhost(layout, width, height, em, wish.split);
  return layout;
}

}  // namespace nearmiss::app::fly
