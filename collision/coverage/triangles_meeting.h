// SPDX-License-Identifier: MIT
#pragma once

#include <nearmiss/polyhedron.h>
#include <nearmiss/primitives.h>

#include <cstdint>
#include <vector>

namespace nearmiss {

/// The triangles that come within `ball`, ascending.
[[nodiscard]] std::vector<std::uint32_t> trianglesMeeting(const Polyhedron& polyhedron,
                                                          const Sphere& ball);

}  // namespace nearmiss
