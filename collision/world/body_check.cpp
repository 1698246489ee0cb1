// SPDX-License-Identifier: MIT
#include <nearmiss/advanced/body_state.h>
#include <nearmiss/advanced/shapes.h>
#include <nearmiss/detail/assertion.h>
#include <nearmiss/detail/number_text.h>
#include <nearmiss/detail/out_of_memory.h>
#include <nearmiss/shape.h>

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "geometry/invalid_number.h"
#include "geometry/sound_pose.h"

namespace nearmiss {
namespace {

using Fault = std::optional<BodyFault>;

Fault fault(const char* field, const char* demand, Real value) noexcept {
  return BodyFault{0, 0, field, demand, value, -1, -1, std::nullopt, std::nullopt};
}

Fault fault(const char* field, const char* demand, Real value, Real limit) noexcept {
  return BodyFault{0, 0, field, demand, value, -1, -1, limit, std::nullopt};
}

Fault fault(const std::optional<InvalidNumber>& number) noexcept {
  if (!number) return std::nullopt;
  return BodyFault{0,  0,  number->field, number->demand, number->value,
                   -1, -1, std::nullopt,  number->bound};
}

Fault planeFault(std::span<const CuttingPlane> planes) noexcept {
  for (std::size_t i = 0; i < planes.size(); ++i) {
    Fault found = fault(notUnit(glm::dot(planes[i].direction, planes[i].direction), "direction"));
    if (!found) found = fault(outOfRange(planes[i].reverse, "reverse"));
    if (!found) continue;
    found->plane = static_cast<std::ptrdiff_t>(i);
    return found;
  }
  return std::nullopt;
}

Fault poseFault(const Pose& pose) noexcept {
  if (isSound(pose)) return std::nullopt;
  if (auto f = outOfRange(pose.position, {"pose.position.x", "pose.position.y", "pose.position.z"}))
    return fault(f);
  return fault(notUnit(glm::dot(pose.rotation, pose.rotation), "pose.rotation"));
}

Fault radiusFault(const ShapeRef& shape) noexcept {
  if (std::isnan(shape.radius()))
    return fault("shape.radius", "that of a shape: see Shapes::add()", shape.radius());
  return fault(outOfRange(shape.radius(), "shape.radius"));
}

Fault shapeFault(const ShapeRef& ref, const Shapes& shapes) noexcept {
  const auto shape = ref.index();
  if (shape >= shapes.size())
    return fault("shape.index", "below the number of shapes,", static_cast<Real>(shape),
                 static_cast<Real>(shapes.size()));
  // A bounding sphere that does not contain the body would make every method miss contacts
  const Real own = shapes[ref.index()].radius();
  if (ref.radius() < own)
    return fault("shape.radius", "at least that of its shape,", ref.radius(), own);
  return std::nullopt;
}

Fault linkFault(const BodyState& body, const Shapes* shapes) noexcept {
  for (std::size_t i = 0; i < body.links.size(); ++i) {
    const Link& link = body.links[i];
    Fault found = poseFault(link.pose);
    if (!found) found = radiusFault(link.shape);
    if (!found && shapes) found = shapeFault(link.shape, *shapes);
    const Real reach = glm::length(link.pose.position) + link.shape.radius();
    if (!found && reach > body.shape.radius())
      found = fault("reach", "at most the radius of the body,", reach, body.shape.radius());
    if (!found) continue;
    found->link = static_cast<std::ptrdiff_t>(i);
    return found;
  }
  return std::nullopt;
}

Fault faultOf(const BodyState& body, Real time) noexcept {
  if (auto f = poseFault(body.pose)) return f;
  if (auto f = outOfRange(body.velocity, {"velocity.x", "velocity.y", "velocity.z"}))
    return fault(f);
  if (auto f = radiusFault(body.shape)) return f;
  if (auto f = outOfRange(body.accelerationBound, "accelerationBound")) return fault(f);
  // Before all times nothing has expired, not even a bound that never held
  const bool beforeAll = time <= std::numeric_limits<Real>::lowest();
  const Real until = body.boundHoldsUntil;
  if (beforeAll ? std::isnan(until) : !(until > time))
    return fault("boundHoldsUntil", "later than the time of detection", body.boundHoldsUntil);
  return planeFault(body.planes);
}

/// Returns the second of two bodies with the same key. If there are several, the first in the span.
Fault repeatedKey(std::span<const BodyState> bodies) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> keys;  // with indices
  keys.reserve(bodies.size());
  for (std::size_t i = 0; i < bodies.size(); ++i)
    keys.emplace_back(bodies[i].key, static_cast<std::uint32_t>(i));
  std::sort(keys.begin(), keys.end());
  Fault first;
  for (std::size_t i = 1; i < keys.size(); ++i) {
    if (keys[i].first != keys[i - 1].first || (first && first->index < keys[i].second)) continue;
    first = fault("key", "other than that of body", keys[i].first, keys[i - 1].second);
    first->index = keys[i].second;
    first->key = keys[i].first;
  }
  return first;
}

std::string numberText(Real number, int digits) {
  // Print keys and counts, which have at most ten digits, in full
  const bool isCount = number == std::floor(number) && std::fabs(number) < 0x1p33;
  return textOf(number, isCount ? 10 : digits);
}

/// Returns a sentence such as "velocity.y is nan, but must be finite".
std::string sentenceOf(const std::string& field, const BodyFault& fault) {
  const int digits =
      digitsToTell(fault.limit.value_or(fault.bound.value_or(fault.value)), fault.value);
  return field + " is " + numberText(fault.value, digits) + ", but must be " + fault.demand +
         (fault.limit ? " " + numberText(*fault.limit, digits) : std::string());
}

}  // namespace

std::optional<BodyFault> faultIn(std::span<const BodyState> bodies, Real time,
                                 const Shapes* shapes) noexcept {
  NEARMISS_ASSERT(bodies.size() <= bodyCountLimit, bodies.size());
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    Fault found = faultOf(bodies[i], time);
    if (!found && shapes) found = shapeFault(bodies[i].shape, *shapes);
    if (!found) found = linkFault(bodies[i], shapes);
    if (!found) continue;
    found->index = i;
    found->key = bodies[i].key;
    return found;
  }
  return std::nullopt;
}

std::string describe(const BodyFault& fault) {
  std::string field = fault.field;
  if (fault.plane >= 0) field = "planes[" + std::to_string(fault.plane) + "]." + field;
  if (fault.link >= 0) field = "links[" + std::to_string(fault.link) + "]." + field;
  return "body " + std::to_string(fault.index) + " (key " + std::to_string(fault.key) +
         "): " + sentenceOf(field, fault);
}

Result<Success> checkBodies(std::span<const BodyState> bodies, Real time, const Shapes* shapes) {
  if (bodies.size() > bodyCountLimit)
    return Error{ErrorCode::Unsupported, std::to_string(bodies.size()) +
                                             " bodies are too many: at most " +
                                             std::to_string(bodyCountLimit) + " can be told apart"};
  if (!std::isfinite(time))
    return Error{ErrorCode::Unsupported, "the time of detection is not finite"};
  if (const auto found = faultIn(bodies, time, shapes))
    return Error{ErrorCode::Unsupported, describe(*found)};
  return orOutOfMemory("cannot compare the keys of the bodies", [&]() -> Result<Success> {
    if (const auto found = repeatedKey(bodies))
      return Error{ErrorCode::Unsupported, describe(*found)};
    return Success{};
  });
}

}  // namespace nearmiss
