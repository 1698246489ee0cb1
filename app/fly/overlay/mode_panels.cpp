// SPDX-License-Identifier: MIT
#include <engine/flight/depth.h>
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "console/text.h"
#include "fly/host/key_map.h"
#include "fly/overlay/ink.h"
#include "fly/overlay/panels.h"
#include "fly/overlay/views.h"

namespace nearmiss::app::fly {
namespace {

Rect barOf(const Rect& rect, float em) noexcept {
  return {rect.x + em, rect.y + 2.1f * em, rect.width - 2.0f * em, 1.2f * em};
}

}  // namespace

std::uint64_t replayFrameAt(const Rect& rect, float em, const ReplayView& view, float x) noexcept {
  const Rect bar = barOf(rect, em);
  const double share = std::clamp(double{(x - bar.x) / bar.width}, 0.0, 1.0);
  const auto frame =
      static_cast<std::uint64_t>(std::llround(share * static_cast<double>(view.frames)));
  return std::clamp<std::uint64_t>(frame, 1, view.frames);
}

void drawReplayBar(const Ink& ink, const Rect& rect, const ReplayView& view,
                   const ShownNumbers& shown) {
  const float em = ink.em();
  ink.edge(rect);
  ink.spot(rect, "replay");
  const float middle = rect.y + 1.1f * em;
  ink.text({rect.x + em, middle},
           fmt::format("Replay: frame {} of {}", shown.instant.replayed.value_or(view.position),
                       view.frames),
           palette::text, ink.bold());
  ink.textRight({rect.right() - em, middle},
                fmt::format("click or drag; [{}] [{}] step; [Enter] flies on from here",
                            firstKeyName(Action::StepBack), firstKeyName(Action::Step)),
                palette::dim, ink.small());

  // The played part, and for each pixel a line whose height grows with the number of collisions
  const Rect bar = barOf(rect, em);
  ink.fill(bar, palette::plot);
  const float perFrame = bar.width / static_cast<float>(view.frames);
  const float at = bar.x + perFrame * static_cast<float>(view.position);
  ink.fill({bar.x, bar.y, at - bar.x, bar.height}, palette::panelEdge);
  const auto columns = static_cast<std::size_t>(std::max(1.0f, bar.width));
  for (std::size_t column = 0; column < columns; ++column) {
    const std::size_t first = column * view.frames / columns;
    const std::size_t end = std::max(first + 1, (column + 1) * view.frames / columns);
    std::uint32_t began = 0;
    for (std::size_t n = first; n < std::min<std::size_t>(end, view.frames); ++n)
      began += view.collisions[n];
    if (began == 0) continue;
    const float high = bar.height * std::min(1.0f, 0.35f + 0.15f * static_cast<float>(began));
    const float x = bar.x + static_cast<float>(column) + 0.5f;
    ink.segment({x, bar.bottom() - high}, {x, bar.bottom()}, palette::own);
  }
  ink.frame(bar, palette::dim);
  ink.segment({at, bar.y - 0.25f * em}, {at, bar.bottom() + 0.25f * em}, palette::text, 2.0f);
}

void drawRunPanel(const Ink& ink, const Rect& rect, const RunView& run) {
  const float em = ink.em();
  ink.edge(rect);
  const Rect inner = rect.inset(em);
  float y = rect.y + 0.5f * em + 0.5f * ink.line();
  const float half = 0.5f * inner.width, top = y - 0.5f * ink.line();
  ink.spot({inner.x, top, half, ink.line()}, "points");
  ink.spot({inner.x + half, top, half, ink.line()}, "time left");
  ink.spot({inner.x, top + ink.line(), inner.width, ink.line()}, "streak");
  // A mission has no levels
  const bool levels = run.level.number > 0, won = levels && run.points >= run.level.goal;
  ink.text({inner.x, y},
           levels ? fmt::format("{} of {} points", run.points, run.level.goal)
                  : fmt::format("{} points", run.points),
           won ? palette::own : palette::text, ink.bold());
  ink.textRight({inner.right(), y}, fmt::format("{:.1f} s left", run.left), palette::text,
                ink.bold());
  y += ink.line();
  ink.text({inner.x, y}, levels ? fmt::format("level {}{}", run.level.number, won ? ", won" : "")
                                : std::string("mission"));
  ink.textRight({inner.right(), y}, fmt::format("streak {}, the next {} ×", run.streak, run.times),
                palette::dim);

  // A sentence of at most two lines
  y += 0.5f * ink.line();
  const std::string_view event =
      run.event.empty() ? std::string_view("pass ships closely without touching") : run.event;
  ink.paragraph({inner.x, y + 0.2f * em}, event, inner.width);
}

void drawRunEnd(const Ink& ink, float width, float height, const RunEndView& end, float& scroll) {
  ink.fill({0.0f, 0.0f, width, height}, palette::black, 0.55f);
  const auto name = [&end](Action action, std::string_view button) {
    return localKeyName(action) + (end.pad ? fmt::format(" or {}", button) : std::string());
  };
  const std::string hint = fmt::format("{} flies on, {} flies it again, {} flies the next mission",
                                       name(Action::Back, "B"), name(Action::Restart, "A"),
                                       name(Action::NextMission, "Y"));
  drawPage(ink, width, height, end.groups, PageStyle::Results, end.title, hint, scroll);
}

namespace {

// Heights in the tour's panel, in lines
constexpr float figureLines = 1.6f, headingLines = 1.1f, sliderLines = 2.2f;

// Columns of a strip, relative to its width
constexpr float textShare = 0.42f, figuresAt = 0.46f, figureShare = 0.26f, sliderShare = 0.24f;

bool isStrip(const Rect& panel, float em) noexcept { return panel.width >= tourStripEms * em; }

void drawFigure(const Ink& ink, const Rect& row, const TourFigure& figure) {
  const float em = ink.em(), middle = row.y + 0.5f * ink.line();
  ink.text({row.x, middle}, figure.name);
  ink.textRight({row.right(), middle}, figure.value, palette::text, ink.bold());
  const Rect track{row.x, row.y + ink.line(), row.width, 0.4f * em};
  ink.fill(track, palette::plot);
  const float wide = row.width * static_cast<float>(std::clamp(figure.share, 0.0, 1.0));
  if (wide > 0.0f) ink.fill({track.x, track.y, std::max(wide, 2.0f), track.height}, figure.colour);
}

void drawSlider(const Ink& ink, const Rect& area, const TourSlider& slider) {
  const float em = ink.em(), middle = area.y + 0.5f * ink.line();
  ink.text({area.x, middle}, slider.name, palette::own);
  ink.textRight({area.right(), middle}, slider.value, palette::own, ink.bold());
  const float bar = area.bottom() - 0.6f * em;
  ink.fill({area.x, bar - 0.1f * em, area.width, 0.2f * em}, palette::slack);
  const float at = area.x + static_cast<float>(std::clamp(slider.place, 0.0, 1.0)) * area.width;
  ink.fill({at - 0.25f * em, bar - 0.55f * em, 0.5f * em, 1.1f * em}, palette::own, 1.0f,
           0.15f * em);
}

}  // namespace

Rect tourSliderArea(const Rect& panel, float em) noexcept {
  const Rect inner = panel.inset(0.8f * em);
  const float high = sliderLines * lineHeight * em, foot = lineHeight * em;
  const float wide = (isStrip(panel, em) ? sliderShare : 1.0f) * inner.width;
  return {inner.right() - wide, inner.bottom() - foot - high, wide, high};
}

float tourFigureEms(const TourView& tour) noexcept {
  const auto headings = std::ranges::count_if(
      tour.figures, [](const TourFigure& figure) { return !figure.heading.empty(); });
  return lineHeight * (figureLines * static_cast<float>(tour.figures.size()) +
                       headingLines * static_cast<float>(headings) + sliderLines);
}

void drawTourPanel(const Ink& ink, const Rect& rect, const TourView& tour) {
  ink.edge(rect);
  const float em = ink.em();
  const Rect inner = rect.inset(0.8f * em);
  const bool strip = isStrip(rect, em);
  const Rect words{inner.x, inner.y, (strip ? textShare : 1.0f) * inner.width, inner.height};
  float y = words.y + 0.5f * ink.line();
  ink.text({words.x, y}, tour.title, palette::text, ink.bold());
  ink.textRight({words.right(), y},
                fmt::format("{}{} of {}", tour.held ? "held, " : "", tour.number, tour.stops),
                tour.held ? palette::own : palette::dim);

  // The remaining time to read it
  y += 0.75f * ink.line();
  const float passed = static_cast<float>(std::clamp(tour.passed, 0.0, 1.0));
  ink.fill({words.x, y, words.width, 0.15f * em}, palette::panelEdge);
  if (!tour.held) ink.fill({words.x, y, words.width * passed, 0.15f * em}, palette::own);

  y += 0.7f * em;
  const float size = 1.08f * em;
  ink.paragraph({words.x, y}, tour.sentence, words.width, size);
  y += ink.paragraphSize(tour.sentence, words.width, size).y + 0.6f * em;

  const Rect slider = tourSliderArea(rect, em);
  Rect row{words.x, y, words.width, figureLines * ink.line()};
  if (strip)
    row = {inner.x + figuresAt * inner.width, inner.y, figureShare * inner.width, row.height};
  const float floor = strip ? inner.bottom() : slider.y;
  for (const TourFigure& figure : tour.figures) {
    const float heading = figure.heading.empty() ? 0.0f : headingLines * ink.line();
    if (row.y + heading + row.height > floor) break;
    if (heading > 0.0f)
      ink.text({row.x, row.y + 0.55f * heading}, figure.heading, palette::dim, ink.small());
    row.y += heading;
    drawFigure(ink, row, figure);
    row.y += row.height;
  }
  if (strip || slider.y >= row.y - 0.1f * em) drawSlider(ink, slider, tour.slider);
  const std::string keys = fmt::format(
      "{}, {}: slider, {}: next, {}: end", localKeyName(Action::YawLeft),
      localKeyName(Action::YawRight), localKeyName(Action::Pause), localKeyName(Action::Back));
  // In a strip the slider may be narrower than its keys
  const float left = std::min(slider.x, inner.right() - ink.textWidth(keys, ink.small()));
  ink.text({left, inner.bottom() - 0.5f * ink.line()}, keys, palette::own, ink.small());
}

namespace {

void drawCourse(const Ink& ink, const Rect& plot, const GhostView& ghost, double highest,
                double GhostApart::*value, Rgb colour, float width) {
  const std::size_t n = ghost.course.size();
  const float step = plot.width / static_cast<float>(ghostFrames - 1);
  ImDrawList& list = *ink.list();
  list.PathClear();
  for (std::size_t i = 0; i < n; ++i) {
    const double metres = ghost.course[(ghost.oldest + i) % n].*value;
    const float x = plot.right() - static_cast<float>(n - 1 - i) * step;
    list.PathLineTo({x, plot.bottom() - static_cast<float>(metres / highest) * plot.height});
  }
  list.PathStroke(Ink::colour(colour), 0, width);
}

}  // namespace

void drawGhostPanel(const Ink& ink, const Rect& rect, const GhostView& ghost) {
  ink.edge(rect);
  const float em = ink.em();
  const Rect inner = rect.inset(0.7f * em);
  float y = inner.y + 0.5f * ink.line() - 0.2f * em;
  ink.text({inner.x, y}, "Drift from the exact flight", palette::text, ink.bold());
  y += ink.line();
  const auto figure = [&](float x, std::string_view name, double metres, Rgb colour) {
    ink.text({x, y}, name, colour, ink.small());
    ink.text({x + ink.textWidth(name, ink.small()) + 0.4f * em, y}, gapText(metres), palette::text,
             ink.small());
  };
  figure(inner.x, "your ship", ghost.now.own, palette::own);
  figure(inner.x + 0.5f * inner.width, "largest", ghost.now.farthest, palette::swap);

  double highest = 1e-3;
  for (const GhostApart& apart : ghost.course) highest = std::max(highest, apart.farthest);
  highest *= 1.1;
  const float top = y + 0.7f * ink.line();
  // Scale to the left of the curves
  const float scale = ink.textWidth("9999 cm", ink.small()) + 0.4f * em;
  const Rect plot{inner.x + scale, top, inner.width - scale, inner.bottom() - top};
  ink.textRight({plot.x - 0.4f * em, plot.y + 0.5f * em}, gapText(highest), palette::dim,
                ink.small());
  ink.textRight({plot.x - 0.4f * em, plot.bottom() - 0.5f * em}, "0", palette::dim, ink.small());
  ink.fill(plot, palette::plot);
  if (ghost.course.size() < 2) return;
  drawCourse(ink, plot, ghost, highest, &GhostApart::farthest, palette::swap, 1.0f);
  drawCourse(ink, plot, ghost, highest, &GhostApart::own, palette::own, 2.0f);
}

namespace {

/// Late frames since the last reset, and how far the half is behind the other now. `brief`: for
/// small windows.
std::string lagText(const HalfView& half, bool brief) {
  const FrameStatistics& since = half.numbers->since;
  const std::string late =
      brief ? fmt::format("{} of {} late", formatCount(since.missed), formatCount(since.frames))
            : fmt::format("since reset: {} of {} late", formatCount(since.missed),
                          counted(since.frames, "frame"));
  return half.behind < 0.05 ? late : fmt::format("{}; now {:.1f} s behind", late, half.behind);
}

/// Collisions by the level that detection reached.
void drawLevels(const Ink& ink, const Rect& row, const ShownNumbers& shown) {
  const float em = ink.em(), middle = row.y + 0.5f * row.height;
  constexpr std::string_view name = "since reset, collisions by level";
  const float figure = ink.textWidth("9 999", ink.small()) + 0.7f * em;
  float wide = 0.0f;
  for (int level = 1; level < engine::depths; ++level)
    wide += ink.textWidth(engine::nameOfDepth(level), ink.small()) + 0.9f * em + figure;
  // Levels first, then their label
  float x = row.x;
  const float named = ink.textWidth(name, ink.small()) + 0.8f * em;
  if (named + wide <= row.width) {
    ink.text({x, middle}, name, palette::dim, ink.small());
    x += named;
  }
  for (int level = 1; level < engine::depths; ++level) {
    const std::string_view depth = engine::nameOfDepth(level);
    const float next = x + ink.textWidth(depth, ink.small()) + 0.9f * em + figure;
    if (next > row.right() + em) return;
    const float chip = ink.chip({x, middle}, depth, levelColour(level));
    ink.text({x + chip + 0.3f * em, middle},
             formatCount(shown.since.collisions[static_cast<std::size_t>(level)]), palette::text,
             ink.small());
    x = next;
  }
}

}  // namespace

void drawHalfPanel(const Ink& ink, const Rect& rect, const HalfView& half) {
  ink.edge(rect);
  const ShownNumbers& shown = *half.numbers;
  const Rect inner = rect.inset(0.5f * ink.em());
  Rect row{inner.x, inner.y, inner.width, ink.line()};
  const float middle = row.y + 0.5f * row.height;
  std::string fate = lagText(half, false);
  if (ink.textWidth(fate, ink.small()) > 0.7f * row.width) fate = lagText(half, true);
  ImFont* type = ink.textWidth(half.method, ink.bold()) + ink.textWidth(fate) + ink.em() < row.width
                     ? nullptr
                     : ink.small();
  const float fateWidth = ink.textWidth(fate, type);
  // Keep the counters and shorten the method
  std::string method(half.method);
  ImFont* bold = type ? type : ink.bold();
  while (method.size() > 1 && ink.textWidth(method, bold) + fateWidth + ink.em() > row.width)
    method.pop_back();
  ink.text({row.x, middle}, method, palette::text, bold);
  const float named = ink.textWidth(method, bold);
  // The budget, if there is space
  const std::string budget = fmt::format("{}, budget {}", half.side, half.budget);
  if (named + ink.textWidth(budget) + fateWidth + 2.5f * ink.em() < row.width)
    ink.text({row.x + named + 0.8f * ink.em(), middle}, budget, palette::dim);
  ink.textRight({row.right(), middle}, fate,
                shown.since.missed > 0 ? palette::narrow : palette::text, type);
  if (!shown.measured) return;

  // The bars are of one frame, the lines above and below are not
  const float span = ink.textWidth("this frame", ink.small()) + 0.8f * ink.em();
  const Rect frame{row.x + span, row.y + ink.line() + 0.1f * ink.em(), row.width - span,
                   ink.line() - 0.25f * ink.em()};
  ink.text({row.x, frame.y + 0.5f * frame.height}, "this frame", palette::dim, ink.small());
  const Rect detection{frame.x, frame.y + ink.line(), frame.width, ink.line() - 0.35f * ink.em()};
  if (detection.bottom() > inner.bottom() + 1.0f) {
    drawFrameBars(ink, frame, {}, shown, half.budget);
    return;
  }
  drawFrameBars(ink, frame, detection, shown, half.budget);
  drawLevels(ink, {row.x, row.y + 3.0f * ink.line(), row.width, ink.line()}, shown);
}

}  // namespace nearmiss::app::fly
