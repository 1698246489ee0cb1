// SPDX-License-Identifier: MIT
/// What a discrete Voronoi diagram of two bodies says of the distance between them.
#pragma once

#include <optional>
#include <span>

#include "fly/diagram/diagram_picture.h"

namespace nearmiss::app {

struct DiagramGap {
  double lower = 0.0, upper = 0.0;  ///< metres: between their sections, for certain
  glm::dvec2 a{0.0}, b{0.0};        ///< points of both that are `upper` apart at most
};

/// Along the border of their regions, where both are equally far, they are nearest to each other.
/// Sites below `firstOfB` are of the first body. Nothing where one of them has no region.
[[nodiscard]] std::optional<DiagramGap> gapOf(const DiagramPicture& picture,
                                              std::span<const PlaneSite> sites,
                                              std::uint32_t firstOfB);

/// The point of a site that is nearest to `p`.
[[nodiscard]] glm::dvec2 nearestOf(const PlaneSite& site, const glm::dvec2& p) noexcept;

}  // namespace nearmiss::app
