// SPDX-License-Identifier: MIT
#include "fly/overlay/layout.h"

#include <algorithm>
#include <array>
#include <optional>
#include <span>

#include "fly/overlay/panels.h"

namespace nearmiss::app::fly {
namespace {

/// Maximum fraction of the window for the panels of a flight, including the status bar.
constexpr float maxShareOfWindow = 0.2f;

/// The contents of the right column, from most to least; the levels are always included.
struct ColumnPlan {
  bool detection, statistics, inspector;
};

constexpr std::array withInspector{ColumnPlan{true, true, true}, ColumnPlan{true, false, true},
                                   ColumnPlan{false, true, true}, ColumnPlan{false, false, true},
                                   ColumnPlan{false, false, false}};
constexpr std::array withoutInspector{ColumnPlan{true, true, false}, ColumnPlan{true, false, false},
                                      ColumnPlan{false, true, false},
                                      ColumnPlan{false, false, false}};

/// The variants of the frame panel, likewise: height in lines and minimum width in letters.
struct FramePlan {
  int lines;
  float width;
  bool strip;
};
/// Lines of the plot in the frame panel, and of a half's panel without details.
constexpr int stripLines = 4, halfCompactLines = 2;
constexpr std::array framePlans{FramePlan{linesOf(Panel::Frame) + stripLines, 48.0f, true},
                                FramePlan{linesOf(Panel::Frame), 34.0f, false},
                                FramePlan{2, 24.0f, false}};

/// Heights of the column's panels from top to bottom; 0: not shown.
std::array<float, 3> heightsOf(const ColumnPlan& plan, float em) noexcept {
  const auto height = [em](bool shown, Panel panel) {
    return shown ? panelHeight(linesOf(panel), em) : 0.0f;
  };
  return {panelHeight(linesOf(Panel::Levels) + (plan.detection ? int{detectionLines} : 0), em),
          height(plan.statistics, Panel::Statistics), height(plan.inspector, Panel::Inspector)};
}

void fillColumn(Layout& layout, const Rect& column, float em, const ColumnPlan& plan) {
  const float gap = 0.5f * em;
  const auto [first, second, third] = heightsOf(plan, em);
  float top = column.y;
  const auto take = [&](float height) {
    const Rect rect{column.x, top, column.width, height};
    if (height > 0.0f) top += height + gap;
    return rect;
  };
  layout[Panel::Levels] = take(first);
  layout.levelsInFull = plan.detection;
  layout[Panel::Statistics] = take(second);
  layout[Panel::Inspector] = take(third);
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
    layout[Panel::Frame] = {gap, height - gap - high, compact ? std::min(wide, 64.0f * em) : wide,
                            high};
    return plan;
  }
  return std::nullopt;
}

/// Width of the panels on the left, in letters.
constexpr float leftWidth = 22.0f;

/// Area of the mode panels, square pixels.
float areaOfModes(float width, float em, const LayoutRequest& request) {
  float area = 0.0f;
  for (const PanelRow& row : panelTable)
    if (request.wants(row.panel) && row.panel != Panel::Tour &&
        (row.panel == Panel::Replay || row.side == PanelSide::Left))
      area += (row.side == PanelSide::Left ? leftWidth * em : width) * panelHeight(row.lines, em);
  return area;
}

/// Places the column and the frame panel in the best variants that fit in a fifth of the window;
/// `above` is the top of the scene. Returns the variant of the frame panel, if any.
std::optional<FramePlan> placePanels(Layout& layout, float width, float height, float above,
                                     float em, const LayoutRequest& request) {
  const float gap = 0.5f * em, wide = 19.5f * em;
  const float top = layout[Panel::Status].bottom() + gap;
  const Rect column{width - wide - gap, top, wide, height - gap - top};
  const float room = maxShareOfWindow * width * height - width * layout[Panel::Status].height -
                     areaOfModes(width, em, request);
  const std::span<const ColumnPlan> plans = request.wants(Panel::Inspector)
                                                ? std::span<const ColumnPlan>(withInspector)
                                                : withoutInspector;
  // The column leaves more than half of the width to the scene
  const bool beside = request.mode == OverlayMode::Full && wide < 0.45f * width;
  for (const ColumnPlan& plan : plans) {
    if (!beside) continue;
    float filled = 0.0f, tall = -gap;
    for (const float each : heightsOf(plan, em)) {
      filled += each;
      tall += each > 0.0f ? each + gap : 0.0f;
    }
    if (tall > column.height) continue;
    const auto frame = placeFrame(layout, height, above, em, request.mode, column.x - 2.0f * gap,
                                  room - filled * wide);
    if (!frame) continue;
    fillColumn(layout, column, em, plan);
    return frame;
  }
  return placeFrame(layout, height, above, em, request.mode, width - 2.0f * gap, room);
}

Layout ofOne(float width, float height, float em, const LayoutRequest& request) {
  Layout layout;
  layout.scene = {0.0f, 0.0f, width, height};
  if (request.mode == OverlayMode::Off) return layout;
  const float gap = 0.5f * em;
  layout[Panel::Status] = {0.0f, 0.0f, width, 1.9f * em};
  const float top = layout[Panel::Status].bottom() + gap;
  const float replayHigh = panelHeight(linesOf(Panel::Replay), em);
  const float above =
      request.wants(Panel::Replay) ? top + replayHigh : layout[Panel::Status].bottom();
  std::optional<FramePlan> frame;
  if (!request.folded) frame = placePanels(layout, width, height, above, em, request);
  const float right = layout[Panel::Levels].shown() ? layout[Panel::Levels].x - gap : width;

  // As wide as possible
  if (request.wants(Panel::Replay))
    layout[Panel::Replay] = {gap, top, right - (layout[Panel::Levels].shown() ? gap : 2.0f * gap),
                             replayHigh};
  layout.scene = {0.0f, above, right, height - above};
  if (!frame) return layout;
  layout.scene.height = layout[Panel::Frame].y - above;
  if (!frame->strip) return layout;
  // Space for the scale on the left and the labels on the right
  const float plain = panelHeight(linesOf(Panel::Frame), em) - 0.1f * em;
  const float scale = 4.6f * em, names = 4.4f * em;
  layout.plot = {layout[Panel::Frame].x + scale, layout[Panel::Frame].y + plain,
                 layout[Panel::Frame].width - scale - names,
                 layout[Panel::Frame].height - plain - 0.7f * em};
  return layout;
}

/// The player's face: one panel below, in the middle.
Layout ofPlayer(float width, float height, float em, const LayoutRequest& request) {
  Layout layout;
  const float gap = 0.5f * em, high = panelHeight(linesOf(Panel::Player), em);
  const float wide = std::min(44.0f * em, width - 2.0f * gap);
  layout[Panel::Player] = {0.5f * (width - wide), height - gap - high, wide, high};
  const float replay = panelHeight(linesOf(Panel::Replay), em);
  if (request.wants(Panel::Replay)) layout[Panel::Replay] = {gap, gap, width - 2.0f * gap, replay};
  const float above = layout[Panel::Replay].bottom();
  layout.scene = {0.0f, above, width, layout[Panel::Player].y - above};
  return layout;
}

/// Lower end of the panels on the left.
float floorOf(const Layout& layout, float height) noexcept {
  return layout[Panel::Frame].shown()    ? layout[Panel::Frame].y
         : layout[Panel::Player].shown() ? layout[Panel::Player].y
                                         : height;
}

Layout ofTwo(float width, float height, float em, const LayoutRequest& request) {
  Layout layout;
  layout.scene = {0.0f, 0.0f, width, height};
  if (request.mode == OverlayMode::Off) return layout;
  const float gap = 0.5f * em, half = 0.5f * width;
  layout[Panel::Status] = {0.0f, 0.0f, width, 1.9f * em};
  const float top = layout[Panel::Status].bottom() + gap;
  if (request.folded) {
    layout.scene = {0.0f, layout[Panel::Status].bottom(), width,
                    height - layout[Panel::Status].bottom()};
    return layout;
  }
  const float tall = panelHeight(linesOf(Panel::LeftHalf), em);
  const float flat = panelHeight(halfCompactLines, em);
  const bool room =
      (layout[Panel::Status].height + tall) * width <= maxShareOfWindow * width * height;
  const float high = request.mode == OverlayMode::Full && room ? tall : flat;
  layout[Panel::LeftHalf] = {gap, top, half - 2.0f * gap, high};
  layout[Panel::RightHalf] = {half + gap, top, half - 2.0f * gap, high};
  layout.scene = {0.0f, top + high, width, height - top - high};
  return layout;
}

/// Places a panel on the left, below the panels that are there. In a split view it stays in one of
/// the halves.
void placeLeft(Layout& layout, float width, float height, float em, const PanelRow& row,
               const LayoutRequest& request) {
  const bool split = request.wants(Panel::LeftHalf);
  const bool lower = split && row.inSplit == PlaceInSplit::BottomRight;
  const float gap = 0.5f * em, left = lower ? 0.5f * width + gap : gap;
  const float right = split && !lower                 ? 0.5f * width
                      : layout[Panel::Levels].shown() ? layout[Panel::Levels].x
                                                      : width;
  // Above the strip of a tour
  const Rect& tour = layout[Panel::Tour];
  const float floor = lower && tour.y > 0.5f * height ? std::min(tour.y, floorOf(layout, height))
                                                      : floorOf(layout, height);
  const float above =
      lower ? layout.leftBottom : std::max(layout.leftBottom, layout[Panel::Tour].bottom());
  const float high = panelHeight(row.lines, em);
  const float top = lower ? floor - gap - high : above + gap;
  if (above + high + 2.0f * gap > floor || (!split && top + high > row.lowest * height)) return;
  layout[row.panel] = {left, top, std::min(leftWidth * em, right - left - gap), high};
  if (!lower) layout.leftBottom = top + high;
}

/// As tall as its text; figures only if there is space. In a split view, a strip along the lower
/// edge, so that both halves show the ships.
void placeTour(Layout& layout, float width, float height, float em,
               const LayoutRequest& request) noexcept {
  const float gap = 0.5f * em, above = layout.leftBottom;
  const float floor = floorOf(layout, height) - gap;
  if (request.wants(Panel::LeftHalf) && width - 2.0f * gap >= tourStripEms * em) {
    const float high = panelHeight(linesOf(Panel::Tour) - 3, em);
    if (floor - high > above) layout[Panel::Tour] = {gap, floor - high, width - 2.0f * gap, high};
    return;
  }
  const float right = request.wants(Panel::LeftHalf)  ? 0.5f * width
                      : layout[Panel::Levels].shown() ? layout[Panel::Levels].x
                                                      : width;
  const float text = panelHeight(linesOf(Panel::Tour), em);
  const float all = text + em * request.tourFigureEms;
  const float high = std::min(all, floor - above - gap);
  if (high < std::min(text, 5.0f * em)) return;
  layout[Panel::Tour] = {gap, above + gap, std::min(21.0f * em, right - 2.0f * gap), high};
}

/// On the left, between the panels above and the frame panel. Removes the frame panel if too little
/// height is left, and the right column if the scene would be hidden.
void placeControls(Layout& layout, float width, float height, float em) noexcept {
  const float gap = 0.5f * em, wide = 25.0f * em, least = 14.0f * em;
  Rect& scene = layout.scene;
  if (scene.height < least + 2.0f * gap) {
    scene.height = height - scene.y;
    layout[Panel::Frame] = layout[Panel::Player] = layout.plot = {};
  }
  if (scene.width < wide + least) {
    scene.width = width;
    layout[Panel::Levels] = layout[Panel::Statistics] = layout[Panel::Inspector] = {};
    layout.levelsInFull = false;
  }
  layout[Panel::Controls] = {gap, scene.y + gap, std::min(wide, scene.width - 2.0f * gap),
                             std::min(26.0f * em, scene.height - 2.0f * gap)};
}

/// Returns the part of the scene beside the panels on the left and right that reach below two
/// fifths of the height. If that is too narrow, the ship stays in the middle, behind panels.
Rect cameraArea(const Layout& layout, float width, float height) noexcept {
  constexpr float tall = 0.4f, least = 0.3f, most = 0.5f;  // of the height; of the width
  float left = 0.0f, right = width;
  for (const PanelRow& row : panelTable) {
    const Rect& panel = layout[row.panel];
    // The panel of a tour may be a strip below
    if (!panel.shown() || panel.bottom() <= tall * height || panel.width > most * width) continue;
    if (row.side == PanelSide::Column) right = std::min(right, panel.x);
    if (row.side == PanelSide::Left || row.side == PanelSide::Controls)
      left = std::max(left, panel.right());
  }
  if (right - left < least * width) return {0.0f, layout.scene.y, width, layout.scene.height};
  return {left, layout.scene.y, right - left, layout.scene.height};
}

}  // namespace

