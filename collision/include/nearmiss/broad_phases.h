// SPDX-License-Identifier: MIT
/// Every broad phase of this library. The classes stay in their .cpp files; this is all one needs.
#pragma once

#include <nearmiss/broad_phase.h>

#include <memory>

namespace nearmiss {

/// Bounding spheres, all pairs: quadratic, plain, and the judge of all others.
[[nodiscard]] std::unique_ptr<BroadPhase> makeAllPairsBroadPhase();

/// Sweep and prune: endpoint lists kept sorted on three axes from call to call by insertion sort;
/// the order kept pays when bodies move little between calls.
[[nodiscard]] std::unique_ptr<BroadPhase> makeSweepAndPruneBroadPhase();

/// Space-time bounds: looks ahead to the earliest time at which two bounds intersect, found by
/// projection, and has nothing to do before [H93]. For up to some hundred bodies.
[[nodiscard]] std::unique_ptr<BroadPhase> makeSpaceTimeBroadPhase();

/// The same with the earliest intersection found by subdivision of time.
[[nodiscard]] std::unique_ptr<BroadPhase> makeSpaceTimeSubdivisionBroadPhase();

/// Space-time bounds for crowds of moving bodies: bounds kept in a grid, each rebuilt alone when it
/// ends, and a calendar of the pairs that may touch. A call reads every body once, and beyond that
/// looks only at bounds that end and pairs whose time has come.
[[nodiscard]] std::unique_ptr<BroadPhase> makeSpaceTimeGridBroadPhase();

}  // namespace nearmiss
