// SPDX-License-Identifier: MIT
#include "fly/diagram/diagram_gap.h"

#include <algorithm>
#include <glm/geometric.hpp>
#include <limits>

namespace nearmiss::app {

glm::dvec2 nearestOf(const PlaneSite& site, const glm::dvec2& p) noexcept {
  const glm::dvec2 along = site.b - site.a;
  const double length2 = glm::dot(along, along);
  if (!(length2 > 0.0)) return site.a;
  return site.a + std::clamp(glm::dot(p - site.a, along) / length2, 0.0, 1.0) * along;
}

std::optional<DiagramGap> gapOf(const DiagramPicture& picture, std::span<const PlaneSite> sites,
                                std::uint32_t firstOfB) {
  const int n = picture.pixels;
  double least = std::numeric_limits<double>::infinity();
  int bestX = 0, bestY = 0, otherX = 0, otherY = 0;
  const auto siteAt = [&](int x, int y) { return picture.sites[picture.indexOf(x, y)]; };
  const auto isB = [&](int x, int y) { return siteAt(x, y) >= firstOfB; };
  const auto empty = [&](int x, int y) { return siteAt(x, y) == DiagramPicture::none; };
  // Neighbours of which one is nearer to the first body, the other to the second
  constexpr int steps[4][2] = {{1, 0}, {0, 1}, {1, 1}, {-1, 1}};
  for (int y = 0; y < n; ++y)
    for (int x = 0; x < n; ++x)
      for (const auto& [dx, dy] : steps) {
        const int u = x + dx, v = y + dy;
        if (u < 0 || u >= n || v >= n || empty(x, y) || empty(u, v) || isB(x, y) == isB(u, v))
          continue;
        const double both = static_cast<double>(picture.distances[picture.indexOf(x, y)]) +
                            static_cast<double>(picture.distances[picture.indexOf(u, v)]);
        if (both >= least) continue;
        least = both;
        bestX = x, bestY = y, otherX = u, otherY = v;
      }
  if (least == std::numeric_limits<double>::infinity()) return std::nullopt;
  if (isB(bestX, bestY)) {
    std::swap(bestX, otherX);
    std::swap(bestY, otherY);
  }

  // From the points that the pixels name to the nearest of the other body, back and forth
  const PlaneSite &siteA = sites[siteAt(bestX, bestY)], &siteB = sites[siteAt(otherX, otherY)];
  DiagramGap gap;
  gap.a = nearestOf(siteA, picture.middleOf(bestX, bestY));
  gap.b = nearestOf(siteB, picture.middleOf(otherX, otherY));
  for (int i = 0; i < 8; ++i) {
    gap.b = nearestOf(siteB, gap.a);
    gap.a = nearestOf(siteA, gap.b);
  }
  gap.upper = glm::distance(gap.a, gap.b);
  // The true middle lies on the border: two pixels about it name both bodies, each no farther from
  // it than one and a half diagonals
  const double diagonal = std::sqrt(2.0) * picture.side / n;
  gap.lower = std::max(0.0, least - 3.0 * diagonal - 2.0 * picture.error);
  gap.lower = std::min(gap.lower, gap.upper);
  return gap;
}

}  // namespace nearmiss::app
