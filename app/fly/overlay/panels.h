// SPDX-License-Identifier: MIT
/// Draws the panels, each in the rectangle of the layout.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "fly/overlay/ink.h"
#include "fly/overlay/overlay.h"
#include "fly/overlay/text_page.h"

namespace nearmiss::app::fly {

/// Draws detector, scene, target, pace, seed, recording and warnings. `growingHidden` and
/// `runHidden`: also the progress of trees or of the run, because they have no panel.
void drawStatusBar(const Ink& ink, const Rect& rect, const OverlayView& view,
                   const ShownNumbers& shown, bool growingHidden, bool runHidden);

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
struct DetectionFigures {
  std::array<DetectionRow, 6> rows;
  std::array<DetectionRow, 6> halves;  ///< two per line
};
static_assert(panelLines::detection == 6 + 6 / 2);
[[nodiscard]] DetectionFigures detectionFigures(const OverlayView& view, const ShownNumbers& shown);

/// Draws collisions by level; `inFull`: also bounds, budget and work.
void drawLevelPanel(const Ink& ink, const Rect& rect, const OverlayView& view,
                    const ShownNumbers& shown, bool inFull);

/// Draws mean, deviation, maximum and percentiles since the last reset.
void drawStatisticsPanel(const Ink& ink, const Rect& rect, const ShownNumbers& shown);

/// Describes contact points, such as "4 points, 1.20 cm deep" or "1 point, gap 3.00 mm".
/// @param known false: writes "depth unknown" instead of the depth
[[nodiscard]] std::string contactWords(std::span<const ManifoldPoint> points, bool known,
                                       std::string (*lengthText)(double metres));

void drawPairInspector(const Ink& ink, const Rect& rect, const OverlayView& view);

/// Draws the build in progress, and the key to stop it.
void drawGrowing(const Ink& ink, const Rect& rect, const OverlayView& view);

/// Draws the position in a recorded session and its collisions.
void drawReplayBar(const Ink& ink, const Rect& rect, const ReplayView& view,
                   const ShownNumbers& shown);
/// Returns the number of frames flown at that pixel of the bar.
[[nodiscard]] std::uint64_t replayFrameAt(const Rect& rect, float em, const ReplayView& view,
                                          float x) noexcept;

/// Draws the four lines of hints for newcomers.
void drawHints(const Ink& ink, const Rect& rect);

/// Draws all numbers of one frame and all settings in the centre of the window. Clamps `scroll`, in
/// lines.
void drawNumbersTable(const Ink& ink, float width, float height, const OverlayView& view,
                      const ShownNumbers& shown, float& scroll);

/// The rows of that table.
[[nodiscard]] std::vector<PageGroup> numberGroups(const OverlayView& view,
                                                  const ShownNumbers& shown);
/// The keys that match `search`; if it is empty, five keys to start with and then all.
[[nodiscard]] std::vector<PageGroup> helpGroups(std::string_view search = {});
/// Four lines that explain the screen to newcomers.
[[nodiscard]] PageGroup introduction();

/// Draws the table of keys; clamps `scroll` likewise.
void drawHelp(const Ink& ink, float width, float height, std::string_view search, float& scroll);

/// Draws introduction() at the first start, on the left so that it does not cover the ship.
void drawIntroduction(const Ink& ink, float width, float height);
[[nodiscard]] Rect introductionArea(float width, float height, float em) noexcept;

/// Draws the mouse's virtual stick around the centre of the window.
void drawStick(const Ink& ink, float width, float height, const UiState& ui);

void drawRunPanel(const Ink& ink, const Rect& rect, const RunView& run);

/// Draws the result in the centre of the window; clamps `scroll`, in lines.
void drawRunEnd(const Ink& ink, float width, float height, const RunEndView& end, float& scroll);

/// Draws the figures only if `rect` has space for them.
void drawTourPanel(const Ink& ink, const Rect& rect, const TourView& tour);

/// Draws the current distances and their history.
void drawGhostPanel(const Ink& ink, const Rect& rect, const GhostView& ghost);

}  // namespace nearmiss::app::fly
