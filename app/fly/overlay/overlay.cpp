// SPDX-License-Identifier: MIT
#include "fly/overlay/overlay.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "fly/overlay/panels.h"

namespace nearmiss::app {
namespace {

using engine::FrameProfile;
constexpr double holdSeconds = 0.25;
constexpr std::size_t stripFrames = 400;

double milliseconds(FrameProfile::Duration d) {
  return std::chrono::duration<double, std::milli>(d).count();
}

/// Sums of the times of a few frames, then their mean.
FrameProfile meanOf(const engine::FrameHistory& history, std::size_t first) {
  FrameProfile mean = history[history.size() - 1];
  const auto n = static_cast<std::int64_t>(history.size() - first);
  constexpr std::array fields{
      &FrameProfile::predictedRest, &FrameProfile::budget,   &FrameProfile::spent,
      &FrameProfile::input,         &FrameProfile::motion,   &FrameProfile::broad,
      &FrameProfile::narrow,        &FrameProfile::response, &FrameProfile::render,
      &FrameProfile::swap,          &FrameProfile::slack,    &FrameProfile::frameTime,
      &FrameProfile::watching};
  for (const auto field : fields) {
    // An unlimited budget is the greatest duration there is: adding it up would overflow
    if (field == &FrameProfile::budget && mean.budget == FrameProfile::Duration::max()) continue;
    std::chrono::duration<double, std::nano> sum{};
    for (std::size_t i = first; i < history.size(); ++i) sum += history[i].*field;
    mean.*field = std::chrono::duration_cast<FrameProfile::Duration>(sum / n);
  }
  return mean;
}

}  // namespace

void Overlay::refresh(const OverlayView& view) {
  const engine::FrameHistory& history = *view.history;
  const std::size_t n = history.size();
  if (n == 0) return;
  const FrameProfile& last = history[n - 1];

  // Means over the frames since the numbers were last shown
  std::size_t first = n - 1;
  while (first > 0 && history[first - 1].frame > refreshedFrame_) --first;
  refreshedFrame_ = last.frame;
  shown_.mean = meanOf(history, first);
  shown_.last = last;
  double used = 0.0;
  for (std::size_t i = first; i < n; ++i) {
    const double budget = milliseconds(history[i].budget);
    const bool bounded = history[i].budget != FrameProfile::Duration::max();
    used += bounded ? milliseconds(history[i].spent) / std::max(budget, 1e-6) : 0.0;
  }
  shown_.used = used / static_cast<double>(n - first);

  // What the strip shows, in figures
  shown_.running.fill(0);
  shown_.runningWorst = 0.0;
  double medians = 0.0, error = 0.0;
  std::uint32_t withCollisions = 0;
  const std::size_t from = n > stripFrames ? n - stripFrames : 0;
  for (std::size_t i = from; i < n; ++i) {
    const FrameProfile& frame = history[i];
    std::uint32_t collisions = 0;
    for (std::size_t level = 0; level < shown_.running.size(); ++level) {
      shown_.running[level] += frame.collisions[level];
      collisions += frame.collisions[level];
    }
    if (collisions > 0) {
      shown_.runningWorst = std::max(shown_.runningWorst, frame.worstBound);
      medians += frame.medianBound;
      ++withCollisions;
    }
    const auto rest = frame.frameTime - frame.watching - frame.slack - frame.broad - frame.narrow;
    error += std::abs(milliseconds(frame.predictedRest - rest));
  }
  shown_.runningMedian = withCollisions ? medians / withCollisions : 0.0;
  shown_.predictionError = error / static_cast<double>(n - from);
  const LogHistogram& times = view.statistics->frameTimes;
  shown_.p50 = times.percentile(50.0);
  shown_.p95 = times.percentile(95.0);
  shown_.p99 = times.percentile(99.0);
  shown_.p99_9 = times.percentile(99.9);
}

std::span<const Ground> Overlay::place(const OverlayView& view) {
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  layout_ = layOut(
      size.x, size.y, fonts().regular->FontSize,
      {view.ui->overlay, view.pair.has_value(), view.hints, view.growing.progress != nullptr});
  grounds_.clear();
  for (const Rect& rect : {layout_.status, layout_.frame, layout_.levels, layout_.statistics,
                           layout_.inspector, layout_.hints, layout_.growing})
    if (rect.shown()) grounds_.push_back({rect, palette::panel});
  if (layout_.plot.shown()) grounds_.push_back({layout_.plot, palette::plot});
  return grounds_;
}

Answer Overlay::draw(const OverlayView& view, const Toasts& toasts, double wallSeconds) {
  if (view.history->size() == 0) refreshedFrame_ = 0;
  if (wallSeconds >= nextRefresh_) {
    refresh(view);
    nextRefresh_ = wallSeconds + holdSeconds;
  }
  const UiState& ui = *view.ui;
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  const float em = fonts().regular->FontSize;
  const Ink ink(ImGui::GetBackgroundDrawList(), fonts(), em);

  if (ui.stickActive) drawStick(ink, size.x, size.y, ui);
  if (layout_.status.shown()) drawStatusBar(ink, layout_.status, view);
  if (layout_.frame.shown()) drawFramePanel(ink, layout_.frame, view, shown_, layout_.plot);
  if (layout_.levels.shown())
    drawLevelPanel(ink, layout_.levels, view, shown_, layout_.levelsInFull);
  if (layout_.statistics.shown()) drawStatisticsPanel(ink, layout_.statistics, view, shown_);
  if (layout_.inspector.shown()) drawPairInspector(ink, layout_.inspector, view);
  if (layout_.hints.shown()) drawHints(ink, layout_.hints);
  if (layout_.growing.shown()) drawGrowing(ink, layout_.growing, view);

  const float right = layout_.levels.shown() ? layout_.levels.x : size.x;
  const Rect& above = layout_.growing.shown() ? layout_.growing : layout_.status;
  toasts.draw(ink, 0.0f, right, above.bottom() + em);
  if (ui.numbers) drawNumbersTable(ink, size.x, size.y, view, shown_);
  if (ui.help) drawHelp(ink, size.x, size.y);
  return ui.quitAsked ? drawQuitQuestion(ink, size.x, size.y) : Answer::None;
}

}  // namespace nearmiss::app
