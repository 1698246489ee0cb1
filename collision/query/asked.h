// SPDX-License-Identifier: MIT
/// What rays and points must be for a query to work with them.
#pragma once

#include <nearmiss/detail/assertion.h>
#include <nearmiss/math.h>
#include <nearmiss/ray.h>

#include <optional>
#include <string>

namespace nearmiss {

/// One number that is asked about and cannot be.
struct AskedFault {
  const char* field;   ///< "origin.y" say
  const char* demand;  ///< "finite" say
  Real value;
  Real bound = value;  ///< a number of the demand that the value is beyond
};

[[nodiscard]] std::optional<AskedFault> faultOfRay(const Ray& ray) noexcept;
[[nodiscard]] std::optional<AskedFault> faultOfPoint(const Vec3& point, Real reach) noexcept;
/// "origin.y is nan, but must be finite"
[[nodiscard]] std::string describe(const AskedFault& fault);

/// Ends the program where there is a fault.
inline void demandSound(const std::optional<AskedFault>& fault) {
  const bool sound = !fault;
  NEARMISS_DEMAND(sound, describe(*fault));
}

}  // namespace nearmiss
