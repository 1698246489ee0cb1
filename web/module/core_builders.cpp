// SPDX-License-Identifier: MIT
/// The builders of the module: those that pages use. The others would be a twentieth of its bytes.
#include <nearmiss/advanced/tree_builders.h>
#include <nearmiss/detail/fingerprint.h>

#include "spheres/build_hash.h"
#include "spheres/build_plan.h"

#include <span>
#include <string_view>

namespace nearmiss {
namespace {

constexpr SphereTreeBuilderEntry builders[] = {
    SphereTreeBuilderEntry{
        "sah", "balls around parts of the surface, halved by the surface area heuristic",
        buildSurfaceAreaSphereTree},
    SphereTreeBuilderEntry{"octree", "spheres around the occupied octants of the bounding cube",
                           buildOctreeSphereTree},
    SphereTreeBuilderEntry{"variational",
                           "balls around clusters of surface pieces, moved until they fit best",
                           buildVariationalSphereTree,
                           [](std::string_view name, const SphereTreeSettings& settings) {
                             return checkOwn(name, settings, settings.variational);
                           },
                           [](Fingerprint& key, const SphereTreeSettings& settings) {
                             addOwn(key, settings.variational);
                           }},
};

}  // namespace

std::span<const SphereTreeBuilderEntry> coreSphereTreeBuilders() noexcept { return builders; }

}  // namespace nearmiss
