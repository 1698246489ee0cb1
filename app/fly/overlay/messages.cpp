// SPDX-License-Identifier: MIT
#include "fly/overlay/messages.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "console/build_stage_text.h"
#include "fly/host/key_map.h"
#include "fly/overlay/ink.h"
#include "fly/overlay/panels.h"

namespace nearmiss::app::fly {
namespace {

constexpr std::size_t maxToasts = 4;
constexpr double readingSeconds = 2.5, secondsPerLetter = 0.04, decidingSeconds = 8.0;

}  // namespace

void Toasts::add(std::string text, double now, Kind kind) {
  // Repeating a message extends its time
  const double until = now + readingSeconds + secondsPerLetter * static_cast<double>(text.size());
  for (Toast& toast : toasts_)
    if (toast.text == text) {
      toast.until = until;
      return;
    }
  toasts_.push_back({{}, std::move(text), until, kind, {}, {}, {}, {}});
  if (toasts_.size() > maxToasts) toasts_.pop_front();
}

void Toasts::say(std::string topic, std::string text, double now) {
  std::erase_if(toasts_,
                [&](const Toast& toast) { return toast.topic == topic || toast.text == text; });
  add(std::move(text), now);
  toasts_.back().topic = std::move(topic);
}

void Toasts::offer(std::string topic, std::string text, std::string button, ClickAction deed,
                   double now, Kind kind) {
  std::erase_if(toasts_, [&](const Toast& toast) {
    return toast.text == text || (!topic.empty() && toast.topic == topic);
  });
  add(std::move(text), now, kind);
  Toast& toast = toasts_.back();
  toast.topic = std::move(topic);
  toast.until += decidingSeconds;
  toast.button = std::move(button);
  toast.deed = std::move(deed);
}

bool Toasts::takesClick(const glm::vec2& at) const noexcept {
  return std::ranges::any_of(toasts_, [&at](const Toast& toast) {
    return toast.buttonPlace.shown() && meets(toast.buttonPlace, {at.x, at.y, 0.01f, 0.01f});
  });
}

void Toasts::update(double now) {
  std::erase_if(toasts_, [now](const Toast& toast) { return toast.until <= now; });
}

void Toasts::addPlaces(std::vector<Ground>& out) const {
  for (const Toast& toast : toasts_)
    if (toast.place.shown()) out.push_back({toast.place, palette::panel});
}

namespace {

Rect centred(float width, float height, float boxWidth, float boxHeight) {
  return {std::round(0.5f * (width - boxWidth)), std::round(0.45f * (height - boxHeight)), boxWidth,
          boxHeight};
}

/// Returns true when clicked.
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

void Toasts::draw(const Ink& ink, float left, float right, float top) {
  const float em = ink.em(), room = right - left - 2.0f * em;
  float y = top;
  for (Toast& toast : toasts_) {
    const float wrap = std::max(room - 2.0f * em, 8.0f * em);
    const glm::vec2 size = ink.paragraphSize(toast.text, wrap);
    const float label = toast.button.empty() ? 0.0f : ink.textWidth(toast.button) + 1.6f * em;
    const float wide = std::max(size.x, label), below = label > 0.0f ? 2.1f * em : 0.0f;
    const Rect box{0.5f * (left + right - wide) - em, y, wide + 2.0f * em, size.y + em + below};
    toast.place = box;
    ink.panel(box, 0.94f);
    const Rgb mark = toast.kind == Kind::Warning ? palette::overrun : palette::motion;
    ink.fill({box.x, box.y, 0.3f * em, box.height}, mark, 1.0f, 0.1f * em);
    ink.paragraph({box.x + em, box.y + 0.5f * em}, toast.text, wrap);
    if (label > 0.0f) {
      toast.buttonPlace = {box.x + em, box.y + size.y + 0.9f * em, label, 1.7f * em};
      if (button(ink, toast.buttonPlace, toast.button, true)) {
        clicked_ = toast.deed;
        toast.until = 0.0;
      }
    }
    y = box.bottom() + 0.5f * em;
  }
}

Answer drawLoading(const Ink& ink, float width, float height, std::string_view what,
                   const BuildProgress& progress, double elapsed) {
  const float em = ink.em();
  const Rect box = centred(width, height, std::min(30.0f * em, width - 2.0f * em), 8.6f * em);
  ink.panel(box, 0.97f);
  const Rect inner = box.inset(1.2f * em);
  float y = inner.y + 0.5f * ink.line();
  ink.text({inner.x, y}, what, palette::text, ink.bold());
  ink.textRight({inner.right(), y}, fmt::format("{:.1f} s", elapsed), palette::dim);
  y += 1.2f * ink.line();
  drawStage(ink, {inner.x, y - 0.5f * ink.line(), inner.width, 2.0f * ink.line()}, progress);
  const Rect cancel{inner.right() - 7.0f * em, inner.bottom() - 1.7f * em, 7.0f * em, 1.7f * em};
  const std::string label = fmt::format("Cancel ({})", localKeyName(Action::Back));
  return button(ink, cancel, label, false) ? Answer::No : Answer::None;
}

Answer drawFailure(const Ink& ink, float width, float height, const std::string& sentence) {
  const float em = ink.em(), boxWidth = std::min(36.0f * em, width - 2.0f * em);
  const glm::vec2 size = ink.paragraphSize(sentence, boxWidth - 3.0f * em);
  const Rect box = centred(width, height, boxWidth, size.y + 6.4f * em);
  ink.panel(box, 0.97f);
  const Rect inner = box.inset(1.5f * em);
  ink.text({inner.x, inner.y + 0.3f * em}, "Cannot fly this", palette::text, ink.bold());
  ink.paragraph({inner.x, inner.y + 1.6f * em}, sentence, inner.width);
  const Rect quit{inner.right() - 8.0f * em, inner.bottom() - 1.4f * em, 8.0f * em, 1.7f * em};
  return button(ink, quit, fmt::format("Quit ({})", localKeyName(Action::Confirm)), true)
             ? Answer::Yes
             : Answer::None;
}

Answer drawQuitQuestion(const Ink& ink, float width, float height) {
  ink.fill({0.0f, 0.0f, width, height}, palette::black, 0.45f);
  const float em = ink.em();
  const Rect box = centred(width, height, std::min(22.0f * em, width - 2.0f * em), 6.4f * em);
  ink.panel(box, 0.98f);
  const Rect inner = box.inset(1.4f * em);
  ink.text({inner.x, inner.y + 0.5f * em}, "Quit Nearmiss?", palette::text, ink.bold());
  const float half = 0.5f * (inner.width - em), top = inner.bottom() - 1.8f * em;
  const Rect no{inner.x, top, half, 1.8f * em}, yes{inner.x + half + em, top, half, 1.8f * em};
  if (button(ink, no, fmt::format("Fly on ({})", localKeyName(Action::Back)), false))
    return Answer::No;
  if (button(ink, yes, fmt::format("Quit ({})", localKeyName(Action::Confirm)), true))
    return Answer::Yes;
  return Answer::None;
}

float shareDone(const BuildProgress& progress) noexcept {
  return std::clamp(progress.fraction.load(), 0.0f, 0.99f);
}

void drawStage(const Ink& ink, const Rect& rect, const BuildProgress& progress) {
  const float em = ink.em(), middle = rect.y + 0.5f * ink.line();
  const float done = shareDone(progress);
  const bool stopping = progress.cancelled.load();
  ink.text({rect.x, middle}, stopping ? "cancelling" : nameOf(progress.stage.load()), palette::dim);
  ink.textRight({rect.right(), middle}, fmt::format("{:.0f} %", 100.0f * done), palette::dim);
  const Rect bar{rect.x, rect.y + 1.3f * ink.line(), rect.width, 0.5f * em};
  ink.fill(bar, palette::black, 0.5f, 0.2f * em);
  ink.fill({bar.x, bar.y, std::max(done * bar.width, 0.4f * em), bar.height}, palette::own, 1.0f,
           0.2f * em);
}

void drawBuild(const Ink& ink, const Rect& rect, const OverlayView& view) {
  ink.edge(rect);
  ink.spot(rect, "building");
  const Rect inner = rect.inset(0.7f * ink.em());
  const float top = rect.y + 0.5f * ink.em();
  const BuildStatus& build = view.build;
  const std::string title = fmt::format("Building {}", build.what);
  ink.text({inner.x, top + 0.5f * ink.line()}, title, palette::text, ink.bold());
  ink.textRight({inner.right(), top + 0.5f * ink.line()},
                fmt::format("{:.1f} s, {} stops", build.elapsedSeconds, localKeyName(Action::Back)),
                palette::dim, ink.small());
  drawStage(ink, {inner.x, top + ink.line(), inner.width, 2.0f * ink.line()}, *build.progress);
}

}  // namespace nearmiss::app::fly
