// SPDX-License-Identifier: MIT
/// Narrow phases for comparison with those of nearmiss/advanced/narrow_phase.h. Their classes are
/// private to their .cpp files.
#pragma once

#include <nearmiss/advanced/narrow_phase.h>
#include <nearmiss/advanced/shapes.h>
#include <nearmiss/shape.h>

#include <cstdint>
#include <memory>

namespace nearmiss {

/// Narrow phase with sphere trees as published: finds all colliding pairs of spheres, level by
/// level, then compares the triangles in colliding leaves [H96 §4.1, §11.2]. Rounding in float is
/// compensated as in makeSphereTreeNarrowPhase(). Stores 16 bytes per up to 64 pairs of spheres
/// (eight siblings against eight), shared by all pairs of bodies and reused by the next begin().
/// @pre Every shape has a sphere tree.
[[nodiscard]] std::unique_ptr<NarrowPhase> makeSphereTreeAllNarrowPhase(const Shapes& shapes);

/// The bounding volume of the nodes in a hierarchy over triangles.
enum class VolumeKind : std::uint8_t {
  Ball,
  AlignedBox,  ///< along the body axes
  /// Along the principal axes of the enclosed corners; split like all other kinds.
  TurnedBox,
  Slabs,       ///< polytopes with eighteen sides [KHM98]
  SweptPoint,  ///< ball swept over a point, a segment or a rectangle [LGL99]
  SweptSegment,
  SweptRectangle,
  Hull,          ///< convex hulls, compared by simplices [GJK88]
  HullFeatures,  ///< convex hulls, compared by their closest features [LC91]
  Region,        ///< regions of space, halved until few polygons are left [Y04]
  HullBox,       ///< oriented boxes by their convex hulls, split across their sides [GLM96]
};

/// Narrow phase with a binary hierarchy of volumes over the triangles. The hierarchy is the same
/// for all kinds except Region and HullBox; only the volumes differ. Each step descends three
/// levels of the hierarchy and finds one pair of volumes, as in makeSphereTreeNarrowPhase(); the
/// step after the fourth compares triangles exactly. The bound of a volume is the distance of its
/// farthest point from one corner of a triangle in it. Builds its trees in this call, because no
/// other method uses them.
[[nodiscard]] std::unique_ptr<NarrowPhase> makeVolumeTreeNarrowPhase(const Shapes& shapes,
                                                                     VolumeKind kind);

}  // namespace nearmiss
