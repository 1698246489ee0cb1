// SPDX-License-Identifier: MIT
#include "fly/overlay/messages.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "console/build_stage_text.h"
#include "fly/flight/build_estimates.h"
#include "fly/host/key_map.h"
#include "fly/overlay/ink.h"
#include "fly/overlay/panels.h"

namespace nearmiss::app::fly {
namespace {

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
  record(text);
  toasts_.push_back({{}, std::move(text), until, kind, {}, {}, {}, {}});
  if (toasts_.size() <= maxShown) return;
  // Warnings and questions stay longer than notes; the new message always stays
  const auto minor = std::ranges::find_if(
      toasts_, [](const Toast& toast) { return toast.kind == Kind::Note && toast.button.empty(); });
  toasts_.erase(minor < toasts_.end() - 1 ? minor : toasts_.begin());
}

void Toasts::record(const std::string& text) {
  if (!log_.empty() && log_.front().text == text) return;
  log_.push_front({flightSeconds_, text});
  if (log_.size() > maxLogged) log_.pop_back();
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

Rect freePlace(const Rect& area, const glm::vec2& size, std::span<const Rect> taken,
               const Rect& last) {
  const auto overlap = [&](const Rect& place) {
    float sum = 0.0f;
    for (const Rect& other : taken)
      if (meets(place, other))
        sum += (std::min(place.right(), other.right()) - std::max(place.x, other.x)) *
               (std::min(place.bottom(), other.bottom()) - std::max(place.y, other.y));
    return sum;
  };
  const float right = std::max(area.x, area.right() - size.x);
  const float bottom = std::max(area.y, area.bottom() - size.y);
  // A message that moves at every change of the picture cannot be read
  const bool same = last.width == size.x && last.height == size.y && last.x >= area.x &&
                    last.y >= area.y && last.x <= right && last.y <= bottom;
  if (same && overlap(last) == 0.0f) return last;
  constexpr int rows = 16;
  Rect best;
  float least = std::numeric_limits<float>::max();
  // From both edges inwards
  for (int step = 0; step <= rows; ++step)
    for (const float x : {0.5f * (area.x + right), area.x, right}) {
      const int row = step % 2 == 0 ? step / 2 : rows - step / 2;
      const float y = area.y + (bottom - area.y) * static_cast<float>(row) / rows;
      const Rect place{std::round(x), std::round(y), size.x, size.y};
      const float covered = overlap(place);
      if (covered == 0.0f) return place;
      if ((row > 0 && row < rows) || covered >= least) continue;
      least = covered;
      best = place;
    }
  return best;
}

void Toasts::draw(const Ink& ink, const Rect& area, std::span<const Rect> taken) {
  const float em = ink.em();
  const float wrap = std::clamp(area.width - 4.0f * em, 8.0f * em, 32.0f * em);
  std::vector<Rect> others(taken.begin(), taken.end());
  for (Toast& toast : toasts_) {
    const glm::vec2 size = ink.paragraphSize(toast.text, wrap);
    const float label = toast.button.empty() ? 0.0f : ink.textWidth(toast.button) + 1.6f * em;
    const float wide = std::max(size.x, label), below = label > 0.0f ? 2.1f * em : 0.0f;
    const Rect box = freePlace(area, {wide + 2.0f * em, size.y + em + below}, others, toast.place);
    toast.place = box;
    others.push_back({box.x, box.y - 0.5f * em, box.width, box.height + em});
    ink.panel(box, 0.94f);
    const Rgb mark = toast.kind == Kind::Warning ? palette::overrun : palette::motion;
    ink.fill({box.x, box.y, 0.3f * em, box.height}, mark, 1.0f, 0.1f * em);
    ink.paragraph({box.x + em, box.y + 0.5f * em}, toast.text, wrap);
    if (label <= 0.0f) continue;
    toast.buttonPlace = {box.x + em, box.y + size.y + 0.9f * em, label, 1.7f * em};
    if (button(ink, toast.buttonPlace, toast.button, true)) {
      clicked_ = toast.deed;
      toast.until = 0.0;
    }
  }
}

void drawMessageLog(const Ink& ink, float width, float height, const std::deque<LoggedMessage>& log,
                    float& scroll) {
  PageGroup group{"Newest first, with the time of the flight", {}};
  for (const LoggedMessage& message : log)
    group.rows.push_back({fmt::format("{:.1f} s", message.flightSeconds), message.text});
  if (log.empty()) group.rows.push_back({"–", "no messages yet"});
  const std::string hint =
      fmt::format("{} or {} closes", localKeyName(Action::MessageLog), localKeyName(Action::Back));
  ink.fill({0.0f, 0.0f, width, height}, palette::black, 0.55f);
  drawPage(ink, width, height, std::span(&group, 1), PageStyle::Keys, "Messages", hint, scroll);
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
  drawStage(ink, {inner.x, y - 0.5f * ink.line(), inner.width, 2.0f * ink.line()}, progress, {});
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
  if (button(ink, no, fmt::format("Fly on ({})", localKeyName(Action::Back)), true))
    return Answer::No;
  if (button(ink, yes, fmt::format("Quit ({})", localKeyName(Action::Confirm)), false))
    return Answer::Yes;
  return Answer::None;
}

float shareDone(const BuildProgress& progress) noexcept {
  return std::clamp(progress.fraction.load(), 0.0f, 0.99f);
}

void drawStage(const Ink& ink, const Rect& rect, const BuildProgress& progress,
               std::string_view time) {
  const float em = ink.em(), middle = rect.y + 0.5f * ink.line();
  const float done = shareDone(progress);
  const BuildStage stage = progress.stage.load();
  // The last stage has no measured progress
  ink.text({rect.x, middle},
           progress.cancelled.load()   ? std::string("cancelling")
           : stage == BuildStage::Done ? std::string(nameOf(stage))
                                       : fmt::format("{}, {:.0f} %", nameOf(stage), 100.0f * done),
           palette::dim);
  ink.textRight({rect.right(), middle}, time, palette::dim);
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
                fmt::format("{} cancels", localKeyName(Action::Back)), palette::dim, ink.small());
  const std::string of = build.expectedSeconds > build.elapsedSeconds
                             ? " of " + estimateText(build.expectedSeconds)
                             : std::string();
  drawStage(ink, {inner.x, top + ink.line(), inner.width, 2.0f * ink.line()}, *build.progress,
            fmt::format("{:.0f} s{}", build.elapsedSeconds, of));
}

}  // namespace nearmiss::app::fly
