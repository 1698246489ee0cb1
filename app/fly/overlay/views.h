// SPDX-License-Identifier: MIT
/// The contents of the panels, as values and views that are valid for the frame.
#pragma once

#include <engine/flight/frame_profile.h>
#include <engine/game/run_levels.h>
#include <nearmiss/build_progress.h>
#include <nearmiss/contact_manifold.h>
#include <nearmiss/distance.h>
#include <nearmiss/narrow_phase.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "fly/overlay/layout.h"
#include "fly/overlay/palette.h"
#include "fly/overlay/shown_numbers.h"
#include "fly/overlay/text_page.h"
#include "fly/ui_state.h"

namespace nearmiss::app::fly {

/// A run that flies. Views, valid for the frame.
struct RunView {
  double left = 0.0;  ///< simulation seconds
  std::int64_t points = 0;
  std::uint32_t streak = 0, times = 1;  ///< near misses in a row, and how often the next counts
  std::string_view event;               ///< the last; empty: none yet
  engine::RunLevel level;
};

/// A run that is over. Views, valid for the frame.
struct RunEndView {
  std::string_view title;
  std::span<const PageGroup> groups;
};

/// A bar with its name and its value in words.
struct TourFigure {
  std::string name, value;
  double share = 0.0;  ///< of the panel's width, 0 to 1
  Rgb colour = palette::swap;
};

/// Views, valid for the frame.
struct TourView {
  std::string_view title, sentence;
  std::size_t number = 1, stops = 1;
  double passed = 0.0;  ///< of the stop's time, 0 to 1
  bool held = false;    ///< the stop stays until it is left
  std::span<const TourFigure> figures;
};

/// Metres between the ships of two flights, by their middles.
struct GhostApart {
  double own = 0.0;       ///< the user's
  double farthest = 0.0;  ///< of all ships
};

/// Max number of frames that the panel shows.
inline constexpr std::size_t ghostFrames = 400;

struct GhostView {
  GhostApart now;
  std::span<const GhostApart> course;  ///< of the last frames, a ring
  std::size_t oldest = 0;              ///< index in it
};

/// Nearest points of two bodies, world frame.
using NearestPoints = std::array<Vec3, 2>;

/// Times of two methods for one pair, microseconds, medians of repeated calls [H96 Fig. 15].
struct PairTimes {
  /// Until levels 1 to 4 and the triangles; 0 where that was not needed.
  std::array<double, engine::exactDepth> level{};
  double reference = 0.0;  ///< BSP trees, exactly
};

/// The truth about a pair's surfaces at one instant, whatever detectors say.
struct PairTruth {
  DistanceBounds distance;
  /// Known for a pair that touches, except ships with joints that touch in several links.
  std::optional<PenetrationBounds> penetration;
  /// The points at which they touch, or are nearest if the gap is small; of ships with joints,
  /// those of all links that touch.
  ContactManifold manifold;
  ContactTime contact;             ///< if neither turned nor thrust from now on
  std::optional<PairTimes> times;  ///< while the world stands still
  /// The tightest bound over all colliding spheres of the level that detection reached, metres [H96
  /// §9.2]; the same.
  std::optional<double> tightestBound;
};

/// The pair under inspection, as the frame left it.
struct PairReport {
  std::string_view shapeA, shapeB;
  std::uint32_t keyA = 0, keyB = 0;
  bool unimportant = false;             ///< one of the two is marked so
  bool inBroadPhase = false;            ///< else only `centreDistance` is known
  bool looked = true;                   ///< false: nobody has looked at any pair since a leap
  std::optional<Wait> wait;             ///< for want of time it was not looked at
  Refinement refinement;                ///< of the driver
  std::optional<Refinement> reference;  ///< of the one that only watches
  double centreDistance = 0.0;          ///< metres
  double radius = 1.0;                  ///< metres, of the smaller ship: what bounds are a part of
  std::optional<double> meeting;        ///< s of simulation until the bounds meet, if they do
  double horizon = 0.0;                 ///< s of simulation for which both bounds hold
  std::optional<PairTruth> truth;
  bool truthIsOfNow = true;  ///< else of an instant before, to which `refinement` says nothing
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
  std::span<const std::uint32_t> collisions;  ///< collisions that began, by frame
};

/// One half of a split view.
struct HalfView {
  std::string_view side, method, budget;
  const ShownNumbers* numbers = nullptr;
  double behind = 0.0;  ///< simulation seconds, of the half that is ahead
};

/// The flight that is shown, in words and numbers.
struct FlightFacts {
  std::string_view method, broad, tree, sceneName, camera;
  std::string_view asPublished;  ///< how much of the flight is; empty: it is not
  std::uint64_t seed = 0;
  double shipRadius = 1.0;
};

/// Where the frames' time goes, and what makes them take it.
struct FrameFacts {
  const engine::FrameHistory* history = nullptr;
  const ShownNumbers* numbers = nullptr;  ///< all that is shown of them
  bool fixedSteps = false;                ///< frames do not follow the clock on the wall
  std::string_view softwareRenderer;      ///< its name; empty for a real one
  bool coarsened = false;                 ///< ships or picture, for the frame's time
};

/// What the modes that are on show.
struct ModeViews {
  std::optional<ReplayView> replay;
  std::optional<RunView> run;  ///< while one flies
  std::optional<std::array<HalfView, 2>> halves;
  std::optional<GhostView> ghost;
  std::optional<RunEndView> runEnd;  ///< until it is closed
  std::optional<TourView> tour;
  float leftTaken = 0.0f;           ///< pixels at the left that a panel of a mode's own covers
  std::optional<double> flownBack;  ///< simulation seconds rewound so far; only while rewinding
};

/// All that the panels read. Views, valid for the frame.
struct OverlayView {
  const UiState* ui = nullptr;
  FlightFacts flight;
  FrameFacts frames;
  ModeViews modes;
  std::optional<PairReport> pair;
  Growing growing;
  bool recording = false;
  bool flown = false;  ///< a scene is loaded
  bool hints = false;
};

/// A plain area under a panel.
struct Ground {
  Rect rect;
  Rgb colour;
};

}  // namespace nearmiss::app::fly
