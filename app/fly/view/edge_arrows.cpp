// SPDX-License-Identifier: MIT
#include "fly/view/edge_arrows.h"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>

namespace nearmiss::app {
namespace {

glm::vec2 middleOf(const Rect& area) noexcept {
  return {area.x + 0.5f * area.width, area.y + 0.5f * area.height};
}

}  // namespace

glm::vec2 edgeOf(const Rect& area, const glm::vec2& way) noexcept {
  constexpr float least = 1e-4f;
  const float across = 0.5f * area.width / std::max(std::abs(way.x), least);
  const float down = 0.5f * area.height / std::max(std::abs(way.y), least);
  return middleOf(area) + way * std::min(across, down);
}

glm::vec2 wayTo(const Camera& camera, const glm::vec2& window, const Rect& area,
                const Vec3& world) noexcept {
  glm::vec2 towards;
  if (glm::vec2 pixel;
      project(camera, static_cast<int>(window.x), static_cast<int>(window.y), world, pixel)) {
    towards = pixel - middleOf(area);
  } else {
    // A projection would mirror what is behind the eye
    const Vec3 seen = glm::conjugate(camera.pose.rotation) * (world - camera.pose.position);
    towards = {static_cast<float>(seen.x), static_cast<float>(-seen.y)};
  }
  const float length = glm::length(towards);
  return length > 1e-4f ? towards / length : glm::vec2(0.0f, 1.0f);
}

bool shows(const Camera& camera, const glm::vec2& window, const Rect& area, const Vec3& world,
           glm::vec2& pixel) noexcept {
  return project(camera, static_cast<int>(window.x), static_cast<int>(window.y), world, pixel) &&
         pixel.x >= area.x && pixel.y >= area.y && pixel.x <= area.right() &&
         pixel.y <= area.bottom();
}

void findEdgeArrows(const Camera& camera, const glm::vec2& window, const Rect& area,
                    std::span<const BodyState> bodies, std::size_t own,
                    std::vector<EdgeArrow>& arrows) {
  arrows.clear();
  const Vec3& from = bodies[own].pose.position;
  const auto arrowTo = [&](const Vec3& world, bool middle) {
    const glm::vec2 way = wayTo(camera, window, area, world);
    return EdgeArrow{edgeOf(area, way), way, glm::distance(world, from), middle};
  };
  bool alone = true;
  glm::vec2 pixel;
  for (std::size_t index = 0; index < bodies.size(); ++index) {
    if (index == own) continue;
    const Vec3& ship = bodies[index].pose.position;
    if (shows(camera, window, area, ship, pixel)) {
      alone = false;
      continue;
    }
    // Of a crowd only those are worked out that are nearer than the farthest one kept
    const double distance = glm::distance(ship, from);
    if (arrows.size() == mostEdgeArrows && distance >= arrows.back().distance) continue;
    if (arrows.size() == mostEdgeArrows) arrows.pop_back();
    const auto place = std::ranges::upper_bound(arrows, distance, {}, &EdgeArrow::distance);
    arrows.insert(place, arrowTo(ship, false));
  }
  const Vec3 middle(0.0);
  if (alone && !shows(camera, window, area, middle, pixel)) arrows.push_back(arrowTo(middle, true));
}

}  // namespace nearmiss::app
