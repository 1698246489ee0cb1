// SPDX-License-Identifier: MIT
#include "fly/overlay/overlay.h"

#include <imgui.h>

#include <algorithm>

#include "fly/overlay/panels.h"

namespace nearmiss::app::fly {
std::span<const Ground> Overlay::place(const OverlayView& view) {
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  LayoutRequest request{view.ui->view.overlay, {}, 0.0f, view.ui->view.folded};
  if (request.mode == OverlayMode::Full && view.modes.twoViews) request.mode = OverlayMode::Compact;
  // The player's face without its panel
  if (request.mode == OverlayMode::Player && !view.player) request.mode = OverlayMode::Off;
  for (const PanelRow& row : panelTable)
    request.wanted[static_cast<std::size_t>(row.panel)] = row.wanted(view);
  if (view.modes.tour) request.tourFigureEms = tourFigureEms(*view.modes.tour);
  layout_ = layOut(size.x, size.y, textSize(), request);
  // During a tour stop without measured frames, hide the frame panel
  if (view.modes.tour && view.frames.history->size() == 0)
    layout_[Panel::Frame] = layout_.plot = {};
  grounds_.clear();
  for (const Rect& rect : layout_.panels)
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
      !meets(layout_[Panel::Replay], {began.x, began.y, 1.0f, 1.0f}))
    return std::nullopt;
  return replayFrameAt(layout_[Panel::Replay], textSize(), *view.modes.replay, io.MousePos.x);
}

void Overlay::drawPanels(const Ink& ink, const OverlayView& view) const {
  for (const Ground& ground : grounds_) ink.fill(ground.rect, ground.colour);
  if (layout_.plot.shown()) ink.fill(layout_.plot, palette::plot);
  for (const PanelRow& row : panelTable)
    if (row.draw && layout_[row.panel].shown()) row.draw(ink, layout_, view);
}

Answer Overlay::drawOver(const OverlayView& view, Toasts& toasts, float& scroll, HoverSpots& spots,
                         std::span<const Rect> ships) const {
  const ShownNumbers& shown = *view.frames.numbers;
  const UiState& ui = *view.ui;
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  const float em = textSize();
  const Ink ink(&spots);
  if (ui.steering.stickActive) drawStick(ink, size.x, size.y, ui);

  const Rect& levels = layout_[Panel::Levels];
  const float right = levels.shown() ? levels.x : size.x;
  // Next to the control panel and a tour, unless that is a strip below
  const Rect& tour = layout_[Panel::Tour];
  const float beside = tour.y < 0.5f * size.y ? tour.right() : 0.0f;
  const float left = layout_[Panel::Controls].shown() ? layout_[Panel::Controls].right()
                                                      : std::max(beside, view.modes.leftInset);
  const float top = layout_.leftBottom + 0.5f * em;
  const float bottom = layout_[Panel::Frame].shown() ? layout_[Panel::Frame].y : size.y;
  std::vector<Rect> taken(ships.begin(), ships.end());
  for (const Ground& ground : grounds_) taken.push_back(ground.rect);
  toasts.draw(ink, {left + em, top, right - left - 2.0f * em, bottom - top - 0.5f * em}, taken);
  // A page covers everything below it
  if (ui.pages.pageOpen()) spots.clear();
  if (ui.pages.messages) drawMessageLog(ink, size.x, size.y, toasts.log(), scroll);
  if (ui.pages.numbers && !ui.pages.help)
    drawNumbersTable(ink, size.x, size.y, view, shown, scroll);
  if (view.modes.runEnd && !ui.pages.numbers && !ui.pages.messages && !ui.pages.help)
    drawRunEnd(ink, size.x, size.y, *view.modes.runEnd, scroll);
  if (ui.pages.help) drawHelp(ink, size.x, size.y, ui.pages.search, scroll);
  return ui.pages.quitQuestion ? drawQuitQuestion(ink, size.x, size.y) : Answer::None;
}

}  // namespace nearmiss::app::fly
