// SPDX-License-Identifier: MIT
#include <nearmiss/detector_catalog.h>

#include <array>

namespace nearmiss {
namespace {

constexpr std::array broadPhases{
    BroadPhaseEntry{"all-pairs", "bounding spheres, every pair: the judge", makeAllPairsBroadPhase},
    BroadPhaseEntry{"sweep-and-prune", "sorted endpoint lists on three axes, kept between calls",
                    makeSweepAndPruneBroadPhase},
    BroadPhaseEntry{"boxes", "boxes of fixed size, every pair", makeBoxesBroadPhase},
    BroadPhaseEntry{"uniform-grid", "Turk's grid: cells as large as the largest body",
                    makeUniformGridBroadPhase},
    BroadPhaseEntry{"hierarchical-grid", "nested grids, cells doubling from level to level",
                    makeHierarchicalGridBroadPhase},
    BroadPhaseEntry{"spatial-hash", "a grid without borders, cells in a hash table",
                    [] { return makeSpatialHashBroadPhase(); }},
    BroadPhaseEntry{"schedule", "a heap of pairs by the earliest time at which they can touch",
                    makeScheduleBroadPhase, true},
    BroadPhaseEntry{"space-time",
                    "space-time bounds: silent until the earliest intersection, by projection",
                    [] { return makeSpaceTimeBroadPhase(); }, true},
    BroadPhaseEntry{"space-time-subdivision",
                    "space-time bounds, the earliest intersection by subdivision of time",
                    [] { return makeSpaceTimeSubdivisionBroadPhase(); }, true},
    BroadPhaseEntry{"space-time-horns",
                    "space-time bounds, the earliest intersection by pairs whose lives come near",
                    [] { return makeSpaceTimeHornBroadPhase(); }, true},
    BroadPhaseEntry{"space-time-grid",
                    "space-time bounds in a grid, a calendar of pairs: for crowds",
                    makeSpaceTimeGridBroadPhase, true},
};

constexpr std::array narrowPhases{
    NarrowPhaseEntry{
        "sphere-tree", "sphere trees, level by level, then triangles", true, false, true,
        [](const ShapeTables& s) { return makeSphereTreeNarrowPhase(s.sphereTrees, s.polyhedra); }},
    NarrowPhaseEntry{
        "bsp", "solid BSP trees, exact in one step", false, true, false,
        [](const ShapeTables& s) { return makeBspNarrowPhase(s.bspTrees, s.polyhedra); }},
    NarrowPhaseEntry{"brute-force", "every triangle against every triangle: the judge", false,
                     false, false,
                     [](const ShapeTables& s) { return makeBruteForceNarrowPhase(s.polyhedra); }},
};

template <class Entry>
const Entry* find(std::span<const Entry> entries, std::string_view name) noexcept {
  for (const Entry& entry : entries)
    if (entry.name == name) return &entry;
  return nullptr;
}

}  // namespace

std::span<const BroadPhaseEntry> broadPhaseCatalog() noexcept { return broadPhases; }
std::span<const NarrowPhaseEntry> narrowPhaseCatalog() noexcept { return narrowPhases; }

const BroadPhaseEntry* findBroadPhase(std::string_view name) noexcept {
  return find(broadPhaseCatalog(), name);
}
const NarrowPhaseEntry* findNarrowPhase(std::string_view name) noexcept {
  return find(narrowPhaseCatalog(), name);
}

}  // namespace nearmiss
