// SPDX-License-Identifier: MIT
#include "fly/modes/game/floating_points.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>

#include "fly/gfx/camera.h"
#include "fly/overlay/ink.h"

namespace nearmiss::app::fly {

void FloatingPoints::add(std::int64_t points, const Vec3& place, double now) {
  if (points_.size() == most) points_.erase(points_.begin());
  points_.push_back({points, place, now});
}

void FloatingPoints::draw(const Ink& ink, const Camera& camera, glm::vec2 window, double now) {
  std::erase_if(points_, [now](const Floating& each) {
    return now - each.born > seconds || now < each.born;
  });
  for (const Floating& each : points_) {
    glm::vec2 at;
    if (!project(camera, static_cast<int>(window.x), static_cast<int>(window.y), each.place, at))
      continue;
    const auto age = static_cast<float>((now - each.born) / seconds);
    const std::string text = fmt::format("{:+}", each.points);
    const float size = 1.6f * ink.em(), wide = 1.6f * ink.textWidth(text, ink.bold());
    // Next to the ships, rising
    at += glm::vec2(-0.5f * wide, -(1.5f + 3.0f * age) * ink.em());
    at.x = std::clamp(at.x, 0.0f, std::max(0.0f, window.x - wide));
    const Rgb colour = each.points < 0 ? palette::overrun : palette::own;
    const float alpha = std::min(1.0f, 2.0f * (1.0f - age));
    const ImVec2 pen(at.x, at.y - 0.5f * size);
    ImDrawList& list = *ink.list();
    for (const float aside : {-1.5f, 1.5f})
      list.AddText(ink.bold(), size, {pen.x + aside, pen.y + aside},
                   Ink::colour(palette::plot, 0.8f * alpha), text.c_str());
    list.AddText(ink.bold(), size, pen, Ink::colour(colour, alpha), text.c_str());
  }
}

}  // namespace nearmiss::app::fly
