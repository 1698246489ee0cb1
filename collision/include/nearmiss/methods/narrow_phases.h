// SPDX-License-Identifier: MIT
/// Narrow phases to compare with those of nearmiss/narrow_phase.h. The classes stay in their .cpp
/// files; this is all one needs.
#pragma once

#include <nearmiss/narrow_phase.h>
#include <nearmiss/shape.h>

#include <cstdint>
#include <memory>

namespace nearmiss {

/// Sphere trees as published: all colliding pairs of spheres, level by level, then the triangles in
/// colliding leaves [H96 §4.1, §11.2]. Float rounding is compensated as by
/// makeSphereTreeNarrowPhase(). Keeps 16 bytes for up to 64 pairs of spheres (eight siblings
/// against eight), shared between all pairs of bodies and kept for the next begin().
/// @pre Every shape has a sphere tree.
[[nodiscard]] std::unique_ptr<NarrowPhase> makeSphereTreeAllNarrowPhase(const Shapes& shapes);

/// The bounding volume of the nodes of a hierarchy over the triangles.
enum class VolumeKind : std::uint8_t {
  Ball,
  AlignedBox,  ///< along the axes of the body
  TurnedBox,   ///< along the principal axes of the corners inside, halved as all others are
  Slabs,       ///< polytopes of eighteen sides [KHM98]
  SweptPoint,  ///< balls swept over a point, a segment, a rectangle [LGL99]
  SweptSegment,
  SweptRectangle,
  Hull,          ///< convex hulls, compared by simplices [GJK88]
  HullFeatures,  ///< the same, compared by their closest features [LC91]
  Region,        ///< parts of space, halved until few polygons are left [Y04]
  HullBox,       ///< turned boxes by their convex hulls, split across their sides [GLM96]
};

/// A binary hierarchy of volumes over the triangles, the same for all kinds but Region and HullBox
/// except for the volumes, refined three depths per step and exactly after the fourth; one pair of
/// volumes per step, as makeSphereTreeNarrowPhase() has it. The bound of a volume is the distance
/// of its farthest point from one corner of a triangle in it. Builds its trees here: nothing else
/// uses them.
[[nodiscard]] std::unique_ptr<NarrowPhase> makeVolumeTreeNarrowPhase(const Shapes& shapes,
                                                                     VolumeKind kind);

}  // namespace nearmiss
