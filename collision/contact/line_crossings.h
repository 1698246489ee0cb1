// SPDX-License-Identifier: MIT
/// Decides exactly whether a short line passes through the surface of a body.
#pragma once

#include <nearmiss/math.h>

#include "contact/contact_body.h"

namespace nearmiss {

/// Returns the side of the last triangle on the way from which the line passes through it: 1 in
/// front, -1 behind, 0 if it passes through none. A line that ends on a triangle has not passed it.
/// Body frame.
[[nodiscard]] int lastSideLeft(const ContactBody& body, const Vec3& from, const Vec3& to);

/// Returns true if a whole line lies inside a solid. Body frame.
/// @pre `from` is inside.
[[nodiscard]] bool holdsLine(const ContactBody& solid, const Vec3& from, const Vec3& to);

}  // namespace nearmiss
