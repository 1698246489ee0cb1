// SPDX-License-Identifier: MIT
#include "fly/overlay/dialogs.h"

#include <algorithm>
#include <cmath>

#include "fly/host/key_map.h"
#include "fly/overlay/build_stage.h"
#include "fly/overlay/ink.h"

namespace nearmiss::app {
namespace {

Rect centred(float width, float height, float boxWidth, float boxHeight) {
  return {std::round(0.5f * (width - boxWidth)), std::round(0.45f * (height - boxHeight)), boxWidth,
          boxHeight};
}

/// True when it was clicked.
bool button(const Ink& ink, const Rect& rect, std::string_view text, bool preferred) {
  const ImGuiIO& io = ImGui::GetIO();
  const bool over = io.MousePos.x >= rect.x && io.MousePos.x < rect.right() &&
                    io.MousePos.y >= rect.y && io.MousePos.y < rect.bottom();
  const Rgb ground = preferred ? palette::own : palette::panelEdge;
  ink.fill(rect, ground, over ? 1.0f : 0.85f, 0.25f * ink.em());
  const float width = ink.textWidth(text);
  ink.text({rect.x + 0.5f * (rect.width - width), rect.y + 0.5f * rect.height}, text,
           preferred ? palette::black : palette::text);
  return over && ImGui::IsMouseClicked(0);
}

}  // namespace

Answer drawLoading(const Ink& ink, float width, float height, std::string_view what,
                   const BuildProgress& progress, double elapsed) {
  const float em = ink.em();
  const Rect box = centred(width, height, std::min(30.0f * em, width - 2.0f * em), 8.6f * em);
  ink.panel(box, 0.97f);
  const Rect inner = box.inset(1.2f * em);
  float y = inner.y + 0.5f * ink.line();
  ink.text({inner.x, y}, what, palette::text, ink.bold());
  ink.textRight({inner.right(), y}, Line("{:.1f} s", elapsed), palette::dim);
  y += 1.2f * ink.line();
  drawStage(ink, {inner.x, y - 0.5f * ink.line(), inner.width, 2.0f * ink.line()}, progress);
  const Rect cancel{inner.right() - 7.0f * em, inner.bottom() - 1.7f * em, 7.0f * em, 1.7f * em};
  const Line label("Cancel ({})", localKeyName(Action::Back));
  return button(ink, cancel, label, false) ? Answer::No : Answer::None;
}

Answer drawFailure(const Ink& ink, float width, float height, const std::string& sentence) {
  const float em = ink.em(), boxWidth = std::min(36.0f * em, width - 2.0f * em);
  const ImVec2 size = ink.regular()->CalcTextSizeA(ink.regular()->FontSize, 1e9f,
                                                   boxWidth - 3.0f * em, sentence.c_str());
  const Rect box = centred(width, height, boxWidth, size.y + 6.4f * em);
  ink.panel(box, 0.97f);
  const Rect inner = box.inset(1.5f * em);
  ink.text({inner.x, inner.y + 0.3f * em}, "This cannot be flown", palette::text, ink.bold());
  ink.list()->AddText(ink.regular(), ink.regular()->FontSize, {inner.x, inner.y + 1.6f * em},
                      Ink::colour(palette::text), sentence.c_str(), nullptr, inner.width);
  const Rect quit{inner.right() - 8.0f * em, inner.bottom() - 1.4f * em, 8.0f * em, 1.7f * em};
  return button(ink, quit, Line("Quit ({})", localKeyName(Action::Confirm)), true) ? Answer::Yes
                                                                                   : Answer::None;
}

Answer drawQuitQuestion(const Ink& ink, float width, float height) {
  ink.fill({0.0f, 0.0f, width, height}, palette::black, 0.45f);
  const float em = ink.em();
  const Rect box = centred(width, height, std::min(22.0f * em, width - 2.0f * em), 6.4f * em);
  ink.panel(box, 0.98f);
  const Rect inner = box.inset(1.4f * em);
  ink.text({inner.x, inner.y + 0.5f * em}, "Leave Nearmiss?", palette::text, ink.bold());
  const float half = 0.5f * (inner.width - em), top = inner.bottom() - 1.8f * em;
  const Rect no{inner.x, top, half, 1.8f * em}, yes{inner.x + half + em, top, half, 1.8f * em};
  if (button(ink, no, Line("Fly on ({})", localKeyName(Action::Back)), false)) return Answer::No;
  if (button(ink, yes, Line("Quit ({})", localKeyName(Action::Confirm)), true)) return Answer::Yes;
  return Answer::None;
}

}  // namespace nearmiss::app
