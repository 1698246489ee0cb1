// SPDX-License-Identifier: MIT
#include "fly/overlay/hover.h"

#include <algorithm>
#include <cmath>

#include "fly/overlay/ink.h"

namespace nearmiss::app {

const HoverSpot* HoverSpots::at(const glm::vec2& pixel) const noexcept {
  for (auto spot = spots_.rbegin(); spot != spots_.rend(); ++spot)
    if (meets(spot->rect, {pixel.x, pixel.y, 0.01f, 0.01f})) return &*spot;
  return nullptr;
}

void drawHoverWords(const Ink& ink, const Rect& spot, std::string_view words, float width,
                    float height) {
  const float em = ink.em(), pad = 0.6f * em, gap = 0.3f * em;
  const float wrap = std::min(26.0f * em, width - 2.0f * (pad + gap));
  const ImVec2 size =
      ink.regular()->CalcTextSizeA(em, 1e9f, wrap, words.data(), words.data() + words.size());
  // Beside a row, below or above anything shorter, so that its neighbours can still be read
  Rect box{spot.x, spot.bottom() + gap, size.x + 2.0f * pad, size.y + 2.0f * pad};
  const bool row = spot.width > 12.0f * em;
  const bool right = spot.right() + 2.0f * gap + box.width <= width;
  if (row && (right || spot.x - 2.0f * gap - box.width >= 0.0f)) {
    box.x = right ? spot.right() + 2.0f * gap : spot.x - 2.0f * gap - box.width;
    box.y = spot.y;
  } else if (box.bottom() > height && spot.y - gap - box.height >= 0.0f) {
    box.y = spot.y - gap - box.height;
  }
  // Never over the window's edge
  box.x = std::round(std::clamp(box.x, 0.0f, std::max(0.0f, width - box.width)));
  box.y = std::round(std::clamp(box.y, 0.0f, std::max(0.0f, height - box.height)));
  ink.fill(box, palette::plot, 1.0f, 0.3f * em);
  ink.frame(box, palette::dim, 1.0f, 0.3f * em);
  ink.list()->AddText(ink.regular(), em, {box.x + pad, box.y + pad}, Ink::colour(palette::text),
                      words.data(), words.data() + words.size(), wrap);
}

}  // namespace nearmiss::app
