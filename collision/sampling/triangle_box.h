// SPDX-License-Identifier: MIT
/// Whether a triangle may meet a box, never false where it does: for sorting triangles into
/// octants.
#pragma once

#include <nearmiss/primitives.h>
#include <nearmiss/triangle_intersection.h>

namespace nearmiss {

/// True if the closed triangle meets the closed box; may be true as well if it misses the box by
/// less than about 1e-12 of the coordinates. Separating axes: three of the box, one of the
/// triangle, nine products of their edges [E05 §5.2.9].
[[nodiscard]] bool triangleMayMeetBox(const Triangle& triangle, const Box& box) noexcept;

}  // namespace nearmiss
