// SPDX-License-Identifier: MIT
#include "geometry/invalid_number.h"

#include <nearmiss/detail/number_text.h>
#include <nearmiss/detail/out_of_memory.h>
#include <nearmiss/mesh.h>
#include <nearmiss/result.h>

#include <cmath>
#include <glm/gtc/quaternion.hpp>

#include "geometry/sound_pose.h"

namespace nearmiss {
namespace {

static_assert(maxPoseMagnitude == 1e60 && maxPoseMagnitude == maxMagnitude);

}  // namespace

std::optional<InvalidNumber> outOfRange(const Vec3& v,
                                        const std::array<const char*, 3>& fields) noexcept {
  for (int axis = 0; axis < 3; ++axis)
    if (!(std::abs(v[axis]) <= maxPoseMagnitude))
      return InvalidNumber{fields[static_cast<std::size_t>(axis)],
                           std::isfinite(v[axis]) ? "at most 1e60 in size" : "finite", v[axis],
                           std::copysign(maxPoseMagnitude, v[axis])};
  return std::nullopt;
}

std::optional<InvalidNumber> outOfRange(Real length, const char* field) noexcept {
  if (length >= 0.0 && length <= maxPoseMagnitude) return std::nullopt;
  return InvalidNumber{field, "from 0 to 1e60", length, maxPoseMagnitude};
}

std::optional<InvalidNumber> notUnit(Real squared, const char* field) noexcept {
  if (std::abs(squared - 1.0) <= unitTolerance) return std::nullopt;
  return InvalidNumber{field, "of length 1", std::sqrt(squared), 1.0};
}

std::string describe(const InvalidNumber& fault) {
  return std::string(fault.field) + " is " +
         textOf(fault.value, digitsToTell(fault.bound, fault.value)) + ", but must be " +
         fault.demand;
}

Result<Success> toResult(const std::optional<InvalidNumber>& fault, std::string_view undone) {
  return orOutOfMemory(undone, [&]() -> Result<Success> {
    if (fault) return Error{ErrorCode::Unsupported, describe(*fault)};
    return Success{};
  });
}

Result<Success> check(const Pose& pose) {
  auto fault = outOfRange(pose.position, {"position.x", "position.y", "position.z"});
  if (!fault) fault = notUnit(glm::dot(pose.rotation, pose.rotation), "rotation");
  return toResult(fault, "cannot check the pose");
}

}  // namespace nearmiss
