// SPDX-License-Identifier: MIT
#include <nearmiss/advanced/polyhedron.h>
#include <nearmiss/detail/out_of_memory.h>
#include <nearmiss/rivals/catalog.h>

#include <array>
#include <string>
#include <vector>

namespace nearmiss {

// Methods without settings: defined in their sources, and declared only here
std::unique_ptr<BroadPhase> makeBoxesBroadPhase();
std::unique_ptr<BroadPhase> makeHierarchicalGridBroadPhase();
std::unique_ptr<BroadPhase> makeScheduleBroadPhase();
std::unique_ptr<BroadPhase> makeUniformGridBroadPhase();

namespace {

/// Returns the box of each shape in its own frame, by ShapeRef::index().
std::vector<Box> boxesOf(const Shapes& shapes) {
  std::vector<Box> boxes;
  for (const Shape& shape : shapes) {
    Box& box = boxes.emplace_back();
    for (const Vec3& corner : shape.polyhedron().mesh().positions) box.include(corner);
  }
  return boxes;
}

constexpr SweepAndPruneSettings dynamicBoxes{SweepAndPruneSettings::Boxes::Dynamic, false};
constexpr SweepAndPruneSettings twoAxes{SweepAndPruneSettings::Boxes::Fixed, true};

constexpr std::array broadPhases{
    BroadPhaseEntry{"space-time",
                    "Hubbard 1993: all space-time bounds rebuilt when two intersect; by projection",
                    [] { return makePublishedSpaceTimeBroadPhase(); }, true},
    BroadPhaseEntry{"space-time-subdivision",
                    "Hubbard 1993, as told in Young 2004: the same by subdivision of time",
                    [] { return makePublishedSubdivisionBroadPhase(); }, true},
    BroadPhaseEntry{"space-time-queue",
                    "ours, after Hubbard 1993: bounds rebuilt body by body, a queue of crossings",
                    [] { return makeSpaceTimeBroadPhase(); }, true},
    BroadPhaseEntry{"space-time-slices",
                    "ours, after Hubbard 1993: the same, faces re-sorted after slices of time",
                    [] { return makeSpaceTimeSlicesBroadPhase(); }, true},
    BroadPhaseEntry{"space-time-halves",
                    "ours, after Hubbard 1993: the same, pairs listed for each half of time",
                    [] { return makeSpaceTimeHalvesBroadPhase(); }, true},
    BroadPhaseEntry{"space-time-horns",
                    "ours, after Hubbard 1993: horns, pair by pair where whole lives come near",
                    [] { return makeSpaceTimeHornBroadPhase(); }, true},
    BroadPhaseEntry{"space-time-grid",
                    "ours, after Hubbard 1993: bounds in a grid, a calendar of pairs; for crowds",
                    makeSpaceTimeGridBroadPhase, true},
    BroadPhaseEntry{"schedule",
                    "Lin 1993: a heap of pairs by the earliest time at which they can touch",
                    makeScheduleBroadPhase, true},
    BroadPhaseEntry{"uniform-grid", "Turk 1990: cells as large as the largest body",
                    makeUniformGridBroadPhase},
    BroadPhaseEntry{"hierarchical-grid",
                    "Ericson 2005: nested grids, cells doubling from level to level",
                    makeHierarchicalGridBroadPhase},
    BroadPhaseEntry{"spatial-hash", "Ericson 2005: a grid without borders, cells in a hash table",
                    [] { return makeSpatialHashBroadPhase(); }},
    BroadPhaseEntry{"sweep-and-prune",
                    "Cohen et al. 1995: sorted endpoint lists on three axes, kept between calls",
                    [] { return makeSweepAndPruneBroadPhase(); }},
    BroadPhaseEntry{
        "sweep-and-prune-dynamic", "Cohen et al. 1995: the same with boxes refitted as bodies turn",
        [] { return makeSweepAndPruneBroadPhase(dynamicBoxes); }, false,
        [](const Shapes& s) { return makeSweepAndPruneBroadPhase(dynamicBoxes, boxesOf(s)); }},
    BroadPhaseEntry{"sweep-and-prune-two-axes",
                    "Akenine-Moeller et al. 2008: the same without a list for the clumped axis",
                    [] { return makeSweepAndPruneBroadPhase(twoAxes); }},
    BroadPhaseEntry{"boxes", "Young 2004: boxes of fixed size, every pair", makeBoxesBroadPhase},
    BroadPhaseEntry{"all-pairs", "ours: bounding spheres, every pair; the reference",
                    makeAllPairsBroadPhase},
};

template <VolumeKind kind>
constexpr NarrowPhaseEntry volumeTree(std::string_view name, std::string_view summary) {
  return {name,  summary,
          false, false,
          true,  [](const Shapes& shapes) { return makeVolumeTreeNarrowPhase(shapes, kind); }};
}

constexpr std::array narrowPhases{
    NarrowPhaseEntry{"sphere-tree",
                     "ours, after Hubbard 1996: sphere trees, one colliding pair a level", true,
                     false, true, [](const Shapes& s) { return makeSphereTreeNarrowPhase(s); }},
    NarrowPhaseEntry{"sphere-tree-all",
                     "Hubbard 1996: sphere trees, all colliding pairs of a level", true, false,
                     true, [](const Shapes& s) { return makeSphereTreeAllNarrowPhase(s); }},
    volumeTree<VolumeKind::HullBox>(
        "obb-tree", "Gottschalk, Lin and Manocha 1996: a hierarchy of boxes turned to fit"),
    volumeTree<VolumeKind::TurnedBox>(
        "obb-tree-corners", "ours, after Gottschalk et al. 1996: by corners, halved by number"),
    volumeTree<VolumeKind::AlignedBox>("aabb-tree",
                                       "Van den Bergen 1997: a hierarchy of boxes along the axes"),
    volumeTree<VolumeKind::Slabs>("kdop-tree",
                                  "Klosowski et al. 1998: a hierarchy of polytopes of 18 sides"),
    volumeTree<VolumeKind::SweptRectangle>(
        "rss-tree", "Larsen et al. 1999: a hierarchy of balls swept over rectangles"),
    volumeTree<VolumeKind::SweptSegment>(
        "lss-tree", "Larsen et al. 1999: a hierarchy of balls swept over segments"),
    volumeTree<VolumeKind::SweptPoint>("pss-tree",
                                       "Larsen et al. 1999: the same over points, axes as above"),
    volumeTree<VolumeKind::Hull>(
        "gjk", "Gilbert, Johnson and Keerthi 1988: a hierarchy of convex hulls, by simplices"),
    volumeTree<VolumeKind::HullFeatures>(
        "lin-canny", "Lin and Canny 1991: the same hulls, by a walk to their closest features"),
    volumeTree<VolumeKind::Region>(
        "region-bsp", "Young 2004: space halved until few polygons are left in a region"),
    volumeTree<VolumeKind::Ball>("ball-tree",
                                 "Quinlan 1994: a binary hierarchy of balls over the triangles"),
    NarrowPhaseEntry{"bsp",
                     "ours, after Thibault and Naylor 1987: solid BSP trees, exact in one step",
                     false, true, false, [](const Shapes& s) { return makeBspNarrowPhase(s); }},
    NarrowPhaseEntry{
        "bsp-all", "Thibault and Naylor 1987: the same, each polygon filtered to the leaves", false,
        true, false, [](const Shapes& s) { return makeBspNarrowPhase(s, BspPolygons::All); }},
    NarrowPhaseEntry{"brute-force", "ours: every triangle against every triangle; the reference",
                     false, false, false,
                     [](const Shapes& s) { return makeBruteForceNarrowPhase(s); }},
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

std::unique_ptr<BroadPhase> makeBroadPhase(const BroadPhaseEntry& entry, const Shapes& shapes) {
  return entry.makeFor ? entry.makeFor(shapes) : entry.make();
}

Result<std::unique_ptr<NarrowPhase>> makeNarrowPhase(const NarrowPhaseEntry& entry,
                                                     const Shapes& shapes) {
  for (const Shape& shape : shapes) {
    const bool lacksSpheres = entry.needsSphereTrees && !shape.sphereTree();
    if (lacksSpheres || (entry.needsBspTrees && !shape.bspTree()))
      return Error{ErrorCode::Unsupported, "the method \"" + std::string(entry.name) +
                                               "\" expects " + (lacksSpheres ? "sphere" : "BSP") +
                                               " trees, and a shape has none"};
  }
  using Made = Result<std::unique_ptr<NarrowPhase>>;
  return orOutOfMemory("cannot make the narrow phase",
                       [&]() -> Made { return entry.make(shapes); });
}

const BroadPhaseEntry* findBroadPhase(std::string_view name) noexcept {
  return find(broadPhaseCatalog(), name);
}
const NarrowPhaseEntry* findNarrowPhase(std::string_view name) noexcept {
  return find(narrowPhaseCatalog(), name);
}

}  // namespace nearmiss
