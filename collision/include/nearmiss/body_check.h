// SPDX-License-Identifier: MIT
/// Whether bodies may be handed to a detector: what is wrong, by body and field.
#pragma once

#include <nearmiss/body_state.h>
#include <nearmiss/result.h>
#include <nearmiss/shape.h>

#include <cstddef>
#include <optional>
#include <span>
#include <string>

namespace nearmiss {

/// One field of one body that no detector can work with.
struct BodyFault {
  std::size_t index = 0;      ///< in the span
  std::uint32_t key = 0;      ///< of the body there
  const char* field = "";     ///< as in BodyState, "velocity.y" say
  const char* demand = "";    ///< what it must be, "finite" say
  Real value = 0.0;           ///< what it is
  std::ptrdiff_t plane = -1;  ///< index of the cutting plane, if `field` is of one
  std::ptrdiff_t link = -1;   ///< the same of a link
  std::optional<Real> limit;  ///< a number at the end of `demand`
};

/// Indices of bodies have 31 bits.
inline constexpr std::size_t bodyCountLimit = std::size_t{1} << 31;

/// The first fault of any body at `time`, in the order of the span and of the fields of BodyState:
/// no shape, a position, velocity, radius or acceleration bound that is not finite, a radius or
/// bound below 0, a rotation or plane direction that is not of unit length, an acceleration bound
/// that has expired, a link out of the body's radius. Where there are `shapes`: a shape that is
/// none of them, or a radius below its own. Nothing is allocated.
/// @pre bodies.size() <= bodyCountLimit
[[nodiscard]] std::optional<BodyFault> faultIn(std::span<const BodyState> bodies, Real time,
                                               const Shapes* shapes = nullptr) noexcept;

/// The same as a Result. Checks the number of bodies first, and last that no two have the same key.
/// Errors: Unsupported, in one sentence that names the body and the field; out of memory.
Result<Success> checkBodies(std::span<const BodyState> bodies, Real time,
                            const Shapes* shapes = nullptr);

/// "body 3 (key 17): velocity.y is nan, but must be finite"
[[nodiscard]] std::string describe(const BodyFault& fault);

}  // namespace nearmiss
