// SPDX-License-Identifier: MIT
/// The point nearest to the origin beyond some planes.
#pragma once

#include <nearmiss/math.h>

#include <optional>
#include <span>

namespace nearmiss {

/// All points with normal . p >= reach.
struct BeyondPlane {
  Vec3 normal{0.0};  ///< unit
  Real reach = 0.0;
};

/// The point nearest to the origin that is beyond all planes; none if no point that at most three
/// of them define is.
[[nodiscard]] std::optional<Vec3> nearestBeyond(std::span<const BeyondPlane> planes) noexcept;

}  // namespace nearmiss
