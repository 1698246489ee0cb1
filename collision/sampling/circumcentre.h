// SPDX-License-Identifier: MIT
/// Centres of the circle or sphere through points.
#pragma once

#include <nearmiss/math.h>

#include <optional>

namespace nearmiss {

/// Of the circle through three points, in their plane; none where they lie in a line, about.
[[nodiscard]] std::optional<Vec3> circumcentre(const Vec3& a, const Vec3& b,
                                               const Vec3& c) noexcept;

/// Of the sphere through four points; none where they lie in a plane, about.
[[nodiscard]] std::optional<Vec3> circumcentre(const Vec3& a, const Vec3& b, const Vec3& c,
                                               const Vec3& d) noexcept;

}  // namespace nearmiss
