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
struct AskedFault {
  const char* field;   ///< "origin.y" say
  const char* demand;  ///< "finite" say
  Real value;
  Real bound = value;  ///< the number in the demand that the value exceeds
};

[[nodiscard]] std::optional<AskedFault> faultOfRay(const Ray& ray) noexcept;
[[nodiscard]] std::optional<AskedFault> faultOfPoint(const Vec3& point, Real reach) noexcept;
/// Returns a sentence such as "origin.y is nan, but must be finite".
[[nodiscard]] std::string describe(const AskedFault& fault);

/// Terminates the program if there is a fault.
inline void demandSound(const std::optional<AskedFault>& fault) {
  const bool sound = !fault;
  NEARMISS_DEMAND(sound, describe(*fault));
}

}  // namespace nearmiss
