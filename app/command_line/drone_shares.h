// SPDX-License-Identifier: MIT
/// Distributes a total number of drones over the groups of a scene.
#pragma once

#include <engine/scene/scene_settings.h>

#include <cstddef>
#include <vector>

namespace nearmiss::app {

/// Distributes drones evenly; the first groups get the remainder. Adds a default group if there is
/// none.
inline void shareOut(int drones, std::vector<engine::DroneGroup>& groups) {
  if (groups.empty()) groups.emplace_back();
  const int count = static_cast<int>(groups.size());
  for (int i = 0; i < count; ++i)
    groups[static_cast<std::size_t>(i)].count = drones / count + (i < drones % count ? 1 : 0);
}

}  // namespace nearmiss::app
