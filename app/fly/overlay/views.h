// SPDX-License-Identifier: MIT
/// The contents of the panels. Values, and views that are valid for the frame.
#pragma once

#include <engine/flight/frame_profile.h>
#include <engine/game/run_levels.h>
#include <nearmiss/advanced/build_progress.h>
#include <nearmiss/advanced/narrow_phase.h>
#include <nearmiss/pair.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "fly/choices/ui_state.h"
#include "fly/overlay/layout.h"
#include "fly/overlay/palette.h"
#include "fly/overlay/shown_numbers.h"
#include "fly/overlay/text_page.h"

namespace nearmiss::app::fly {

/// A run in progress. Views are valid for the frame.
struct RunView {
  double left = 0.0;  ///< simulation seconds
  std::int64_t points = 0;
  std::uint32_t streak = 0, times = 1;  ///< consecutive near misses, and the factor of the next one
  std::string_view event;               ///< the last event, or what to do next; empty: neither
  engine::RunLevel level;
};

/// The player's face: what one needs while flying.
struct PlayerView {
  double speed = 0.0;                      ///< m/s
  std::optional<double> nearest, contact;  ///< of the nearest ship: metres; seconds to contact
  std::int64_t points = 0;
  std::string line;  ///< what to do next, one sentence
};

/// A finished run. Views are valid for the frame.
struct RunEndView {
  std::string_view title;
  std::span<const PageGroup> groups;
  bool pad = false;  ///< a controller is connected: name its buttons, too
};

/// A bar with its name and its value as text.
struct TourFigure {
  std::string name, value;
  double share = 0.0;  ///< fraction of the panel's width, 0 to 1
  Rgb colour = palette::swap;
  std::string_view heading{};  ///< what this figure and the next ones are of; empty: as before
};

/// The variable of a stop, which the user can change.
struct TourSlider {
  std::string_view name;
  std::string value;
  double place = 0.0;  ///< 0 to 1
};

/// Views are valid for the frame.
struct TourView {
  std::string_view title, sentence;
  std::size_t number = 1, stops = 1;
  double passed = 0.0;  ///< fraction of the stop's time, 0 to 1
  bool held = false;    ///< the stop stays until the user leaves it
  std::span<const TourFigure> figures;
  TourSlider slider;
};

/// Distances between the ships of two flights, by their centres, metres.
struct GhostApart {
  double own = 0.0;       ///< the user's
  double farthest = 0.0;  ///< of all ships
};

/// Maximum number of frames that the panel shows.
inline constexpr std::size_t ghostFrames = 400;

struct GhostView {
  GhostApart now;
  std::span<const GhostApart> course;  ///< of the last frames; a ring buffer
  std::size_t oldest = 0;              ///< index of the oldest frame
};

/// Nearest points of two bodies, world frame.
using NearestPoints = std::array<Vec3, 2>;

/// Times of two methods for one pair, microseconds, medians of repeated calls [H96 Fig. 15].
struct PairTimes {
  /// Until levels 1 to 4 and the triangles; 0 if a level was not needed.
  std::array<double, engine::exactDepth> level{};
  double reference = 0.0;  ///< exact test with BSP trees
};

/// Exact data about a pair's surfaces at one instant, independent of detectors.
struct PairTruth {
  DistanceBounds distance;
  /// For touching pairs, except articulated ships that touch with several links.
  std::optional<PenetrationBounds> penetration;
  /// Contact points, or nearest points if the gap is small. For articulated ships, those of all
  /// touching links.
  ContactManifold manifold;
  ContactTime contact;             ///< assuming constant velocity without rotation
  std::optional<PairTimes> times;  ///< only while the world is paused
  /// Tightest bound over all colliding spheres of the level that detection reached, metres [H96
  /// §9.2]; only while paused.
  std::optional<double> tightestBound;
};

/// The inspected pair at the end of the frame.
struct PairReport {
  std::string_view shapeA, shapeB;
  std::uint32_t keyA = 0, keyB = 0;
  bool unimportant = false;             ///< at least one ship is marked as unimportant
  bool inBroadPhase = false;            ///< otherwise only `centreDistance` is known
  bool looked = true;                   ///< false: nothing was examined since a jump in time
  std::optional<Wait> wait;             ///< set if the pair was postponed
  Refinement refinement;                ///< of the driver
  std::optional<Refinement> reference;  ///< of the reference detector
  double centreDistance = 0.0;          ///< metres
  double radius = 1.0;                  ///< metres, of the smaller ship; bounds are shown relative
                                        ///< to it
  std::optional<double> meeting;        ///< simulation seconds until the bounds meet, if they do
  double horizon = 0.0;                 ///< simulation seconds for which both bounds hold
  std::optional<PairTruth> truth;
  bool truthIsOfNow = true;  ///< false: of an earlier instant, unrelated to `refinement`
};

/// Trees being built during the flight.
struct BuildStatus {
  std::string_view what;
  const BuildProgress* progress = nullptr;  ///< null: none
  double elapsedSeconds = 0.0;
  double expectedSeconds = 0.0;  ///< of the whole build; 0: unknown
};

/// A recorded session for its progress bar.
struct ReplayView {
  std::uint64_t position = 0, frames = 1;
  std::span<const std::uint32_t> collisions;  ///< collisions that began, by frame
};

/// One half of a split view.
struct HalfView {
  std::string_view side, method, budget;
  const ShownNumbers* numbers = nullptr;
  double behind = 0.0;  ///< simulation seconds; of the half that is ahead
};

/// Text and numbers of the flight.
struct FlightFacts {
  std::string_view method, broad, tree, sceneName, camera;
  std::string_view asPublished;  ///< describes what is as published; empty: not as published
  std::uint64_t seed = 0;
  double shipRadius = 1.0;
};

/// Frame times and their causes.
struct FrameFacts {
  const engine::FrameHistory* history = nullptr;
  const ShownNumbers* numbers = nullptr;  ///< all displayed numbers
  bool fixedSteps = false;                ///< frames do not follow the wall clock
  std::string_view softwareRenderer;      ///< its name; empty for a hardware renderer
  bool coarsened = false;                 ///< ships or picture are coarser, to save time
};

/// Views of the active modes.
struct ModeViews {
  std::optional<ReplayView> replay;
  std::optional<RunView> run;  ///< during a run
  std::optional<std::array<HalfView, 2>> halves;
  std::optional<GhostView> ghost;
  std::optional<RunEndView> runEnd;  ///< until it is closed
  std::optional<TourView> tour;
  bool twoViews = false;            ///< a duel has two halves, without room for a column
  float leftInset = 0.0f;           ///< width on the left covered by a mode's own panel, pixels
  std::optional<double> flownBack;  ///< simulation seconds rewound so far; only while rewinding
  std::optional<double> backSpeed;  ///< of rewinding, simulation time / real time, if it is steady
};

/// All inputs of the panels. Views are valid for the frame.
struct OverlayView {
  const UiState* ui = nullptr;
  FlightFacts flight;
  FrameFacts frames;
  ModeViews modes;
  std::optional<PairReport> pair;
  BuildStatus build;
  bool recording = false;
  bool flown = false;                ///< a scene is loaded
  std::optional<PlayerView> player;  ///< of the player's face
};

/// The background area of a panel.
struct Ground {
  Rect rect;
  Rgb colour;
};

}  // namespace nearmiss::app::fly
