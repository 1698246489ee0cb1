// SPDX-License-Identifier: MIT
/// The panels one by one: each fills the rectangle that the layout gave it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "fly/overlay/ink.h"
#include "fly/overlay/overlay.h"
#include "fly/overlay/text_page.h"

namespace nearmiss::app::fly {

/// Detector, scene, target, pace, seed, recording, warnings; with `growingHidden` how far the trees
/// are that are being built, with `runHidden` how a run stands, where they have no panel.
void drawStatusBar(const Ink& ink, const Rect& rect, const OverlayView& view,
                   const ShownNumbers& shown, bool growingHidden, bool runHidden);

/// Where the frame's time went, and detection's on a scale of its own; below it, in `plot` if
/// it is shown, the last 400 frames on a log axis.
void drawFramePanel(const Ink& ink, const Rect& rect, const OverlayView& view,
                    const ShownNumbers& shown, const Rect& plot);

/// The two bars of it: the frame's phases against its target, and detection against what it was
/// allowed, which is `budget` in words.
void drawFrameBars(const Ink& ink, const Rect& frame, const Rect& detection,
                   const ShownNumbers& shown, std::string_view budget);

/// How fast simulated time passes and frames follow each other; dashes while nothing moves.
[[nodiscard]] std::string paceText(const OverlayView& view, const ShownNumbers& shown);
/// A time, or a dash where it is not known.
[[nodiscard]] std::string timeText(std::optional<double> milliseconds);

/// The detector of one half of a split view, and its frame times.
void drawHalfPanel(const Ink& ink, const Rect& rect, const HalfView& half);

/// One figure of detection, as the level panel shows it.
struct DetectionRow {
  std::string_view name;
  std::string value;
  Rgb colour = palette::text;
};
struct DetectionFigures {
  std::array<DetectionRow, 6> rows;
  std::array<DetectionRow, 6> halves;  ///< two to a line
};
static_assert(panelLines::detection == 6 + 6 / 2);
[[nodiscard]] DetectionFigures detectionFigures(const OverlayView& view, const ShownNumbers& shown);

/// Collisions by level; with `inFull`, bounds, budget and work as well.
void drawLevelPanel(const Ink& ink, const Rect& rect, const OverlayView& view,
                    const ShownNumbers& shown, bool inFull);

/// Mean, deviation, maximum and percentiles since the last reset.
void drawStatisticsPanel(const Ink& ink, const Rect& rect, const ShownNumbers& shown);

/// Describes contact points in words, such as "4 points, 1.20 cm deep" or "1 point, gap 3.00 mm".
/// @param known false: "depth unknown" in place of the depth
[[nodiscard]] std::string contactWords(std::span<const ManifoldPoint> points, bool known,
                                       std::string (*lengthText)(double metres));

void drawPairInspector(const Ink& ink, const Rect& rect, const OverlayView& view);

/// The build in progress, and how to stop it.
void drawGrowing(const Ink& ink, const Rect& rect, const OverlayView& view);

/// Where a recorded session stands, and where its collisions are.
void drawReplayBar(const Ink& ink, const Rect& rect, const ReplayView& view,
                   const ShownNumbers& shown);
/// Number of frames flown at that pixel of it.
[[nodiscard]] std::uint64_t replayFrameAt(const Rect& rect, float em, const ReplayView& view,
                                          float x) noexcept;

/// The four lines that a newcomer needs.
void drawHints(const Ink& ink, const Rect& rect);

/// Every number of one frame and every setting, in the middle of the window. `scroll`, in lines, is
/// brought into its range.
void drawNumbersTable(const Ink& ink, float width, float height, const OverlayView& view,
                      const ShownNumbers& shown, float& scroll);

/// The contents of the two.
[[nodiscard]] std::vector<PageGroup> numberGroups(const OverlayView& view,
                                                  const ShownNumbers& shown);
/// The keys; those that `search` is found in, or five to begin with and all.
[[nodiscard]] std::vector<PageGroup> helpGroups(std::string_view search = {});
/// Four lines that a newcomer needs to read the screen.
[[nodiscard]] PageGroup introduction();

/// The table of keys; `scroll` likewise.
void drawHelp(const Ink& ink, float width, float height, std::string_view search, float& scroll);

/// introduction() alone, at the first start: at the left, where it does not cover the ship.
void drawIntroduction(const Ink& ink, float width, float height);
[[nodiscard]] Rect introductionArea(float width, float height, float em) noexcept;

/// The mouse's virtual stick about the middle of the window.
void drawStick(const Ink& ink, float width, float height, const UiState& ui);

void drawRunPanel(const Ink& ink, const Rect& rect, const RunView& run);

/// In the middle of the window; `scroll`, in lines, is brought into its range.
void drawRunEnd(const Ink& ink, float width, float height, const RunEndView& end, float& scroll);

/// Figures only where `rect` has room for them.
void drawTourPanel(const Ink& ink, const Rect& rect, const TourView& tour);

/// The distances now, and their course over the last frames.
void drawGhostPanel(const Ink& ink, const Rect& rect, const GhostView& ghost);

}  // namespace nearmiss::app::fly
