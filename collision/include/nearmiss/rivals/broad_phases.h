// SPDX-License-Identifier: MIT
/// Broad phases with settings, for comparison with those of nearmiss/advanced/broad_phase.h. All
/// methods, with default settings, can also be made by name: nearmiss/rivals/catalog.h.
#pragma once

#include <nearmiss/advanced/broad_phase.h>
#include <nearmiss/math.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace nearmiss {

/// Broad phase with an unbounded grid, hashed into at most `maxBuckets` buckets (at least 1).
/// Correct with any number, even if all cells share one bucket.
[[nodiscard]] std::unique_ptr<BroadPhase> makeSpatialHashBroadPhase(
    std::uint32_t maxBuckets = 1u << 20);

/// Maximum number of bodies of the method "schedule", a heap of all pairs by the earliest time at
/// which each can touch, given velocities and acceleration bounds. It examines only pairs that are
/// due. Memory: 20 bytes per pair, 671 MB for maxScheduledBodies, and up to 12 more per pair that
/// touches or is due. With more bodies every call tests all pairs without look-ahead and counts
/// Fallback::ScheduleAllPairs.
inline constexpr std::size_t maxScheduledBodies = 8192;

/// Settings of makeSweepAndPruneBroadPhase().
struct SweepAndPruneSettings {
  /// Fixed: a box around the bounding sphere, which does not change when the body rotates. Dynamic:
  /// a box around the rotated body, refitted at every call; tighter, but costs more to maintain.
  enum class Boxes : std::uint8_t { Fixed, Dynamic } boxes = Boxes::Fixed;
  /// Keeps no list for the axis on which most boxes overlap, for example the vertical axis if all
  /// bodies stand on a floor. That axis is tested pair by pair, and chosen again now and then.
  bool skipClumpedAxis = false;
};

/// Broad phase by sweep and prune: endpoint lists on three axes, kept sorted by insertion sort from
/// call to call. Fast if bodies move little between calls. Dynamic boxes are those of `shapeBoxes`,
/// indexed by ShapeRef::index(), about the centre of rotation; they rotate with the bodies. Pairs
/// with disjoint boxes cannot touch and are not reported even if their spheres overlap. A shape
/// without a box has the fixed one.
[[nodiscard]] std::unique_ptr<BroadPhase> makeSweepAndPruneBroadPhase(
    const SweepAndPruneSettings& settings = {}, std::span<const Box> shapeBoxes = {});

/// The form of a body in the published driver: its bounding sphere, or an axis-aligned cube whose
/// half edge is the radius of that sphere. A cube never rotates, as in the published measurements
/// [H93, "Performance"], and its cutting planes are ignored.
enum class BodyForm : std::uint8_t { Spheres, Cubes };

/// Space-time bounds as published [H93, "Detecting collisions"]: all bounds are built together and
/// searched by projection, and all are rebuilt when the first two intersect. A pair whose bounds
/// intersect within the resolution is immediate: its bodies are compared, and all bounds are
/// rebuilt at the next call. If called at the times of a DetectionDriver, it misses no overlap of
/// two bodies of that form that lasts the resolution or longer.
[[nodiscard]] std::unique_ptr<BroadPhase> makePublishedSpaceTimeBroadPhase(
    Promises promises = Promises::Checked, BodyForm form = BodyForm::Spheres);

/// As above, but finds the first intersection by subdivision, comparing every pair in every
/// interval of time [Y04, "Subdivision"].
[[nodiscard]] std::unique_ptr<BroadPhase> makePublishedSubdivisionBroadPhase(
    Promises promises = Promises::Checked, BodyForm form = BodyForm::Spheres);

/// As makeSpaceTimeBroadPhase(), but re-sorts faces after slices of time instead of using a queue
/// of crossings.
[[nodiscard]] std::unique_ptr<BroadPhase> makeSpaceTimeSlicesBroadPhase(
    Promises promises = Promises::Checked);

/// As makeSpaceTimeBroadPhase(), but finds the earliest intersection by halving time, with a list
/// of pairs for each half.
[[nodiscard]] std::unique_ptr<BroadPhase> makeSpaceTimeHalvesBroadPhase(
    Promises promises = Promises::Checked);

/// As makeSpaceTimeBroadPhase(), but finds the earliest intersection pair by pair in closed form,
/// among the pairs whose boxes over the whole duration of their bounds overlap. Uses horns instead
/// of hyper-trapezoids.
[[nodiscard]] std::unique_ptr<BroadPhase> makeSpaceTimeHornBroadPhase(
    Promises promises = Promises::Checked);

}  // namespace nearmiss
