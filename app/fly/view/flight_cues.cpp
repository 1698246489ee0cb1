// SPDX-License-Identifier: MIT
#include "fly/view/flight_cues.h"

#include <engine/scene/scene.h>
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <utility>

#include "console/text.h"
#include "fly/overlay/ink.h"
#include "fly/overlay/views.h"
#include "fly/view/world_marks.h"

namespace nearmiss::app::fly {
namespace {

constexpr double farAway = 1e3;      // distance at which directions are drawn, metres
constexpr double minSpeed = 0.05;    // m/s; slower ships have no drift
constexpr double fullWarning = 0.5;  // m/s towards the rim
constexpr double minWarning = 0.1, seenWall = 0.5;

/// Draws a line that is readable on stars and planet.
void stroke(const Ink& ink, const glm::vec2& from, const glm::vec2& to, Rgb colour,
            float alpha = 1.0f) {
  ink.segment(from, to, palette::plot, 4.0f, 0.55f * alpha);
  ink.segment(from, to, colour, 1.8f, alpha);
}

void ring(const Ink& ink, const glm::vec2& at, float radius, Rgb colour) {
  ink.circle(at, radius, palette::plot, 4.0f, 0.55f);
  ink.circle(at, radius, colour, 1.8f);
}

/// Draws the heading: a line with a notch.
void drawNose(const Ink& ink, const glm::vec2& at) {
  constexpr std::array<glm::vec2, 7> corners{glm::vec2(-1.3f, 0.0f),  glm::vec2(-0.6f, 0.0f),
                                             glm::vec2(-0.3f, 0.45f), glm::vec2(0.0f, 0.0f),
                                             glm::vec2(0.3f, 0.45f),  glm::vec2(0.6f, 0.0f),
                                             glm::vec2(1.3f, 0.0f)};
  for (std::size_t i = 1; i < corners.size(); ++i)
    stroke(ink, at + ink.em() * corners[i - 1], at + ink.em() * corners[i], palette::own);
}

/// Draws the drift: a ring with three ticks; crossed out for the opposite direction.
void drawDrift(const Ink& ink, const glm::vec2& at, bool ahead) {
  const float radius = 0.55f * ink.em(), tick = 0.55f * ink.em();
  ring(ink, at, radius, palette::swap);
  for (const glm::vec2& way :
       {glm::vec2(-1.0f, 0.0f), glm::vec2(1.0f, 0.0f), glm::vec2(0.0f, -1.0f)})
    stroke(ink, at + radius * way, at + (radius + tick) * way, palette::swap);
  if (ahead) return;
  const float half = 0.7f * radius;
  stroke(ink, at - glm::vec2(half), at + glm::vec2(half), palette::swap);
  stroke(ink, at + glm::vec2(-half, half), at + glm::vec2(half, -half), palette::swap);
}

}  // namespace

void drawArrow(const Ink& ink, const EdgeArrow& arrow, float size, Rgb colour, float alpha) {
  const glm::vec2 across(-arrow.way.y, arrow.way.x);
  const glm::vec2 back = arrow.tip - 1.3f * size * arrow.way;
  const glm::vec2 left = back + 0.65f * size * across, right = back - 0.65f * size * across;
  ink.triangle(arrow.tip, left, right, colour, palette::plot, alpha);
}

bool reservePlace(std::vector<Rect>& taken, const Rect& place) {
  if (std::ranges::any_of(taken, [&](const Rect& other) { return meets(place, other); }))
    return false;
  taken.push_back(place);
  return true;
}

/// Draws a label on a plain background around `at`, moved to fit in the area.
void FlightCues::say(const Picture& picture, const glm::vec2& at, std::string_view words) {
  const Ink& ink = picture.ink;
  const Rect& area = picture.area;
  if (picture.quiet || !Ink::takes(at)) return;
  const float wide = ink.textWidth(words, ink.small()) + 0.6f * ink.em(), high = 1.2f * ink.em();
  const float x = std::clamp(at.x - 0.5f * wide, area.x, std::max(area.x, area.right() - wide));
  const float y = std::clamp(at.y - 0.5f * high, area.y, std::max(area.y, area.bottom() - high));
  const Rect plain{std::round(x), std::round(y), wide, high};
  if (!reservePlace(picture.said, plain)) return;
  ink.fill(plain, palette::panel, 0.8f, 0.25f * ink.em());
  ink.text({plain.x + 0.3f * ink.em(), plain.y + 0.5f * high}, words, palette::text, ink.small());
}

/// Draws a label behind an arrow of any direction.
void FlightCues::labelBehind(const Picture& picture, const EdgeArrow& arrow, float size,
                             std::string_view words) {
  const Ink& ink = picture.ink;
  const glm::vec2 half(0.5f * ink.textWidth(words, ink.small()) + 0.3f * ink.em(), 0.6f * ink.em());
  const float room = 1.5f * size + glm::dot(glm::abs(arrow.way), half);
  say(picture, arrow.tip - room * arrow.way, words);
}

void FlightCues::draw(const Ink& ink, const Flight& flight, const Camera& camera, bool fromShip,
                      const glm::vec2& window, const Rect& area, std::span<const Ground> panels,
                      std::span<const Rect> words, bool quiet) {
  const auto bodies = shipsOf(flight);
  const std::size_t own = followed_.value_or(flight.simulation().userIndex());
  const double radius = flight.world().ships().arena().radius;
  said_.clear();
  for (const Ground& panel : panels) said_.push_back(panel.rect);
  const std::size_t covered = said_.size();
  said_.insert(said_.end(), words.begin(), words.end());
  const Picture picture{ink, camera, window, area, said_, quiet};
  // The most important labels come first
  drawRim(picture, bodies[own], radius, engine::hasWall(flight.scene()));
  const Shapes& shapes = flight.shapes().collision();
  const auto near = look(flight);
  const NearShip* first = firstHit(near);
  if (first) drawFirstHit(picture, bodies, *first);
  if (fromShip) drawHeading(picture, bodies[own], near.empty() ? nullptr : &near.front());
  drawArrows(picture, bodies, own, shapes, 2.0 * radius, covered);
  leftOut_.reset();
}

std::span<const NearShip> FlightCues::look(const Flight& flight) {
  const std::size_t own = followed_.value_or(flight.simulation().userIndex());
  surroundings_.leaveOut(std::exchange(towed_, 0));
  const auto near =
      surroundings_.look(shipsOf(flight), own, flight.shapes().collision(), flight.world().time());
  const NearShip* first = firstHit(near);
  contactIn_ = first ? first->contact : std::nullopt;
  nearest_ = near.empty() ? std::nullopt : std::optional(near.front());
  return near;
}

void FlightCues::drawHeading(const Picture& picture, const BodyState& own,
                             const NearShip* nearest) {
  const Ink& ink = picture.ink;
  const Rect inner = picture.area.inset(1.5f * ink.em());
  const auto find = [&](const Vec3& direction, glm::vec2& at) {
    return shows(picture.camera, picture.window, inner,
                 picture.camera.pose.position + farAway * direction, at);
  };
  glm::vec2 nose, drift;
  const bool noseShown = find(own.pose.rotation * Vec3(0.0, 0.0, -1.0), nose);
  if (noseShown) drawNose(ink, nose);

  // The drift direction; otherwise its opposite; otherwise an arrow to it
  const double speed = glm::length(own.velocity);
  const bool drifts = speed > minSpeed;
  if (drifts) {
    const Vec3 way = own.velocity / speed;
    if (find(way, drift)) {
      drawDrift(ink, drift, true);
    } else if (find(-way, drift)) {
      drawDrift(ink, drift, false);
    } else {
      drift = edgeOf(inner, wayTo(picture.camera, picture.window, inner,
                                  picture.camera.pose.position + farAway * way));
      drawDrift(ink, drift, true);
    }
  }

  // Speed and nearest ship next to it
  if (!drifts && !noseShown) return;
  const glm::vec2 by = drifts ? drift : nose;
  say(picture, by + glm::vec2(0.0f, 1.7f * ink.em()), fmt::format("{:.1f} m/s", speed));
  if (!nearest) return;
  const std::string_view change = nearest->closing < 0.0 ? "parting" : "closing";
  say(picture, by + glm::vec2(0.0f, 2.95f * ink.em()),
      fmt::format("nearest {}, {} {:.1f} m/s", distanceText(nearest->distance), change,
                  std::abs(nearest->closing)));
}

void FlightCues::drawFirstHit(const Picture& picture, std::span<const BodyState> bodies,
                              const NearShip& first) {
  const BodyState& body = bodies[first.index];
  const Vec3 aside = picture.camera.pose.rotation * Vec3(body.shape.radius(), 0.0, 0.0);
  glm::vec2 middle, edge;
  if (!shows(picture.camera, picture.window, picture.area, body.pose.position, middle) ||
      !project(picture.camera, static_cast<int>(picture.window.x),
               static_cast<int>(picture.window.y), body.pose.position + aside, edge))
    return;
  const Ink& ink = picture.ink;
  const float radius = std::max(glm::distance(middle, edge), ink.em());
  ring(ink, middle, radius, palette::overrun);
  say(picture, middle + glm::vec2(0.0f, radius + 0.9f * ink.em()),
      fmt::format("contact in {:.1f} s", *first.contact));
}

/// Draws the distance to the wall at its nearest point; addWall() draws the wall.
void FlightCues::drawRim(const Picture& picture, const BodyState& own, double radius, bool wall) {
  const double outward = glm::length(own.pose.position);
  const double margin = radius - outward;
  if (margin > wallSight(radius) || outward <= 0.0) return;
  const Ink& ink = picture.ink;
  const Vec3 up = own.pose.position / outward;
  // A ship that does not approach the rim needs no warning
  const double outwards = glm::dot(own.velocity, up);
  const double reach = own.shape.radius();
  double warning = margin < -reach ? 1.0 : std::clamp(outwards / fullWarning, 0.0, 1.0);
  // A wall nearby is always shown
  if (wall) warning = std::max(warning, seenWall);
  if (warning < minWarning) return;

  const std::string words = margin >= 0.0 ? "wall in " + gapText(margin)
                            : margin > -reach
                                ? std::string("at the wall: it pushes back")
                                : gapText(-margin) + " beyond the wall: it pushes back";
  glm::vec2 at;
  if (shows(picture.camera, picture.window, picture.area, radius * up, at)) {
    say(picture, at, words);
    return;
  }
  const glm::vec2 way = wayTo(picture.camera, picture.window, picture.area, radius * up);
  const EdgeArrow arrow{edgeOf(picture.area, way), way, margin, false, 0};
  drawArrow(ink, arrow, 0.8f * ink.em(), palette::swap, 0.9f);
  labelBehind(picture, arrow, 0.8f * ink.em(), words);
}

void FlightCues::drawArrows(const Picture& picture, std::span<const BodyState> bodies,
                            std::size_t own, const Shapes& shapes, double reach,
                            std::size_t covered) {
  const Ink& ink = picture.ink;
  findEdgeArrows(picture.camera, picture.window, picture.area, bodies, own, arrows_);
  // Remove arrows under panels
  std::erase_if(arrows_, [&](const EdgeArrow& arrow) {
    if (!arrow.middle && arrow.ship == leftOut_) return true;
    const glm::vec2 back = arrow.tip - 1.4f * ink.em() * arrow.way;
    const glm::vec2 corner = glm::min(arrow.tip, back), size = glm::abs(arrow.tip - back);
    const Rect place{corner.x, corner.y, size.x + 1.0f, size.y + 1.0f};
    return std::any_of(said_.begin(), said_.begin() + static_cast<std::ptrdiff_t>(covered),
                       [&](const Rect& panel) { return meets(place, panel); });
  });
  // The player's face shows the nearest only
  if (picture.quiet && arrows_.size() > 1) arrows_.resize(1);
  const auto nearness = [reach](const EdgeArrow& arrow) {
    return static_cast<float>(std::clamp(1.0 - arrow.distance / std::max(reach, 1e-6), 0.0, 1.0));
  };
  const auto sizeOf = [&](const EdgeArrow& arrow) {
    return (0.6f + 0.5f * nearness(arrow)) * ink.em();
  };
  // Draw the nearest on top; they also get their distance first
  for (auto arrow = arrows_.rbegin(); arrow != arrows_.rend(); ++arrow)
    drawArrow(ink, *arrow, sizeOf(*arrow), arrow->middle ? palette::swap : palette::text,
              0.45f + 0.5f * nearness(*arrow));
  for (const EdgeArrow& arrow : arrows_)
    labelBehind(picture, arrow, sizeOf(arrow),
                arrow.middle
                    ? "arena centre " + gapText(arrow.distance)
                    : distanceText(surroundings_.distanceTo(bodies, own, arrow.ship, shapes)));
}

namespace {

glm::vec2 middleOf(const Rect& area) noexcept {
  return {area.x + 0.5f * area.width, area.y + 0.5f * area.height};
}

}  // namespace

glm::vec2 edgeOf(const Rect& area, const glm::vec2& way) noexcept {
  constexpr float least = 1e-4f;
  const float across = 0.5f * area.width / std::max(std::abs(way.x), least);
  const float down = 0.5f * area.height / std::max(std::abs(way.y), least);
  return middleOf(area) + way * std::min(across, down);
}

glm::vec2 wayTo(const Camera& camera, const glm::vec2& window, const Rect& area,
                const Vec3& world) noexcept {
  glm::dvec2 towards;
  if (glm::vec2 pixel;
      project(camera, static_cast<int>(window.x), static_cast<int>(window.y), world, pixel) &&
      Ink::takes(pixel)) {
    towards = pixel - middleOf(area);
  } else {
    // A projection would mirror objects behind the eye
    const Vec3 seen = glm::conjugate(camera.pose.rotation) * (world - camera.pose.position);
    towards = {seen.x, -seen.y};
  }
  // Single precision could overflow, and squares even in double
  const double length = std::hypot(towards.x, towards.y);
  return length > 1e-4 ? glm::vec2(towards / length) : glm::vec2(0.0f, 1.0f);
}

bool shows(const Camera& camera, const glm::vec2& window, const Rect& area, const Vec3& world,
           glm::vec2& pixel) noexcept {
  return project(camera, static_cast<int>(window.x), static_cast<int>(window.y), world, pixel) &&
         pixel.x >= area.x && pixel.y >= area.y && pixel.x <= area.right() &&
         pixel.y <= area.bottom();
}

void findEdgeArrows(const Camera& camera, const glm::vec2& window, const Rect& area,
                    std::span<const BodyState> bodies, std::size_t own,
                    std::vector<EdgeArrow>& arrows) {
  arrows.clear();
  const Vec3& from = bodies[own].pose.position;
  const auto arrowTo = [&](const Vec3& world, bool middle) {
    const glm::vec2 way = wayTo(camera, window, area, world);
    return EdgeArrow{edgeOf(area, way), way, glm::distance(world, from), middle, own};
  };
  bool alone = true;
  glm::vec2 pixel;
  for (std::size_t index = 0; index < bodies.size(); ++index) {
    if (index == own) continue;
    const Vec3& ship = bodies[index].pose.position;
    if (shows(camera, window, area, ship, pixel)) {
      alone = false;
      continue;
    }
    // In a crowd, only compute ships nearer than the farthest one kept
    const double distance = glm::distance(ship, from);
    if (arrows.size() == maxEdgeArrows && distance >= arrows.back().distance) continue;
    if (arrows.size() == maxEdgeArrows) arrows.pop_back();
    const auto place = std::ranges::upper_bound(arrows, distance, {}, &EdgeArrow::distance);
    arrows.insert(place, arrowTo(ship, false))->ship = index;
  }
  const Vec3 middle(0.0);
  if (alone && !shows(camera, window, area, middle, pixel)) arrows.push_back(arrowTo(middle, true));
}

}  // namespace nearmiss::app::fly
