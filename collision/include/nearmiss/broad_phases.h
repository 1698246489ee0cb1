// SPDX-License-Identifier: MIT
/// Every broad phase of this library. The classes stay in their .cpp files; this is all one needs.
#pragma once

#include <nearmiss/broad_phase.h>
#include <nearmiss/primitives.h>

#include <cstdint>
#include <memory>
#include <span>

namespace nearmiss {

/// Bounding spheres, all pairs: quadratic, simple, and the reference that all others are tested
/// against.
[[nodiscard]] std::unique_ptr<BroadPhase> makeAllPairsBroadPhase();

/// Boxes of fixed size, all pairs: three interval tests a pair, then the spheres.
[[nodiscard]] std::unique_ptr<BroadPhase> makeBoxesBroadPhase();

/// Turk's uniform grid: cells no smaller than the largest body, so that each touches eight at most;
/// filled anew at every call.
[[nodiscard]] std::unique_ptr<BroadPhase> makeUniformGridBroadPhase();

/// Nested grids whose cells double from level to level, for bodies of many sizes.
[[nodiscard]] std::unique_ptr<BroadPhase> makeHierarchicalGridBroadPhase();

/// A grid without borders in a table of at most `mostBuckets` buckets, 1 or more; correct with any
/// number, even where all cells share one.
[[nodiscard]] std::unique_ptr<BroadPhase> makeSpatialHashBroadPhase(
    std::uint32_t mostBuckets = 1u << 20);

/// A heap of all pairs by the earliest time at which each can touch, as velocities and acceleration
/// bounds allow; only pairs whose time has come are looked at. Memory grows with the number of
/// pairs: beyond 1,024 bodies it becomes a plain test of all pairs, without look-ahead.
[[nodiscard]] std::unique_ptr<BroadPhase> makeScheduleBroadPhase();

struct SweepAndPruneSettings {
  /// Fixed: around the bounding sphere, so that a body turns without a change. Dynamic: around the
  /// body as it is turned now, refitted at every call; tighter, and costs more to maintain.
  enum class Boxes : std::uint8_t { Fixed, Dynamic } boxes = Boxes::Fixed;
  /// Keeps no list for the axis on which most boxes overlap, as where all stand on a floor, and
  /// tests that axis pair by pair. Which axis that is, is determined anew now and then.
  bool skipClumpedAxis = false;
};

/// Sweep and prune: endpoint lists kept sorted on three axes from call to call by insertion sort;
/// the order kept pays when bodies move little between calls. Dynamic boxes are those of
/// `shapeBoxes`, by ShapeId and about the centre of rotation, turned as the bodies are; of pairs
/// whose spheres meet, those whose boxes are apart are then left out, which cannot touch. A shape
/// without one has the fixed box.
[[nodiscard]] std::unique_ptr<BroadPhase> makeSweepAndPruneBroadPhase(
    const SweepAndPruneSettings& settings = {}, std::span<const Box> shapeBoxes = {});

/// Checked: every call compares every state with the bound kept of it, and so finds jumps that
/// nobody announced. Believed: no call does; until a bound ends, its body must keep its index in
/// the span, its size and its bound, as in a world without impulses. The papers' algorithm is of
/// this kind.
enum class Promises { Checked, Believed };

/// Space-time bounds: looks ahead to the earliest time at which two bounds intersect, found by
/// projection, crossing by crossing, and does no work before it [H93]. For up to some hundred
/// bodies.
[[nodiscard]] std::unique_ptr<BroadPhase> makeSpaceTimeBroadPhase(
    Promises promises = Promises::Checked);

/// The same with faces sorted anew after slices of time instead of a queue of crossings.
[[nodiscard]] std::unique_ptr<BroadPhase> makeSpaceTimeSlicesBroadPhase(
    Promises promises = Promises::Checked);

/// The same with the earliest intersection found by subdivision of time.
[[nodiscard]] std::unique_ptr<BroadPhase> makeSpaceTimeSubdivisionBroadPhase(
    Promises promises = Promises::Checked);

/// The same with the earliest intersection found pair by pair in closed form, among those pairs
/// whose boxes over the whole duration of their bounds overlap; horns instead of hyper-trapezoids.
[[nodiscard]] std::unique_ptr<BroadPhase> makeSpaceTimeHornBroadPhase(
    Promises promises = Promises::Checked);

/// Space-time bounds for crowds of moving bodies: bounds kept in a grid, each rebuilt alone when it
/// ends, and a calendar of the pairs that may touch. A call reads every body once, and beyond that
/// looks only at bounds that end and pairs whose time has come.
[[nodiscard]] std::unique_ptr<BroadPhase> makeSpaceTimeGridBroadPhase();

}  // namespace nearmiss
