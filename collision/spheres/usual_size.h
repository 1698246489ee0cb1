// SPDX-License-Identifier: MIT
/// Meshes far smaller or larger than usual ones, brought to a usual size for a build: builders
/// measure in float, whose range powers of such lengths leave.
#pragma once

#include <nearmiss/build_progress.h>
#include <nearmiss/mesh.h>
#include <nearmiss/result.h>
#include <nearmiss/sphere_tree.h>
#include <nearmiss/tree_builders.h>

namespace nearmiss {

/// Times two to this power a mesh is of a usual size; 0 where it is already. Powers of two round
/// nothing: what is built is the same at every size.
[[nodiscard]] int exponentToUsualSize(const Polyhedron& polyhedron) noexcept;

/// Lengths, and what has them, times two to a power.
[[nodiscard]] Polyhedron scaledBy(const Polyhedron& polyhedron, int exponent);
[[nodiscard]] SphereTreeSettings scaledBy(const SphereTreeSettings& settings, int exponent);
[[nodiscard]] InnerSpheres scaledBy(InnerSpheres inner, int exponent);
[[nodiscard]] SphereTree scaledBy(SphereTree tree, int exponent);

/// What a builder makes of the mesh at a usual size, brought to its own size.
/// @param exponent that of exponentToUsualSize()
Result<SphereTree> builtAtUsualSize(int exponent, const Polyhedron& polyhedron,
                                    const SphereTreeSettings& settings, BuildProgress* progress,
                                    Result<SphereTree> (*build)(const Polyhedron&,
                                                                const SphereTreeSettings&,
                                                                BuildProgress*));

}  // namespace nearmiss
