// SPDX-License-Identifier: MIT
#include "fly/modes/game/duel_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <glm/common.hpp>
#include <glm/geometric.hpp>

#include "fly/flight_context.h"
#include "fly/loop/canvas.h"
#include "fly/loop/frame_times.h"
#include "fly/overlay/ink.h"
#include "fly/overlay/panels.h"

namespace nearmiss::app::fly {
namespace {

// In letters: size of the score's plate, of its figures and of its time
constexpr float plateWidth = 20.0f, plateHeight = 4.6f, minPlate = 14.0f;
constexpr float figureSize = 2.3f, nameSize = 1.15f, timeSize = 1.5f;

Rgb playerColour(std::size_t player) noexcept { return player == 0 ? palette::own : palette::swap; }

void centred(const Ink& ink, glm::vec2 at, std::string_view text, Rgb colour, float size,
             ImFont* font = nullptr) {
  const float wide = ink.textWidth(text, font) * size / ink.em();
  ink.sized({at.x - 0.5f * wide, at.y}, text, colour, size, font);
}

/// "2:05", rounded up, so that 0:00 is the end.
std::string clockText(double seconds) {
  const auto whole = static_cast<int>(std::ceil(std::max(seconds, 0.0)));
  return fmt::format("{}:{:02}", whole / 60, whole % 60);
}

/// The place of words around `at`, moved to fit in the area.
Rect platePlace(const Ink& ink, const Rect& area, glm::vec2 at, std::string_view words) {
  const float em = ink.em(), wide = ink.textWidth(words, ink.bold()) + 0.8f * em;
  const float high = 1.4f * em;
  const float x = std::clamp(at.x - 0.5f * wide, area.x, std::max(area.x, area.right() - wide));
  const float y = std::clamp(at.y - 0.5f * high, area.y, std::max(area.y, area.bottom() - high));
  return {std::round(x), std::round(y), wide, high};
}

void drawPlate(const Ink& ink, const Rect& plate, std::string_view words, Rgb colour) {
  ink.fill(plate, palette::panel, 0.85f, 0.25f * ink.em());
  ink.text({plate.x + 0.4f * ink.em(), plate.y + 0.5f * plate.height}, words, colour, ink.bold());
}

/// The part of a half without panels, relative to the left edge of the half.
Rect halfArea(const Rect& scene, glm::vec2 window, std::size_t player) noexcept {
  const float middle = std::floor(0.5f * window.x);
  if (player == 0)
    return {scene.x, scene.y, std::min(middle, scene.right()) - scene.x, scene.height};
  const float left = std::max(scene.x - middle, 0.0f);
  return {left, scene.y, scene.right() - middle - left, scene.height};
}

}  // namespace

Rect scorePlace(const Rect& area, float em) noexcept {
  const float wide = std::min(plateWidth * em, area.width - em);
  if (wide < minPlate * em || area.height < 2.0f * plateHeight * em) return {};
  return {std::round(area.x + 0.5f * (area.width - wide)), area.y + 0.5f * em, wide,
          plateHeight * em};
}

void drawScore(const Ink& ink, const Rect& area, const DuelFacts& facts, std::size_t player) {
  const float em = ink.em();
  const Rect plate = scorePlace(area, em);
  if (!plate.shown()) return;
  ink.fill(plate, palette::panel, 0.8f, 0.4f * em);
  const float middle = plate.x + 0.5f * plate.width, row = plate.y + 1.55f * em;
  const std::size_t other = 1 - player;
  const auto hits = [&](std::size_t of) { return fmt::format("{}", facts.duel.hits(of).total()); };
  const float aside = 1.5f * em, names = 3.0f * em;
  centred(ink, {middle, row}, ":", palette::dim, figureSize * em, ink.bold());
  centred(ink, {middle - aside, row}, hits(player), palette::text, figureSize * em, ink.bold());
  centred(ink, {middle + aside, row}, hits(other), palette::text, figureSize * em, ink.bold());
  const float size = nameSize * em;
  const float wide = ink.textWidth(facts.names[player], ink.bold()) * nameSize;
  ink.sized({middle - names - wide, row}, facts.names[player], playerColour(player), size,
            ink.bold());
  ink.sized({middle + names, row}, facts.names[other], playerColour(other), size, ink.bold());
  centred(ink, {middle, plate.y + 3.55f * em}, clockText(facts.duel.left()), palette::text,
          timeSize * em, ink.bold());
  if (facts.event.empty()) return;
  const glm::vec2 below(middle, plate.bottom() + 1.1f * em);
  drawPlate(ink, platePlace(ink, area, below, facts.event), facts.event, palette::text);
}

Rect belowScore(const Rect& area, float em) noexcept {
  const Rect score = scorePlace(area, em);
  if (!score.shown()) return area;
  const float top = score.bottom() + 0.3f * em;
  return {area.x, top, area.width, area.bottom() - top};
}

OtherMark markOf(const Ink& ink, const FlightView& view, const Flight& flight, glm::vec2 window,
                 const Rect& area, const DuelFacts& facts, std::size_t player) {
  const auto bodies = flight.output().bodies;
  const std::size_t other = 1 - player;
  const BodyState &own = bodies[facts.duel.ship(player)], &ship = bodies[facts.duel.ship(other)];
  OtherMark mark;
  mark.words = fmt::format("{}, {:.0f} m", facts.names[other],
                           glm::distance(own.pose.position, ship.pose.position));
  const float em = ink.em();
  Rect inner = area.inset(em);
  // Below the event
  inner.y += 1.5f * em;
  inner.height -= 1.5f * em;
  mark.arrow = arrowTo(view.camera, window, inner, ship.pose.position);
  if (mark.arrow) {
    const glm::vec2 half(0.5f * ink.textWidth(mark.words, ink.bold()) + 0.4f * em, 0.7f * em);
    const float room = 2.2f * em + glm::dot(glm::abs(mark.arrow->way), half);
    mark.plate = platePlace(ink, inner, mark.arrow->tip - room * mark.arrow->way, mark.words);
    return mark;
  }
  // Above the ship
  const Vec3 up = view.camera.pose.rotation * Vec3(0.0, ship.shape.radius(), 0.0);
  const auto width = static_cast<int>(window.x), height = static_cast<int>(window.y);
  glm::vec2 at;
  if (project(view.camera, width, height, ship.pose.position + up, at) && Ink::takes(at))
    mark.plate = platePlace(ink, inner, at - glm::vec2(0.0f, 1.2f * em), mark.words);
  return mark;
}

void drawMark(const Ink& ink, const OtherMark& mark, std::size_t player) {
  const Rgb colour = playerColour(1 - player);
  if (mark.arrow) drawArrow(ink, *mark.arrow, 1.4f * ink.em(), colour, 1.0f);
  if (mark.plate.shown()) drawPlate(ink, mark.plate, mark.words, colour);
}

void DuelView::begin(std::size_t ship) {
  second_ = FlightView();
  second_.follow(ship);
}

void DuelView::follow(FlightContext& context) {
  const Flight& flight = context.flight();
  second_.marks.update(flight, context.times.markSeconds, markLifetime(context));
  (void)second_.impacts.take(flight.output(), pictureSeconds(context));
}

void DuelView::draw(FlightContext& context, Canvas& canvas) {
  const Flight& flight = context.flight();
  const int width = context.screen.width, height = context.screen.height, half = width / 2;
  const double step = pictureStep(context), now = pictureSeconds(context);
  const engine::TowBeam& first = context.modes.tow.beam();
  const engine::TowBeam& other = context.modes.duel.secondPlayer().beam();
  for (FlightView* view : {&context.view, &second_}) {
    view->keepIn(context.panels.overlay.sceneArea(), width, height, true);
    view->look(flight, context.ui, step);
    for (const engine::TowBeam* beam : {&first, &other})
      if (beam->on()) view->scene.showBeam(beam->ship(), beam->body());
    const bool left = view == &context.view;
    view->cues.setTowed((left ? first : other).body());
    canvas.draw(flight.sharedShapes(), view->compose(flight, context.ui, step, now),
                left ? Viewport{0, half, height} : Viewport{half, width - half, height});
  }
  addToFilm(context, canvas, false);
}

void DuelView::labelHalf(FlightContext& context, const Ink& ink, const Rect& half,
                         const DuelFacts& facts, std::size_t player) {
  const Flight& flight = context.flight();
  FlightView& view = player == 0 ? context.view : second_;
  const glm::vec2 window(half.width, half.height);
  Rect area = halfArea(context.panels.overlay.sceneArea(),
                       {static_cast<float>(context.screen.width), half.height}, player);
  const Throttle* boost = player == 0 ? &context.steering.throttle : facts.secondBoost;
  if (boost && isHeavy(flight.scene())) area = drawBoost(ink, area, *boost);
  const Rect below = belowScore(area, ink.em());
  const OtherMark mark = markOf(ink, view, flight, window, below, facts, player);
  if (mark.plate.shown()) taken_.push_back({mark.plate, palette::panel});
  view.cues.leaveOut(facts.duel.ship(1 - player));
  view.label(ink, flight, context.ui, window, below, taken_);
  drawScore(ink, area, facts, player);
  drawMark(ink, mark, player);
}

void DuelView::label(FlightContext& context, const Ink& ink, glm::vec2 window,
                     std::span<const Ground> grounds, const DuelFacts& facts) {
  const float middle = std::floor(0.5f * window.x);
  if (context.ui.view.overlay != OverlayMode::Off) {
    for (const std::size_t player : {0u, 1u}) {
      const Rect half = player == 0 ? Rect{0.0f, 0.0f, middle, window.y}
                                    : Rect{middle, 0.0f, window.x - middle, window.y};
      const InPart part(ink, half);
      taken_.assign(grounds.begin(), grounds.end());
      for (Ground& ground : taken_) ground.rect.x -= half.x;
      labelHalf(context, ink, half, facts, player);
    }
  }
  const Rect& status = context.panels.overlay.areaOf(Panel::Status);
  ink.segment({middle, status.bottom()}, {middle, window.y}, palette::text, 2.0f);
}

void DuelView::addShipAreas(const FlightContext& context, glm::vec2 window,
                            std::vector<Rect>& out) const {
  const float middle = std::floor(0.5f * window.x);
  const glm::vec2 half(middle, window.y);
  context.view.addShipAreas(context.flight(), half, 0.0f, out);
  second_.addShipAreas(context.flight(), half, middle, out);
  for (const std::size_t player : {0u, 1u}) {
    Rect score =
        scorePlace(halfArea(context.panels.overlay.sceneArea(), window, player), textSize());
    if (player == 1) score.x += middle;
    if (score.shown()) out.push_back(score);
  }
}

}  // namespace nearmiss::app::fly