Layout layOut(float width, float height, float em, const LayoutRequest& request) noexcept {
  LayoutRequest placed = request;
  for (const PanelRow& row : panelTable)
    if (row.side == PanelSide::Left && request.wants(Panel::Controls))
      placed.wanted.reset(static_cast<std::size_t>(row.panel));
  const bool split = placed.wants(Panel::LeftHalf), tour = placed.wants(Panel::Tour);
  const bool player = placed.mode == OverlayMode::Player && !split;
  Layout layout = split    ? ofTwo(width, height, em, placed)
                  : player ? ofPlayer(width, height, em, placed)
                           : ofOne(width, height, em, placed);
  if (placed.wants(Panel::Controls)) placeControls(layout, width, height, em);
  layout.leftBottom = std::max({layout[Panel::Status].bottom(), layout[Panel::Replay].bottom(),
                                layout[Panel::LeftHalf].bottom()});
  for (const PanelRow& row : panelTable) {
    if (row.side != PanelSide::Left || !placed.wants(row.panel)) continue;
    if (row.panel == Panel::Tour)
      placeTour(layout, width, height, em, placed);
    else if (placed.mode != OverlayMode::Off && !player && !placed.folded &&
             (row.withTour || !tour) && (row.inSplit != PlaceInSplit::None || !split))
      placeLeft(layout, width, height, em, row, placed);
  }
  layout.camera = cameraArea(layout, width, height);
  return layout;
}

}  // namespace nearmiss::app::fly
