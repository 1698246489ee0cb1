// SPDX-License-Identifier: MIT
#include "tree/sphere_listing.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace nearmiss::app {

std::vector<std::vector<ListedSphere>> listLevels(const SphereTree& tree, int deepest) {
  std::vector<std::vector<ListedSphere>> levels;
  std::vector<SphereId> ids, above;
  for (int l = 0; l < tree.levelCount() && l <= deepest; ++l) {
    tree.spheresOf(l, ids);
    std::vector<ListedSphere>& level = levels.emplace_back();
    for (const SphereId id : ids)
      level.push_back({tree.sphere(id), static_cast<Real>(tree.hausdorff(id)), {}, {}});

    // Identities ascend within a level, so a child is found by halving
    for (std::size_t parent = 0; l > 0 && parent < above.size(); ++parent) {
      const std::uint32_t packs = tree.childPackCount(above[parent]);
      const SphereLinks& links = tree.data().links[above[parent] / SpherePack::width];
      const SphereId first =
          packs == 0 ? 0 : links.childPack[above[parent] % SpherePack::width] * SpherePack::width;
      for (SphereId slot = first; slot < first + packs * SpherePack::width; ++slot) {
        if (tree.sphere(slot).radius < 0.0) continue;
        const auto found = std::lower_bound(ids.begin(), ids.end(), tree.identity(slot));
        const auto child = static_cast<std::size_t>(found - ids.begin());
        level[child].parents.push_back(parent);
        levels[levels.size() - 2][parent].children.push_back(child);
      }
    }
    above = ids;
  }
  return levels;
}

void moveTo(const SourceFrame& frame, std::vector<std::vector<ListedSphere>>& levels) {
  constexpr Real epsilon = std::numeric_limits<Real>::epsilon();
  for (std::vector<ListedSphere>& level : levels)
    for (ListedSphere& each : level) {
      Sphere& sphere = each.sphere;
      sphere.centre = sphere.centre / frame.scale + frame.centre;
      const Vec3 size = glm::abs(sphere.centre) + glm::abs(frame.centre);
      sphere.radius = sphere.radius / frame.scale * (1.0 + 4.0 * epsilon);
      const Real largest = std::max({size.x, size.y, size.z}) + sphere.radius;
      const Real lost = 8.0 * epsilon * largest + frame.rounding;
      sphere.radius += lost;
      each.h = each.h / frame.scale * (1.0 + 4.0 * epsilon) + 2.0 * lost;
    }
}

}  // namespace nearmiss::app
