// SPDX-License-Identifier: MIT
#include "fly/overlay/toasts.h"

#include <algorithm>

#include "fly/overlay/ink.h"

namespace nearmiss::app {
namespace {

constexpr std::size_t most = 4;
constexpr double readingSeconds = 2.5, secondsPerLetter = 0.04;

}  // namespace

void Toasts::add(std::string text, double now, Kind kind) {
  // Saying the same again only keeps it longer
  const double until = now + readingSeconds + secondsPerLetter * static_cast<double>(text.size());
  for (Toast& toast : toasts_)
    if (toast.text == text) {
      toast.until = until;
      return;
    }
  toasts_.push_back({{}, std::move(text), until, kind});
  if (toasts_.size() > most) toasts_.pop_front();
}

void Toasts::say(std::string topic, std::string text, double now) {
  std::erase_if(toasts_, [&](const Toast& toast) { return toast.topic == topic; });
  add(std::move(text), now);
  toasts_.back().topic = std::move(topic);
}

void Toasts::update(double now) {
  std::erase_if(toasts_, [now](const Toast& toast) { return toast.until <= now; });
}

void Toasts::draw(const Ink& ink, float left, float right, float top) const {
  const float em = ink.em(), room = right - left - 2.0f * em;
  float y = top;
  for (const Toast& toast : toasts_) {
    const float wrap = std::max(room - 2.0f * em, 8.0f * em);
    const ImVec2 size =
        ink.regular()->CalcTextSizeA(ink.regular()->FontSize, 1e9f, wrap, toast.text.c_str());
    const Rect box{0.5f * (left + right - size.x) - em, y, size.x + 2.0f * em, size.y + 1.0f * em};
    ink.panel(box, 0.94f);
    const Rgb mark = toast.kind == Kind::Warning ? palette::overrun : palette::motion;
    ink.fill({box.x, box.y, 0.3f * em, box.height}, mark, 1.0f, 0.1f * em);
    ink.list()->AddText(ink.regular(), ink.regular()->FontSize,
                        {std::round(box.x + em), std::round(box.y + 0.5f * em)},
                        Ink::colour(palette::text), toast.text.c_str(), nullptr, wrap);
    y = box.bottom() + 0.5f * em;
  }
}

}  // namespace nearmiss::app
