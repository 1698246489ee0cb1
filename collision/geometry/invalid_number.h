// SPDX-License-Identifier: MIT
/// Sentences about numbers that no query can handle: coordinates beyond the range, NaN.
#pragma once

#include <nearmiss/detail/assertion.h>
#include <nearmiss/math.h>
#include <nearmiss/result.h>

#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace nearmiss {

/// One invalid number in the arguments of a query.
struct InvalidNumber {
  const char* field;   ///< "origin.y" say
  const char* demand;  ///< "finite" say
  Real value;
  Real bound = value;  ///< the number in the demand that the value exceeds
};

/// Returns the first coordinate that is not finite or exceeds maxPoseMagnitude.
[[nodiscard]] std::optional<InvalidNumber> outOfRange(
    const Vec3& v, const std::array<const char*, 3>& fields) noexcept;
/// Returns a length that is not from 0 to maxPoseMagnitude.
[[nodiscard]] std::optional<InvalidNumber> outOfRange(Real length, const char* field) noexcept;
/// @param squared square of a length that should be 1
[[nodiscard]] std::optional<InvalidNumber> notUnit(Real squared, const char* field) noexcept;

/// Returns a sentence such as "origin.y is nan, but must be finite".
[[nodiscard]] std::string describe(const InvalidNumber& fault);
/// Returns ErrorCode::Unsupported with that sentence if there is a fault.
/// @param undone what the caller could not do if memory runs out: "cannot check the ray" say
[[nodiscard]] Result<Success> toResult(const std::optional<InvalidNumber>& fault,
                                       std::string_view undone);

/// Terminates the program if there is a fault.
inline void demandSound(const std::optional<InvalidNumber>& fault) {
  const bool sound = !fault;
  NEARMISS_DEMAND(sound, describe(*fault));
}

}  // namespace nearmiss
