// SPDX-License-Identifier: MIT
/// Every narrow phase of this library. The classes stay in their .cpp files; this is all one needs.
#pragma once

#include <nearmiss/bsp_tree.h>
#include <nearmiss/narrow_phase.h>
#include <nearmiss/polyhedron.h>
#include <nearmiss/sphere_tree.h>

#include <memory>
#include <span>

namespace nearmiss {

// Each span is indexed by ShapeId and must outlive what is made from it.

/// Sphere trees, refined a level a step; the step after the leaves compares the triangles in
/// colliding leaves exactly and looks for one solid inside the other [H96 §4.1, §11.2].
///
/// A tree has to hold its surface in its own frame only: what is lost by moving and comparing
/// spheres in float is made up for here, by about 2e-6 of the size of the pair, which every bound
/// includes. Keeps 16 bytes for up to 64 colliding pairs of spheres (eight siblings against eight),
/// shared between all pairs of bodies and kept for the next begin().
[[nodiscard]] std::unique_ptr<NarrowPhase> makeSphereTreeNarrowPhase(
    std::span<const SphereTree> trees, std::span<const Polyhedron> polyhedra);

/// Solid BSP trees, exact, one step [TN87; H96 §11].
[[nodiscard]] std::unique_ptr<NarrowPhase> makeBspNarrowPhase(
    std::span<const BspTree> trees, std::span<const Polyhedron> polyhedra);

/// Every triangle against every triangle, and containment: slow, plain, and the judge of all
/// others.
[[nodiscard]] std::unique_ptr<NarrowPhase> makeBruteForceNarrowPhase(
    std::span<const Polyhedron> polyhedra);

}  // namespace nearmiss
