// SPDX-License-Identifier: MIT
#include "flight/ship_check.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <glm/gtc/quaternion.hpp>

namespace nearmiss::engine {
namespace {

using Fault = std::optional<ShipFault>;

/// Small enough that squares are finite too.
constexpr Real most = 1e100;
/// Squared: a rotation this short has no direction.
constexpr Real shortest = 1e-100;

Fault notFinite(Real value, const char* field) noexcept {
  if (!std::isfinite(value)) return ShipFault{field, "finite", value};
  if (std::abs(value) > most) return ShipFault{field, "at most 1e100 in size", value};
  return std::nullopt;
}

template <std::size_t count>
Fault anyNotFinite(const std::array<Real, count>& values,
                   const std::array<const char*, count>& fields) noexcept {
  for (std::size_t i = 0; i < count; ++i)
    if (const Fault fault = notFinite(values[i], fields[i])) return fault;
  return std::nullopt;
}

Fault negative(Real value, const char* field) noexcept {
  if (value >= 0.0 && std::isfinite(value)) return std::nullopt;
  return ShipFault{field, "finite and not negative", value};
}

}  // namespace

std::optional<ShipFault> faultOf(const Pose& pose) noexcept {
  const Vec3& p = pose.position;
  if (const Fault fault = anyNotFinite<3>(
          {p.x, p.y, p.z}, {"pose.position.x", "pose.position.y", "pose.position.z"}))
    return fault;
  const Quat& q = pose.rotation;
  if (const Fault fault = anyNotFinite<4>(
          {q.w, q.x, q.y, q.z},
          {"pose.rotation.w", "pose.rotation.x", "pose.rotation.y", "pose.rotation.z"}))
    return fault;
  const Real squared = glm::dot(q, q);
  if (squared < shortest)
    return ShipFault{"the length of pose.rotation", "above 0", std::sqrt(squared)};
  return std::nullopt;
}

std::optional<ShipFault> faultOfVelocity(const Vec3& v) noexcept {
  return anyNotFinite<3>({v.x, v.y, v.z}, {"velocity.x", "velocity.y", "velocity.z"});
}

std::optional<ShipFault> faultOf(const ShipDef& def) noexcept {
  if (const Fault fault = negative(def.shape.radius(), "shape.radius")) return fault;
  if (const Fault fault = faultOf(def.pose)) return fault;
  if (const Fault fault = faultOfVelocity(def.velocity)) return fault;
  if (!(def.mass > 0.0)) return ShipFault{"mass", "above 0", def.mass};
  const ShipLimits& limits = def.limits;
  if (const Fault fault = negative(limits.accelerationMax, "limits.accelerationMax")) return fault;
  if (const Fault fault = negative(limits.reverseMax, "limits.reverseMax")) return fault;
  if (const Fault fault = negative(limits.turnMax, "limits.turnMax")) return fault;
  return negative(limits.drag, "limits.drag");
}

Error refusal(std::string_view name, const ShipFault& fault) {
  return {ErrorCode::Unsupported, fmt::format("{}: {} is {:.9g}, but must be {}", name, fault.field,
                                              fault.value, fault.demand)};
}

}  // namespace nearmiss::engine
