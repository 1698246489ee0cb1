// SPDX-License-Identifier: MIT
/// Finds the point nearest to the origin beyond a set of planes.
#pragma once

#include <nearmiss/math.h>

#include <optional>
#include <span>
#include <vector>

namespace nearmiss {

/// The half-space of all points with normal . p >= reach.
struct BeyondPlane {
  Vec3 normal{0.0};  ///< unit
  Real reach = 0.0;
};

/// Returns the point nearest to the origin that is beyond all planes. Considers only points defined
/// by at most three planes; empty if none of them is.
[[nodiscard]] std::optional<Vec3> nearestBeyond(std::span<const BeyondPlane> planes) noexcept;

/// Planes that are found one after the other. If no point is beyond all, the oldest planes are
/// dropped.
class BeyondPlanes {
 public:
  void clear() noexcept { planes_.clear(); }
  /// Adds a plane. Returns the point nearest to the origin beyond it and the remaining planes.
  [[nodiscard]] std::optional<Vec3> with(const BeyondPlane& plane);

 private:
  std::vector<BeyondPlane> planes_;
};

}  // namespace nearmiss
