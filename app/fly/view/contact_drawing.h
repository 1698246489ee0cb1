// SPDX-License-Identifier: MIT
/// Draws contact manifolds: a marker at each point and an arrow along its normal.
#pragma once

#include <nearmiss/pair.h>

#include <glm/vec2.hpp>
#include <span>

#include "fly/gfx/camera.h"
#include "fly/overlay/palette.h"

namespace nearmiss::app::fly {

class Ink;

/// Size and visibility of arrows.
struct ContactStyle {
  Rgb colour = palette::white;
  Real arrow = 0.5;  ///< metres
  float alpha = 1.0f;
};

/// Draws a bright arrow with a dark rim, readable on hulls and sky; nothing if it is shorter than 2
/// pixels.
void drawArrow(const Ink& ink, glm::vec2 from, glm::vec2 tip, Rgb colour, float alpha = 1.0f);

/// Draws the points over everything else, because bodies hide their contacts. The arrow is the
/// normal, along which a is pushed; a bar joins the points on both surfaces if they are visibly
/// apart. The first point, which is the deepest, has a second ring. Skips points outside the
/// window.
/// @param window size in pixels
void drawContacts(const Ink& ink, const Camera& camera, glm::vec2 window,
                  std::span<const ManifoldPoint> points, const ContactStyle& style);

}  // namespace nearmiss::app::fly
