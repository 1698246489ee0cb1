// SPDX-License-Identifier: MIT
#include "measure/tree_hausdorff.h"

#include "measure/farthest_point.h"
#include "sampling/parallel_for.h"
#include "tree/sphere_packing.h"

#include <algorithm>
#include <atomic>
#include <vector>

namespace nearmiss {

bool measureHausdorff(const Polyhedron& polyhedron, const DistanceField& field,
                      const SphereTreeSettings& settings, SphereTree::Data& data,
                      BuildProgress* progress) {
  if (progress) progress->enter(BuildStage::Hausdorff);
  const int workers = std::max(1, settings.workers);
  std::vector<FarthestPointSearch> searches(static_cast<std::size_t>(workers),
                                            FarthestPointSearch(polyhedron, &field));
  std::atomic<std::size_t> done{0};
  parallelFor(data.packs.size(), workers, [&](std::size_t pack, int worker) {
    const SpherePack& p = data.packs[pack];
    for (int lane = 0; lane < SpherePack::width && p.r[lane] >= 0.0f; ++lane) {
      if (progress && progress->cancelled) return;
      const SphereId id =
          static_cast<SphereId>(pack * SpherePack::width) + static_cast<SphereId>(lane);
      if (!data.identity.empty() && data.identity[id] != id) continue;
      const Sphere ball{Vec3(p.x[lane], p.y[lane], p.z[lane]), p.r[lane]};
      const DistanceRange range = searches[static_cast<std::size_t>(worker)].search(
          ball, settings.hausdorffTolerance * ball.radius);
      data.links[pack].hausdorff[lane] = floatAtLeast(range.atMost);
    }
    if (progress)
      progress->fraction = static_cast<float>(++done) / static_cast<float>(data.packs.size());
  });
  if (progress && progress->cancelled) return false;

  // All slots of one sphere have the same H
  for (SphereId id = 0; id < data.identity.size(); ++id) {
    const SphereId own = data.identity[id];
    data.links[id / SpherePack::width].hausdorff[id % SpherePack::width] =
        data.links[own / SpherePack::width].hausdorff[own % SpherePack::width];
  }
  return true;
}

}  // namespace nearmiss
