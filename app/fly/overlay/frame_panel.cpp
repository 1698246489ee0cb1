// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "fly/overlay/panels.h"

namespace nearmiss::app::fly {
namespace {

using engine::FrameProfile;

struct Phase {
  std::string_view name;
  Rgb colour;
  FrameProfile::Duration FrameProfile::*time;
};

constexpr std::array phases{Phase{"input", palette::input, &FrameProfile::input},
                            Phase{"motion", palette::motion, &FrameProfile::motion},
                            Phase{"broad", palette::broad, &FrameProfile::broad},
                            Phase{"narrow", palette::narrow, &FrameProfile::narrow},
                            Phase{"response", palette::response, &FrameProfile::response},
                            Phase{"render", palette::render, &FrameProfile::render},
                            Phase{"swap", palette::swap, &FrameProfile::swap},
                            Phase{"other", palette::dim, &FrameProfile::other}};

constexpr double roomBeyondTarget = 1.25, maxTargets = 3.0;
constexpr std::string_view dash = "–";

std::string sinceText(const FrameStatistics& since, double ms) {
  return since.frames > 0 ? formatTime(ms) : std::string(dash);
}

void drawHeader(const Ink& ink, const Rect& rect, const ShownNumbers& shown) {
  const float middle = rect.y + 0.5f * rect.height;
  ink.text({rect.x, middle}, "Frame", palette::text, ink.bold());
  float x = rect.x + ink.textWidth("Frame ", ink.bold());
  const std::string times =
      fmt::format("{} of {}", formatTime(shown.frameTime), formatTime(shown.target));
  ink.text({x, middle}, times, shown.frame.missed ? palette::narrow : palette::text);
  x += ink.textWidth("99.9 ms of 99.9 ms") + 1.2f * ink.em();
  ink.spot({rect.x, rect.y, x - rect.x, rect.height}, "Frame");

  // Columns of fixed width, so that changing numbers do not move
  const FrameStatistics& since = shown.since;
  // The reference's time is next to the time that it is compared with [H96 Fig. 15]
  const double watching = milliseconds(shown.frame.watching);
  const std::array columns{
      std::pair{std::string_view("detect"), formatTime(shown.detect)},
      std::pair{std::string_view("reference"),
                watching > 0.0 ? fmt::format("{} = {:.1f} ×", formatTime(watching),
                                             watching / std::max(shown.detect, 1e-6))
                               : std::string()},
      std::pair{std::string_view("p50"), timeText(shown.p50)},
      std::pair{std::string_view("p99"), timeText(shown.p99)},
      std::pair{std::string_view("max"), sinceText(since, since.frameTime.max())},
      std::pair{std::string_view("missed"),
                since.frames > 0 ? fmt::format("{:.1f} %", percentOf(since.missed, since.frames))
                                 : std::string(dash)}};
  for (const auto& [name, value] : columns) {
    const float nameWidth = ink.textWidth(name) + 0.4f * ink.em();
    if (value.empty()) continue;
    const bool wide = name == "reference";
    const float width = nameWidth + ink.textWidth(wide ? "99.99 ms = 999.9 ×" : "99.99 ms");
    if (x + width > rect.right()) break;
    ink.spot({x, rect.y, width, rect.height}, name);
    ink.text({x, middle}, name, palette::dim);
    ink.text({x + nameWidth, middle}, value);
    x += width + 1.0f * ink.em();
  }
}

/// Draws the phases in a row, slack hatched up to the target, and marks the overrun.
void drawBar(const Ink& ink, const Rect& rect, const ShownNumbers& shown) {
  const FrameProfile& frame = shown.frame;
  const double target = std::max(shown.target, 1e-6);
  const double shownTargets =
      std::clamp(shown.frameTime / target * 1.04, roomBeyondTarget, maxTargets);
  const double pixels = rect.width / (shownTargets * target);
  ink.spot(rect, "frame bar");
  ink.track(rect);

  double at = 0.0;
  const auto place = [&](double ms) {
    return rect.x + static_cast<float>(std::clamp(ms * pixels, 0.0, double{rect.width}));
  };
  // The overrun's chip lies over the end; names of phases keep clear of it
  const double times = shown.frameTime / target;
  const std::string factor = fmt::format("{:.{}f} × target", times, times > 9.95 ? 0 : 1);
  const float chipWidth = ink.textWidth(factor, ink.small()) + 0.7f * ink.em();
  const float chip = std::max(place(shown.frameTime) - chipWidth - 0.2f * ink.em(), rect.x);
  for (const Phase& phase : phases) {
    const double length = milliseconds(frame.*phase.time);
    const float left = place(at), right = place(at + length);
    at += length;
    if (right - left < 0.5f) continue;
    const Rect part{left, rect.y, right - left, rect.height};
    ink.fill(part, phase.colour);
    const float clear = frame.missed ? std::min(right, chip) - left : part.width;
    if (clear > 0.0f)
      ink.textInside({part.x, part.y, clear, part.height}, phase.name, textOn(phase.colour));
  }
  // Slack; its name has a plain background to be readable
  const float slackLeft = place(at), slackRight = place(at + milliseconds(frame.slack));
  const Rect slack{slackLeft, rect.y, slackRight - slackLeft, rect.height};
  ink.hatch(slack, palette::slack);
  const float labelWidth = ink.textWidth("slack", ink.small()) + 0.8f * ink.em();
  if (slack.width > labelWidth + ink.em()) {
    const Rect label{slack.x + 0.5f * (slack.width - labelWidth), slack.y + 0.15f * ink.em(),
                     labelWidth, slack.height - 0.3f * ink.em()};
    ink.fill(label, palette::panel, 1.0f, 0.2f * ink.em());
    ink.textInside(label, "slack", palette::text);
  }

  // The target and the overrun
  const float targetX = place(target), reach = 0.25f * ink.em();
  ink.segment({targetX, rect.y - reach}, {targetX, rect.bottom() + reach}, palette::white, 2.0f);
  if (frame.missed) {
    const float end = place(shown.frameTime);
    const Rect over{targetX, rect.bottom() - 0.35f * ink.em(), end - targetX, 0.35f * ink.em()};
    ink.fill(over, palette::overrun);
    ink.chip({chip, rect.y + 0.5f * rect.height}, factor, palette::overrun);
  }
}

/// Draws detection on its own scale, relative to its budget: next to drawing it is often too short
/// to be visible.
void drawDetectionBar(const Ink& ink, const Rect& rect, const ShownNumbers& shown,
                      std::string_view budget) {
  const FrameProfile& frame = shown.frame;
  const float em = ink.em(), middle = rect.y + 0.5f * rect.height;
  const double watching = milliseconds(frame.watching), spent = milliseconds(frame.spent);
  const std::string allowed =
      shown.allowed
          ? fmt::format("{}{} of {} allowed", formatTime(spent),
                        shown.instant.countedWork ? " of work" : "", formatTime(*shown.allowed))
          : fmt::format("{}, {}", formatTime(shown.detect), budget);
  const std::string words =
      watching > 0.0 ? fmt::format("{}, reference {}", allowed, formatTime(watching)) : allowed;
  // Names and numbers stay in place while they change
  const float left = ink.textWidth("detection", ink.small()) + 0.6f * em;
  const std::string widest =
      fmt::format("99.99 ms{} of 99.99 ms allowed{}", shown.instant.countedWork ? " of work" : "",
                  watching > 0.0 ? ", reference 99.99 ms" : "");
  const float right = ink.textWidth(widest, ink.small()) + 0.6f * em;
  const Rect bar{rect.x + left, rect.y, rect.width - left - right, rect.height};
  if (bar.width < 4.0f * em) return;
  ink.spot(rect, "detection bar");
  ink.text({rect.x, middle}, "detection", palette::dim, ink.small());
  ink.text({bar.right() + 0.6f * em, middle}, words, palette::text, ink.small());

  // The budget covers the broad and narrow phase
  constexpr std::array<std::size_t, 2> own{2, 3};
  double sum = 0.0;
  for (const std::size_t i : own) sum += milliseconds(frame.*phases[i].time);
  const double counted = shown.allowed ? spent : shown.detect;
  const double whole = std::max({counted, shown.allowed.value_or(0.0), 1e-6}) * 1.04;
  ink.track(bar);
  float x = bar.x;
  for (const std::size_t i : own) {
    const double part = milliseconds(frame.*phases[i].time) / std::max(sum, 1e-9);
    const auto share = static_cast<float>(part * counted / whole);
    const Rect piece{x, bar.y, share * bar.width, bar.height};
    x = piece.right();
    if (piece.width < 0.5f) continue;
    ink.fill(piece, phases[i].colour);
    ink.textInside(piece, phases[i].name, textOn(phases[i].colour));
  }
  if (!shown.allowed) return;
  const float limit = bar.x + static_cast<float>(*shown.allowed / whole) * bar.width;
  ink.segment({limit, bar.y - 0.15f * em}, {limit, bar.bottom() + 0.15f * em}, palette::white,
              2.0f);
}

/// Draws the phases with their times in the order of the frame; drops the least important ones if
/// space is short.
void drawLegend(const Ink& ink, const Rect& rect, const FrameProfile& frame) {
  constexpr Phase slackPhase{"slack", palette::slack, &FrameProfile::slack};
  constexpr std::array<std::size_t, 9> byWeight{3, 5, 8, 2, 4, 1, 6, 0, 7};
  const float side = 0.65f * ink.em(), space = 0.35f * ink.em();
  const float figure = ink.textWidth("99.99 ms", ink.small()) + 0.9f * ink.em();
  const auto phaseAt = [&](std::size_t i) { return i < phases.size() ? phases[i] : slackPhase; };
  const auto widthOf = [&](const Phase& phase) {
    return side + 2.0f * space + ink.textWidth(phase.name, ink.small()) + figure;
  };

  std::array<bool, 9> shown{};
  float room = rect.width + 0.9f * ink.em();
  for (const std::size_t i : byWeight) {
    room -= widthOf(phaseAt(i));
    if (room < 0.0f) break;
    shown[i] = true;
  }
  float x = rect.x;
  const float middle = rect.y + 0.5f * rect.height;
  for (std::size_t i = 0; i < shown.size(); ++i) {
    if (!shown[i]) continue;
    const Phase phase = phaseAt(i);
    const Rect box{x, std::round(middle - 0.5f * side), side, side};
    ink.spot({x, rect.y, widthOf(phase), rect.height}, phase.name);
    if (phase.time == &FrameProfile::slack)
      ink.hatch(box, phase.colour);
    else
      ink.fill(box, phase.colour);
    const float nameAt = x + side + space;
    const float valueAt = nameAt + ink.textWidth(phase.name, ink.small()) + space;
    ink.text({nameAt, middle}, phase.name, palette::dim, ink.small());
    ink.text({valueAt, middle}, formatTime(milliseconds(frame.*phase.time)), palette::text,
             ink.small());
    x += widthOf(phase);
  }
}

/// A line of the plot, distinguished by dashes and label as well as colour. Integer widths use a
/// texture, which needs a third of the triangles.
struct Curve {
  std::string_view name;
  Rgb colour;
  float width;
  int dash, gap;  ///< frames drawn and frames skipped; 0: solid
  double (*value)(const FrameProfile&);
  bool optional = false;
};

constexpr std::array curves{
    Curve{"slack", palette::dim, 1.0f, 2, 4,
          [](const FrameProfile& f) { return milliseconds(f.slack); }},
    Curve{"render", palette::swap, 2.0f, 8, 4,
          [](const FrameProfile& f) { return milliseconds(f.render); }},
    Curve{"detect", palette::narrow, 2.0f, 0, 0,
          [](const FrameProfile& f) { return milliseconds(f.broad + f.narrow); }},
    Curve{"reference", palette::broad, 1.0f, 5, 3,
          [](const FrameProfile& f) { return milliseconds(f.watching); }, true},
    Curve{"frame", palette::white, 1.0f, 0, 0,
          [](const FrameProfile& f) { return milliseconds(f.frameTime - f.watching); }}};

/// Log axis in whole decades around the data.
struct LogAxis {
  double low = 1e-3, high = 1e2;  ///< milliseconds
  Rect rect;

