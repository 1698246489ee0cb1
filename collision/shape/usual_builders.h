// SPDX-License-Identifier: MIT
/// The builders that every build of the library has.
#pragma once

#include <nearmiss/advanced/tree_builders.h>
#include <nearmiss/detail/fingerprint.h>

#include <string_view>

#include "spheres/build_hash.h"
#include "spheres/build_plan.h"

namespace nearmiss {

inline constexpr SphereTreeBuilderEntry surfaceAreaEntry{
    "sah", "balls around parts of the surface, halved by the surface area heuristic",
    buildSurfaceAreaSphereTree};

inline constexpr SphereTreeBuilderEntry octreeEntry{
    "octree", "spheres around the occupied octants of the bounding cube", buildOctreeSphereTree};

inline constexpr SphereTreeBuilderEntry variationalEntry{
    "variational", "balls around clusters of surface pieces, moved until they fit best",
    buildVariationalSphereTree,
    [](std::string_view name, const SphereTreeSettings& settings) {
      return checkOwn(name, settings, settings.variational);
    },
    [](Fingerprint& key, const SphereTreeSettings& settings) {
      addOwn(key, settings.variational);
    }};

}  // namespace nearmiss
