// SPDX-License-Identifier: MIT
/// Convex hulls as nodes of a hierarchy of volumes, compared by one of two methods [EL01].
#pragma once

#include <nearmiss/math.h>

#include <optional>
#include <span>

#include "geometry/convex_polytope.h"
#include "geometry/detail_hulls.h"
#include "geometry/lin_canny.h"
#include "rivals/bounding_volumes.h"
#include "rivals/swept_volumes.h"

namespace nearmiss {

struct HullVolume {
  using Motion = VolumeMotion;
  ConvexPolytope hull;
  BallVolume bound;  ///< tested first

  [[nodiscard]] Sphere enclosing() const noexcept { return bound.ball; }
  [[nodiscard]] Real reachFrom(const Vec3& point) const noexcept;

 protected:
  void fit(std::span<const Vec3> points);
};

/// Convex hulls compared by simplices [GJK88].
struct GjkVolume : HullVolume {
  [[nodiscard]] static GjkVolume around(std::span<const Vec3> points);
  friend bool apart(const GjkVolume& a, const GjkVolume& b, const VolumeMotion& motion) noexcept;
};

/// Convex hulls compared by closest features [LC91], first at coarser levels of detail. The
/// coarsest start comes from tables of normals [EL00].
struct LinCannyVolume : HullVolume {
  DetailHulls detail;
  [[nodiscard]] static LinCannyVolume around(std::span<const Vec3> points);
  friend bool apart(const LinCannyVolume& a, const LinCannyVolume& b,
                    const VolumeMotion& motion) noexcept;
  /// The closest features of an earlier frame, where the walk starts [LC91; C95].
  using Kept = std::optional<ClosestFeatures>;
  friend bool apart(const LinCannyVolume& a, const LinCannyVolume& b, const VolumeMotion& motion,
                    Kept& kept) noexcept;
};

}  // namespace nearmiss
