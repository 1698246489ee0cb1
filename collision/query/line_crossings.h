// SPDX-License-Identifier: MIT
/// Whether a short line passes through the surface of a body. Decided exactly.
#pragma once

#include <nearmiss/math.h>

#include "query/contact_body.h"

namespace nearmiss {

/// Returns the side of the last triangle on the way from which the line passes through it: 1 before
/// the triangle, -1 behind; 0 if it passes through none. A line that ends on a triangle has not
/// passed it. Body frame.
[[nodiscard]] int lastSideLeft(const ContactBody& body, const Vec3& from, const Vec3& to);

/// Returns true if all of a line is inside a solid. Body frame.
/// @pre `from` is inside.
[[nodiscard]] bool holdsLine(const ContactBody& solid, const Vec3& from, const Vec3& to);

}  // namespace nearmiss
