// SPDX-License-Identifier: MIT
/// Points spread evenly over a surface.
#pragma once

#include <nearmiss/triangle_mesh.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace nearmiss {

/// A point of a mesh's surface.
struct SurfaceSample {
  Vec3 position{0.0};
  std::uint32_t triangle = 0;  ///< that it lies in
};

[[nodiscard]] std::vector<Vec3> positionsOf(std::span<const SurfaceSample> points);

/// The distance that neighbours among `count` even points have, about, in metres.
[[nodiscard]] Real evenSpacing(const TriangleMesh& mesh, std::size_t count) noexcept;

/// `count` points, first at random by area, then pushed apart [T91, H96 §7]; the same for the same
/// mesh. Each keeps to the polygons: what pushes it over an edge turns with it into the next
/// triangle, and at the rim of an open surface it stops.
/// @pre `mesh` has a triangle and no triangle without area.
/// Once `cancelled` is set, if given, it ends soon with points less even.
[[nodiscard]] std::vector<SurfaceSample> evenPoints(const TriangleMesh& mesh, std::size_t count,
                                                    const std::atomic<bool>* cancelled = nullptr);

/// The k-th point of an even sequence in the unit cube.
[[nodiscard]] Vec3 evenPoint(std::size_t k) noexcept;

/// `count` points of the surface, the same share of them to equal areas, in the order of its
/// triangles. Less even than evenPoints(), and far quicker.
[[nodiscard]] std::vector<SurfaceSample> spreadPoints(const TriangleMesh& mesh, std::size_t count);

}  // namespace nearmiss
