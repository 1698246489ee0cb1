// SPDX-License-Identifier: MIT
/// What rays, points and poses must be for a query to work with them.
#pragma once

#include <nearmiss/body_state.h>
#include <nearmiss/detail/out_of_memory.h>
#include <nearmiss/ray.h>
#include <nearmiss/shape.h>

#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

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

[[nodiscard]] inline std::optional<BodyFault> faultOfOne(const Shape& shape,
                                                         const Pose& pose) noexcept {
  BodyState state;
  state.pose = pose;
  state.shape = ShapeRef::ofRadius(shape.radius());
  return faultIn({&state, 1}, 0.0);
}

/// The answer of `ask`, or why there is none: for unchecked values.
/// @param undone what failed, "cannot cast the ray" say
template <class Ask>
[[nodiscard]] std::invoke_result_t<const Ask&> answerChecked(const Shape& shape, const Pose& pose,
                                                             const std::optional<AskedFault>& asked,
                                                             std::string_view undone,
                                                             const Ask& ask) noexcept {
  return orOutOfMemory(undone, [&]() -> std::invoke_result_t<const Ask&> {
    if (const auto fault = faultOfOne(shape, pose))
      return Error{ErrorCode::Unsupported, describe(*fault)};
    if (asked) return Error{ErrorCode::Unsupported, describe(*asked)};
    return ask();
  });
}

/// Ends the program where the values are no good.
inline void demandSound(const Shape& shape, const Pose& pose,
                        const std::optional<AskedFault>& asked) {
  const auto fault = faultOfOne(shape, pose);
  const bool sound = !fault, fit = !asked;
  NEARMISS_DEMAND(sound, describe(*fault));
  NEARMISS_DEMAND(fit, describe(*asked));
}

}  // namespace nearmiss
