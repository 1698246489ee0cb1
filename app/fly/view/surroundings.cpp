// SPDX-License-Identifier: MIT
#include "fly/view/surroundings.h"

#include <algorithm>
#include <chrono>
#include <glm/geometric.hpp>
#include <limits>

#include "console/text.h"

namespace nearmiss::app::fly {
namespace {

constexpr Clock::Duration maxWork = std::chrono::microseconds(100);
constexpr Clock::Duration maxSearch = std::chrono::microseconds(600);
constexpr double known = 0.005;    // relative distance error that three digits do not show
constexpr double touching = 1e-3;  // relative to the sum of radii; nearer surfaces count as
                                   // touching

double distanceOfSpheres(const BodyState& a, const BodyState& b) noexcept {
  return glm::distance(a.pose.position, b.pose.position) - a.shape.radius() - b.shape.radius();
}

double closingSpeed(const BodyState& a, const BodyState& b) noexcept {
  const Vec3 apart = b.pose.position - a.pose.position;
  const double length = glm::length(apart);
  return length > 0.0 ? -glm::dot(apart, b.velocity - a.velocity) / length : 0.0;
}

/// Returns true if the two bounding spheres meet within `seconds`.
bool spheresMeet(const BodyState& a, const BodyState& b, double seconds) noexcept {
  const Vec3 apart = b.pose.position - a.pose.position, way = b.velocity - a.velocity;
  const double speed = glm::dot(way, way);
  const double nearest =
      speed > 0.0 ? std::clamp(-glm::dot(apart, way) / speed, 0.0, seconds) : 0.0;
  return glm::length(apart + nearest * way) <= a.shape.radius() + b.shape.radius();
}

}  // namespace

DistanceBounds Surroundings::between(const BodyState& a, const BodyState& b, const Shapes& shapes) {
  const TimeBudget budget(clock_, maxWork);
  DistanceBounds nearest;
  double lower = std::numeric_limits<double>::infinity();
  bool open = false;
  for (std::uint32_t i = 0; i < linkCount(a); ++i)
    for (std::uint32_t j = 0; j < linkCount(b); ++j) {
      const Link partA = linkOf(a, i), partB = linkOf(b, j);
      query_.begin(shapes[partA.shape.index()], partA.pose, shapes[partB.shape.index()],
                   partB.pose);
      const DistanceBounds bounds = query_.refine(budget);
      lower = std::min(lower, bounds.lower);
      open = open || bounds.canRefine;
      if (bounds.upper < nearest.upper) nearest = bounds;
    }
  nearest.lower = lower;
  nearest.canRefine = open;
  return nearest;
}

std::optional<double> Surroundings::contact(const BodyState& a, const BodyState& b,
                                            const Shapes& shapes) {
  const TimeBudget budget(clock_, maxSearch);
  const double near = touching * (a.shape.radius() + b.shape.radius());
  std::optional<double> first;
  for (std::uint32_t i = 0; i < linkCount(a); ++i)
    for (std::uint32_t j = 0; j < linkCount(b); ++j) {
      const Link partA = linkOf(a, i), partB = linkOf(b, j);
      const ContactTime time =
          timeToContact(query_, shapes[partA.shape.index()], {partA.pose, a.velocity},
                        shapes[partB.shape.index()], {partB.pose, b.velocity},
                        std::min(horizon, first.value_or(horizon)), near, budget);
      if (time.reached) first = std::min(first.value_or(horizon), time.noContactBefore);
    }
  return first;
}

std::span<const NearShip> Surroundings::look(std::span<const BodyState> bodies, std::size_t own,
                                             const Shapes& shapes, double time) {
  if (of_ == bodies.data() && time >= time_ && time < time_ + held) return near_;
  of_ = bodies.data();
  time_ = time;
  others_.clear();
  near_.clear();
  const BodyState& ship = bodies[own];
  const auto counts = [&](std::size_t index) {
    return index != own && (leftOut_ == 0 || bodies[index].key != leftOut_);
  };
  // Candidates with the nearest spheres
  const auto farther = [&](const NearShip& a, const NearShip& b) {
    return a.distance.lower < b.distance.lower;
  };
  for (std::size_t index = 0; index < bodies.size(); ++index) {
    if (!counts(index)) continue;
    NearShip other;
    other.index = index;
    other.distance.lower = distanceOfSpheres(ship, bodies[index]);
    if (near_.size() == maxShips && !farther(other, near_.back())) continue;
    if (near_.size() == maxShips) near_.pop_back();
    near_.insert(std::ranges::upper_bound(near_, other, farther), other);
  }

  // Then compare surfaces, skipping ships whose spheres are farther than a known surface
  double nearest = std::numeric_limits<double>::infinity();
  const auto compare = [&](NearShip& other) {
    const BodyState& body = bodies[other.index];
    other.distance = between(ship, body, shapes);
    other.closing = closingSpeed(ship, body);
    nearest = std::min(nearest, other.distance.upper);
    if (other.distance.upper > 0.0 && spheresMeet(ship, body, horizon))
      other.contact = contact(ship, body, shapes);
  };
  std::size_t compared = 0;
  while (compared < near_.size() && near_[compared].distance.lower <= nearest)
    compare(near_[compared++]);
  if (compared == maxShips) {
    // Some of the others may be nearer by their surfaces
    const double farthest = distanceOfSpheres(ship, bodies[near_.back().index]);
    for (std::size_t index = 0; index < bodies.size(); ++index) {
      const double spheres = distanceOfSpheres(ship, bodies[index]);
      const auto isIt = [index](const NearShip& other) { return other.index == index; };
      if (!counts(index) || spheres < farthest || spheres > nearest ||
          std::ranges::any_of(near_, isIt))
        continue;
      NearShip other;
      other.index = index;
      compare(near_.emplace_back(other));
      ++compared;
    }
  }
  near_.resize(compared);
  std::ranges::sort(near_, {}, [](const NearShip& other) { return other.distance.upper; });
  near_.resize(std::min(compared, maxShips));
  return near_;
}

DistanceBounds Surroundings::distanceTo(std::span<const BodyState> bodies, std::size_t own,
                                        std::size_t other, const Shapes& shapes) {
  for (const NearShip& ship : near_)
    if (ship.index == other) return ship.distance;
  for (const auto& [index, distance] : others_)
    if (index == other) return distance;
  return others_.emplace_back(other, between(bodies[own], bodies[other], shapes)).second;
}

const NearShip* firstHit(std::span<const NearShip> ships) noexcept {
  const NearShip* first = nullptr;
  for (const NearShip& ship : ships)
    if (ship.contact && (!first || *ship.contact < *first->contact)) first = &ship;
  return first;
}

std::string distanceText(const DistanceBounds& distance) {
  if (distance.upper == 0.0) return "touching";
  const bool exact =
      !distance.canRefine || distance.upper - distance.lower <= known * distance.upper;
  return exact ? gapText(distance.upper) : "≤ " + gapText(distance.upper);
}

}  // namespace nearmiss::app::fly
