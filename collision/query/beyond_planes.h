// SPDX-License-Identifier: MIT
/// The point nearest to the origin beyond some planes.
#pragma once

#include <nearmiss/math.h>

#include <optional>
#include <span>
#include <vector>

namespace nearmiss {

/// All points with normal . p >= reach.
struct BeyondPlane {
  Vec3 normal{0.0};  ///< unit
  Real reach = 0.0;
};

/// The point nearest to the origin that is beyond all planes; none if no point that at most three
/// of them define is.
[[nodiscard]] std::optional<Vec3> nearestBeyond(std::span<const BeyondPlane> planes) noexcept;

/// Planes that are found one after the other; those found first are forgotten where no point is
/// beyond all.
class BeyondPlanes {
 public:
  void clear() noexcept { planes_.clear(); }
  /// The point nearest to the origin beyond the new plane and those that are left.
  [[nodiscard]] std::optional<Vec3> with(const BeyondPlane& plane);

 private:
  std::vector<BeyondPlane> planes_;
};

}  // namespace nearmiss
