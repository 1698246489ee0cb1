// SPDX-License-Identifier: MIT
#include "c/handles.h"

#include <nearmiss/detail/promised_verdict.h>

#include <chrono>
#include <cstdio>
#include <string>

#ifndef NEARMISS_VERSION
#error "NEARMISS_VERSION is the version of the project"
#endif

namespace nearmiss::c {
namespace {

/// Fixed size and no destructor, so it survives the end of a thread and lack of memory.
thread_local char lastSentence[512] = "";

thread_local int chosenClock = NEARMISS_WALL_TIME;

/// Returns the clock of this thread's budgets.
Clock& clockOfThread() noexcept {
  static SteadyClock wall;
  thread_local WorkClock work;
  if (chosenClock == NEARMISS_WORK) return work;
  return wall;
}

nearmiss_status statusOf(ErrorCode code) noexcept {
  switch (code) {
    case ErrorCode::NotFound:
      return NEARMISS_NOT_FOUND;
    case ErrorCode::BadFormat:
      return NEARMISS_BAD_FORMAT;
    case ErrorCode::WrongVersion:
      return NEARMISS_WRONG_VERSION;
    case ErrorCode::Mismatch:
      return NEARMISS_MISMATCH;
    case ErrorCode::EmptyMesh:
      return NEARMISS_EMPTY_MESH;
    case ErrorCode::TooLarge:
      return NEARMISS_TOO_LARGE;
    case ErrorCode::OutOfMemory:
      return NEARMISS_OUT_OF_MEMORY;
    case ErrorCode::Unreadable:
    case ErrorCode::Unsupported:
    case ErrorCode::Cancelled:
      break;
  }
  return NEARMISS_UNSUPPORTED;
}

void put(const Sphere& from, double* to) noexcept {
  c::put(from.centre, to);
  to[3] = from.radius;
}

}  // namespace

void put(const Vec3& from, double* to) noexcept {
  for (int k = 0; k < 3; ++k) to[k] = from[k];
}

nearmiss_status failed(nearmiss_status status, std::string_view sentence) noexcept {
  std::snprintf(lastSentence, sizeof lastSentence, "%.*s", static_cast<int>(sentence.size()),
                sentence.data());
  return status;
}

nearmiss_status failed(const Error& error) noexcept {
  const bool hasMessage = !error.message.empty();
  return failed(statusOf(error.code), hasMessage ? std::string_view(error.message)
                                                 : std::string_view("there is not enough memory"));
}

nearmiss_status failed(std::string_view argument, const Error& error) noexcept {
  if (error.message.empty()) return failed(error);
  std::snprintf(lastSentence, sizeof lastSentence, "%.*s: %s", static_cast<int>(argument.size()),
                argument.data(), error.message.c_str());
  return statusOf(error.code);
}

nearmiss_status isNull(std::string_view what) noexcept {
  std::snprintf(lastSentence, sizeof lastSentence, "`%.*s` must not be null",
                static_cast<int>(what.size()), what.data());
  return NEARMISS_UNSUPPORTED;
}

std::optional<TimeBudget> budgetOf(double seconds) noexcept {
  constexpr double longest = 1e6;
  if (seconds == NEARMISS_UNLIMITED) return TimeBudget::unlimited();
  if (!(seconds >= 0.0 && seconds <= longest)) {
    static_cast<void>(
        failed(NEARMISS_UNSUPPORTED, "a budget must be 0 to 1e6 seconds, or NEARMISS_UNLIMITED"));
    return std::nullopt;
  }
  return TimeBudget(clockOfThread(), std::chrono::duration_cast<Clock::Duration>(
                                         std::chrono::duration<double>(seconds)));
}

Vec3 vectorOf(const double* v) noexcept { return {v[0], v[1], v[2]}; }

Pose poseOf(const nearmiss_pose& pose) noexcept {
  const double* q = pose.rotation;
  return {vectorOf(pose.position), Quat(q[0], q[1], q[2], q[3])};
}

nearmiss_refinement plain(const Refinement& known) noexcept {
  nearmiss_refinement answer{};
  answer.verdict = static_cast<std::int32_t>(promisedVerdict(known));
  answer.stage = static_cast<std::int32_t>(known.stage);
  answer.level = known.level;
  answer.can_refine = known.canRefine;
  answer.separation_bound = known.separationBound;
  put(known.deepest.a, answer.sphere_a);
  put(known.deepest.b, answer.sphere_b);
  answer.triangle_a = known.triangleA;
  answer.triangle_b = known.triangleB;
  return answer;
}

nearmiss_distance_bounds plain(const DistanceBounds& bounds) noexcept {
  nearmiss_distance_bounds out{};
  out.lower = bounds.lower;
  out.upper = bounds.upper;
  put(bounds.pointA, out.point_a);
  put(bounds.pointB, out.point_b);
  out.triangle_a = bounds.triangleA;
  out.triangle_b = bounds.triangleB;
  out.can_refine = bounds.canRefine;
  return out;
}

nearmiss_penetration_bounds plain(const PenetrationBounds& bounds) noexcept {
  nearmiss_penetration_bounds out{};
  out.lower = bounds.lower;
  out.upper = bounds.upper;
  put(bounds.direction, out.direction);
  out.can_refine = bounds.canRefine;
  return out;
}

nearmiss_protruding plain(const Protrusion& found) noexcept {
  nearmiss_protruding out{};
  out.depth = found.depth;
  put(found.from, out.from);
  put(found.to, out.to);
  out.of_b = found.ofB;
  out.vertex = found.vertex;
  out.can_refine = found.canRefine;
  return out;
}

nearmiss_ray_hit plain(const RayHit& found) noexcept {
  nearmiss_ray_hit out{};
  out.lower = found.lower;
  out.t = found.t;
  put(found.point, out.point);
  put(found.normal, out.normal);
  out.triangle = found.triangle;
  out.can_refine = found.canRefine;
  return out;
}

nearmiss_point_bounds plain(const NearestPoint& found) noexcept {
  nearmiss_point_bounds out{};
  out.lower = found.lower;
  out.upper = found.upper;
  put(found.point, out.point);
  out.triangle = found.triangle;
  out.can_refine = found.canRefine;
  return out;
}

nearmiss_manifold_point plain(const ManifoldPoint& point) noexcept {
  nearmiss_manifold_point out{};
  put(point.onA, out.on_a);
  put(point.onB, out.on_b);
  put(point.normal, out.normal);
  out.depth = point.depth;
  out.id = point.id;
  return out;
}

Ray rayOf(const nearmiss_ray& ray) noexcept {
  return {vectorOf(ray.origin), vectorOf(ray.direction), ray.end, ray.radius};
}

}  // namespace nearmiss::c

nearmiss_status nearmiss_set_clock(int clock) {
  using namespace nearmiss::c;
  if (clock != NEARMISS_WALL_TIME && clock != NEARMISS_WORK)
    return failed(NEARMISS_UNSUPPORTED, "clock must be NEARMISS_WALL_TIME or NEARMISS_WORK");
  chosenClock = clock;
  return NEARMISS_OK;
}

uint32_t nearmiss_c_version(void) { return NEARMISS_C_VERSION; }
const char* nearmiss_version(void) { return NEARMISS_VERSION; }
const char* nearmiss_error(void) { return nearmiss::c::lastSentence; }
