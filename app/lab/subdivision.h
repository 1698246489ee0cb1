// SPDX-License-Identifier: MIT
/// Finer meshes of the same surface.
#pragma once

#include <nearmiss/mesh.h>

namespace nearmiss::app {

/// Every triangle as four, by the midpoints of its edges: the surface stays where it is, and a
/// closed one closed.
[[nodiscard]] TriangleMesh subdivided(const TriangleMesh& mesh);

}  // namespace nearmiss::app
