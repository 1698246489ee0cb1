// SPDX-License-Identifier: MIT
/// Broad phases with settings, to compare with those of nearmiss/broad_phase.h. All methods, these
/// with their usual settings and those that have none, are made by name:
/// nearmiss/methods/catalog.h.
#pragma once

#include <nearmiss/broad_phase.h>
#include <nearmiss/math.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace nearmiss {

/// A grid without borders in a table of at most `maxBuckets` buckets, 1 or more; correct with any
/// number, even where all cells share one.
[[nodiscard]] std::unique_ptr<BroadPhase> makeSpatialHashBroadPhase(
    std::uint32_t maxBuckets = 1u << 20);

/// Of "schedule", a heap of all pairs by the earliest time at which each can touch, as velocities
/// and acceleration bounds allow; only pairs whose time has come are looked at. Memory grows with
/// the number of pairs: 20 bytes for each, 671 MB for maxScheduledBodies, and up to 12 more for
/// each that touches or is due. With more bodies every call tests all pairs, without look-ahead,
/// and counts Fallback::ScheduleAllPairs.
inline constexpr std::size_t maxScheduledBodies = 8192;

struct SweepAndPruneSettings {
  /// Fixed: around the bounding sphere, so that a body turns without a change. Dynamic: around the
  /// body as it is turned now, refitted at every call; tighter, and costs more to maintain.
  enum class Boxes : std::uint8_t { Fixed, Dynamic } boxes = Boxes::Fixed;
  /// Keeps no list for the axis on which most boxes overlap, as where all stand on a floor, and
  /// tests that axis pair by pair. The axis is redetermined now and then.
  bool skipClumpedAxis = false;
};

/// Sweep and prune: endpoint lists kept sorted on three axes from call to call by insertion sort;
/// the order kept pays when bodies move little between calls. Dynamic boxes are those of
/// `shapeBoxes`, by ShapeId and about the centre of rotation, turned as the bodies are; pairs whose
/// boxes are apart cannot touch and are left out although their spheres meet. A shape without a box
/// has the fixed one.
[[nodiscard]] std::unique_ptr<BroadPhase> makeSweepAndPruneBroadPhase(
    const SweepAndPruneSettings& settings = {}, std::span<const Box> shapeBoxes = {});

/// What the published driver takes a body for: the sphere of its radius, or the isothetic cube of
/// that half edge, which never turns, as those of the published measurements [H93, "Performance"].
/// Cutting planes of cubes are passed over.
enum class BodyForm : std::uint8_t { Spheres, Cubes };

/// Space-time bounds as published [H93, "Detecting collisions"]: all are built together and
/// searched by projection; when the first two intersect, all are built again. A pair whose bounds
/// intersect within the resolution is immediate: its bodies are compared, and all bounds are built
/// again at the next call. Called at the times of a DetectionDriver, it misses no time of the
/// length of the resolution or more in which two bodies of that form meet.
[[nodiscard]] std::unique_ptr<BroadPhase> makePublishedSpaceTimeBroadPhase(
    Promises promises = Promises::Checked, BodyForm form = BodyForm::Spheres);

/// The same with the first intersection found by subdivision, comparing every pair in every
/// interval of time [Y04, "Subdivision"].
[[nodiscard]] std::unique_ptr<BroadPhase> makePublishedSubdivisionBroadPhase(
    Promises promises = Promises::Checked, BodyForm form = BodyForm::Spheres);

/// Space-time bounds as makeSpaceTimeBroadPhase() has them, with faces re-sorted after slices of
/// time instead of a queue of crossings.
[[nodiscard]] std::unique_ptr<BroadPhase> makeSpaceTimeSlicesBroadPhase(
    Promises promises = Promises::Checked);

/// The same with the earliest intersection found by halving time, pairs listed for each half.
[[nodiscard]] std::unique_ptr<BroadPhase> makeSpaceTimeHalvesBroadPhase(
    Promises promises = Promises::Checked);

/// The same with the earliest intersection found pair by pair in closed form, among those pairs
/// whose boxes over the whole duration of their bounds overlap; horns instead of hyper-trapezoids.
[[nodiscard]] std::unique_ptr<BroadPhase> makeSpaceTimeHornBroadPhase(
    Promises promises = Promises::Checked);

}  // namespace nearmiss
