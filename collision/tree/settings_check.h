// SPDX-License-Identifier: MIT
/// Whether the choices in the settings of a tree are among those that there are.
#pragma once

#include <nearmiss/sphere_tree_builder.h>

namespace nearmiss {

/// What is expected instead of a choice that there is not, or null. An enumeration read from
/// outside can hold any number.
[[nodiscard]] inline const char* faultOfChoices(const SphereTreeSettings& settings) noexcept {
  switch (settings.coverage) {
    case Coverage::Paper:
    case Coverage::Guaranteed:
    case Coverage::Samples:
      break;
    default:
      return "a coverage that there is";
  }
  switch (settings.guarantee) {
    case CoverageGuarantee::Partition:
    case CoverageGuarantee::Safest:
      break;
    default:
      return "a guarantee that there is";
  }
  switch (settings.objective) {
    case SphereObjective::Largest:
    case SphereObjective::AreaWeighted:
    case SphereObjective::Outside:
    case SphereObjective::Exposed:
      break;
    default:
      return "an objective that there is";
  }
  switch (settings.seeds) {
    case SphereSeeds::FarthestPoints:
    case SphereSeeds::Medial:
    case SphereSeeds::Best:
      break;
    default:
      return "seeds that there are";
  }
  switch (settings.adjacency) {
    case MedialAdjacency::SameFace:
    case MedialAdjacency::SharedEdge:
      return nullptr;
    default:
      return "an adjacency that there is";
  }
}

}  // namespace nearmiss
