// SPDX-License-Identifier: MIT
/// The builders of the core. A build that needs fewer has a list of its own instead of this file.
#include <nearmiss/advanced/tree_builders.h>
#include <nearmiss/detail/fingerprint.h>

#include <span>
#include <string_view>

#include "shape/usual_builders.h"

namespace nearmiss {
namespace {

constexpr SphereTreeBuilderEntry builders[] = {
    surfaceAreaEntry,
    octreeEntry,
    variationalEntry,
    SphereTreeBuilderEntry{"dag", "as variational, but each level fitted to the whole surface",
                           buildSphereDag,
                           [](std::string_view name, const SphereTreeSettings& settings) {
                             return checkOwn(name, settings, clusterSettings(settings.dag));
                           },
                           [](Fingerprint& key, const SphereTreeSettings& settings) {
                             addOwn(key, clusterSettings(settings.dag));
                           }},
    SphereTreeBuilderEntry{
        "medial", "merged spheres of the medial-axis surface, the paper's own",
        buildMedialSphereTree,
        [](std::string_view name, const SphereTreeSettings& settings) {
          return checkOwn(name, settings, settings.medial);
        },
        [](Fingerprint& key, const SphereTreeSettings& settings) { addOwn(key, settings.medial); },
        true},
};

}  // namespace

std::span<const SphereTreeBuilderEntry> coreSphereTreeBuilders() noexcept { return builders; }

}  // namespace nearmiss
