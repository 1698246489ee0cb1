// SPDX-License-Identifier: MIT
/// Scales meshes that are far smaller or larger than usual to a usual size for a build. Builders
/// measure in float, whose range is exceeded by powers of such lengths.
#pragma once

#include <nearmiss/advanced/build_progress.h>
#include <nearmiss/advanced/polyhedron.h>
#include <nearmiss/advanced/sphere_tree.h>
#include <nearmiss/advanced/tree_builders.h>
#include <nearmiss/detail/cancellation.h>
#include <nearmiss/detail/out_of_memory.h>
#include <nearmiss/mesh.h>
#include <nearmiss/result.h>

#include <atomic>
#include <utility>

namespace nearmiss {

/// Returns the exponent of the power of two by which a mesh has to be scaled to a usual size; 0 if
/// it has one. Scaling by a power of two is exact, so the result of a build is the same at every
/// size.
[[nodiscard]] int exponentToUsualSize(const Polyhedron& polyhedron) noexcept;

/// Scales lengths, and everything that depends on them, by two to a power. Errors: Cancelled.
[[nodiscard]] Result<Polyhedron> scaledBy(const Polyhedron& polyhedron, int exponent,
                                          const std::atomic<bool>* cancelled);
[[nodiscard]] SphereTreeSettings scaledBy(const SphereTreeSettings& settings, int exponent);
[[nodiscard]] InnerSpheres scaledBy(InnerSpheres inner, int exponent);
[[nodiscard]] SphereTree scaledBy(SphereTree tree, int exponent);

/// Returns the result of build(polyhedron, settings, progress) for the mesh scaled to a usual size,
/// scaled back to its own size.
/// @param exponent from exponentToUsualSize()
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
