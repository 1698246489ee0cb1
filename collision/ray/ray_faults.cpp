// SPDX-License-Identifier: MIT
#include "ray/ray_faults.h"

#include <nearmiss/advanced/mesh_file.h>
#include <nearmiss/detail/number_text.h>
#include <nearmiss/detail/out_of_memory.h>
#include <nearmiss/pair.h>
#include <nearmiss/ray.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/common.hpp>
#include <string_view>

#include "geometry/sound_pose.h"

namespace nearmiss {
namespace {

constexpr const char* finiteNumber = "finite";
constexpr const char* sizeInRange = "at most 1e60 in size";
static_assert(maxPoseMagnitude == 1e60);
/// Within these limits, times of positions within maxPoseMagnitude neither overflow nor lose
/// digits.
constexpr Real minDirection = 1e-200, maxDirection = 1e200;

std::optional<RayFault> faultOfPlace(const Vec3& v,
                                     const std::array<const char*, 3>& fields) noexcept {
  for (int axis = 0; axis < 3; ++axis)
    if (!(std::abs(v[axis]) <= maxPoseMagnitude))
      return RayFault{fields[static_cast<std::size_t>(axis)],
                      std::isfinite(v[axis]) ? sizeInRange : finiteNumber, v[axis],
                      std::copysign(maxPoseMagnitude, v[axis])};
  return std::nullopt;
}

std::optional<RayFault> faultOfVelocities(const SteadyMotion& motion) noexcept {
  if (auto fault = faultOfPlace(motion.velocity, {"velocity.x", "velocity.y", "velocity.z"}))
    return fault;
  return faultOfPlace(motion.angularVelocity,
                      {"angularVelocity.x", "angularVelocity.y", "angularVelocity.z"});
}

Result<Success> toResult(const std::optional<RayFault>& fault, std::string_view undone) {
  return orOutOfMemory(undone, [&]() -> Result<Success> {
    if (fault) return Error{ErrorCode::Unsupported, describe(*fault)};
    return Success{};
  });
}

}  // namespace

std::optional<RayFault> faultOfRay(const Ray& ray) noexcept {
  if (auto fault = faultOfPlace(ray.origin, {"origin.x", "origin.y", "origin.z"})) return fault;
  constexpr std::array fields{"direction.x", "direction.y", "direction.z"};
  for (int axis = 0; axis < 3; ++axis)
    if (!std::isfinite(ray.direction[axis]))
      return RayFault{fields[static_cast<std::size_t>(axis)], finiteNumber, ray.direction[axis]};
  if (ray.direction == Vec3(0.0)) return RayFault{"the length of the direction", "above 0", 0.0};
  const Vec3 size = glm::abs(ray.direction);
  const Real largest = std::max({size.x, size.y, size.z});
  if (!(largest >= minDirection && largest <= maxDirection))
    return RayFault{"the largest coordinate of the direction", "from 1e-200 to 1e200", largest,
                    largest < minDirection ? minDirection : maxDirection};
  if (!(ray.end >= 0.0)) return RayFault{"end", "0 or more", ray.end};
  if (!(ray.radius >= 0.0 && ray.radius <= maxPoseMagnitude))
    return RayFault{"radius", "from 0 to 1e60", ray.radius, maxPoseMagnitude};
  return std::nullopt;
}

std::optional<RayFault> faultOfPoint(const Vec3& point, Real reach) noexcept {
  if (auto fault = faultOfPlace(point, {"point.x", "point.y", "point.z"})) return fault;
  if (!(reach >= 0.0)) return RayFault{"reach", "0 or more", reach};
  return std::nullopt;
}

std::string describe(const RayFault& fault) {
  return std::string(fault.field) + " is " +
         textOf(fault.value, digitsToTell(fault.bound, fault.value)) + ", but must be " +
         fault.demand;
}

Result<Success> check(const Ray& ray) { return toResult(faultOfRay(ray), "cannot check the ray"); }

Result<Success> check(const Vec3& point, Real reach) {
  return toResult(faultOfPoint(point, reach), "cannot check the point");
}

Result<Success> check(const SteadyMotion& motion) {
  return orOutOfMemory("cannot check the motion", [&]() -> Result<Success> {
    if (isSound(motion.pose)) return toResult(faultOfVelocities(motion), "cannot check the motion");
    Error refusal = check(motion.pose).error();
    if (refusal.code == ErrorCode::Unsupported) refusal.message.insert(0, "pose.");
    return refusal;
  });
}

}  // namespace nearmiss
