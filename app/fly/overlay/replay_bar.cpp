// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "fly/host/key_map.h"
#include "fly/overlay/panels.h"

namespace nearmiss::app {
namespace {

Rect barOf(const Rect& rect, float em) noexcept {
  return {rect.x + em, rect.y + 2.1f * em, rect.width - 2.0f * em, 1.2f * em};
}

}  // namespace

std::uint64_t replayFrameAt(const Rect& rect, float em, const ReplayView& view, float x) noexcept {
  const Rect bar = barOf(rect, em);
  const double share = std::clamp(double{(x - bar.x) / bar.width}, 0.0, 1.0);
  const auto frame =
      static_cast<std::uint64_t>(std::llround(share * static_cast<double>(view.frames)));
  return std::clamp<std::uint64_t>(frame, 1, view.frames);
}

void drawReplayBar(const Ink& ink, const Rect& rect, const ReplayView& view) {
  const float em = ink.em();
  ink.edge(rect);
  ink.spot(rect, "replay");
  const float middle = rect.y + 1.1f * em;
  ink.text({rect.x + em, middle}, Line("Replay: frame {} of {}", view.position, view.frames),
           palette::text, ink.bold());
  ink.textRight({rect.right() - em, middle},
                Line("click or pull the bar; {} and {} step; Enter flies on from here",
                     firstKeyName(Action::StepBack), firstKeyName(Action::Step)),
                palette::dim, ink.small());

  // What lies behind, and a stroke as high as many collisions began in the frames of a pixel
  const Rect bar = barOf(rect, em);
  ink.fill(bar, palette::plot);
  const float perFrame = bar.width / static_cast<float>(view.frames);
  const float at = bar.x + perFrame * static_cast<float>(view.position);
  ink.fill({bar.x, bar.y, at - bar.x, bar.height}, palette::panelEdge);
  const auto columns = static_cast<std::size_t>(std::max(1.0f, bar.width));
  for (std::size_t column = 0; column < columns; ++column) {
    const std::size_t first = column * view.frames / columns;
    const std::size_t end = std::max(first + 1, (column + 1) * view.frames / columns);
    std::uint32_t began = 0;
    for (std::size_t n = first; n < std::min<std::size_t>(end, view.frames); ++n)
      began += view.collisions[n];
    if (began == 0) continue;
    const float high = bar.height * std::min(1.0f, 0.35f + 0.15f * static_cast<float>(began));
    const float x = bar.x + static_cast<float>(column) + 0.5f;
    ink.segment({x, bar.bottom() - high}, {x, bar.bottom()}, palette::own);
  }
  ink.frame(bar, palette::dim);
  ink.segment({at, bar.y - 0.25f * em}, {at, bar.bottom() + 0.25f * em}, palette::text, 2.0f);
}

}  // namespace nearmiss::app
