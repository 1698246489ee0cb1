// SPDX-License-Identifier: MIT
/// Finds where too few points stand on narrow necks and gaps, so that Voronoi cells reach through
/// to foreign parts of the surface, and adds points there [H96 §7].
#pragma once

#include <nearmiss/polyhedron.h>

#include <atomic>
#include <vector>

#include "builders/voronoi_diagram.h"
#include "spheres/even_points.h"

namespace nearmiss {

/// For every point: the parts of the surface in its cell that do not hang together with the point's
/// own triangle within the cell, and of each such part the position nearest to the point. At most
/// `most` positions. Once `cancelled` is set, if given, it ends soon without the rest.
[[nodiscard]] std::vector<SurfaceSample> missingPoints(
    const Polyhedron& polyhedron, const std::vector<SurfaceSample>& points,
    const VoronoiDiagram& diagram, std::size_t most, const std::atomic<bool>* cancelled = nullptr);

}  // namespace nearmiss
