// SPDX-License-Identifier: MIT
#include "c/handles.h"

using namespace nearmiss;
using namespace nearmiss::c;

namespace {

/// Writes the manifold; the caller provides enough room.
void write(const ContactManifold& found, nearmiss_manifold_point* points,
           nearmiss_manifold* manifold) noexcept {
  for (const ManifoldPoint& point : found.points) *points++ = plain(point);
  *manifold = {found.points.size(), found.depthKnown, found.canRefine};
}

}  // namespace

nearmiss_status nearmiss_contact_manifold(const nearmiss_shape* a, const nearmiss_pose* pose_a,
                                          const nearmiss_shape* b, const nearmiss_pose* pose_b,
                                          double margin, double budget,
                                          nearmiss_manifold_point* points, size_t max_points,
                                          nearmiss_manifold* manifold) {
  const char* missing =
      firstNull(Named{"a", a}, Named{"pose_a", pose_a}, Named{"b", b}, Named{"pose_b", pose_b},
                Named{"points", points}, Named{"manifold", manifold});
  if (missing) return isNull(missing);
  const auto within = budgetOf(budget);
  if (!within) return NEARMISS_UNSUPPORTED;
  return guarded([&] {
    const Pose here = poseOf(*pose_a), there = poseOf(*pose_b);
    if (const auto sound = checkArguments("pose_a", here, "pose_b", there); sound != NEARMISS_OK)
      return sound;
    const ManifoldSettings patch{margin, max_points};
    if (const auto sound = check(patch); !sound) return failed(sound.error());
    write(contactManifold(a->shape, here, b->shape, there, patch, *within), points, manifold);
    return NEARMISS_OK;
  });
}

nearmiss_status nearmiss_pair_manifold(nearmiss_pair* pair, double margin, double budget,
                                       nearmiss_manifold_point* points, size_t max_points,
                                       nearmiss_manifold* manifold) {
  const char* missing =
      firstNull(Named{"pair", pair}, Named{"points", points}, Named{"manifold", manifold});
  if (missing) return isNull(missing);
  const auto within = budgetOf(budget);
  if (!within) return NEARMISS_UNSUPPORTED;
  if (!pair->taken)
    return failed(NEARMISS_UNSUPPORTED, "the pair has no shapes: call nearmiss_pair_begin() first");
  return guarded([&] {
    const bool same = margin == pair->patch.margin && max_points == pair->patch.maxPoints;
    if (!pair->touches || !same) {
      const nearmiss_pair::Taken& two = *pair->taken;
      const ManifoldSettings patch{margin, max_points};
      if (const auto sound = check(patch); !sound) return failed(sound.error());
      pair->manifold.begin(two.a, two.poseA, two.b, two.poseB, patch);
      pair->patch = patch;
    }
    // After an allocation failure the next call has to begin again
    pair->touches = false;
    write(pair->manifold.refine(*within), points, manifold);
    pair->touches = true;
    return NEARMISS_OK;
  });
}