  [[nodiscard]] float y(double ms) const {
    const double place = std::log10(std::clamp(ms, low, high) / low) / std::log10(high / low);
    return rect.bottom() - static_cast<float>(place) * rect.height;
  }
};

LogAxis axisFor(const Rect& rect, const engine::FrameHistory& history, std::size_t first) {
  double highest = 1.0;
  for (std::size_t i = first; i < history.size(); ++i)
    highest =
        std::max({highest, milliseconds(history[i].frameTime), milliseconds(history[i].target)});
  return {1e-3, std::pow(10.0, std::ceil(std::log10(highest * 1.2))), rect};
}

void drawCurve(const Ink& ink, const LogAxis& axis, const Curve& curve,
               const engine::FrameHistory& history, std::size_t first, float step) {
  const std::size_t count = history.size() - first;
  ImDrawList& list = *ink.list();
  const int period = curve.dash + curve.gap;
  list.PathClear();
  for (std::size_t i = 0; i < count; ++i) {
    const FrameProfile& frame = history[first + i];
    // Dashes move with the frames
    const bool on = (period == 0 ||
                     static_cast<int>(frame.frame % static_cast<unsigned>(period)) <= curve.dash) &&
                    (!curve.optional || curve.value(frame) > 0.0);
    const float x = axis.rect.right() - static_cast<float>(count - 1 - i) * step;
    if (on) list.PathLineTo({x, axis.y(curve.value(frame))});
    if (!on || i + 1 == count) list.PathStroke(Ink::colour(curve.colour), 0, curve.width);
  }
}

void drawStrip(const Ink& ink, const Rect& plot, const engine::FrameHistory& history) {
  const std::size_t first = history.size() > stripFrames ? history.size() - stripFrames : 0;
  if (history.size() < 2) return;
  const LogAxis axis = axisFor(plot, history, first);
  ink.spot(plot, "last frames");

  // Decades, then the target line
  const float spacing = plot.height / static_cast<float>(std::log10(axis.high / axis.low));
  const int every = spacing < 1.05f * ink.em() ? 2 : 1;
  int decade = 0;
  for (double tick = axis.low; tick < axis.high * 1.01; tick *= 10.0, ++decade) {
    const float y = axis.y(tick);
    ink.segment({plot.x, y}, {plot.right(), y}, palette::panelEdge, 1.0f, 0.8f);
    if (decade % every != 0) continue;
    const std::string name =
        tick < 0.99 ? fmt::format("{:.0f} µs", tick * 1e3) : fmt::format("{:.0f} ms", tick);
    ink.textRight({plot.x - 0.35f * ink.em(), y}, name, palette::dim, ink.small());
  }
  const float targetY = axis.y(milliseconds(history[history.size() - 1].target));
  for (float x = plot.x; x < plot.right(); x += 0.9f * ink.em())
    ink.segment({x, targetY}, {std::min(x + 0.35f * ink.em(), plot.right()), targetY},
                palette::overrun, 1.5f);

  const float step = plot.width / static_cast<float>(stripFrames - 1);
  std::vector<std::pair<float, const Curve*>> labels;
  const FrameProfile& last = history[history.size() - 1];
  for (const Curve& curve : curves) {
    // A reference that is off has no times
    if (curve.optional && !(curve.value(last) > 0.0)) continue;
    drawCurve(ink, axis, curve, history, first, step);
    labels.emplace_back(axis.y(curve.value(last)), &curve);
  }

  // Labels at the right ends of the lines, moved apart if they overlap
  std::ranges::sort(labels, {}, &std::pair<float, const Curve*>::first);
  const float height = 0.95f * ink.em();
  float lowest = plot.y + 0.3f * height;
  for (auto& [y, curve] : labels) lowest = (y = std::max(y, lowest)) + height;
  float highest = plot.bottom() - 0.3f * height;
  for (auto label = labels.rbegin(); label != labels.rend(); ++label)
    highest = (label->first = std::min(label->first, highest)) - height;
  for (const auto& [y, curve] : labels)
    ink.text({plot.right() + 0.4f * ink.em(), y}, curve->name, curve->colour, ink.small());
}

}  // namespace

std::string timeText(std::optional<double> ms) { return ms ? formatTime(*ms) : std::string(dash); }

std::string paceText(const OverlayView& view, const ShownNumbers& shown) {
  const Pace& pace = shown.pace;
  if (view.ui->isFrozen() || pace.hertz == 0.0) return "– × real time, – fps";
  return fmt::format("{:.2f} × real time, {:.0f} fps", pace.rate, pace.hertz);
}

void drawFrameBars(const Ink& ink, const Rect& frame, const Rect& detection,
                   const ShownNumbers& shown, std::string_view budget) {
  drawBar(ink, frame, shown);
  drawDetectionBar(ink, detection, shown, budget);
}

void drawFramePanel(const Ink& ink, const Rect& rect, const OverlayView& view,
                    const ShownNumbers& shown, const Rect& plot) {
  ink.edge(rect);
  const Rect inner = rect.inset(0.5f * ink.em());
  if (!shown.measured) {
    ink.text({inner.x, inner.y + 0.5f * ink.line()}, "no frame measured yet", palette::dim);
    return;
  }
  Rect row{inner.x, inner.y, inner.width, ink.line()};
  drawHeader(ink, row, shown);
  row.y += ink.line();
  drawBar(ink, {row.x, row.y + 0.1f * ink.em(), row.width, ink.line() - 0.25f * ink.em()}, shown);
  row.y += ink.line();
  if (row.bottom() > inner.bottom() + 1.0f) return;
  drawDetectionBar(ink, {row.x, row.y + 0.1f * ink.em(), row.width, ink.line() - 0.35f * ink.em()},
                   shown, shown.instant.budget);
  row.y += ink.line();
  drawLegend(ink, row, shown.frame);
  if (plot.shown()) drawStrip(ink, plot, *view.frames.history);
}

}  // namespace nearmiss::app::fly
