// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>

#include "console/text.h"
#include "fly/overlay/ink.h"
#include "fly/overlay/panels.h"

namespace nearmiss::app::fly {

void drawPlayerPanel(const Ink& ink, const Rect& rect, const PlayerView& player) {
  constexpr double urgent = 2.0;  // seconds to contact
  const float em = ink.em();
  ink.edge(rect);
  const Rect inner = rect.inset(0.5f * em);

  // One line, smaller if it is too long
  float size = 1.15f * em;
  const float wide = ink.textWidth(player.line) * size / em;
  if (wide > inner.width) size *= inner.width / wide;
  const float width = std::min(wide, inner.width);
  ink.sized({inner.x + 0.5f * (inner.width - width), inner.y + 0.5f * ink.line()}, player.line,
            palette::text, size);

  struct Cell {
    std::string_view name;
    std::string value;
    Rgb colour = palette::text;
  };
  std::string threat = player.nearest ? gapText(*player.nearest) : std::string("–");
  if (player.contact) threat += fmt::format(", contact in {:.1f} s", *player.contact);
  const bool danger = player.contact && *player.contact < urgent;
  const std::array<Cell, 3> cells{
      Cell{"speed", fmt::format("{:.1f} m/s", player.speed)},
      Cell{"threat", std::move(threat), danger ? palette::overrun : palette::text},
      Cell{"score", fmt::format("{}", player.points)}};
  // The threat has the longest value
  constexpr std::array<float, 4> edges{0.0f, 0.28f, 0.78f, 1.0f};
  const float top = inner.y + ink.line(), middle = top + 0.5f * ink.line();
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const float left = inner.x + edges[i] * inner.width;
    const float room = (edges[i + 1] - edges[i]) * inner.width;
    ink.spot({left, top, room, ink.line()}, cells[i].name);
    ink.text({left, middle}, cells[i].name, palette::dim, ink.small());
    const float named = ink.textWidth(cells[i].name, ink.small()) + 0.5f * em;
    ImFont* type = ink.bold();
    if (named + ink.textWidth(cells[i].value, type) > room) type = ink.small();
    ink.text({left + named, middle}, cells[i].value, cells[i].colour, type);
  }
}

}  // namespace nearmiss::app::fly
