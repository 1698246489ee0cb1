// SPDX-License-Identifier: MIT
/// How many drones fly, where a user names one number for all groups of a scene.
#pragma once

#include <engine/scene/scene_settings.h>

#include <cstddef>
#include <vector>

namespace nearmiss::app {

/// Drones shared out evenly, the first groups getting what is left over. Without a group there is
/// one of the usual drones.
inline void shareOut(int drones, std::vector<engine::DroneGroup>& groups) {
  if (groups.empty()) groups.emplace_back();
  const int count = static_cast<int>(groups.size());
  for (int i = 0; i < count; ++i)
    groups[static_cast<std::size_t>(i)].count = drones / count + (i < drones % count ? 1 : 0);
}

}  // namespace nearmiss::app
