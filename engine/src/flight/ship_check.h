// SPDX-License-Identifier: MIT
/// Whether a world can hold a ship: what is wrong, by ship and field.
#pragma once

#include <engine/flight/ship.h>
#include <nearmiss/result.h>

#include <optional>
#include <string>
#include <string_view>

namespace nearmiss::engine {

/// One field of a ship that no world can work with.
struct ShipFault {
  const char* field = "";   ///< as in ShipDef, "velocity.y" say
  const char* demand = "";  ///< what it must be, "finite" say
  Real value = 0.0;         ///< what it is
};

/// The first fault, in the order of the fields of ShipDef: a bounding radius or limit that is
/// negative or not finite, a mass that is not above 0, a rotation of length 0; in pose and velocity
/// any number that is not finite or above 1e100 in size.
[[nodiscard]] std::optional<ShipFault> faultOf(const ShipDef& def) noexcept;
[[nodiscard]] std::optional<ShipFault> faultOf(const Pose& pose) noexcept;
[[nodiscard]] std::optional<ShipFault> faultOfVelocity(const Vec3& velocity) noexcept;

/// "ship 17: velocity.y is nan, but must be finite", where `name` is "ship 17". Unsupported.
[[nodiscard]] Error refusal(std::string_view name, const ShipFault& fault);

}  // namespace nearmiss::engine
