// SPDX-License-Identifier: MIT
#include "fly/overlay/ghost_panel.h"

#include <algorithm>

#include "console/gap_text.h"
#include "fly/overlay/ink.h"

namespace nearmiss::app {
namespace {

void drawCourse(const Ink& ink, const Rect& plot, const GhostView& ghost, double highest,
                double GhostApart::*value, Rgb colour, float width) {
  const std::size_t n = ghost.course.size();
  const float step = plot.width / static_cast<float>(ghostFrames - 1);
  ImDrawList& list = *ink.list();
  list.PathClear();
  for (std::size_t i = 0; i < n; ++i) {
    const double metres = ghost.course[(ghost.oldest + i) % n].*value;
    const float x = plot.right() - static_cast<float>(n - 1 - i) * step;
    list.PathLineTo({x, plot.bottom() - static_cast<float>(metres / highest) * plot.height});
  }
  list.PathStroke(Ink::colour(colour), 0, width);
}

}  // namespace

void drawGhostPanel(const Ink& ink, const Rect& rect, const GhostView& ghost) {
  ink.edge(rect);
  const float em = ink.em();
  const Rect inner = rect.inset(0.7f * em);
  float y = inner.y + 0.5f * ink.line() - 0.2f * em;
  ink.text({inner.x, y}, "Away from the exact flight", palette::text, ink.bold());
  y += ink.line();
  const auto figure = [&](float x, std::string_view name, double metres, Rgb colour) {
    ink.text({x, y}, name, colour, ink.small());
    ink.text({x + ink.textWidth(name, ink.small()) + 0.4f * em, y}, gapText(metres), palette::text,
             ink.small());
  };
  figure(inner.x, "your ship", ghost.now.own, palette::own);
  figure(inner.x + 0.5f * inner.width, "farthest", ghost.now.farthest, palette::swap);

  double highest = 1e-3;
  for (const GhostApart& apart : ghost.course) highest = std::max(highest, apart.farthest);
  highest *= 1.1;
  const float top = y + 0.7f * ink.line();
  // Scale at the left of the curves
  const float scale = ink.textWidth("9999 cm", ink.small()) + 0.4f * em;
  const Rect plot{inner.x + scale, top, inner.width - scale, inner.bottom() - top};
  ink.textRight({plot.x - 0.4f * em, plot.y + 0.5f * em}, gapText(highest), palette::dim,
                ink.small());
  ink.textRight({plot.x - 0.4f * em, plot.bottom() - 0.5f * em}, "0", palette::dim, ink.small());
  ink.fill(plot, palette::plot);
  if (ghost.course.size() < 2) return;
  drawCourse(ink, plot, ghost, highest, &GhostApart::farthest, palette::swap, 1.0f);
  drawCourse(ink, plot, ghost, highest, &GhostApart::own, palette::own, 2.0f);
}

}  // namespace nearmiss::app
