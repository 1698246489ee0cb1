// SPDX-License-Identifier: MIT
#include "fly/overlay/run_panel.h"

#include "fly/host/key_map.h"
#include "fly/overlay/ink.h"

namespace nearmiss::app {

void drawRunPanel(const Ink& ink, const Rect& rect, const RunView& run) {
  const float em = ink.em();
  ink.edge(rect);
  const Rect inner = rect.inset(em);
  float y = rect.y + 0.5f * em + 0.5f * ink.line();
  const float half = 0.5f * inner.width, top = y - 0.5f * ink.line();
  ink.spot({inner.x, top, half, ink.line()}, "points");
  ink.spot({inner.x + half, top, half, ink.line()}, "time left");
  ink.spot({inner.x, top + ink.line(), inner.width, ink.line()}, "streak");
  ink.text({inner.x, y}, Line("{} points", run.points), palette::text, ink.bold());
  ink.textRight({inner.right(), y}, Line("{:.1f} s left", run.left), palette::text, ink.bold());
  y += ink.line();
  ink.text({inner.x, y}, Line("streak {}", run.streak));
  ink.textRight({inner.right(), y}, Line("the next counts x {}", run.times), palette::dim);

  // A sentence of up to two lines
  y += 0.5f * ink.line();
  const std::string_view event =
      run.event.empty() ? std::string_view("pass ships closely, and touch none") : run.event;
  ink.list()->AddText(ink.regular(), ink.regular()->FontSize, {inner.x, y + 0.2f * em},
                      Ink::colour(palette::text), event.data(), event.data() + event.size(),
                      inner.width);
}

void drawRunEnd(const Ink& ink, float width, float height, const RunEndView& end, float& scroll) {
  ink.fill({0.0f, 0.0f, width, height}, palette::black, 0.55f);
  const Line hint("{} flies on, {} flies it again", localKeyName(Action::Back),
                  localKeyName(Action::Restart));
  drawPage(ink, width, height, end.groups, PageStyle::Keys, end.title, hint, scroll);
}

}  // namespace nearmiss::app
