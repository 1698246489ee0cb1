// SPDX-License-Identifier: MIT
/// Meshes far smaller or larger than usual ones, brought to a usual size for a build: builders
/// measure in float, whose range powers of such lengths leave.
#pragma once

#include <nearmiss/build_progress.h>
#include <nearmiss/detail/cancellation.h>
#include <nearmiss/detail/out_of_memory.h>
#include <nearmiss/mesh.h>
#include <nearmiss/result.h>
#include <nearmiss/sphere_tree.h>
#include <nearmiss/tree_builders.h>

#include <atomic>
#include <utility>

namespace nearmiss {

/// Times two to this power a mesh is of a usual size; 0 where it is already. Powers of two round
/// nothing: what is built is the same at every size.
[[nodiscard]] int exponentToUsualSize(const Polyhedron& polyhedron) noexcept;

/// Lengths, and what has them, times two to a power. Errors: Cancelled.
[[nodiscard]] Result<Polyhedron> scaledBy(const Polyhedron& polyhedron, int exponent,
                                          const std::atomic<bool>* cancelled);
[[nodiscard]] SphereTreeSettings scaledBy(const SphereTreeSettings& settings, int exponent);
[[nodiscard]] InnerSpheres scaledBy(InnerSpheres inner, int exponent);
[[nodiscard]] SphereTree scaledBy(SphereTree tree, int exponent);

/// What build(polyhedron, settings, progress) makes of the mesh at a usual size, brought to its own
/// size.
/// @param exponent that of exponentToUsualSize()
[[nodiscard]] Result<SphereTree> builtAtUsualSize(int exponent, const Polyhedron& polyhedron,
                                                  const SphereTreeSettings& settings,
                                                  BuildProgress* progress, const auto& build) {
  return orOutOfMemory("cannot build the sphere tree", [&]() -> Result<SphereTree> {
    const auto usual = scaledBy(polyhedron, exponent, cancellationOf(progress));
    if (!usual) return usual.error();
    Result<SphereTree> tree = build(*usual, scaledBy(settings, exponent), progress);
    if (!tree) return tree;
    return scaledBy(*std::move(tree), -exponent);
  });
}

}  // namespace nearmiss
