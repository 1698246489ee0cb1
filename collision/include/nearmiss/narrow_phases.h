// SPDX-License-Identifier: MIT
/// Every narrow phase of this library. The classes stay in their .cpp files; this is all one needs.
#pragma once

#include <nearmiss/narrow_phase.h>
#include <nearmiss/shape.h>

#include <cstdint>
#include <memory>

namespace nearmiss {

/// Sphere trees, refined a level a step: each finds one pair of spheres of the level that meet, the
/// deepest first, or that there is none, and goes on where the step before it ended. The step after
/// the leaves goes on to the triangles, exactly, and looks for one solid inside the other. Levels
/// and promises are those of H96 §4.1; collidingSpheres is 1, and contacts() finds the others when
/// it is called.
///
/// A tree has to hold its surface in its own frame only. The rounding of spheres that are moved and
/// compared in float is made up for here, by about 2e-6 of the size of the pair, which every bound
/// includes. The fastest instructions of the machine are chosen as the program runs; answers are
/// the same to the last bit.
/// @pre Every shape has a sphere tree.
[[nodiscard]] std::unique_ptr<NarrowPhase> makeSphereTreeNarrowPhase(const Shapes& shapes);

/// Makes now what makeSphereTreeNarrowPhase() would make of the shape when it first meets it. It is
/// made once, whichever thread asks, and shared between all copies of the shape.
/// @pre The shape has a sphere tree.
void prepareSphereTree(const Shape& shape);

/// As published: all colliding pairs of spheres, level by level, then the triangles in colliding
/// leaves [H96 §4.1, §11.2]. The rounding of floats is made up for as above. Keeps 16 bytes for up
/// to 64 pairs of spheres (eight siblings against eight), shared between all pairs of bodies and
/// kept for the next begin().
/// @pre Every shape has a sphere tree.
[[nodiscard]] std::unique_ptr<NarrowPhase> makeSphereTreeAllNarrowPhase(const Shapes& shapes);

/// What the nodes of a hierarchy over the triangles hold them in.
enum class VolumeKind : std::uint8_t {
  Ball,
  AlignedBox,  ///< along the axes of the body
  TurnedBox,   ///< along the principal axes of what is inside [GLM96]
  Slabs,       ///< polytopes of eighteen sides [KHM98]
  SweptPoint,  ///< balls swept over a point, a segment, a rectangle [LGL99]
  SweptSegment,
  SweptRectangle,
  Hull,          ///< convex hulls, compared by simplices [GJK88]
  HullFeatures,  ///< the same, compared by their closest features [LC91]
  Region,        ///< parts of space, halved until few polygons are left [Y04]
};

/// A binary hierarchy of volumes over the triangles, the same for all kinds but for the volumes,
/// refined three depths a step and exactly after the fourth; one pair of volumes a step, as
/// makeSphereTreeNarrowPhase() has it. The bound of a volume is the distance of its farthest point
/// from one corner of a triangle in it. Builds its trees here: they are of no other use.
[[nodiscard]] std::unique_ptr<NarrowPhase> makeVolumeTreeNarrowPhase(const Shapes& shapes,
                                                                     VolumeKind kind);

/// Solid BSP trees, exact, one step [TN87; H96 §11].
/// @pre Every shape has a BSP tree.
[[nodiscard]] std::unique_ptr<NarrowPhase> makeBspNarrowPhase(const Shapes& shapes);

/// Every triangle against every triangle, and containment: slow, simple, and the reference that all
/// others are tested against.
[[nodiscard]] std::unique_ptr<NarrowPhase> makeBruteForceNarrowPhase(const Shapes& shapes);

}  // namespace nearmiss
