// SPDX-License-Identifier: MIT
#include "fly/overlay/tour_panel.h"

#include <algorithm>

#include "fly/host/key_map.h"
#include "fly/overlay/ink.h"

namespace nearmiss::app {
namespace {

void drawFigure(const Ink& ink, const Rect& row, const TourFigure& figure) {
  const float em = ink.em(), middle = row.y + 0.5f * ink.line();
  ink.text({row.x, middle}, figure.name);
  ink.textRight({row.right(), middle}, figure.value, palette::text, ink.bold());
  const Rect track{row.x, row.y + ink.line(), row.width, 0.5f * em};
  ink.fill(track, palette::plot);
  const float wide = row.width * static_cast<float>(std::clamp(figure.share, 0.0, 1.0));
  if (wide > 0.0f) ink.fill({track.x, track.y, std::max(wide, 2.0f), track.height}, figure.colour);
}

}  // namespace

void drawTourPanel(const Ink& ink, const Rect& rect, const TourView& tour) {
  ink.edge(rect);
  const float em = ink.em();
  const Rect inner = rect.inset(0.8f * em);
  float y = inner.y + 0.5f * ink.line();
  ink.text({inner.x, y}, tour.title, palette::text, ink.bold());
  ink.textRight({inner.right(), y}, Line("{} of {}", tour.number, tour.stops), palette::dim);

  // The time that is left to read it
  y += 0.75f * ink.line();
  const float passed = static_cast<float>(std::clamp(tour.passed, 0.0, 1.0));
  ink.fill({inner.x, y, inner.width, 0.15f * em}, palette::panelEdge);
  if (!tour.held) ink.fill({inner.x, y, inner.width * passed, 0.15f * em}, palette::own);

  y += 0.7f * em;
  ImFont* font = ink.regular();
  const char *begin = tour.sentence.data(), *end = begin + tour.sentence.size();
  const float size = 1.08f * font->FontSize;
  const ImVec2 written = font->CalcTextSizeA(size, 1e9f, inner.width, begin, end);
  ink.list()->AddText(font, size, {inner.x, y}, Ink::colour(palette::text), begin, end,
                      inner.width);
  y += written.y + 0.8f * em;

  const float foot = inner.bottom() - ink.line();
  const float high = 1.75f * ink.line();
  for (const TourFigure& figure : tour.figures) {
    if (y + high > foot) break;
    drawFigure(ink, {inner.x, y, inner.width, high}, figure);
    y += high;
  }
  ink.text({inner.x, foot + 0.5f * ink.line()},
           Line("{}: next, {}: end", localKeyName(Action::Pause), localKeyName(Action::Back)),
           palette::own);
}

}  // namespace nearmiss::app
