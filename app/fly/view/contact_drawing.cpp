// SPDX-License-Identifier: MIT
#include "fly/view/contact_drawing.h"

#include <imgui.h>

#include <algorithm>
#include <glm/geometric.hpp>

#include "fly/gfx/renderer.h"
#include "fly/overlay/ink.h"

namespace nearmiss::app::fly {
namespace {

/// One point on the screen.
struct DrawnContact {
  glm::vec2 middle, onA, onB, tip;
};

}  // namespace

void drawArrow(const Ink& ink, glm::vec2 from, glm::vec2 tip, Rgb colour, float alpha) {
  const glm::vec2 way = tip - from;
  const float length = glm::length(way), head = std::min(0.6f * ink.em(), 0.6f * length);
  // An arrow along the view direction is a point
  if (!(length > 2.0f)) return;
  const glm::vec2 along = way / length, across(-along.y, along.x);
  const glm::vec2 neck = tip - head * along;
  ink.segment(from, neck, palette::plot, 5.0f, 0.7f * alpha);
  ink.segment(from, neck, colour, 2.5f, alpha);
  ink.triangle(tip + 1.5f * along, neck + 0.45f * head * across, neck - 0.45f * head * across,
               colour, palette::plot, alpha);
}

void drawContacts(const Ink& ink, const Camera& camera, glm::vec2 window,
                  std::span<const ManifoldPoint> points, const ContactStyle& style) {
  const auto width = static_cast<int>(window.x), height = static_cast<int>(window.y);
  const float dot = 0.22f * ink.em();
  // Do not draw into the other half of a split view
  const auto inside = [&](glm::vec2 place) {
    return place.x >= 0.0f && place.x <= window.x && place.y >= 0.0f && place.y <= window.y;
  };
  // The deepest last, on top of the others
  for (std::size_t i = points.size(); i-- > 0;) {
    const ManifoldPoint& point = points[i];
    const Vec3 middle = 0.5 * (point.onA + point.onB);
    DrawnContact at;
    if (!project(camera, width, height, middle, at.middle) ||
        !project(camera, width, height, point.onA, at.onA) ||
        !project(camera, width, height, point.onB, at.onB) ||
        !project(camera, width, height, middle + style.arrow * point.normal, at.tip) ||
        !inside(at.middle))
      continue;
    drawArrow(ink, at.middle, at.tip, style.colour, style.alpha);
    if (glm::distance(at.onA, at.onB) > 2.0f * dot) {
      ink.segment(at.onA, at.onB, palette::plot, 6.0f, 0.7f * style.alpha);
      ink.segment(at.onA, at.onB, style.colour, 3.0f, style.alpha);
    }
    ImDrawList& list = *ink.list();
    list.AddCircleFilled({at.middle.x, at.middle.y}, dot + 1.5f,
                         Ink::colour(palette::plot, 0.8f * style.alpha));
    list.AddCircleFilled({at.middle.x, at.middle.y}, dot, Ink::colour(style.colour, style.alpha));
    if (i > 0) continue;
    ink.circle(at.middle, 2.2f * dot, palette::plot, 4.0f, 0.6f * style.alpha);
    ink.circle(at.middle, 2.2f * dot, style.colour, 1.5f, style.alpha);
  }
}

}  // namespace nearmiss::app::fly
