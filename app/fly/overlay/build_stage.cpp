// SPDX-License-Identifier: MIT
#include "fly/overlay/build_stage.h"

#include <algorithm>

#include "console/build_stage_name.h"
#include "fly/host/key_map.h"
#include "fly/overlay/panels.h"

namespace nearmiss::app {

float shareDone(const BuildProgress& progress) noexcept {
  return std::clamp(progress.fraction.load(), 0.0f, 0.99f);
}

void drawStage(const Ink& ink, const Rect& rect, const BuildProgress& progress) {
  const float em = ink.em(), middle = rect.y + 0.5f * ink.line();
  const float done = shareDone(progress);
  const bool stopping = progress.cancelled.load();
  ink.text({rect.x, middle}, stopping ? "cancelling" : nameOf(progress.stage.load()), palette::dim);
  ink.textRight({rect.right(), middle}, Line("{:.0f} %", 100.0f * done), palette::dim);
  const Rect bar{rect.x, rect.y + 1.3f * ink.line(), rect.width, 0.5f * em};
  ink.fill(bar, palette::black, 0.5f, 0.2f * em);
  ink.fill({bar.x, bar.y, std::max(done * bar.width, 0.4f * em), bar.height}, palette::own, 1.0f,
           0.2f * em);
}

void drawGrowing(const Ink& ink, const Rect& rect, const OverlayView& view) {
  ink.edge(rect);
  ink.spot(rect, "building");
  const Rect inner = rect.inset(0.7f * ink.em());
  const float top = rect.y + 0.5f * ink.em();
  const Growing& growing = view.growing;
  const Line title("Building {}", growing.what);
  ink.text({inner.x, top + 0.5f * ink.line()}, title, palette::text, ink.bold());
  ink.textRight({inner.right(), top + 0.5f * ink.line()},
                Line("{:.1f} s, {} stops", growing.elapsedSeconds, localKeyName(Action::Back)),
                palette::dim, ink.small());
  drawStage(ink, {inner.x, top + ink.line(), inner.width, 2.0f * ink.line()}, *growing.progress);
}

}  // namespace nearmiss::app
