// SPDX-License-Identifier: MIT
#include "fly/loop/hearing.h"

#include <algorithm>
#include <glm/geometric.hpp>
#include <limits>

#include "fly/flight_context.h"

namespace nearmiss::app::fly {
namespace {

constexpr double loudGap = 1.2;    // metres at which a passing ship is half as loud
constexpr double loudSpeed = 6.0;  // m/s; faster ships are not louder

PassingShip heardOf(const BodyState& own, const BodyState& other, const Camera& camera) noexcept {
  const Vec3 to = other.pose.position - own.pose.position;
  const double away = glm::length(to);
  if (!(away > 0.0)) return {};
  const double gap = std::max(0.0, away - own.shape.radius() - other.shape.radius());
  const Vec3 moves = other.velocity - own.velocity;
  const double speed = std::min(glm::length(moves) / loudSpeed, 1.0);
  const double share = gap / loudGap;
  PassingShip heard;
  heard.loudness = static_cast<float>(speed / (1.0 + share * share));
  heard.ratio = dopplerRatio(static_cast<float>(-glm::dot(moves, to) / away));
  heard.pan = static_cast<float>(glm::dot(to, camera.pose.rotation * Vec3(1.0, 0.0, 0.0)) / away);
  return heard;
}

}  // namespace

std::array<PassingShip, Soundscape::maxPassing> passingShips(std::span<const BodyState> bodies,
                                                             std::size_t own,
                                                             const Camera& camera) noexcept {
  constexpr std::size_t nobody = std::numeric_limits<std::size_t>::max();
  std::array<std::size_t, Soundscape::maxPassing> nearest;
  nearest.fill(nobody);
  const auto away = [&](std::size_t i) {
    const Vec3 to = bodies[i].pose.position - bodies[own].pose.position;
    return glm::dot(to, to);
  };
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (i == own) continue;
    std::size_t next = i;
    for (std::size_t& place : nearest)
      if (next != nobody && (place == nobody || away(next) < away(place))) std::swap(place, next);
  }
  // In the order of the ships, so that each keeps its voice while the other one overtakes it
  std::ranges::sort(nearest);
  std::array<PassingShip, Soundscape::maxPassing> heard{};
  for (std::size_t i = 0; i < nearest.size(); ++i)
    if (nearest[i] != nobody) heard[i] = heardOf(bodies[own], bodies[nearest[i]], camera);
  return heard;
}

void hear(FlightContext& context) {
  if (!context.sound.ready()) return;
  const ViewChoice& view = context.ui.view;
  Soundscape scape;
  const bool moves = context.hasFlight() && context.times.advanced && !context.ui.isFrozen() &&
                     !context.modes.bench.on();
  if (moves && !view.muted) {
    const Flight& flight = context.flight();
    const std::size_t own = flight.simulation().userIndex();
    scape.active = 1.0f;
    scape.thrust = static_cast<float>(
        std::clamp(std::abs(flight.world().ships().control(own).thrust), 0., 1.));
    if (view.cues && view.overlay != OverlayMode::Off && !context.modes.rewind.on())
      if (const auto& seconds = context.view.cues.contactIn())
        scape.secondsToHit = static_cast<float>(*seconds);
    scape.streak = static_cast<float>(context.modes.run.passStreak());
    scape.passing = passingShips(flight.output().bodies, own, context.view.camera);
  }
  scape.effectsVolume = view.volumes.effects;
  scape.engineVolume = view.volumes.engine;
  scape.musicVolume = view.volumes.music;
  context.sound.set(scape);
}

}  // namespace nearmiss::app::fly
