// SPDX-License-Identifier: MIT
/// The vertices of a body that may be near another body: a few of a million for terrain.
#pragma once

#include <nearmiss/math.h>
#include <nearmiss/mesh.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "geometry/polyhedron_pair.h"

namespace nearmiss {

/// A list of vertices. Reuses its memory.
class NearVertices {
 public:
  /// Starts with all vertices.
  /// @param all must outlive the last use
  void begin(const std::vector<std::uint32_t>& all) noexcept { near_ = all; }

  /// Removes vertices that are not near the box of another body, if many are likely to be removed.
  /// Returns the number of triangles examined.
  /// @param toOwn transforms the other body into the frame of this one
  std::size_t leaveOut(const Polyhedron& own, const Polyhedron& other, const Pose& toOwn,
                       Real reach) {
    constexpr std::size_t few = 256;
    constexpr Real small = 0.25;
    if (near_.size() <= few) return 0;
    const auto longest = [](const Vec3& v) { return std::max({v.x, v.y, v.z}); };
    const Box box = BoxMotion(toOwn)(other.bounds(), reach);
    if (longest(box.extent()) > small * longest(own.bounds().extent())) return 0;
    listed_.clear();
    own.forEachTriangleIn(box, [&](std::uint32_t t) {
      const auto& corners = own.mesh().triangles[t];
      listed_.insert(listed_.end(), corners.begin(), corners.end());
    });
    const std::size_t triangles = listed_.size() / 3;
    std::ranges::sort(listed_);
    listed_.erase(std::unique(listed_.begin(), listed_.end()), listed_.end());
    near_ = listed_;
    return triangles;
  }

  /// Returns the vertices, ascending.
  [[nodiscard]] std::span<const std::uint32_t> all() const noexcept { return near_; }

 private:
  std::span<const std::uint32_t> near_;
  std::vector<std::uint32_t> listed_;
};

}  // namespace nearmiss
