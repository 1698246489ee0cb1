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

}  // namespace nearmiss
