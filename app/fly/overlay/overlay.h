// SPDX-License-Identifier: MIT
/// Everything that is written over the scene: a function of what was measured and chosen.
#pragma once

#include <engine/flight/frame_profile.h>
#include <nearmiss/distance.h>
#include <nearmiss/narrow_phase.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fly/overlay/dialogs.h"
#include "fly/overlay/frame_statistics.h"
#include "fly/overlay/ghost_panel.h"
#include "fly/overlay/hover.h"
#include "fly/overlay/layout.h"
#include "fly/overlay/palette.h"
#include "fly/overlay/run_panel.h"
#include "fly/overlay/toasts.h"
#include "fly/overlay/tour_panel.h"
#include "fly/pace.h"
#include "fly/ui_state.h"

namespace nearmiss::app {

/// Of two bodies, world frame.
using NearestPoints = std::array<Vec3, 2>;

/// What two methods take for one pair, microseconds, medians of repeated calls [H96 Fig. 15].
struct PairTimes {
  /// Until levels 1 to 4 and the triangles; 0 where that was not needed.
  std::array<double, engine::exactDepth> level{};
  double reference = 0.0;  ///< BSP trees, exactly
};

/// What is true of a pair at one instant, whatever detectors say: of their surfaces, exactly.
struct PairTruth {
  DistanceBounds distance;
  /// Of a pair that touches, but not of ships with joints that do so in several links.
  std::optional<PenetrationBounds> penetration;
  ContactTime contact;             ///< if neither turned nor thrust from now on
  std::optional<PairTimes> times;  ///< while the world stands still
};

/// The pair under inspection, as the frame left it.
struct PairReport {
  std::string_view shapeA, shapeB;
  std::uint32_t keyA = 0, keyB = 0;
  bool inBroadPhase = false;            ///< else only `centreDistance` is known
  std::optional<Wait> wait;             ///< for want of time it was not looked at
  Refinement refinement;                ///< of the driver
  std::optional<Refinement> reference;  ///< of the one that only watches
  double centreDistance = 0.0;          ///< metres
  double radius = 1.0;                  ///< metres, of the smaller ship: what bounds are a part of
  std::optional<double> meeting;        ///< s of simulation until the bounds meet, if they do
  double horizon = 0.0;                 ///< s of simulation for which both bounds hold
  std::optional<PairTruth> truth;
};

/// Trees that are being built while others fly.
struct Growing {
  std::string_view what;
  const BuildProgress* progress = nullptr;  ///< null: none
  double elapsedSeconds = 0.0;
};

/// A recorded session as its bar shows it.
struct ReplayView {
  std::uint64_t position = 0, frames = 1;
  std::span<const std::uint32_t> collisions;  ///< that began, by frame
};

/// One half of a split view.
struct HalfView {
  std::string_view side, method, budget;
  const engine::FrameHistory* history = nullptr;
  const FrameStatistics* statistics = nullptr;
  double behind = 0.0;  ///< simulation seconds, of the half that is ahead
};

/// What the panels read. Views, valid for the frame.
struct OverlayView {
  const UiState* ui = nullptr;
  const engine::FrameHistory* history = nullptr;
  const FrameStatistics* statistics = nullptr;
  std::string_view method, broad, tree, sceneName, camera;
  std::string_view asPublished;  ///< how much of the flight is; empty: it is not
  std::uint64_t seed = 0;
  double simTime = 0.0, shipRadius = 1.0;
  bool recording = false;
  bool fixedSteps = false;            ///< frames do not follow the clock on the wall
  bool flown = false;                 ///< a scene is loaded
  std::string_view softwareRenderer;  ///< its name; empty for a real one
  bool coarsened = false;             ///< ships or picture, for the frame's time
  std::string_view notice;            ///< a lasting warning, e.g. that rendering alone is too slow
  std::optional<PairReport> pair;
  bool hints = false;
  /// Simulation seconds until two ships can touch at the earliest, 0 while some may; nothing where
  /// the broad phase does not look ahead.
  std::optional<double> earliestMeeting;
  Growing growing;
  std::optional<ReplayView> replay;
  std::optional<RunView> run;  ///< while one flies
  std::optional<std::array<HalfView, 2>> halves;
  std::optional<GhostView> ghost;
  std::optional<RunEndView> runEnd;  ///< until it is closed
  std::optional<TourView> tour;
};

/// A plain area under a panel.
struct Ground {
  Rect rect;
  Rgb colour;
};

/// What the strip of the frame panel shows, and running numbers are of.
inline constexpr std::size_t stripFrames = 400;

/// Numbers that a person reads, held for a quarter of a second.
struct ShownNumbers {
  engine::FrameProfile mean;  ///< times are means over the hold, counts of its last frame
  engine::FrameProfile last;
  double used = 0.0;     ///< all that was spent, of all that was allowed; above 1 is overrun
  double allowed = 0.0;  ///< milliseconds, mean over the frames with a limit
  double mean95 = 0.0, p50 = 0.0, p95 = 0.0, p99 = 0.0, p99_9 = 0.0;  ///< milliseconds
  /// Of the last frames since statistics were reset, at most stripFrames.
  std::size_t runningFrames = 0;
  std::array<std::uint32_t, engine::FrameProfile::levels> running{};
  std::array<std::uint64_t, engine::FrameProfile::levels> total{};  ///< since that reset
  double runningWorst = 0.0, runningMedian = 0.0;  ///< metres; the median of the frames' medians
  Pace pace;
  double predictionError = 0.0;  ///< mean |predicted rest - rest|, milliseconds
};

/// What `view` measured, up to now; means are over the frames after `since`.
[[nodiscard]] ShownNumbers numbersOf(const engine::FrameHistory& history,
                                     const FrameStatistics& statistics, std::uint64_t since);

class Overlay {
 public:
  /// Writes into ImGui's draw lists; between NewFrame() and Render(). `wallSeconds` paces the
  /// numbers; `scroll` is brought into the range of what is open. Returns what was clicked on the
  /// question whether to quit. What stands where goes into `spots`.
  Answer draw(const OverlayView& view, const Toasts& toasts, double wallSeconds, float& scroll,
              HoverSpots& spots);

  /// Where panels will stand in this frame: decided before anything is drawn, because their ground
  /// is not drawn but cleared, which costs next to nothing where there is no GPU.
  std::span<const Ground> place(const OverlayView& view);
  /// Of a replay: the frame that the mouse pulls its bar to.
  [[nodiscard]] std::optional<std::uint64_t> replayPulled(const OverlayView& view) const;
  /// Whether a click there is meant for a panel, not for the scene.
  [[nodiscard]] bool takesClick(const glm::vec2& at) const noexcept;
  /// Where the panels of the last place() stand.
  [[nodiscard]] const Layout& layout() const noexcept { return layout_; }
  /// What the panels of the last place() leave of the window to the scene.
  [[nodiscard]] const Rect& sceneArea() const noexcept { return layout_.scene; }
  [[nodiscard]] const Rect& statusArea() const noexcept { return layout_.status; }
  /// Whether the last place() gave the progress of trees a panel.
  [[nodiscard]] bool showsGrowing() const noexcept { return layout_.growing.shown(); }

 private:
  void refresh(const OverlayView& view);
  ShownNumbers shown_;
  std::array<ShownNumbers, 2> shownHalves_;
  Layout layout_;
  std::vector<Ground> grounds_;
  std::uint64_t refreshedFrame_ = 0;
  double nextRefresh_ = 0.0;
};

}  // namespace nearmiss::app
