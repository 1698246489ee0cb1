// SPDX-License-Identifier: MIT
/// Validity of rays and points as input of queries.
#pragma once

#include <nearmiss/detail/assertion.h>
#include <nearmiss/math.h>
#include <nearmiss/ray.h>

#include <optional>
#include <string>

namespace nearmiss {

/// One invalid number in a query.
struct RayFault {
  const char* field;   ///< "origin.y" say
  const char* demand;  ///< "finite" say
  Real value;
  Real bound = value;  ///< the number in the demand that the value exceeds
};

[[nodiscard]] std::optional<RayFault> faultOfRay(const Ray& ray) noexcept;
[[nodiscard]] std::optional<RayFault> faultOfPoint(const Vec3& point, Real reach) noexcept;
/// Returns a sentence such as "origin.y is nan, but must be finite".
[[nodiscard]] std::string describe(const RayFault& fault);

/// Terminates the program if there is a fault.
inline void demandSound(const std::optional<RayFault>& fault) {
  const bool sound = !fault;
  NEARMISS_DEMAND(sound, describe(*fault));
}

}  // namespace nearmiss
