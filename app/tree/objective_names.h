// SPDX-License-Identifier: MIT
/// What builders make small, as options name it.
#pragma once

#include <nearmiss/tree_builders.h>

#include <string_view>
#include <vector>

namespace nearmiss::app {

/// In the order of SphereObjective.
[[nodiscard]] inline std::vector<std::string_view> objectiveNames() {
  return {"largest", "area", "outside", "exposed"};
}

/// @pre a name of objectiveNames()
[[nodiscard]] inline SphereObjective objectiveNamed(std::string_view name) noexcept {
  if (name == "largest") return SphereObjective::Largest;
  if (name == "area") return SphereObjective::AreaWeighted;
  if (name == "outside") return SphereObjective::Outside;
  return SphereObjective::Exposed;
}

}  // namespace nearmiss::app
