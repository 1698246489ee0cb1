// SPDX-License-Identifier: MIT
/// Draws contact manifolds: a marker at each point and an arrow along its normal.
#pragma once

#include <nearmiss/contact_manifold.h>

#include <glm/vec2.hpp>
#include <span>

#include "fly/gfx/camera.h"
#include "fly/overlay/palette.h"

namespace nearmiss::app::fly {

class Ink;

/// How large and how visible arrows are.
struct ContactStyle {
  Rgb colour = palette::white;
  Real arrow = 0.5;  ///< metres
  float alpha = 1.0f;
};

/// Draws the points over everything else, because bodies hide the places where they touch. The
/// arrow shows the normal, in which a is pushed; a bar joins the points of both surfaces where it
/// can be seen. The first point, the deepest, has a second ring.
/// Leaves out points outside of the window.
/// @param window size in pixels
void drawContacts(const Ink& ink, const Camera& camera, glm::vec2 window,
                  std::span<const ManifoldPoint> points, const ContactStyle& style);

}  // namespace nearmiss::app::fly
