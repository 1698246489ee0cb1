// SPDX-License-Identifier: MIT
#include "fly/overlay/overlay.h"

#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "fly/overlay/panels.h"

namespace nearmiss::app::fly {
std::span<const Ground> Overlay::place(const OverlayView& view) {
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  layout_ = layOut(
      size.x, size.y, textSize(),
      {view.ui->view.overlay, view.pair.has_value(), view.hints, view.growing.progress != nullptr,
       view.modes.replay.has_value(), view.modes.run.has_value(), view.modes.halves.has_value(),
       view.modes.ghost.has_value(), view.ui->pages.controls,
       view.modes.tour ? 1 + static_cast<int>(view.modes.tour->figures.size()) : 0,
       view.ui->view.folded});
  // During a tour stop without measured frames, hide the frame panel
  if (view.modes.tour && view.frames.history->size() == 0) layout_.frame = layout_.plot = {};
  grounds_.clear();
  for (const Rect& rect : {layout_.status, layout_.frame, layout_.levels, layout_.statistics,
                           layout_.inspector, layout_.hints, layout_.growing, layout_.replay,
                           layout_.run, layout_.ghost, layout_.controls, layout_.tour})
    if (rect.shown()) grounds_.push_back({rect, palette::panel});
  for (const Rect& rect : layout_.halves)
    if (rect.shown()) grounds_.push_back({rect, palette::panel});
  return grounds_;
}

bool Overlay::takesClick(const glm::vec2& at) const noexcept {
  return std::ranges::any_of(grounds_, [&at](const Ground& ground) {
    return meets(ground.rect, {at.x, at.y, 1.0f, 1.0f});
  });
}

std::optional<std::uint64_t> Overlay::replayPulled(const OverlayView& view) const {
  const ImGuiIO& io = ImGui::GetIO();
  const ImVec2 began = io.MouseClickedPos[ImGuiMouseButton_Left];
  if (!view.modes.replay || !io.MouseDown[ImGuiMouseButton_Left] ||
      !meets(layout_.replay, {began.x, began.y, 1.0f, 1.0f}))
    return std::nullopt;
  return replayFrameAt(layout_.replay, textSize(), *view.modes.replay, io.MousePos.x);
}

void Overlay::drawPanels(const Ink& ink, const OverlayView& view) const {
  const ShownNumbers& shown = *view.frames.numbers;
  for (const Ground& ground : grounds_) ink.fill(ground.rect, ground.colour);
  if (layout_.plot.shown()) ink.fill(layout_.plot, palette::plot);
  if (layout_.status.shown()) {
    const bool growingHidden = view.growing.progress && !layout_.growing.shown();
    drawStatusBar(ink, layout_.status, view, shown, growingHidden, !layout_.run.shown());
  }
  if (layout_.frame.shown()) drawFramePanel(ink, layout_.frame, view, shown, layout_.plot);
  if (layout_.levels.shown())
    drawLevelPanel(ink, layout_.levels, view, shown, layout_.levelsInFull);
  if (layout_.statistics.shown()) drawStatisticsPanel(ink, layout_.statistics, shown);
  if (layout_.inspector.shown()) drawPairInspector(ink, layout_.inspector, view);
  if (layout_.hints.shown()) drawHints(ink, layout_.hints);
  if (layout_.growing.shown()) drawGrowing(ink, layout_.growing, view);
  if (layout_.run.shown()) drawRunPanel(ink, layout_.run, *view.modes.run);
  if (layout_.tour.shown()) drawTourPanel(ink, layout_.tour, *view.modes.tour);
  if (layout_.ghost.shown()) drawGhostPanel(ink, layout_.ghost, *view.modes.ghost);
  for (std::size_t i = 0; view.modes.halves && i < view.modes.halves->size(); ++i)
    if (layout_.halves[i].shown()) drawHalfPanel(ink, layout_.halves[i], (*view.modes.halves)[i]);
  if (layout_.replay.shown()) drawReplayBar(ink, layout_.replay, *view.modes.replay, shown);
}

Answer Overlay::drawOver(const OverlayView& view, Toasts& toasts, float& scroll,
                         HoverSpots& spots) const {
  const ShownNumbers& shown = *view.frames.numbers;
  const UiState& ui = *view.ui;
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  const float em = textSize();
  const Ink ink(&spots);
  if (ui.steering.stickActive) drawStick(ink, size.x, size.y, ui);

  const float right = layout_.levels.shown() ? layout_.levels.x : size.x;
  const Rect& above = layout_.ghost.shown() && !layout_.halves[0].shown() ? layout_.ghost
                      : layout_.run.shown()                               ? layout_.run
                      : layout_.growing.shown()                           ? layout_.growing
                      : layout_.replay.shown()                            ? layout_.replay
                      : layout_.halves[0].shown()                         ? layout_.halves[0]
                                                                          : layout_.status;
  // Next to the control panel
  const float left = layout_.controls.shown()
                         ? layout_.scene.x
                         : std::max(layout_.tour.right(), view.modes.leftTaken);
  toasts.draw(ink, left, right, above.bottom() + em);
  // A page covers everything below it
  if (ui.pages.pageOpen()) spots.clear();
  if (ui.pages.numbers && !ui.pages.help)
    drawNumbersTable(ink, size.x, size.y, view, shown, scroll);
  if (view.modes.runEnd && !ui.pages.numbers && !ui.pages.help)
    drawRunEnd(ink, size.x, size.y, *view.modes.runEnd, scroll);
  if (ui.pages.introduction && !ui.pages.numbers && !view.modes.runEnd && !ui.pages.help)
    drawIntroduction(ink, size.x, size.y);
  if (ui.pages.help) drawHelp(ink, size.x, size.y, ui.pages.search, scroll);
  return ui.pages.quitAsked ? drawQuitQuestion(ink, size.x, size.y) : Answer::None;
}

}  // namespace nearmiss::app::fly
