// SPDX-License-Identifier: MIT
/// Which way to turn for what is out of view: arrows at the edge of the scene.
#pragma once

#include <nearmiss/body_state.h>

#include <glm/vec2.hpp>
#include <span>
#include <vector>

#include "fly/gfx/camera.h"
#include "fly/overlay/layout.h"

namespace nearmiss::app {

struct EdgeArrow {
  glm::vec2 tip{0.0f};    ///< pixels, on the edge
  glm::vec2 way{0.0f};    ///< unit vector towards it, y down
  double distance = 0.0;  ///< metres from the user's ship
  bool middle = false;    ///< of the arena; else a ship
};

inline constexpr std::size_t mostEdgeArrows = 5;

/// Where the straight way from the middle of `area` leaves it. @pre `way` is a unit vector
[[nodiscard]] glm::vec2 edgeOf(const Rect& area, const glm::vec2& way) noexcept;

/// The way on the picture, a unit vector, y down, in which a turn brings `world` to the middle of
/// `area`.
[[nodiscard]] glm::vec2 wayTo(const Camera& camera, const glm::vec2& window, const Rect& area,
                              const Vec3& world) noexcept;

/// Whether the picture shows the point within `area`; `pixel` is where, unless it is behind the
/// eye.
[[nodiscard]] bool shows(const Camera& camera, const glm::vec2& window, const Rect& area,
                         const Vec3& world, glm::vec2& pixel) noexcept;

/// Writes to `arrows` the ships whose middles are not in `area`, but for `own`, the nearest first;
/// where none is in it, and the arena's middle is neither, an arrow to that as well.
void findEdgeArrows(const Camera& camera, const glm::vec2& window, const Rect& area,
                    std::span<const BodyState> bodies, std::size_t own,
                    std::vector<EdgeArrow>& arrows);

}  // namespace nearmiss::app
