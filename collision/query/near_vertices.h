// SPDX-License-Identifier: MIT
/// The vertices of a body that another can be near: of terrain a few of a million.
#pragma once

#include <nearmiss/math.h>
#include <nearmiss/mesh.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <glm/common.hpp>
#include <glm/gtc/quaternion.hpp>
#include <span>
#include <vector>

namespace nearmiss {

/// Keeps its memory.
class NearVertices {
 public:
  /// All at first.
  /// @param all must outlive the last use
  void begin(const std::vector<std::uint32_t>& all) noexcept { near_ = all; }

  /// Leaves out those that are not near the box of another body, where these are likely to be many.
  /// Returns the number of triangles that it looked at.
  /// @param toOwn moves the other body into the frame of the own
  std::size_t leaveOut(const Polyhedron& own, const Polyhedron& other, const Pose& toOwn,
                       Real reach) {
    constexpr std::size_t few = 256;
    constexpr Real small = 0.25;
    const Box box = seenBox(other.bounds(), toOwn);
    const Vec3 ofOther = box.extent(), ofOwn = own.bounds().extent();
    const auto longest = [](const Vec3& v) { return std::max({v.x, v.y, v.z}); };
    if (near_.size() <= few || longest(ofOther) > small * longest(ofOwn)) return 0;
    listed_.clear();
    own.forEachTriangleIn({box.low - reach, box.high + reach}, [&](std::uint32_t t) {
      const auto& corners = own.mesh().triangles[t];
      listed_.insert(listed_.end(), corners.begin(), corners.end());
    });
    const std::size_t triangles = listed_.size() / 3;
    std::ranges::sort(listed_);
    listed_.erase(std::unique(listed_.begin(), listed_.end()), listed_.end());
    near_ = listed_;
    return triangles;
  }

  /// Ascending.
  [[nodiscard]] std::span<const std::uint32_t> all() const noexcept { return near_; }

 private:
  /// The box around a box that is moved.
  static Box seenBox(const Box& box, const Pose& pose) {
    const Vec3 half = 0.5 * box.extent();
    const glm::dmat3 turn = glm::mat3_cast(pose.rotation);
    const Vec3 seen =
        glm::abs(turn[0]) * half.x + glm::abs(turn[1]) * half.y + glm::abs(turn[2]) * half.z;
    const Vec3 centre = transformed(pose, box.centre());
    return {centre - seen, centre + seen};
  }

  std::span<const std::uint32_t> near_;
  std::vector<std::uint32_t> listed_;
};

}  // namespace nearmiss
