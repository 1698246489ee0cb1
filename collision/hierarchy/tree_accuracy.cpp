// SPDX-License-Identifier: MIT
#include "hierarchy/tree_accuracy.h"

#include "hierarchy/farthest_point.h"
#include "hierarchy/sphere_packing.h"

namespace nearmiss {

bool measureAccuracy(const Polyhedron& polyhedron, Real tolerance, SphereTree::Data& data,
                     BuildProgress* progress) {
  if (progress) progress->stage = BuildStage::Accuracy;
  FarthestPointSearch farthest(polyhedron);
  for (std::size_t pack = 0; pack < data.packs.size(); ++pack) {
    const SpherePack& p = data.packs[pack];
    for (int lane = 0; lane < SpherePack::width && p.r[lane] >= 0.0f; ++lane) {
      if (progress && progress->cancelled) return false;
      const Sphere ball{Vec3(p.x[lane], p.y[lane], p.z[lane]), p.r[lane]};
      const DistanceRange range = farthest.search(ball, tolerance * ball.radius);
      data.links[pack].hausdorff[lane] = floatAtLeast(range.atMost);
    }
    if (progress)
      progress->fraction = static_cast<float>(pack + 1) / static_cast<float>(data.packs.size());
  }
  return true;
}

}  // namespace nearmiss
