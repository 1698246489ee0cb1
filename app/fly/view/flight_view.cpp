// SPDX-License-Identifier: MIT
#include "fly/view/flight_view.h"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <utility>

#include "fly/overlay/ink.h"
#include "fly/view/pair_inspection.h"

namespace nearmiss::app::fly {

std::optional<Pose> EyeTrail::before(const Pose& eye, double seconds) {
  constexpr double maxSpeed = 60.0;  // m/s; faster motion is a jump
  constexpr double minCosine = 0.97;
  const std::optional<Pose> last = std::exchange(last_, eye);
  if (!last || !(seconds > 0.0)) return std::nullopt;
  const Vec3 moved = eye.position - last->position;
  const double cosine = std::abs(glm::dot(eye.rotation, last->rotation));
  if (glm::length(moved) > maxSpeed * seconds || cosine < minCosine) return std::nullopt;

  // At high speed streaks grow faster than the speed
  const double speed = glm::length(moved) / seconds;
  // A faster eye is shaken
  const double rush = speed > 12.0 ? 1.0 : 1.0 + std::max(speed - 3.0, 0.0) / 5.0;
  const double times = rush * exposure / seconds;
  Pose before;
  before.position = eye.position - times * moved;
  // slerp() also extrapolates
  before.rotation = glm::normalize(glm::slerp(eye.rotation, last->rotation, times));
  return before;
}

void FlightView::clearMarks() noexcept {
  marks.clear();
  impacts.clear();
}

void FlightView::follow(std::optional<std::size_t> ship) {
  followed_ = ship;
  cues.follow(ship);
}

std::size_t FlightView::followed(const Flight& flight) const noexcept {
  return followed_.value_or(flight.simulation().userIndex());
}

void FlightView::keepIn(const Rect& area, int width, int height, bool half) {
  if (!area.shown() || height <= 0) return rig.setFreeArea(0.0, 1.0);
  const double middle = area.x + 0.5 * area.width - 0.5 * width;
  rig.setFreeArea(half ? 0.0 : 2.0 * middle / height,
                  std::clamp(double{area.bottom()} / height, 0.5, 1.0));
}

void FlightView::look(const Flight& flight, const UiState& ui, double seconds) {
  const std::size_t own = followed(flight);
  const BodyState& ship = flight.output().bodies[own];
  rig.lookAt(focusOf(flight, ui.view.picked));
  camera = rig.update(ship.pose, ship.shape.radius(), seconds);
  if (rig.effectiveMode() == CameraMode::Chase)
    camera.pose.position = outsideShips(flight.output().bodies, own, camera.pose.position);
}

Vec3 outsideShips(std::span<const BodyState> bodies, std::size_t own, Vec3 eye) noexcept {
  constexpr double room = 1.05;  // relative to a ship's radius
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (i == own) continue;
    const Vec3 from = eye - bodies[i].pose.position;
    const double away = glm::length(from), enough = room * bodies[i].shape.radius();
    if (away >= enough) continue;
    // Move out radially; from the centre upwards
    const Vec3 way = away > 1e-9 ? from / away : Vec3(0.0, 1.0, 0.0);
    eye = bodies[i].pose.position + enough * way;
  }
  return eye;
}

void FlightView::addShipAreas(const Flight& flight, glm::vec2 window, float shift,
                              std::vector<Rect>& out) const {
  constexpr float large = 24.0f;  // pixels; a bounding sphere covers much more than a large ship
  const auto width = static_cast<int>(window.x), height = static_cast<int>(window.y);
  const double scale = 0.5 * height / std::tan(0.5 * camera.fieldOfView);
  glm::vec2 low, high;
  const auto add = [&](const Vec3& centre, Real radius) {
    glm::vec2 at;
    if (!project(camera, width, height, centre, at)) return;
    const Real away = std::max(glm::distance(centre, camera.pose.position), camera.nearPlane);
    const auto r = static_cast<float>(scale * radius / away);
    low = glm::min(low, at - r);
    high = glm::max(high, at + r);
  };
  std::vector<SphereId> ids;
  for (const BodyState& body : flight.output().bodies) {
    low = window;
    high = glm::vec2(0.0f);
    const Real away = glm::distance(body.pose.position, camera.pose.position);
    if (scale * body.shape.radius() < large * away) {
      add(body.pose.position, body.shape.radius());
    } else {
      for (std::uint32_t i = 0; i < linkCount(body); ++i) {
        const Link link = linkOf(body, i);
        const SphereTree& tree = flight.shapes().sphereTree(link.shape.index());
        tree.spheresOf(std::min(2, tree.levelCount() - 1), ids);
        for (const SphereId id : ids)
          add(transformed(link.pose, tree.sphere(id).centre), tree.sphere(id).radius);
      }
    }
    low = glm::max(low, glm::vec2(0.0f));
    high = glm::min(high, window);
    if (low.x < high.x && low.y < high.y)
      out.push_back({low.x + shift, low.y, high.x - low.x, high.y - low.y});
  }
}

DrawFrame FlightView::compose(const Flight& flight, const UiState& ui, double seconds, double now) {
  DrawFrame frame =
      scene.compose(flight, marks, impacts, ui, camera, rig.effectiveMode(), followed(flight), now);
  const auto before = trail.before(camera.pose, seconds);
  if (ui.view.cues) frame.eyeBefore = before;
  return frame;
}

void FlightView::label(const Ink& ink, const Flight& flight, const UiState& ui, glm::vec2 window,
                       const Rect& area, std::span<const Ground> panels,
                       const std::optional<NearestPoints>& nearest, const ContactManifold* picked) {
  const auto words = scene.label(ink, marks, ui, window, panels, nearest, picked);
  if (ui.view.cues && ui.view.overlay != OverlayMode::Off)
    cues.draw(ink, flight, camera, rig.looksAhead(), window, area, panels, words,
              ui.view.overlay == OverlayMode::Player);
  else if (ui.view.overlay == OverlayMode::Player)
    (void)cues.look(flight);
}

}  // namespace nearmiss::app::fly
