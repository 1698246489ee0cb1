// SPDX-License-Identifier: MIT
/// The table of panels: where each is placed, when it is wanted, and the function that draws it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "fly/overlay/ink.h"
#include "fly/overlay/overlay.h"
#include "fly/overlay/text_page.h"

namespace nearmiss::app::fly {

/// Draws detector, scene, target, pace, seed, recording and warnings; also the progress of trees,
/// the points of a run and the counts of contacts, if `layout` has no panel for them.
void drawStatusBar(const Ink& ink, const Layout& layout, const OverlayView& view,
                   const ShownNumbers& shown);

/// Draws the time of the frame by phase, and detection on its own scale. If `plot` is shown, draws
/// the last 400 frames on a log axis there.
void drawFramePanel(const Ink& ink, const Rect& rect, const OverlayView& view,
                    const ShownNumbers& shown, const Rect& plot);

/// Draws both bars: the phases against the target, and detection against its budget; `budget`
/// describes the rule.
void drawFrameBars(const Ink& ink, const Rect& frame, const Rect& detection,
                   const ShownNumbers& shown, std::string_view budget);

/// Formats the simulation speed and frame rate; dashes while paused.
[[nodiscard]] std::string paceText(const OverlayView& view, const ShownNumbers& shown);
/// Formats a time; a dash if it is unknown.
[[nodiscard]] std::string timeText(std::optional<double> milliseconds);

/// Draws the detector and the frame times of one half of a split view.
void drawHalfPanel(const Ink& ink, const Rect& rect, const HalfView& half);

/// A detection figure of the level panel.
struct DetectionRow {
  std::string_view name;
  std::string value;
  Rgb colour = palette::text;
};
/// One line of a panel: a heading, one figure, or two figures next to each other.
struct DetectionLine {
  DetectionRow left;
  DetectionRow right = {};  ///< without a name: none
  bool heading = false;     ///< `left.name` heads the next lines
};
/// Lines of the figures in the level panel: those of the last frames, then those of this frame.
inline constexpr std::size_t detectionLines = 9;
[[nodiscard]] std::array<DetectionLine, detectionLines> detectionFigures(const OverlayView& view,
                                                                         const ShownNumbers& shown);
/// Lines of the statistics panel: frame times, then counts.
[[nodiscard]] std::array<DetectionLine, 7> statisticFigures(const ShownNumbers& shown);

/// Draws collisions by level; `inFull`: also bounds, budget and work.
void drawLevelPanel(const Ink& ink, const Rect& rect, const OverlayView& view,
                    const ShownNumbers& shown, bool inFull);

/// Draws times and counts since the last reset.
void drawStatisticsPanel(const Ink& ink, const Rect& rect, const ShownNumbers& shown);

/// Describes contact points, such as "4 points, 1.20 cm deep" or "1 point, gap 3.00 mm".
/// @param known false: writes "depth unknown" instead of the depth
[[nodiscard]] std::string contactWords(std::span<const ManifoldPoint> points, bool known,
                                       std::string (*lengthText)(double metres));

void drawPairInspector(const Ink& ink, const Rect& rect, const OverlayView& view);

/// Draws the build in progress, and the key to stop it.
void drawBuild(const Ink& ink, const Rect& rect, const OverlayView& view);

/// Draws the position in a recorded session and its collisions.
void drawReplayBar(const Ink& ink, const Rect& rect, const ReplayView& view,
                   const ShownNumbers& shown);
/// Returns the number of frames flown at that pixel of the bar.
[[nodiscard]] std::uint64_t replayFrameAt(const Rect& rect, float em, const ReplayView& view,
                                          float x) noexcept;

/// Draws all numbers of one frame and all settings in the centre of the window. Clamps `scroll`, in
/// lines.
void drawNumbersTable(const Ink& ink, float width, float height, const OverlayView& view,
                      const ShownNumbers& shown, float& scroll);

/// The rows of that table.
[[nodiscard]] std::vector<PageGroup> numberGroups(const OverlayView& view,
                                                  const ShownNumbers& shown);
/// The keys that match `search`; if it is empty, five keys to start with and then all.
[[nodiscard]] std::vector<PageGroup> helpGroups(std::string_view search = {});
/// Three lines that explain the screen to newcomers.
[[nodiscard]] PageGroup introduction();

/// Draws the table of keys; clamps `scroll` likewise.
void drawHelp(const Ink& ink, float width, float height, std::string_view search, float& scroll);

/// Draws the mouse's virtual stick around the centre of the window.
void drawStick(const Ink& ink, float width, float height, const UiState& ui);

/// Draws the sentence, and below it speed, threat and score.
void drawPlayerPanel(const Ink& ink, const Rect& rect, const PlayerView& player);

void drawRunPanel(const Ink& ink, const Rect& rect, const RunView& run);

/// Draws the result in the centre of the window; clamps `scroll`, in lines.
void drawRunEnd(const Ink& ink, float width, float height, const RunEndView& end, float& scroll);

/// Least width of a tour's panel with text, figures and slider side by side, in letters.
inline constexpr float tourStripEms = 62.0f;
/// Area of the slider in the tour's panel, which takes the mouse.
[[nodiscard]] Rect tourSliderArea(const Rect& panel, float em) noexcept;
/// Returns the height of the figures and the slider, in letters.
[[nodiscard]] float tourFigureEms(const TourView& tour) noexcept;
/// Draws the figures only if `rect` has space for them.
void drawTourPanel(const Ink& ink, const Rect& rect, const TourView& tour);

/// Draws the current distances and their history.
void drawGhostPanel(const Ink& ink, const Rect& rect, const GhostView& ghost);

/// In the order of panelTable.
enum class Panel : std::uint8_t {
  Status,
  Replay,
  LeftHalf,
  RightHalf,
  Frame,
  Levels,
  Statistics,
  Inspector,
  Player,
  Controls,
  Build,
  Run,
  Tour,
  Ghost
};

/// Where a panel is placed. Panels on the left are stacked in the order of the table. An open
/// control panel replaces them.
enum class PanelSide : std::uint8_t { Top, Bottom, Column, Left, Controls };
/// Where a panel on the left is placed if two flights are side by side.
enum class PlaceInSplit : std::uint8_t { None, TopLeft, BottomRight };

struct PanelRow {
  Panel panel;
  PanelSide side;
  int lines;  ///< height; 0: it depends on the window
  bool (*wanted)(const OverlayView& view);
  /// Null: ScreenPanels draws it.
  void (*draw)(const Ink& ink, const Layout& layout, const OverlayView& view);
  // Only on the left
  bool withTour = false;  ///< shown below the panel of a tour; otherwise a tour replaces it
  PlaceInSplit inSplit = PlaceInSplit::None;
  /// Maximum lower edge, as a fraction of the window's height; does not hold in a split view.
  float lowest = 1.0f;
};

namespace panel_rows {

inline bool always(const OverlayView&) noexcept { return true; }
inline bool inSplitView(const OverlayView& view) noexcept { return view.modes.halves.has_value(); }

template <Panel panel, std::size_t half>
void drawHalf(const Ink& ink, const Layout& layout, const OverlayView& view) {
  drawHalfPanel(ink, layout[panel], (*view.modes.halves)[half]);
}

}  // namespace panel_rows

inline constexpr std::array panelTable{
    PanelRow{Panel::Status, PanelSide::Top, 0, panel_rows::always,
             [](const Ink& ink, const Layout& layout, const OverlayView& view) {
               drawStatusBar(ink, layout, view, *view.frames.numbers);
             }},
    PanelRow{Panel::Replay, PanelSide::Top, 2,
             [](const OverlayView& view) { return view.modes.replay.has_value(); },
             [](const Ink& ink, const Layout& layout, const OverlayView& view) {
               drawReplayBar(ink, layout[Panel::Replay], *view.modes.replay, *view.frames.numbers);
             }},
    PanelRow{Panel::LeftHalf, PanelSide::Top, 4, panel_rows::inSplitView,
             panel_rows::drawHalf<Panel::LeftHalf, 0>},
    PanelRow{Panel::RightHalf, PanelSide::Top, 4, panel_rows::inSplitView,
             panel_rows::drawHalf<Panel::RightHalf, 1>},
    PanelRow{Panel::Frame, PanelSide::Bottom, 4, panel_rows::always,
             [](const Ink& ink, const Layout& layout, const OverlayView& view) {
               drawFramePanel(ink, layout[Panel::Frame], view, *view.frames.numbers, layout.plot);
             }},
    PanelRow{Panel::Levels, PanelSide::Column, 6, panel_rows::always,
             [](const Ink& ink, const Layout& layout, const OverlayView& view) {
               drawLevelPanel(ink, layout[Panel::Levels], view, *view.frames.numbers,
                              layout.levelsInFull);
             }},
    PanelRow{Panel::Statistics, PanelSide::Column, 8, panel_rows::always,
             [](const Ink& ink, const Layout& layout, const OverlayView& view) {
               drawStatisticsPanel(ink, layout[Panel::Statistics], *view.frames.numbers);
             }},
    PanelRow{Panel::Inspector, PanelSide::Column, 9,
             [](const OverlayView& view) { return view.pair.has_value(); },
             [](const Ink& ink, const Layout& layout, const OverlayView& view) {
               drawPairInspector(ink, layout[Panel::Inspector], view);
             }},
    PanelRow{Panel::Player, PanelSide::Bottom, 2,
             [](const OverlayView& view) { return view.player.has_value(); },
             [](const Ink& ink, const Layout& layout, const OverlayView& view) {
               if (view.player) drawPlayerPanel(ink, layout[Panel::Player], *view.player);
             }},
    PanelRow{Panel::Controls, PanelSide::Controls, 0,
             [](const OverlayView& view) { return view.ui->pages.controls; }, nullptr},
    PanelRow{Panel::Build, PanelSide::Left, 3,
             [](const OverlayView& view) { return view.build.progress != nullptr; },
             [](const Ink& ink, const Layout& layout, const OverlayView& view) {
               drawBuild(ink, layout[Panel::Build], view);
             },
             false, PlaceInSplit::TopLeft, 0.4f},
    PanelRow{Panel::Run, PanelSide::Left, 4,
             [](const OverlayView& view) { return view.modes.run.has_value(); },
             [](const Ink& ink, const Layout& layout, const OverlayView& view) {
               drawRunPanel(ink, layout[Panel::Run], *view.modes.run);
             }},
    PanelRow{Panel::Tour, PanelSide::Left, 9,
             [](const OverlayView& view) { return view.modes.tour.has_value(); },
             [](const Ink& ink, const Layout& layout, const OverlayView& view) {
               drawTourPanel(ink, layout[Panel::Tour], *view.modes.tour);
             },
             true, PlaceInSplit::TopLeft},
    PanelRow{Panel::Ghost, PanelSide::Left, 5,
             [](const OverlayView& view) { return view.modes.ghost.has_value(); },
             [](const Ink& ink, const Layout& layout, const OverlayView& view) {
               drawGhostPanel(ink, layout[Panel::Ghost], *view.modes.ghost);
             },
             true, PlaceInSplit::BottomRight}};
static_assert(panelTable.size() <= maxPanels);
static_assert([] {
  for (std::size_t i = 0; i < panelTable.size(); ++i)
    if (panelTable[i].panel != static_cast<Panel>(i)) return false;
  return true;
}());

[[nodiscard]] constexpr int linesOf(Panel panel) noexcept {
  return panelTable[static_cast<std::size_t>(panel)].lines;
}

}  // namespace nearmiss::app::fly
