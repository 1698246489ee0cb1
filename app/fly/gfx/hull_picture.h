// SPDX-License-Identifier: MIT
/// One picture for all hulls: how light the paint is on panels, at their seams and rivets, and on
/// letters. Beside a few rows that change nothing, for all that is no hull.
#pragma once

#include <cstdint>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <vector>

namespace nearmiss::app {

struct HullPicture {
  static constexpr int width = 1024, height = 1312;  ///< pixels
  /// What leaves the paint as it is; see shaders/ship.frag.glsl.
  static constexpr std::uint8_t plain = 204;
  std::vector<std::uint8_t> light;  ///< row by row
};

/// The same at every start.
[[nodiscard]] HullPicture drawHullPicture();

/// Places in the picture, 0 to 1: one that leaves the paint as it is.
[[nodiscard]] glm::vec2 plainPlace() noexcept;
/// Of a point of a hull, seen along `axis` (0 to 2); `reach` of the body, metres.
[[nodiscard]] glm::vec2 panelPlace(const glm::vec3& point, int axis, float reach) noexcept;
/// Of a point in the rectangle of a registration.
[[nodiscard]] glm::vec2 letterPlace(std::size_t registration, float across, float over) noexcept;

}  // namespace nearmiss::app
