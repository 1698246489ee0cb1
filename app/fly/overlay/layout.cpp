// SPDX-License-Identifier: MIT
#include "fly/overlay/layout.h"

#include <algorithm>
#include <array>
#include <optional>
#include <span>

namespace nearmiss::app::fly {
namespace {

/// Maximum fraction of the window for the panels of a flight, including the status bar.
constexpr float maxShareOfWindow = 0.2f;

/// The contents of the right column, from most to least; the levels are always included.
struct ColumnPlan {
  bool detection, statistics, inspector, hints;
};

constexpr std::array withInspector{
    ColumnPlan{true, true, true, true},    ColumnPlan{true, true, true, false},
    ColumnPlan{true, false, true, false},  ColumnPlan{false, true, true, false},
    ColumnPlan{false, false, true, false}, ColumnPlan{false, false, false, false}};
constexpr std::array withoutInspector{
    ColumnPlan{true, true, false, true},   ColumnPlan{true, false, false, true},
    ColumnPlan{false, false, false, true}, ColumnPlan{true, true, false, false},
    ColumnPlan{true, false, false, false}, ColumnPlan{false, true, false, false},
    ColumnPlan{false, false, false, false}};

/// The variants of the frame panel, likewise: height in lines and minimum width in letters.
struct FramePlan {
  int lines;
  float width;
  bool strip;
};
constexpr std::array framePlans{FramePlan{panelLines::framePlain + panelLines::strip, 48.0f, true},
                                FramePlan{panelLines::framePlain, 34.0f, false},
                                FramePlan{2, 24.0f, false}};

/// Heights of the column's panels from top to bottom, hints last; 0: not shown.
std::array<float, 4> heightsOf(const ColumnPlan& plan, float em) noexcept {
  using namespace panelLines;
  return {panelHeight(plan.detection ? levels + detection : levels, em),
          plan.statistics ? panelHeight(statistics, em) : 0.0f,
          plan.inspector ? panelHeight(inspector, em) : 0.0f,
          plan.hints ? panelHeight(hints, em) : 0.0f};
}

void fillColumn(Layout& layout, const Rect& column, float em, const ColumnPlan& plan) {
  const float gap = 0.5f * em;
  const auto [first, second, third, last] = heightsOf(plan, em);
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
}

/// Places the frame panel in the best variant that fits between `above` and the bottom of the
/// window, with a maximum width `most` and a maximum area. The plot needs a scene of at least half
/// the height.
std::optional<FramePlan> placeFrame(Layout& layout, float height, float above, float em,
                                    OverlayMode mode, float most, float area) {
  const float gap = 0.5f * em;
  for (const FramePlan& plan : framePlans) {
    const float high = panelHeight(plan.lines, em);
    const float wide = std::min(most, area / high);
    const bool compact = mode == OverlayMode::Compact;
    if ((compact && plan.lines > 2) || (plan.strip && high >= 0.42f * height)) continue;
    if (wide < plan.width * em || above + gap + high >= height) continue;
    layout.frame = {gap, height - gap - high, compact ? std::min(wide, 64.0f * em) : wide, high};
    return plan;
  }
  return std::nullopt;
}

/// Area of the mode panels, square pixels.
float areaOfModes(float width, float em, const LayoutWish& wish) noexcept {
  using namespace panelLines;
  const float wide = 22.0f * em;
  float area = wish.replay ? width * panelHeight(replay, em) : 0.0f;
  if (wish.run) area += wide * panelHeight(run, em);
  if (wish.ghost) area += wide * panelHeight(ghost, em);
  if (wish.growing) area += wide * panelHeight(growing, em);
  return area;
}

/// Places the column and the frame panel in the best variants that fit in a fifth of the window;
/// `above` is the top of the scene. Returns the variant of the frame panel, if any.
std::optional<FramePlan> placePanels(Layout& layout, float width, float height, float above,
                                     float em, const LayoutWish& wish) {
  const float gap = 0.5f * em, wide = 19.5f * em;
  const float top = layout.status.bottom() + gap;
  const Rect column{width - wide - gap, top, wide, height - gap - top};
  const float room = maxShareOfWindow * width * height - width * layout.status.height -
                     areaOfModes(width, em, wish);
  const std::span<const ColumnPlan> plans =
      wish.inspector ? std::span<const ColumnPlan>(withInspector) : withoutInspector;
  // The column leaves more than half of the width to the scene
  const bool beside = wish.mode == OverlayMode::Full && wide < 0.45f * width;
  for (const ColumnPlan& plan : plans) {
    if (!beside || (plan.hints && !wish.hints)) continue;
    float filled = 0.0f, tall = -gap;
    for (const float each : heightsOf(plan, em)) {
      filled += each;
      tall += each > 0.0f ? each + gap : 0.0f;
    }
    if (tall > column.height) continue;
    const auto frame = placeFrame(layout, height, above, em, wish.mode, column.x - 2.0f * gap,
                                  room - filled * wide);
    if (!frame) continue;
    fillColumn(layout, column, em, plan);
    return frame;
  }
  return placeFrame(layout, height, above, em, wish.mode, width - 2.0f * gap, room);
}

Layout withoutRun(float width, float height, float em, const LayoutWish& wish) noexcept {
  Layout layout;
  layout.scene = {0.0f, 0.0f, width, height};
  if (wish.mode == OverlayMode::Off) return layout;
  const float gap = 0.5f * em;
  layout.status = {0.0f, 0.0f, width, 1.9f * em};
  const float top = layout.status.bottom() + gap;
  const float replayHigh = panelHeight(panelLines::replay, em);
  const float above = wish.replay ? top + replayHigh : layout.status.bottom();
  std::optional<FramePlan> frame;
  if (!wish.folded) frame = placePanels(layout, width, height, above, em, wish);
  const float right = layout.levels.shown() ? layout.levels.x - gap : width;

  // Below the status bar on the left, if that is free
  if (wish.growing && wish.tour == 0 && !wish.folded) {
    const float wide = std::min(22.0f * em, width - 2.0f * gap);
    const float high = panelHeight(panelLines::growing, em);
    if (top + high < 0.4f * height) layout.growing = {gap, top, wide, high};
  }

  // Or a replay's bar, as wide as possible
  if (wish.replay)
    layout.replay = {gap, top, right - (layout.levels.shown() ? gap : 2.0f * gap), replayHigh};
  layout.scene = {0.0f, above, right, height - above};
  if (!frame) return layout;
  layout.scene.height = layout.frame.y - above;
  if (!frame->strip) return layout;
  // Space for the scale on the left and the labels on the right
  const float plain = panelHeight(panelLines::framePlain, em) - 0.1f * em;
  const float scale = 4.6f * em, names = 4.4f * em;
  layout.plot = {layout.frame.x + scale, layout.frame.y + plain, layout.frame.width - scale - names,
                 layout.frame.height - plain - 0.7f * em};
  return layout;
}

Layout ofTwo(float width, float height, float em, const LayoutWish& wish) noexcept {
  Layout layout;
  layout.scene = {0.0f, 0.0f, width, height};
  if (wish.mode == OverlayMode::Off) return layout;
  const float gap = 0.5f * em, half = 0.5f * width;
  layout.status = {0.0f, 0.0f, width, 1.9f * em};
  const float top = layout.status.bottom() + gap;
  if (wish.folded) {
    layout.scene = {0.0f, layout.status.bottom(), width, height - layout.status.bottom()};
    return layout;
  }
  const float tall = panelHeight(panelLines::half, em);
  const float flat = panelHeight(panelLines::halfCompact, em);
  const bool room = (layout.status.height + tall) * width <= maxShareOfWindow * width * height;
  const float high = wish.mode == OverlayMode::Full && room ? tall : flat;
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

/// On the left below everything else; in a split view at the bottom of the right half.
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

/// On the left like the others, but as tall as its text; figures only if there is space.
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
  // On the left, between the panels above and the frame panel
  const float gap = 0.5f * em;
  const float above =
      std::max({layout.status.bottom(), layout.growing.bottom(), layout.replay.bottom()});
  const float floor = layout.frame.shown() ? layout.frame.y : height;
  const float wide = std::min(22.0f * em, width - 2.0f * gap);
  const float high = panelHeight(panelLines::run, em);
  if (above + high + 2.0f * gap <= floor) layout.run = {gap, above + gap, wide, high};
}

/// On the left, between the panels above and the frame panel. Removes the frame panel if too little
/// height is left, and the right column if the scene would be hidden.
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
  // Move flight markers next to it if possible
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
  if (wish.mode == OverlayMode::Off || wish.folded) return layout;
  if (others.run && others.tour == 0 && !wish.split) placeRun(layout, width, height, em);
  if (others.ghost) placeGhost(layout, width, height, em, wish.split);
  return layout;
}

}  // namespace nearmiss::app::fly
